//! Which implementations are asked, and how each is made.

use std::ffi::OsStr;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command};
use regex::bytes::{Regex, RegexBuilder};

use crate::command::subjects::Subjects;
use robotspec::external::exec::{Exec, Meaning};
use robotspec::external::subprocess::{Subprocess, Timeouts};
use robotspec::guard::Guarded;
use robotspec_fuzz::Make;

/// How long an implementation may take for a request.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// Where a help has what they are given by.
pub(super) const HEADING: &str = "Implementations";

/// Which implementations, and how they are run.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Implementations {
    /// Implementations by name: what robotspec.toml calls so, or what is built in [default: all of
    /// robotspec.toml, and without one all that is built in]
    #[arg(value_name = "IMPLEMENTATION", value_parser = NameParser)]
    pub(super) names: Vec<String>,

    /// A program that speaks the adapter protocol on its standard input and output; repeatable
    #[arg(long, help_heading = HEADING, value_name = "CMD")]
    pub(super) adapter: Vec<String>,

    /// A program to run once for each check: `{file}`, `{agent}` and `{url}` are filled in; without
    /// `{file}` the robots.txt is its standard input
    #[arg(long, help_heading = HEADING, value_name = "CMD")]
    pub(super) exec: Vec<String>,

    /// Exit status with which --exec says allow [default: 0]
    #[arg(long, help_heading = HEADING, value_name = "STATUS", requires = "exec")]
    pub(super) allow_exit: Vec<i32>,

    /// Exit status with which --exec says disallow [default: 1]
    #[arg(long, help_heading = HEADING, value_name = "STATUS", requires = "exec")]
    pub(super) disallow_exit: Vec<i32>,

    /// What the output of --exec holds where it says allow, in place of an exit status; `^` and `$`
    /// are the ends of a line
    #[arg(long, help_heading = HEADING, value_name = "REGEX", value_parser = pattern, requires_all = ["exec", "disallow_pattern"], conflicts_with_all = ["allow_exit", "disallow_exit"])]
    pub(super) allow_pattern: Option<Regex>,

    /// What the output of --exec holds where it says disallow
    #[arg(long, help_heading = HEADING, value_name = "REGEX", value_parser = pattern, requires = "allow_pattern")]
    pub(super) disallow_pattern: Option<Regex>,

    /// How many seconds an implementation may take for a request [default: 5]
    #[arg(long, help_heading = HEADING, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,

    /// How many processes work at the same time [default: one for each core]
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,

    /// Whether one that may hang is to work in a process, which can be ended.
    #[arg(skip)]
    pub(super) is_apart: bool,
}

pub(super) fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).crlf(true).build()
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|timeout| *timeout >= Duration::from_millis(1) && *timeout <= Duration::from_secs(3600))
        .ok_or_else(|| "give between 0.001 and 3600 seconds".to_owned())
}

/// Reads `90`, `60s`, `10m` or `2h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write `60s`, `10m` or `2h`");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

/// Takes any name, as a configuration may have more than those that are built in, which help and shells show.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameParser;

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, name: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, name)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(robotspec_built_in::NAMES.iter().map(PossibleValue::new)))
    }
}

impl From<Implementations> for Subjects {
    fn from(implementations: Implementations) -> Self {
        Subjects { implementations, crawler: Vec::new(), known_failures: None, name: None }
    }
}

impl Implementations {
    pub(super) fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// Takes the limits that others give for their own.
    pub(super) fn override_with(&mut self, others: &Implementations) {
        self.timeout = others.timeout.or(self.timeout);
        self.jobs = others.jobs.or(self.jobs);
        self.is_apart |= others.is_apart;
    }

    /// The same, where what may hang works in a process of its own: who makes up inputs will hit on such.
    pub(super) fn apart(&self) -> Self {
        Implementations { is_apart: true, ..self.clone() }
    }

    /// The limits alone.
    pub(super) fn without_any(&self) -> Self {
        let Implementations { timeout, jobs, is_apart, .. } = *self;
        Implementations { timeout, jobs, is_apart, ..Implementations::default() }
    }

    /// Whether none is given.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.foreign() == 0
    }

    /// How many there are that are not built in.
    pub(super) fn foreign(&self) -> usize {
        self.adapter.len() + self.exec.len()
    }

    /// How long an implementation may take for a request.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout.unwrap_or(DEFAULT_TIMEOUT)
    }

    /// Each of them: the words of the command line that name it, and how it is made. `names` are the
    /// built-in ones.
    ///
    /// # Errors
    ///
    /// A command is no list of words.
    pub(super) fn makes(&self, names: &[&str]) -> Result<Vec<(String, Make)>> {
        let mut makes = Vec::new();
        for name in names {
            makes.push(((*name).to_owned(), self.built_in(name)?));
        }
        let quoted = |option: &str, command: &String| format!("--{option} {}", shell_words::quote(command));
        for command in &self.adapter {
            makes.push((quoted("adapter", command), self.behind_protocol(command)?));
        }
        for command in &self.exec {
            let exec = Exec::new(command, self.meaning(), self.timeout(), self.jobs())?;
            let make: Make = Box::new(move || Box::new(exec.clone()));
            makes.push((quoted("exec", command) + &self.exec_words(), make));
        }
        Ok(makes)
    }

    fn behind_protocol(&self, command: &str) -> Result<Make> {
        let timeouts = Timeouts { request: self.timeout(), ..Timeouts::default() };
        let launch = Subprocess::launcher(command, timeouts)?;
        Ok(Box::new(move || Box::new(launch())))
    }

    fn exec_words(&self) -> String {
        let mut words = String::new();
        for (option, statuses) in [("allow-exit", &self.allow_exit), ("disallow-exit", &self.disallow_exit)] {
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
    }

    fn built_in(&self, name: &str) -> Result<Make> {
        let (name, timeout) = (name.to_owned(), self.timeout());
        if self.is_apart && robotspec_built_in::may_hang(&name) {
            return self.in_own_process(&name);
        }
        Ok(Box::new(move || {
            let name = name.clone();
            let make = move || {
                robotspec_built_in::find(&name).unwrap_or_else(|| Box::new(robotspec::Reference::default()))
            };
            Box::new(Guarded::new(make, timeout))
        }))
    }

    /// A built-in one in a process of its own, which can be ended.
    fn in_own_process(&self, name: &str) -> Result<Make> {
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        let command = shell_words::join([program.to_string_lossy().as_ref(), "adapter", name]);
        self.behind_protocol(&command)
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
