//! An adapter: an implementation in any language, behind the adapter protocol.

use std::time::{Duration, Instant};

use robotspec_cases::{Query, TimedVisit};

use super::command_line::{BadCommand, words};
use super::live;
use super::process::{Child, Output};
use super::protocol::{self, FetchRequest, HelloReply, Operation, Request};
use super::reply::{Surplus, next_reply, too_much_memory, with_line};
use crate::answer::{Answer, Breach, Fault, Verdict};
use crate::endpoint::{
    Batch, BatchAnswer, Endpoint, Incident, RequestAnswers, access_answer, answer_each, not_answered,
};
use crate::interrupt;
use crate::parser::Info;
use robotspec_text::sentences::counted;

/// The number of requests that are sent before the first reply is read.
const WINDOW: usize = 64;

/// How many checks that are sent alone may take too long before no further check is sent alone.
const MOST_LATE_ALONE: usize = 60;

/// The time that an adapter may wait for a site. It is shorter than the time that the adapter itself may take.
const SITE_TIMEOUT: Duration = Duration::from_secs(1);

/// The limits of an adapter.
#[derive(Debug, Clone, Copy)]
pub struct AdapterLimits {
    /// The time for the reply to `hello`, from the start of the process.
    pub hello: Duration,
    /// The time for the reply to any other request.
    pub request: Duration,
    /// The number of requests on which the adapter may fail before it receives no further ones.
    pub failures: usize,
    /// The number of lines of text that are no replies, after which it receives no further requests.
    pub chatter: usize,
    /// The memory that its processes may use together, in bytes. It is measured where the system shows it, as Linux does.
    pub memory: Option<u64>,
}

/// The number of processes that end after one reply each, after which the adapter receives no further requests.
const SINGLE_REPLIES: usize = 3;

impl Default for AdapterLimits {
    fn default() -> Self {
        AdapterLimits {
            hello: Duration::from_secs(30),
            request: Duration::from_secs(5),
            failures: 100,
            chatter: 3,
            memory: None,
        }
    }
}

/// An adapter: a child process that speaks the protocol.
pub struct Adapter {
    command: String,
    words: Vec<String>,
    limits: AdapterLimits,
    state: State,
    hello: Option<HelloReply>,
    next_id: u64,
    failures: usize,
    /// The number of requests after which lines of text came that were no replies.
    chatter: usize,
    /// The number of processes, one after the other, that ended after one reply.
    single_replies: usize,
    /// The number of checks that were sent alone and took too long.
    late_alone: usize,
    incidents: Vec<Incident>,
    surplus: Surplus,
}

/// The reason why an adapter could not be started, with the end of its standard error.
struct NotStarted(String);

enum State {
    Running {
        child: Child,
        /// Whether it has received a request.
        is_used: bool,
        /// The number of its replies to requests.
        replies: usize,
    },
    /// The adapter is started before the next request.
    Stopped,
    /// The adapter receives no further requests, for this reason.
    GaveUp(String),
}

impl Adapter {
    /// Starts an adapter. Where the adapter does not answer `hello`, every request to it is reported as *not run*.
    ///
    /// # Errors
    ///
    /// The command cannot be split into words.
    pub fn start(command: &str, limits: AdapterLimits) -> Result<Self, BadCommand> {
        Ok(Self::launcher(command, limits)?())
    }

    /// Returns a function that starts an adapter, each time that it is called.
    ///
    /// # Errors
    ///
    /// The command cannot be split into words.
    pub fn launcher(
        command: &str,
        limits: AdapterLimits,
    ) -> Result<impl Fn() -> Self + Send + Sync + use<>, BadCommand> {
        let words = words(command)?;
        let command = command.to_owned();
        Ok(move || {
            let mut adapter = Adapter {
                command: command.clone(),
                words: words.clone(),
                limits,
                state: State::Stopped,
                hello: None,
                next_id: 1,
                failures: 0,
                chatter: 0,
                single_replies: 0,
                late_alone: 0,
                incidents: Vec::new(),
                surplus: Surplus::default(),
            };
            adapter.ensure_running();
            adapter
        })
    }

