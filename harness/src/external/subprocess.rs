//! An implementation in any language, behind the adapter protocol.

use std::time::Duration;

use crate::external::live;
use crate::external::process::{Child, Output};
use crate::external::protocol::{self, Hello, Replied};
use crate::implementation::{
    Accessed, Answer, BatchRequest, Fault, Implementation, Incident, Info, Query, Verdict, answer_alone,
    check_alone,
};
use robotspec_cases::suite::TimedVisit;

/// How many requests are sent before the first reply is waited for.
const WINDOW: usize = 64;

/// On how many requests an adapter may fail before it is given up.
const MOST_FAILURES: usize = 100;

/// How long an adapter is told to wait for a site: less than for the adapter itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// How much of an offending line is shown, in octets.
const LINE_SHOWN: usize = 200;

/// How long an adapter may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// To its first reply.
    pub hello: Duration,
    /// To the reply to any other request.
    pub request: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { hello: Duration::from_secs(30), request: Duration::from_secs(5) }
    }
}

/// A command that is no list of words, as a POSIX shell splits them, or lacks one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadCommand {
    /// The command.
    pub command: String,
    /// What is wrong with it.
    pub reason: String,
}

impl std::fmt::Display for BadCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the command `{}` cannot be run: {}", self.command, self.reason)
    }
}

impl std::error::Error for BadCommand {}

/// Splits a command as a POSIX shell does.
pub fn words(command: &str) -> Result<Vec<String>, BadCommand> {
    let bad = |reason: &str| BadCommand { command: command.to_owned(), reason: reason.to_owned() };
    let words = shell_words::split(command).map_err(|_| bad("a quotation mark is not closed"))?;
    if words.is_empty() { Err(bad("it is empty")) } else { Ok(words) }
}

/// An adapter: a child process that speaks the protocol.
pub struct Subprocess {
    command: String,
    words: Vec<String>,
    timeouts: Timeouts,
    state: State,
    hello: Option<Hello>,
    next_id: u64,
    failures: usize,
    incidents: Vec<Incident>,
}

enum State {
    Running(Child),
    /// To be started again before the next request.
    Stopped,
    /// Not to be asked any more, and why.
    GaveUp(String),
}

impl Subprocess {
    /// Starts an adapter. One that does not answer `hello` is kept, to be
    /// reported: every request to it is then *not run*.
    ///
    /// # Errors
    ///
    /// The command is no list of words.
    pub fn start(command: &str, timeouts: Timeouts) -> Result<Self, BadCommand> {
        Ok(Self::launcher(command, timeouts)?())
    }

    /// What starts an adapter, as often as it is called.
    ///
    /// # Errors
    ///
    /// The command is no list of words.
    pub fn launcher(
        command: &str,
        timeouts: Timeouts,
    ) -> Result<impl Fn() -> Self + Send + Sync + use<>, BadCommand> {
        let words = words(command)?;
        let command = command.to_owned();
        Ok(move || {
            let mut adapter = Subprocess {
                command: command.clone(),
                words: words.clone(),
                timeouts,
                state: State::Stopped,
                hello: None,
                next_id: 1,
                failures: 0,
                incidents: Vec::new(),
            };
            adapter.ensure_running();
            adapter
        })
    }

    /// Starts it if need be; a second failure in a row is the last.
    fn ensure_running(&mut self) {
        if !matches!(self.state, State::Stopped) {
            return;
        }
        let mut reason = String::new();
        for _ in 0..2 {
            match self.greet() {
                Ok((child, hello)) => {
                    self.hello.get_or_insert(hello);
                    self.state = State::Running(child);
                    return;
                }
                Err(error) => reason = error,
            }
        }
        self.give_up(reason);
    }

