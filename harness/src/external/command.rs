//! An implementation that is a command: the command line of an existing robots.txt tool, which checks one URL.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use regex::bytes::Regex;
use robotspec_cases::Query;
use tempfile::NamedTempFile;

use super::guard::Watch;
use super::launcher::{BadCommand, Launcher};
use super::process::{Child, LONGEST_LINE, Output};
use crate::answer::{Answer, Fault, Verdict};
use crate::endpoint::{Batch, BatchAnswer, Endpoint, Incident, alike_answer};
use crate::parser::{Info, MatchQuery};

/// The meaning of a finished process: how it states its verdict.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// By its exit status.
    Status {
        /// The statuses that mean allow.
        allow: Vec<i32>,
        /// The statuses that mean disallow.
        disallow: Vec<i32>,
    },
    /// By its standard output, whatever its exit status.
    Output {
        /// Output that matches this means allow.
        allow: Regex,
        /// Output that matches this means disallow.
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
    launcher: Launcher,
    meaning: Meaning,
    statuses: Arc<Mutex<Statuses>>,
    incidents: Vec<Incident>,
}

/// The statuses with which the runs of a command ended.
#[derive(Debug, Default)]
struct Statuses {
    runs: usize,
    /// How many runs ended with each status that has no meaning.
    odd: BTreeMap<i32, usize>,
}

impl Statuses {
    /// Returns the status without a meaning with which a quarter of the runs ended: then it is not one of a failure.
    fn frequent(&self) -> Option<Incident> {
        const LEAST_RUNS: usize = 3;
        let (&status, &runs) = self.odd.iter().max_by_key(|(_, runs)| **runs)?;
        let is_frequent = runs >= LEAST_RUNS && 4 * runs >= self.runs;
        is_frequent.then_some(Incident::OddStatus { status, runs, of: self.runs })
    }
}

impl Command {
    /// Returns a command with the placeholders `{url}`, and optionally `{agent}` and `{file}`. Without `{file}` the
    /// command receives the robots.txt on its standard input. `timeout` is for each check; `jobs` processes run at the
    /// same time.
    ///
    /// # Errors
    ///
    /// The command cannot be split into words, or has no `{url}`.
    pub fn new(command: &str, meaning: Meaning, timeout: Duration, jobs: usize) -> Result<Self, BadCommand> {
        let placeholders = ["{file}", "{agent}", "{url}"];
        let launcher = Launcher::new(command, "robots {file} {agent} {url}", &placeholders, timeout, jobs)?;
        Ok(Command { launcher, meaning, statuses: Arc::default(), incidents: Vec::new() })
    }

    fn run(&self, robots: &[u8], file: &str, query: &MatchQuery) -> Result<Verdict, Fault> {
        let values = [("{file}", file), ("{agent}", query.agent), ("{url}", query.url)];
        let mut child = self.launcher.start(&values, Path::new("."), Stdio::piped())?;
        if !self.launcher.has_placeholder("{file}") {
            child.write(robots.to_vec());
        }
        child.close_input();
        self.read_verdict(&mut child)
    }

    fn read_verdict(&self, child: &mut Child) -> Result<Verdict, Fault> {
        let end = self.launcher.end();
        let mut output = Vec::new();
        while output.len() <= LONGEST_LINE {
            match child.read_line(end) {
                Some(Output::Line(line)) => {
                    output.extend(line);
                    output.push(b'\n');
                }
                Some(Output::TooLong(_) | Output::Closed | Output::TooMuchMemory(_)) => break,
                Some(Output::Interrupted) | None => return Err(self.launcher.fault(child)),
            }
        }
        let status = self.launcher.wait(child, end)?;
        let code = status.code().unwrap_or_default();
        if let Ok(mut statuses) = self.statuses.lock() {
            statuses.runs += 1;
            if let Meaning::Status { allow, disallow } = &self.meaning
                && !allow.contains(&code)
                && !disallow.contains(&code)
            {
                *statuses.odd.entry(code).or_default() += 1;
            }
        }
        match &self.meaning {
            Meaning::Status { allow, .. } if allow.contains(&code) => Ok(Verdict::Allow),
            Meaning::Status { disallow, .. } if disallow.contains(&code) => Ok(Verdict::Disallow),
            Meaning::Status { .. } => Ok(Verdict::Error(child.with_last_errors(status.to_string()).into())),
            Meaning::Output { allow, disallow } => {
                match (allow.is_match(&output), disallow.is_match(&output)) {
                    (true, false) => Ok(Verdict::Allow),
                    (false, true) => Ok(Verdict::Disallow),
                    (both, _) => {
                        let patterns = if both { "both patterns match" } else { "neither pattern matches" };
                        let output = String::from_utf8_lossy(&output[..output.len().min(200)]);
                        let message = format!("{patterns} its output: {}", output.trim_end());
                        Ok(Verdict::Error(child.with_last_errors(message).into()))
                    }
                }
            }
        }
    }

    /// Checks each query with a process of its own.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or the command cannot be started.
    fn check_file(&self, robots: &[u8], queries: &[MatchQuery]) -> Result<BatchAnswer, Fault> {
        self.launcher.ensure_startable()?;
        let not_written = |error| self.launcher.give_up(format!("cannot write a temporary file: {error}"));
        let mut file = NamedTempFile::with_prefix("robots").map_err(not_written)?;
        let _watch = Watch::new(file.path());
        file.write_all(robots).and_then(|()| file.flush()).map_err(not_written)?;
        let name = file.path().to_string_lossy();
        Ok(queries.iter().map(|query| self.run(robots, &name, query).map(Answer::Match)).collect())
    }
}

impl Endpoint for Command {
    fn info(&self) -> Info {
        Info::named(&self.launcher.command)
    }

    fn starts_anew(&self) -> bool {
        true
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        let answer = |batch: &Batch| match batch.first() {
            Query::Match { robots, .. } => self
                .check_file(robots, &batch.match_queries())
                .unwrap_or_else(|fault| batch.each_fails(&fault)),
            Query::Alike { robots, twin, agent, url } => {
                let check = |file| self.check_file(file, &[MatchQuery { agent, url }]);
                let answers = [robots, twin]
                    .into_iter()
                    .flat_map(|file| check(file).unwrap_or_else(|fault| vec![Err(fault)]));
                vec![answers.collect::<Result<Vec<Answer>, Fault>>().and_then(alike_answer)]
            }
            _ => batch.each_fails(&Fault::NotSupported),
        };
        self.launcher.answer_all(batches, answer, on_answer);
    }

    fn finish(&mut self) {
        self.incidents.extend(self.statuses.lock().ok().and_then(|statuses| statuses.frequent()));
    }

    fn incidents(&mut self) -> Vec<Incident> {
        self.launcher.incidents().into_iter().chain(self.incidents.drain(..)).collect()
    }
}