    /// Starts the adapter if it is stopped. Gives up after two failures in a row.
    fn ensure_running(&mut self) {
        if !matches!(self.state, State::Stopped) {
            return;
        }
        let mut reason = String::new();
        for _ in 0..2 {
            if interrupt::is_requested() {
                self.state = State::GaveUp(interrupt::REASON.to_owned());
                return;
            }
            match self.greet() {
                Ok((child, hello)) => {
                    self.hello.get_or_insert(hello);
                    self.state = State::Running { child, is_used: false, replies: 0 };
                    return;
                }
                Err(NotStarted(failure)) => reason = failure,
            }
        }
        self.give_up(reason);
    }

    /// Starts the adapter and reads its reply to `hello`.
    fn greet(&self) -> Result<(Child, HelloReply), NotStarted> {
        let mut child = Child::start(&self.words, self.limits.memory)
            .map_err(|error| NotStarted(format!("`{}` cannot be started: {error}", self.words[0])))?;
        child.write(protocol::hello());
        let reason = match child.read_line(self.limits.hello) {
            Some(Output::Line(line)) => match protocol::read_hello_reply(&line) {
                Ok(hello) => return Ok((child, hello)),
                Err(breach) => child.with_last_errors(with_line(breach, &line).to_string()),
            },
            Some(Output::TooLong(_)) => "the reply to `hello` is too long".to_owned(),
            Some(Output::TooMuchMemory(used)) => too_much_memory(used, self.limits.memory),
            Some(Output::Interrupted) => interrupt::REASON.to_owned(),
            Some(Output::Closed) => {
                format!("the adapter ended before it answered `hello`: {}", child.describe_end())
            }
            None => {
                let hello = self.limits.hello;
                child.with_last_errors(format!("the adapter did not answer `hello` in {hello:?}"))
            }
        };
        Err(NotStarted(reason))
    }

    fn give_up(&mut self, reason: String) {
        self.incidents.push(Incident::GaveUp { reason: reason.clone() });
        self.state = State::GaveUp(reason);
    }

    /// Ends the process after a fault. Gives up an adapter that ends after every reply.
    fn stop(&mut self, reason: &Fault) {
        let state = std::mem::replace(&mut self.state, State::Stopped);
        if matches!(reason, Fault::NotRun(_)) {
            return;
        }
        self.incidents.push(Incident::Restarted { reason: reason.clone() });
        let is_single = matches!((&state, reason), (State::Running { replies: 1, .. }, Fault::Crash(_)));
        self.single_replies = if is_single { self.single_replies + 1 } else { 0 };
        if self.single_replies >= SINGLE_REPLIES {
            self.give_up(format!(
                "it ends after every reply, and an adapter answers until its standard input is closed; a program that \
                 answers one check is for --exec. At last: {reason}"
            ));
        }
    }

    /// Counts the request of a line of text that is no reply. Gives up an adapter that writes such lines again and again.
    fn count_chatter(&mut self, reason: &Fault) {
        self.chatter += 1;
        if self.chatter >= self.limits.chatter {
            self.give_up(format!(
                "it writes lines to its standard output that are no replies; write logs to standard error. At last: \
                 {reason}"
            ));
        }
    }

    fn supports(&self, query: &Query) -> bool {
        if self.hello.is_none() {
            return true;
        }
        let has_many_visits = matches!(query, Query::Access { visits, .. } if visits.len() > 1);
        protocol::operation(query).is_some_and(|op| self.offers(op))
            && (!has_many_visits || self.offers(Operation::Clock))
    }

    /// Returns whether its reply to `hello` lists an operation.
    fn offers(&self, op: Operation) -> bool {
        self.hello.as_ref().is_some_and(|hello| hello.ops.contains(&op))
    }

    /// Plays visits, and sends the adapter a fetch request at each of them.
    fn access_live(&mut self, visits: &[TimedVisit], agent: &str, paths: &[String]) -> Result<Answer, Fault> {
        self.ensure_running();
        if let State::GaveUp(reason) = &self.state {
            return Err(Fault::NotRun(reason.as_str().into()));
        }
        let has_clock = self.offers(Operation::Clock);
        let played = live::play(visits, paths, |fetch| {
            let request = Request::Fetch(FetchRequest {
                agent,
                urls: fetch.urls,
                now: has_clock.then_some(fetch.now),
                timeout_ms: SITE_TIMEOUT.as_millis() as u64,
            });
            let verdict = |answer: Answer| match answer.without_line() {
                Answer::Match(verdict) => verdict,
                other => Verdict::Error(other.to_string().into()),
            };
            Ok(self.put(&request)?.into_iter().map(verdict).collect())
        })?;
        access_answer(paths, played.verdicts, played.violations, played.followed)
    }

