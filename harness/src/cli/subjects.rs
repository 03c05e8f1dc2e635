//! Which implementations a run is about.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use regex::bytes::{Regex, RegexBuilder};

use crate::builtin;
use crate::crawler::Crawler;
use crate::exec::{Exec, Meaning};
use crate::guard::Guarded;
use crate::implementation::Implementation;
use crate::known::KnownFailures;
use crate::run::Subject;
use crate::subprocess::{Subprocess, Timeouts};

/// Which implementations, and how they are run.
#[derive(Debug, Args)]
pub(super) struct Subjects {
    /// Built-in implementations, by name; all of them if no other is given
    #[arg(value_name = "IMPLEMENTATION", value_parser = builtin::NAMES.to_vec())]
    names: Vec<String>,

    /// A program that speaks the adapter protocol on its standard input and output
    #[arg(long, value_name = "CMD")]
    adapter: Vec<String>,

    /// A program to run once for each check: `{file}`, `{agent}` and `{url}` are filled in; without
    /// `{file}` the robots.txt is its standard input
    #[arg(long, value_name = "CMD")]
    exec: Vec<String>,

    /// A crawler to let loose on small sites, one for each case of access: `{url}` is the page to start
    /// from; it is judged by the requests that arrive
    #[arg(long, value_name = "CMD")]
    crawler: Vec<String>,

    /// Exit status with which --exec says allow [default: 0]
    #[arg(long, value_name = "STATUS", requires = "exec")]
    allow_exit: Vec<i32>,

    /// Exit status with which --exec says disallow [default: 1]
    #[arg(long, value_name = "STATUS", requires = "exec")]
    disallow_exit: Vec<i32>,

    /// What the output of --exec holds where it says allow, `^` and `$` being the ends of a line; the
    /// exit status then says nothing
    #[arg(long, value_name = "REGEX", value_parser = pattern, requires_all = ["exec", "disallow_pattern"], conflicts_with_all = ["allow_exit", "disallow_exit"])]
    allow_pattern: Option<Regex>,

    /// What the output of --exec holds where it says disallow
    #[arg(long, value_name = "REGEX", value_parser = pattern, requires = "allow_pattern")]
    disallow_pattern: Option<Regex>,

    /// Failures that the one --adapter, --exec or --crawler is known for, with reasons; a new failure then stands out
    #[arg(long, value_name = "FILE")]
    known_failures: Option<PathBuf>,

    /// How long an implementation may take for a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    timeout: Duration,

    /// How many processes work at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).crlf(true).build()
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|timeout| *timeout >= Duration::from_millis(1) && *timeout <= Duration::from_secs(3600))
        .ok_or_else(|| "give between 0.001 and 3600 seconds".to_owned())
}

/// What the built-in third parties are known to get wrong.
const KNOWN_FAILURES: &[(&str, &str)] = &[
    ("robots_txt", include_str!("../../known-failures/robots_txt.yaml")),
    ("robotstxt", include_str!("../../known-failures/robotstxt.yaml")),
    ("robotxt", include_str!("../../known-failures/robotxt.yaml")),
    ("texting_robots", include_str!("../../known-failures/texting_robots.yaml")),
];

impl Subjects {
    pub(super) fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// The words of the command line that name the one at this place, in the
    /// order in which they are run, for a command that repeats a check.
    pub(super) fn words(&self, place: usize) -> String {
        let quoted = |option: &str, command: &String| format!("--{option} {}", shell_words::quote(command));
        let exec_options = || {
            let mut words = String::new();
            for (option, statuses) in
                [("allow-exit", &self.allow_exit), ("disallow-exit", &self.disallow_exit)]
            {
                for status in statuses {
                    words.push_str(&format!(" --{option} {status}"));
                }
            }
            for (option, pattern) in
                [("allow-pattern", &self.allow_pattern), ("disallow-pattern", &self.disallow_pattern)]
            {
                if let Some(pattern) = pattern {
                    words.push_str(&format!(" --{option} {}", shell_words::quote(pattern.as_str())));
                }
            }
            words
        };
        let names = self.names().into_iter().map(str::to_owned);
        let adapters = self.adapter.iter().map(|command| quoted("adapter", command));
        let execs = self.exec.iter().map(|command| quoted("exec", command) + &exec_options());
        let crawlers = self.crawler.iter().map(|command| quoted("crawler", command));
        names.chain(adapters).chain(execs).chain(crawlers).nth(place).unwrap_or_default()
    }

    /// The built-in ones: those that are named, or all where nothing else is given.
    fn names(&self) -> Vec<&str> {
        if self.names.is_empty() && self.foreign() == 0 {
            builtin::NAMES.to_vec()
        } else {
            self.names.iter().map(String::as_str).collect()
        }
    }

    /// How many there are that are not built in.
    fn foreign(&self) -> usize {
        self.adapter.len() + self.exec.len() + self.crawler.len()
    }

    /// Starts them all.
    pub(super) fn start(&self) -> Result<Vec<Subject>> {
        let known = self.known_failures()?;
        let mut subjects = Vec::new();
        for name in self.names() {
            subjects.push(Subject {
                implementation: self.built_in(name)?,
                known: built_in_known_failures(name)?,
            });
        }
        let timeouts = Timeouts { request: self.timeout, ..Timeouts::default() };
        for command in &self.adapter {
            let adapter = Subprocess::start(command, timeouts)?;
            subjects.push(Subject { implementation: Box::new(adapter), known: known.clone() });
        }
        for command in &self.exec {
            let exec = Exec::new(command, self.meaning(), self.timeout, self.jobs())?;
            subjects.push(Subject { implementation: Box::new(exec), known: known.clone() });
        }
        for command in &self.crawler {
            let crawler = Crawler::new(command, self.timeout, self.jobs())?;
            subjects.push(Subject { implementation: Box::new(crawler), known: known.clone() });
        }
        Ok(subjects)
    }

    fn known_failures(&self) -> Result<KnownFailures> {
        let Some(file) = &self.known_failures else { return Ok(KnownFailures::default()) };
        if self.foreign() != 1 || !self.names.is_empty() {
            bail!(
                "--known-failures is about one --adapter, --exec or --crawler; give exactly one, and no other implementation"
            );
        }
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(KnownFailures::read(file, &text)?)
    }

    fn built_in(&self, name: &str) -> Result<Box<dyn Implementation + Send>> {
        let name = name.to_owned();
        if builtin::find(&name).is_none() {
            bail!("there is no built-in implementation `{name}`");
        }
        let make = move || builtin::find(&name).unwrap_or_else(|| Box::new(builtin::Reference::default()));
        Ok(Box::new(Guarded::new(make, self.timeout)))
    }

    fn meaning(&self) -> Meaning {
        if let (Some(allow), Some(disallow)) = (&self.allow_pattern, &self.disallow_pattern) {
            return Meaning::Output { allow: allow.clone(), disallow: disallow.clone() };
        }
        let or =
            |statuses: &[i32], default| if statuses.is_empty() { vec![default] } else { statuses.to_vec() };
        Meaning::Status { allow: or(&self.allow_exit, 0), disallow: or(&self.disallow_exit, 1) }
    }
}

fn built_in_known_failures(name: &str) -> Result<KnownFailures> {
    match KNOWN_FAILURES.iter().find(|(implementation, _)| *implementation == name) {
        Some((_, text)) => {
            let file = format!("harness/known-failures/{name}.yaml");
            Ok(KnownFailures::read(Path::new(&file), text)?)
        }
        None => Ok(KnownFailures::default()),
    }
}
