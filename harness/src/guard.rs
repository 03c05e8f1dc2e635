//! Keeps an implementation in this process from holding up a run.
//!
//! It works in a thread of its own. When it does not answer in time, it is
//! left behind with its thread, which nothing can end, and a fresh one goes on.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use robotspec_reference::Edition;

use crate::implementation::{
    Answer, BatchRequest, Fault, Implementation, Incident, Info, Query, Verdict, answer_alone, check_alone,
};

/// How many threads may be left behind before it is given up.
const MOST_LEFT_BEHIND: usize = 10;

type Boxed = Box<dyn Implementation + Send>;

/// An implementation in a thread of its own.
pub struct Guarded {
    make: Box<dyn Fn() -> Boxed + Send>,
    /// The one at work; none while it is in its thread.
    implementation: Option<Boxed>,
    edition: Option<Edition>,
    timeout: Duration,
    left_behind: usize,
    incidents: Vec<Incident>,
}

/// What the thread sends back: answers, and at last the implementation.
enum Sent {
    Answer(usize, Result<Answer, Fault>),
    Done(Boxed),
}

impl Guarded {
    /// Guards what `make` makes, giving it so long for each request.
    pub fn new(make: impl Fn() -> Boxed + Send + 'static, timeout: Duration) -> Self {
        let implementation = Some(make());
        Guarded {
            make: Box::new(make),
            implementation,
            edition: None,
            timeout,
            left_behind: 0,
            incidents: Vec::new(),
        }
    }

    fn fresh(&mut self) -> Boxed {
        let mut implementation = self.implementation.take().unwrap_or_else(|| (self.make)());
        if let Some(edition) = self.edition {
            implementation.read_as(edition);
        }
        implementation
    }

    fn start(&mut self, requests: Vec<BatchRequest>) -> std::io::Result<Receiver<Sent>> {
        let mut implementation = self.fresh();
        let (sender, receiver) = mpsc::channel();
        thread::Builder::new().name(SUBJECT_THREAD.to_owned()).spawn(move || {
            implementation.answer_all(&requests, &mut |index, answer| {
                // Nobody listens any more once it was left behind.
                let _ = sender.send(Sent::Answer(index, answer));
            });
            let _ = sender.send(Sent::Done(implementation));
        })?;
        Ok(receiver)
    }

    /// Asks until all is answered or it is too slow; how many were answered.
    fn ask(
        &mut self,
        requests: &[BatchRequest],
        answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
    ) -> usize {
        let Ok(receiver) = self.start(requests.to_vec()) else { return 0 };
        let mut count = 0;
        loop {
            match receiver.recv_timeout(self.timeout) {
                Ok(Sent::Answer(index, answer)) => {
                    answered(index, answer);
                    count += 1;
                }
                Ok(Sent::Done(implementation)) => {
                    self.implementation = Some(implementation);
                    return count;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return count,
            }
        }
    }
}

/// The name of the threads in which implementations work, for a panic hook
/// that need not report what is reported anyway.
pub const SUBJECT_THREAD: &str = "implementation under test";

impl Implementation for Guarded {
    fn info(&self) -> Info {
        match &self.implementation {
            Some(implementation) => implementation.info(),
            None => (self.make)().info(),
        }
    }

    fn read_as(&mut self, edition: Edition) -> bool {
        self.edition = Some(edition);
        self.implementation.get_or_insert_with(|| (self.make)()).read_as(edition)
    }

    fn check(&mut self, robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
        check_alone(self, robots, queries)
    }

    fn answer(&mut self, request: &BatchRequest) -> Result<Answer, Fault> {
        answer_alone(self, request)
    }

    fn answer_all(
        &mut self,
        requests: &[BatchRequest],
        answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
    ) {
        let mut done = 0;
        while done < requests.len() {
            if self.left_behind >= MOST_LEFT_BEHIND {
                for index in done..requests.len() {
                    answered(index, Err(Fault::NotRun(format!("it took too long {MOST_LEFT_BEHIND} times"))));
                }
                return;
            }
            // The built-in ones answer in order, so the count tells which comes next.
            let start = done;
            done += self.ask(&requests[start..], &mut |index, answer| answered(start + index, answer));
            if done < requests.len() {
                let message = format!("no answer in {:?}", self.timeout);
                self.incidents.push(Incident::Restarted { reason: message.clone() });
                answered(done, Err(Fault::Timeout(message)));
                self.left_behind += 1;
                done += 1;
            }
        }
    }

    fn incidents(&mut self) -> Vec<Incident> {
        std::mem::take(&mut self.incidents)
    }
}