    /// Sends requests together. An error has the places of the requests without an answer, because any of them may have
    /// caused it.
    fn answer_requests(
        &mut self,
        requests: &[Request],
        on_answer: &mut dyn FnMut(usize, RequestAnswers),
    ) -> Result<(), (Vec<usize>, Fault)> {
        let State::Running { child, is_used, replies } = &mut self.state else { return Ok(()) };
        *is_used = true;
        let first_id = self.next_id;
        self.next_id += requests.len() as u64;
        for (id, request) in (first_id..).zip(requests) {
            child.write(request.line(id));
        }
        let mut waiting: Vec<bool> = vec![true; requests.len()];
        for _ in 0..requests.len() {
            match next_reply(child, self.limits.request, first_id, requests, &waiting, &mut self.surplus) {
                Ok((at, answer)) => {
                    *replies += 1;
                    waiting[at] = false;
                    on_answer(at, answer);
                }
                Err(fault) => return Err(((0..waiting.len()).filter(|&at| waiting[at]).collect(), fault)),
            }
        }
        Ok(())
    }

    /// Sends one request alone. A fault is certainly caused by it only in a new process, because another request may have
    /// had an effect after its own answer.
    fn put_alone(&mut self, request: &Request) -> RequestAnswers {
        self.ensure_running();
        let is_used = matches!(self.state, State::Running { is_used: true, .. });
        let answered = self.put_now(request);
        if let Err(fault @ Fault::Protocol(error)) = &answered
            && error.is_text()
        {
            self.count_chatter(fault);
        }
        let is_uncertain = match &answered {
            Err(Fault::Crash(_) | Fault::Protocol(_)) => is_used,
            Err(Fault::Timeout(_)) => is_used && self.late_alone < MOST_LATE_ALONE,
            _ => false,
        };
        if !is_uncertain {
            return answered;
        }
        self.late_alone += usize::from(matches!(answered, Err(Fault::Timeout(_))));
        self.put_now(request)
    }

    /// Sends one request alone to the present process, or to a new one if there is none.
    fn put_now(&mut self, request: &Request) -> RequestAnswers {
        self.ensure_running();
        if let State::GaveUp(reason) = &self.state {
            return Err(Fault::NotRun(reason.as_str().into()));
        }
        let mut answer = Err(not_answered());
        let alone = std::slice::from_ref(request);
        let sent = self.answer_requests(alone, &mut |_, answered| answer = answered);
        if let Err((_, fault)) = sent {
            self.stop(&fault);
            return Err(fault);
        }
        answer
    }

    /// Sends one request alone, and counts its failure.
    fn put(&mut self, request: &Request) -> RequestAnswers {
        let answered = self.put_alone(request);
        if let Err(fault) = &answered {
            self.count_failure(fault);
        }
        answered
    }

    /// Counts a fault of a request. Gives up after too many.
    fn count_failure(&mut self, fault: &Fault) {
        if !matches!(fault, Fault::Crash(_) | Fault::Timeout(_) | Fault::Protocol(_)) {
            return;
        }
        self.failures += 1;
        if self.failures >= self.limits.failures {
            self.give_up(format!("it failed on {}", counted(self.failures, "request")));
        }
    }

    /// Returns the answers to a batch whose request is answered by this: where it failed, each check is sent alone.
    /// Those that take too long are limited in number, because each takes the whole time limit.
    fn answer_each_alone(&mut self, batch: &Batch, answered: RequestAnswers) -> BatchAnswer {
        answer_each(batch, answered, |alone| {
            if self.late_alone >= MOST_LATE_ALONE {
                let late = counted(self.late_alone, "check");
                return Err(Fault::NotRun(
                    format!("its request failed, and {late} sent alone took too long").into(),
                ));
            }
            let answered = self.put_alone(&Request::Batch(alone));
            self.late_alone += usize::from(matches!(answered, Err(Fault::Timeout(_))));
            answered
        })
    }

