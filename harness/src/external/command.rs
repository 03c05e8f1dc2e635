//! An implementation that takes one check per process: the command line of an
//! existing robots.txt tool.

use std::io::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use regex::bytes::Regex;
use robotspec_cases::Query;
use tempfile::NamedTempFile;

use super::command_line::{BadCommand, fill, words};
use super::parallel;
use super::process::{Child, Output};
use crate::answer::{Fault, Verdict};
use crate::endpoint::{Batch, BatchAnswer, Endpoint, Incident, match_answers};
use crate::parser::{Info, MatchQuery};

/// How much of its output is read, in lines.
const MOST_LINES: usize = 100_000;

/// What the end of a process, or its output, says.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// By exit status.
    Status {
        /// These say allow.
        allow: Vec<i32>,
        /// These say disallow.
        disallow: Vec<i32>,
    },
    /// By what stands in its standard output; the exit status says nothing.
    Output {
        /// Says allow.
        allow: Regex,
        /// Says disallow.
        disallow: Regex,
    },
}

impl Default for Meaning {
    fn default() -> Self {
        Meaning::Status { allow: vec![0], disallow: vec![1] }
    }
}

/// A command that is run once for each check.
#[derive(Debug, Clone)]
pub struct Command {
    command: String,
    words: Vec<String>,
    meaning: Meaning,
    timeout: Duration,
    jobs: usize,
    /// Why it cannot be started, once that was tried in vain.
    not_started: OnceLock<String>,
    is_reported: bool,
}

impl Command {
    /// A command with `{url}`, and if it likes `{agent}` and `{file}`, where
    /// these are to stand. Without `{file}` the robots.txt is its standard input.
    ///
    /// # Errors
    ///
    /// The command is no list of words, or has no `{url}`.
    pub fn new(command: &str, meaning: Meaning, timeout: Duration, jobs: usize) -> Result<Self, BadCommand> {
        let words = words(command)?;
        if !words.iter().any(|word| word.contains("{url}")) {
            let reason = "it has no `{url}`; write for example `robots {file} {agent} {url}`";
            return Err(BadCommand::new(command, reason));
        }
        Ok(Command {
            command: command.to_owned(),
            words,
            meaning,
            timeout,
            jobs: jobs.max(1),
            not_started: OnceLock::new(),
            is_reported: false,
        })
    }

    fn run(&self, robots: &[u8], file: &str, query: &MatchQuery) -> Result<Verdict, Fault> {
        if let Some(reason) = self.not_started.get() {
            return Err(Fault::NotRun(reason.clone()));
        }
        let values = [("{file}", file), ("{agent}", query.agent), ("{url}", query.url)];
        let words: Vec<String> = self.words.iter().map(|word| fill(word, &values)).collect();
        let mut child = Child::start(&words).map_err(|error| {
            let reason = format!("`{}` cannot be started: {error}", self.words[0]);
            Fault::NotRun(self.not_started.get_or_init(|| reason).clone())
        })?;
        if !self.words.iter().any(|word| word.contains("{file}")) {
            child.write(robots.to_vec());
        }
        child.close_input();
        self.judge(&mut child)
    }

    fn judge(&self, child: &mut Child) -> Result<Verdict, Fault> {
        let end = Instant::now() + self.timeout;
        let left = || end.saturating_duration_since(Instant::now());
        let mut output = Vec::new();
        for _ in 0..MOST_LINES {
            match child.read_line(left()) {
                Some(Output::Line(line)) => {
                    output.extend(line);
                    output.push(b'\n');
                }
                Some(Output::TooLong(_) | Output::Closed) => break,
                None => return Err(self.too_slow(child)),
            }
        }
        let Some(status) = child.wait(left()) else { return Err(self.too_slow(child)) };
        let Some(code) = status.code() else {
            return Err(Fault::Crash(child.with_last_errors(status.to_string())));
        };
        match &self.meaning {
            Meaning::Status { allow, .. } if allow.contains(&code) => Ok(Verdict::Allow),
            Meaning::Status { disallow, .. } if disallow.contains(&code) => Ok(Verdict::Disallow),
            Meaning::Status { .. } => Ok(Verdict::Error(child.with_last_errors(status.to_string()))),
            Meaning::Output { allow, disallow } => {
                match (allow.is_match(&output), disallow.is_match(&output)) {
                    (true, false) => Ok(Verdict::Allow),
                    (false, true) => Ok(Verdict::Disallow),
                    (both, _) => {
                        let patterns = if both { "both patterns match" } else { "neither pattern matches" };
                        let output = String::from_utf8_lossy(&output[..output.len().min(200)]);
                        let message = format!("{patterns} its output: {}", output.trim_end());
                        Ok(Verdict::Error(child.with_last_errors(message)))
                    }
                }
            }
        }
    }

    fn too_slow(&self, child: &mut Child) -> Fault {
        Fault::Timeout(child.with_last_errors(format!("it did not end in {:?}", self.timeout)))
    }

    fn check_file(&self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let cannot = |error: std::io::Error| Fault::NotRun(format!("no temporary file: {error}"));
        let mut file = NamedTempFile::with_prefix("robots").map_err(cannot)?;
        file.write_all(robots).and_then(|()| file.flush()).map_err(cannot)?;
        let name = file.path().to_string_lossy();
        queries.iter().map(|query| self.run(robots, &name, query)).collect()
    }
}

impl Endpoint for Command {
    fn info(&self) -> Info {
        Info::named(&self.command)
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        let answer = |batch: &Batch| match batch.first() {
            Query::Match { robots, .. } => {
                let queries = batch.match_queries();
                match_answers(self.check_file(robots, &queries)?, queries.len())
            }
            _ => Err(Fault::NotSupported),
        };
        parallel::answer_all(self.jobs, batches, answer, on_answer);
    }

    fn incidents(&mut self) -> Vec<Incident> {
        let reason = self.not_started.get().filter(|_| !std::mem::replace(&mut self.is_reported, true));
        reason.map(|reason| Incident::GaveUp { reason: reason.clone() }).into_iter().collect()
    }
}
