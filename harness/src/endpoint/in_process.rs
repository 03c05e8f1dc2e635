//! A parser in this process that cannot hold up a run.
//!
//! The parser works in a thread of its own. When it does not answer in time, the thread is abandoned, because nothing
//! can end a thread from outside, and a new parser in a new thread goes on with the next batch.

use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::answer::Fault;
use crate::endpoint::{
    Batch, BatchAnswer, Bridge, Endpoint, Failures, Incident, OnReply, RequestAnswers, Transport,
};
use crate::interrupt::{self, Waited};
use crate::parser::{Info, Parser};

/// How many threads may be abandoned before the endpoint gives up.
const MOST_ABANDONED: usize = 10;

/// The name of the threads that parsers work in, for a panic hook that leaves out panics that are reported as crashes.
pub const SUBJECT_THREAD: &str = "implementation under test";

type BoxedParser = Box<dyn Parser + Send>;

/// A parser in a thread of its own.
pub struct InProcess {
    make: Box<dyn Fn() -> BoxedParser + Send>,
    /// The parser; `None` while it is in its thread.
    parser: Option<BoxedParser>,
    timeout: Duration,
    abandoned: usize,
    incidents: Vec<Incident>,
}

/// What the thread sends.
enum Message {
    Answer(usize, RequestAnswers),
    /// All batches are answered: the parser for the next ones.
    Done(BoxedParser),
}

impl InProcess {
    /// Returns an endpoint for the parser that `make` makes, with a time limit for each batch.
    pub fn new(make: impl Fn() -> BoxedParser + Send + 'static, timeout: Duration) -> Self {
        let parser = Some(make());
        InProcess { make: Box::new(make), parser, timeout, abandoned: 0, incidents: Vec::new() }
    }

    fn start(&mut self, batches: Vec<Batch>) -> std::io::Result<Receiver<Message>> {
        let mut parser = self.parser.take().unwrap_or_else(|| (self.make)());
        let (sender, receiver) = mpsc::channel();
        thread::Builder::new().name(SUBJECT_THREAD.to_owned()).spawn(move || {
            // The receiver is gone once the thread is abandoned.
            let mut pass_on = |index, answer| drop(sender.send(Message::Answer(index, answer)));
            // The bridge finishes every request.
            let _ = Bridge(parser.as_mut()).send(&batches, &mut pass_on);
            drop(sender.send(Message::Done(parser)));
        })?;
        Ok(receiver)
    }

    /// Returns the fault of a batch that was not answered: its thread is abandoned, or too many were before.
    fn abandon(&mut self) -> Fault {
        if interrupt::is_requested() {
            return interrupt::fault();
        }
        let gave_up = format!("it took too long {MOST_ABANDONED} times");
        if self.abandoned >= MOST_ABANDONED {
            return Fault::NotRun(gave_up.into());
        }
        let fault = Fault::Timeout(format!("no answer in {:?}", self.timeout).into());
        self.incidents.push(Incident::Restarted { reason: fault.clone() });
        self.abandoned += 1;
        if self.abandoned == MOST_ABANDONED {
            self.incidents.push(Incident::GaveUp { reason: gave_up });
        }
        fault
    }
}

impl Endpoint for InProcess {
    fn info(&self) -> Info {
        match &self.parser {
            Some(parser) => Parser::info(parser.as_ref()),
            None => Parser::info((self.make)().as_ref()),
        }
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        Failures::default().answer(self, batches, on_answer);
    }

    fn incidents(&mut self) -> Vec<Incident> {
        std::mem::take(&mut self.incidents)
    }
}

impl Transport for InProcess {
    /// The bridge answers in order: the first batch without an answer takes too long, and those after it are not sent.
    fn send(&mut self, batches: &[Batch], on_reply: OnReply) -> Result<(), Fault> {
        let mut answered = 0;
        if self.abandoned < MOST_ABANDONED
            && !interrupt::is_requested()
            && let Ok(receiver) = self.start(batches.to_vec())
        {
            while let Waited::Received(message) = interrupt::receive(&receiver, self.timeout) {
                match message {
                    Message::Answer(index, answer) => {
                        on_reply(index, answer);
                        answered = index + 1;
                    }
                    Message::Done(parser) => {
                        self.parser = Some(parser);
                        return Ok(());
                    }
                }
            }
        }
        if answered < batches.len() {
            on_reply(answered, Err(self.abandon()));
        }
        Ok(())
    }
}