    /// Returns the answers to the batch that most likely caused a fault: each check is sent alone.
    fn answer_suspect(&mut self, batch: &Batch, fault: Fault) -> BatchAnswer {
        if batch.queries().len() == 1 {
            let answered = self.put(&Request::Batch(batch));
            return self.answer_each_alone(batch, answered);
        }
        let answers = self.answer_each_alone(batch, Err(fault.clone()));
        if answers.iter().any(Result::is_err) {
            self.count_failure(&fault);
        }
        answers
    }

    /// Sends the requests of batches together, and those without an answer alone.
    fn answer_window(&mut self, batches: &[&Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        self.ensure_running();
        if let State::GaveUp(reason) = &self.state {
            let not_run = Fault::NotRun(reason.as_str().into());
            batches.iter().enumerate().for_each(|(at, batch)| on_answer(at, batch.each_fails(&not_run)));
            return;
        }
        if let [batch] = batches {
            let answered = self.put(&Request::Batch(batch));
            on_answer(0, self.answer_each_alone(batch, answered));
            return;
        }
        let requests: Vec<Request> = batches.iter().map(|batch| Request::Batch(batch)).collect();
        let mut failed: Vec<(usize, Fault)> = Vec::new();
        let sent = self.answer_requests(&requests, &mut |at, answered| match answered {
            Ok(answers) => on_answer(at, answers.into_iter().map(Ok).collect()),
            Err(fault) => failed.push((at, fault)),
        });
        if let Err((left_over, fault)) = sent {
            self.stop(&fault);
            // Also the only request without an answer may be innocent: an earlier one may have caused this after its
            // own answer. The first one is the most likely cause, so its checks are sent alone at once.
            let mut left_over = left_over.into_iter();
            if let Some(first) = left_over.next() {
                on_answer(first, self.answer_suspect(batches[first], fault));
            }
            for at in left_over {
                let answered = self.put(&requests[at]);
                on_answer(at, self.answer_each_alone(batches[at], answered));
            }
        }
        for (at, fault) in failed {
            on_answer(at, self.answer_each_alone(batches[at], Err(fault)));
        }
    }
}

impl Endpoint for Adapter {
    fn info(&self) -> Info {
        self.hello.as_ref().map_or_else(|| Info::named(&self.command), |hello| hello.info.clone())
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        let mut supported: Vec<usize> = Vec::new();
        for (index, batch) in batches.iter().enumerate() {
            match batch.first() {
                query if !self.supports(query) => {
                    on_answer(index, batch.each_fails(&Fault::NotSupported));
                }
                Query::Access { visits, agent, paths } => {
                    on_answer(index, vec![self.access_live(visits, agent, paths)]);
                }
                _ => supported.push(index),
            }
        }
        for window in supported.chunks(WINDOW) {
            let window_batches: Vec<&Batch> = window.iter().map(|&index| &batches[index]).collect();
            self.answer_window(&window_batches, &mut |at, answer| on_answer(window[at], answer));
        }
    }

    fn finish(&mut self) {
        let State::Running { child, .. } = &mut self.state else { return };
        child.close_input();
        let end = Instant::now() + self.limits.request;
        while let Some(Output::Line(line)) = child.read_line(end.saturating_duration_since(Instant::now())) {
            self.surplus.add(with_line(Breach::NoRequest, &line));
        }
        match child.wait(end.saturating_duration_since(Instant::now())) {
            Some(status) if status.success() => {}
            Some(status) => {
                self.incidents.push(Incident::BadExit { status: child.with_last_errors(status.to_string()) })
            }
            None if interrupt::is_requested() => {}
            None => {
                let status = "it did not exit when its standard input was closed".to_owned();
                self.incidents.push(Incident::BadExit { status });
            }
        }
        self.state = State::Stopped;
    }

    fn incidents(&mut self) -> Vec<Incident> {
        let Surplus { lines, first } = std::mem::take(&mut self.surplus);
        self.incidents.extend(first.map(|first| Incident::ProtocolError { lines, first }));
        std::mem::take(&mut self.incidents)
    }
}
