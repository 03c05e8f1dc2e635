//! An adapter: an implementation in any language, behind the adapter protocol.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robotspec_cases::{Query, TimedVisit};

use super::launcher::{BadCommand, words};
use super::life::Life;
use super::live;
use super::process::{Child, Output};
use super::protocol::{self, FetchRequest, HelloReply, Operation, Request, read_reply};
use crate::answer::{Answer, Breach, Fault, ProtocolError, Verdict};
use crate::endpoint::{
    Batch, BatchAnswer, Endpoint, Failures, Incident, OnReply, RequestAnswers, Transport, alike_answer,
    not_answered,
};
use crate::interrupt;
use crate::parser::Info;
use robotspec_text::sentences::counted;

/// The time that an adapter may wait for a site. It is shorter than the time that the adapter itself may take.
const SITE_TIMEOUT: Duration = Duration::from_secs(1);

/// How much of an offending line is shown, in bytes.
const LINE_SHOWN: usize = 200;

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
#[derive(Default)]
pub struct Adapter {
    command: String,
    words: Vec<String>,
    limits: AdapterLimits,
    life: Arc<Life>,
    state: State,
    hello: Option<HelloReply>,
    next_id: u64,
    failures: Failures,
    /// The number of processes, one after the other, that ended after one reply.
    single_replies: usize,
    incidents: Vec<Incident>,
    /// The number of lines that answer no request, since the last call of [`incidents`](crate::Endpoint::incidents), and what
    /// is wrong with the first one.
    surplus: Option<(usize, ProtocolError)>,
}