    fn greet(&self) -> Result<(Child, Hello), String> {
        let mut child = Child::start(&self.words)
            .map_err(|error| format!("`{}` cannot be started: {error}", self.words[0]))?;
        child.write(protocol::hello());
        match child.read_line(self.timeouts.hello) {
            Some(Output::Line(line)) => match protocol::hello_reply(&line) {
                Ok(hello) => Ok((child, hello)),
                Err(error) => Err(child.with_last_errors(with_line(&error, &line))),
            },
            Some(Output::TooLong(_)) => Err("the reply to `hello` is too long".to_owned()),
            Some(Output::Closed) => Err(format!("it ended before it answered `hello`: {}", child.epitaph())),
            None => {
                Err(child.with_last_errors(format!("it did not answer `hello` in {:?}", self.timeouts.hello)))
            }
        }
    }

    fn give_up(&mut self, reason: String) {
        self.incidents.push(Incident::GaveUp { reason: reason.clone() });
        self.state = State::GaveUp(reason);
    }

    fn stop(&mut self, reason: &Fault) {
        self.state = State::Stopped;
        self.incidents.push(Incident::Restarted { reason: reason.to_string() });
    }

    fn supports(&self, request: &BatchRequest) -> bool {
        if self.hello.is_none() {
            return true;
        }
        let is_of_many_visits = matches!(request, BatchRequest::Access { visits, .. } if visits.len() > 1);
        protocol::operation(request).is_some_and(|op| self.offers(op))
            && (!is_of_many_visits || self.offers("clock"))
    }

    /// Whether it has said that it has an operation.
    fn offers(&self, op: &str) -> bool {
        self.hello.as_ref().is_some_and(|hello| hello.ops.iter().any(|offered| offered == op))
    }

    /// Plays visits to it, and asks it at each what it would fetch then.
    fn access_live(
        &mut self,
        visits: &[TimedVisit],
        agent: &str,
        paths: &[String],
    ) -> Result<Accessed, Fault> {
        self.ensure_running();
        if let State::GaveUp(reason) = &self.state {
            return Err(Fault::NotRun(reason.clone()));
        }
        let has_clock = self.offers("clock");
        live::play(visits, paths, |fetch| {
            let request = BatchRequest::Fetch {
                agent: agent.to_owned(),
                urls: fetch.urls,
                now: has_clock.then_some(fetch.now),
                timeout_ms: PATIENCE.as_millis() as u64,
            };
            let mut answer = Err(Fault::NotRun("there was no answer".to_owned()));
            self.ask_alone((0, &request), &mut |_, answered| answer = answered);
            match answer? {
                Answer::Verdicts(verdicts) => Ok(verdicts),
                _ => Err(Fault::Protocol("that is no answer to `fetch`".to_owned())),
            }
        })
    }

    /// Sends requests together. Those still unanswered when something goes
    /// wrong are left over, for nobody knows which of them is to blame.
    fn ask_together(
        &mut self,
        requests: &[(usize, &BatchRequest)],
        answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
    ) -> Result<(), (Vec<usize>, Fault)> {
        let State::Running(child) = &mut self.state else { return Ok(()) };
        let first_id = self.next_id;
        self.next_id += requests.len() as u64;
        for (id, (_, request)) in (first_id..).zip(requests) {
            child.write(protocol::request(id, request).unwrap_or_default());
        }
        let mut waiting: Vec<bool> = vec![true; requests.len()];
        let left_over = |waiting: &[bool]| (0..waiting.len()).filter(|&at| waiting[at]).collect();
        for _ in 0..requests.len() {
            match next_reply(child, self.timeouts.request, first_id, requests, &waiting) {
                Ok((at, reply)) => {
                    waiting[at] = false;
                    answered(requests[at].0, reply);
                }
                Err(fault) => return Err((left_over(&waiting), fault)),
            }
        }
        Ok(())
    }

    /// Asks alone what was left over, so that only the guilty one is blamed.
    fn ask_alone(
        &mut self,
        request: (usize, &BatchRequest),
        answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
    ) {
        self.ensure_running();
        if let State::GaveUp(reason) = &self.state {
            answered(request.0, Err(Fault::NotRun(reason.clone())));
            return;
        }
        if let Err((_, fault)) = self.ask_together(&[request], answered) {
            self.failures += 1;
            self.stop(&fault);
            answered(request.0, Err(fault));
            if self.failures >= MOST_FAILURES {
                self.give_up(format!("it failed on {MOST_FAILURES} requests"));
            }
        }
    }
}

/// The next reply, with the place of its request.
fn next_reply(
    child: &mut Child,
    timeout: Duration,
    first_id: u64,
    requests: &[(usize, &BatchRequest)],
    waiting: &[bool],
) -> Result<(usize, Result<Answer, Fault>), Fault> {
    let line = match child.read_line(timeout) {
        Some(Output::Line(line)) => line,
        Some(Output::TooLong(line)) => {
            return Err(Fault::Protocol(with_line("a line is longer than 16 MiB", &line)));
        }
        Some(Output::Closed) => return Err(Fault::Crash(child.epitaph())),
        None => return Err(Fault::Timeout(child.with_last_errors(format!("no reply in {timeout:?}")))),
    };
    let wrong = |error: &str| Fault::Protocol(with_line(error, &line));
    let reply = protocol::reply(&line).map_err(|error| wrong(&error))?;
    let id = reply.id;
    let at = id.checked_sub(first_id).and_then(|at| usize::try_from(at).ok());
    let at = at
        .filter(|&at| waiting.get(at) == Some(&true))
        .ok_or_else(|| wrong(&format!("no request with the id {id} is unanswered")))?;
    match reply.to(requests[at].1).map_err(|error| wrong(&error))? {
        Replied::Answer(answer) => Ok((at, Ok(answer))),
        Replied::Error(error) => Ok((at, Err(Fault::Error(error)))),
    }
}

fn with_line(error: &str, line: &[u8]) -> String {
    let shown = String::from_utf8_lossy(&line[..line.len().min(LINE_SHOWN)]);
    let cut = if line.len() > LINE_SHOWN { " …" } else { "" };
    format!("{error}; the line is: {shown}{cut}")
}

impl Implementation for Subprocess {
    fn info(&self) -> Info {
        match &self.hello {
            Some(hello) => Info {
                name: hello.name.clone(),
                version: hello.version.clone(),
                language: hello.language.clone(),
                homepage: hello.homepage.clone(),
            },
            None => Info::named(&self.command),
        }
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
        let mut supported: Vec<(usize, &BatchRequest)> = Vec::new();
        for (index, request) in requests.iter().enumerate() {
            match request {
                _ if !self.supports(request) => answered(index, Err(Fault::NotSupported)),
                BatchRequest::Access { visits, agent, paths } => {
                    answered(index, self.access_live(visits, agent, paths).map(Answer::Accessed));
                }
                _ => supported.push((index, request)),
            }
        }
        for window in supported.chunks(WINDOW) {
            self.ensure_running();
            let left_over = match self.state {
                State::Running(_) => match self.ask_together(window, answered) {
                    Ok(()) => continue,
                    Err((left_over, fault)) => {
                        self.stop(&fault);
                        left_over
                    }
                },
                _ => (0..window.len()).collect(),
            };
            for at in left_over {
                self.ask_alone(window[at], answered);
            }
        }
    }

    fn finish(&mut self) {
        let State::Running(child) = &mut self.state else { return };
        child.close_input();
        match child.wait(self.timeouts.request) {
            Some(status) if status.success() => {}
            Some(status) => {
                self.incidents.push(Incident::BadExit { status: child.with_last_errors(status.to_string()) })
            }
            None => {
                let status = "it did not exit when its standard input was closed".to_owned();
                self.incidents.push(Incident::BadExit { status });
            }
        }
        self.state = State::Stopped;
    }

    fn incidents(&mut self) -> Vec<Incident> {
        std::mem::take(&mut self.incidents)
    }
}