#[derive(Default)]
enum State {
    Running {
        child: Child,
        /// The number of its replies to requests.
        replies: usize,
    },
    /// The adapter is started before the next request.
    #[default]
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
        let life = Arc::new(Life::default());
        Ok(move || {
            let mut adapter = Adapter {
                command: command.clone(),
                words: words.clone(),
                limits,
                life: Arc::clone(&life),
                next_id: 1,
                ..Adapter::default()
            };
            // Each request reports again that it cannot be started.
            let _ = adapter.ensure_running();
            adapter
        })
    }

    /// Starts the adapter if it is stopped. Gives up after two failures in a row.
    fn ensure_running(&mut self) -> Result<(), Fault> {
        let mut failure = None;
        for _ in 0..2 {
            if !matches!(self.state, State::Stopped) {
                break;
            }
            if interrupt::is_requested() {
                self.state = State::GaveUp(interrupt::REASON.to_owned());
                break;
            }
            if let Some(reason) = self.life.end.get() {
                self.give_up(reason.clone());
                break;
            }
            match self.greet() {
                Ok((child, hello)) => {
                    self.hello.get_or_insert(hello);
                    self.state = State::Running { child, replies: 0 };
                }
                Err(reason) => failure = Some(reason),
            }
        }
        if let (State::Stopped, Some(reason)) = (&self.state, failure) {
            self.give_up(reason);
        }
        match &self.state {
            State::GaveUp(reason) => Err(Fault::NotRun(reason.as_str().into())),
            _ => Ok(()),
        }
    }

    /// Starts the adapter and reads its reply to `hello`. The error is the reason, with the end of its standard error.
    fn greet(&self) -> Result<(Child, HelloReply), String> {
        let mut child = Child::start(&self.words, Path::new("."), Stdio::piped(), self.limits.memory)
            .map_err(|error| super::launcher::describe_start(&self.words[0], &error))?;
        child.write(protocol::hello());
        let reason = match child.read_line(Instant::now() + self.limits.hello) {
            Some(Output::Line(line)) => match protocol::read_hello_reply(&line) {
                Ok(hello) => return Ok((child, hello)),
                Err(breach) => child.with_last_errors(with_line(breach, &line).to_string()),
            },
            Some(Output::TooLong(_)) => "the reply to `hello` is too long".to_owned(),
            Some(Output::TooMuchMemory(used)) => child.describe_memory(used),
            Some(Output::Interrupted) => interrupt::REASON.to_owned(),
            Some(Output::Closed) => {
                format!("the adapter ended before it answered `hello`: {}", child.describe_end())
            }
            None => {
                let hello = self.limits.hello;
                child.with_last_errors(format!("the adapter did not answer `hello` in {hello:?}"))
            }
        };
        Err(reason)
    }

    fn give_up(&mut self, reason: String) {
        if self.life.counts().answered == 0 {
            self.life.end.get_or_init(|| reason.clone());
        }
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
        if let (State::Running { .. }, Fault::Crash(_) | Fault::Timeout(_)) = (&state, reason) {
            self.lose_process(reason);
        }
        let is_single = matches!((&state, reason), (State::Running { replies: 1, .. }, Fault::Crash(_)));
        self.single_replies = if is_single { self.single_replies + 1 } else { 0 };
        if self.single_replies >= SINGLE_REPLIES {
            self.give_up(format!(
                "it ends after every reply, and an adapter answers until its standard input is closed; a program that \
                 answers one check is for --exec. At last: {reason}"
            ));
        }
    }

    /// Counts a process that ended or took too long. Gives up a command that lost more processes than it answered requests,
    /// if it does not answer a plain query either, or if many took too long.
    fn lose_process(&mut self, fault: &Fault) {
        let counts = self.life.lose(fault);
        let mut reason = counts.too_late(fault, self.limits.failures);
        if reason.is_none() && counts.need_plain_query() {
            reason = self.fault_of_plain_query().map(|fault| counts.without_plain_query(&fault));
        }
        if let Some(reason) = reason {
            self.life.end.get_or_init(|| reason.clone());
            self.give_up(reason);
        }
    }

    /// Returns the fault of an adapter that does not answer a plain query.
    fn fault_of_plain_query(&mut self) -> Option<Fault> {
        let robots = b"user-agent: *\ndisallow: /fish\n".as_slice().into();
        let (agent, url) = ("FooBot".to_owned(), "http://example.com/fish".to_owned());
        let batch = Batch::single(Query::Match { robots, agent, url });
        if !self.offers(Operation::Match) {
            return None;
        }
        let sent = self.send_requests(&[Request::Batch(&batch)], &mut |_, _| {});
        if let (Ok(()), State::Running { replies, .. }) = (&sent, &mut self.state) {
            *replies -= 1;
            // It is not a query of the run.
            self.life.counts().answered -= 1;
        }
        sent.err().filter(|fault| matches!(fault, Fault::Crash(_) | Fault::Timeout(_)))
    }

    fn supports(&self, query: &Query) -> bool {
        if self.hello.is_none() {
            return true;
        }
        let has_many_visits = matches!(query, Query::Access { visits, .. } if visits.len() > 1);
        self.offers(protocol::operation(query)) && (!has_many_visits || self.offers(Operation::Clock))
    }

    /// Returns whether its reply to `hello` lists an operation.
    fn offers(&self, op: Operation) -> bool {
        self.hello.as_ref().is_some_and(|hello| hello.ops.contains(&op))
    }

    /// Plays visits, and sends the adapter a fetch request at each of them.
    fn access_live(&mut self, visits: &[TimedVisit], agent: &str, paths: &[String]) -> Result<Answer, Fault> {
        self.ensure_running()?;
        let has_clock = self.offers(Operation::Clock);
        live::play(visits, paths, |urls, now| {
            let request = Request::Fetch(FetchRequest {
                agent,
                urls,
                now: has_clock.then_some(now),
                timeout_ms: SITE_TIMEOUT.as_millis() as u64,
            });
            let verdict = |answer: Answer| match answer.without_line() {
                Answer::Match(verdict) => verdict,
                other => Verdict::Error(other.to_string().into()),
            };
            let mut answered = Err(not_answered());
            self.send_requests(&[request], &mut |_, answer| answered = answer)?;
            Ok(answered?.into_iter().map(verdict).collect())
        })
    }

    /// Sends a match request for each of two files.
    fn answer_alike(&mut self, files: [&Arc<[u8]>; 2], agent: &str, url: &str) -> RequestAnswers {
        let batch = |robots: &Arc<[u8]>| {
            let (robots, agent, url) = (Arc::clone(robots), agent.to_owned(), url.to_owned());
            Batch::single(Query::Match { robots, agent, url })
        };
        let batches = files.map(batch);
        let mut answers = [Err(not_answered()), Err(not_answered())];
        self.send_requests(&batches.each_ref().map(Request::Batch), &mut |at, answer| answers[at] = answer)?;
        let [file, twin] = answers;
        Ok(vec![alike_answer(file?.into_iter().chain(twin?))?])
    }

    /// Sends requests together. Any of those without an answer may have caused the fault.
    fn send_requests(&mut self, requests: &[Request], on_reply: OnReply) -> Result<(), Fault> {
        self.ensure_running()?;
        let State::Running { child, replies } = &mut self.state else { return Ok(()) };
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
                    self.life.counts().answered += 1;
                    waiting[at] = false;
                    on_reply(at, answer);
                }
                Err(fault) => {
                    self.stop(&fault);
                    return Err(fault);
                }
            }
        }
        Ok(())
    }
}

impl Transport for Adapter {
    fn send(&mut self, batches: &[Batch], on_reply: OnReply) -> Result<(), Fault> {
        let (mut places, mut requests) = (Vec::new(), Vec::new());
        for (index, batch) in batches.iter().enumerate() {
            match batch.first() {
                query if !self.supports(query) => on_reply(index, Err(Fault::NotSupported)),
                Query::Access { visits, agent, paths } => {
                    on_reply(index, self.access_live(visits, agent, paths).map(|answer| vec![answer]));
                }
                Query::Alike { robots, twin, agent, url } => {
                    on_reply(index, self.answer_alike([robots, twin], agent, url));
                }
                _ => {
                    places.push(index);
                    requests.push(Request::Batch(batch));
                }
            }
        }
        if requests.is_empty() {
            return Ok(());
        }
        self.send_requests(&requests, &mut |at, answered| on_reply(places[at], answered))
    }

    fn is_used(&self) -> bool {
        matches!(self.state, State::Running { replies: 1.., .. })
    }

    fn most_late(&self) -> usize {
        60
    }

    fn has_failed(&mut self, failures: &Failures, fault: &Fault) {
        if matches!(self.state, State::GaveUp(_)) {
            return;
        }
        if failures.chatter >= self.limits.chatter {
            self.give_up(format!(
                "it writes lines to its standard output that are no replies; write logs to standard error. At last: \
                 {fault}"
            ));
        } else if failures.requests >= self.limits.failures {
            self.give_up(format!("it failed on {}", counted(failures.requests, "request")));
        }
    }
}

impl Endpoint for Adapter {
    fn info(&self) -> Info {
        self.hello.as_ref().map_or_else(|| Info::named(&self.command), |hello| hello.info.clone())
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        let mut failures = std::mem::take(&mut self.failures);
        failures.answer(self, batches, on_answer);
        self.failures = failures;
    }

    fn finish(&mut self) {
        let State::Running { child, .. } = &mut self.state else { return };
        child.close_input();
        let end = Instant::now() + self.limits.request;
        while let Some(Output::Line(line)) = child.read_line(end) {
            self.surplus.get_or_insert((0, with_line(Breach::NoRequest, &line))).0 += 1;
        }
        let bad = match child.wait(end) {
            Some(status) => (!status.success()).then(|| child.with_last_errors(status.to_string())),
            None if interrupt::is_requested() => None,
            None => Some("it did not exit when its standard input was closed".to_owned()),
        };
        self.incidents.extend(bad.map(|status| Incident::BadExit { status }));
        self.state = State::Stopped;
    }

    fn incidents(&mut self) -> Vec<Incident> {
        let surplus = self.surplus.take();
        self.incidents.extend(surplus.map(|(lines, first)| Incident::ProtocolError { lines, first }));
        std::mem::take(&mut self.incidents)
    }
}

/// Returns the next reply, with the place of its request. A second reply to a request is not a fault of the requests that
/// follow: it is `surplus`.
fn next_reply(
    child: &mut Child,
    timeout: Duration,
    first_id: u64,
    requests: &[Request],
    waiting: &[bool],
    surplus: &mut Option<(usize, ProtocolError)>,
) -> Result<(usize, RequestAnswers), Fault> {
    const MOST_SURPLUS: usize = 1000;
    let end = Instant::now() + timeout;
    for _ in 0..MOST_SURPLUS {
        let line = read_reply_line(child, timeout, end)?;
        let wrong = |breach: Breach| with_line(breach, &line);
        let reply = read_reply(&line).map_err(|breach| Fault::Protocol(wrong(breach)))?;
        let id = reply.id;
        let at = id.checked_sub(first_id).and_then(|at| usize::try_from(at).ok());
        match at.map(|at| (at, waiting.get(at))) {
            Some((at, Some(true))) => {
                return match requests[at].answers(reply) {
                    Err(Fault::Protocol(error)) => Err(Fault::Protocol(wrong(error.breach))),
                    answer => Ok((at, answer)),
                };
            }
            // The ids before these are those of earlier requests, all of which were answered by this process or an earlier
            // one, but for 0, which is that of `hello`.
            None | Some((_, Some(false))) if id > 0 => {
                surplus.get_or_insert((0, wrong(Breach::AnsweredTwice(id)))).0 += 1;
            }
            _ => return Err(Fault::Protocol(wrong(Breach::WrongId(id)))),
        }
    }
    Err(Breach::NoRequest.into())
}

/// Returns the next line of an adapter that has a request to answer.
fn read_reply_line(child: &mut Child, timeout: Duration, end: Instant) -> Result<Vec<u8>, Fault> {
    match child.read_line(end) {
        Some(Output::Line(line)) => Ok(line),
        Some(Output::TooLong(line)) => Err(Fault::Protocol(with_line(Breach::LineTooLong, &line))),
        Some(Output::Closed) => Err(Fault::Crash(child.describe_end().into())),
        Some(Output::TooMuchMemory(used)) => Err(Fault::Crash(child.describe_memory(used).into())),
        Some(Output::Interrupted) => Err(interrupt::fault()),
        None => Err(Fault::Timeout(child.with_last_errors(format!("no reply in {:?}", timeout)).into())),
    }
}

fn with_line(breach: Breach, line: &[u8]) -> ProtocolError {
    let shown = String::from_utf8_lossy(&line[..line.len().min(LINE_SHOWN)]);
    let cut = if line.len() > LINE_SHOWN { " …" } else { "" };
    ProtocolError { breach, line: Some(format!("{shown}{cut}")) }
}
