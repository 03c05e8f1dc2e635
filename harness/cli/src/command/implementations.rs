//! The arguments that choose implementations.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use regex::bytes::Regex;

use crate::command::config::Config;
use crate::command::implementation::{HEADING, Implementation, ImplementationKind, Limits};
use crate::command::values::{implementation, pattern};

/// The implementations of a command, and how they are run.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Implementations {
    /// Implementations by name: names from robotspec.toml, or built-in ones [default: all of
    /// robotspec.toml, and without that file all built-in ones]
    #[arg(value_name = "IMPLEMENTATION", value_parser = implementation())]
    pub(super) names: Vec<String>,

    /// A program that speaks the adapter protocol on its standard input and output; repeatable
    #[arg(long, help_heading = HEADING, value_name = "CMD")]
    pub(super) adapter: Vec<String>,

    /// A program to run once for each check: `{file}`, `{agent}` and `{url}` are filled in; without
    /// `{file}` the robots.txt is its standard input
    #[arg(long, help_heading = HEADING, value_name = "CMD")]
    pub(super) exec: Vec<String>,

    /// Exit status of --exec that means allow [default: 0]
    #[arg(long, help_heading = HEADING, value_name = "STATUS", requires = "exec")]
    pub(super) allow_exit: Vec<i32>,

    /// Exit status of --exec that means disallow [default: 1]
    #[arg(long, help_heading = HEADING, value_name = "STATUS", requires = "exec")]
    pub(super) disallow_exit: Vec<i32>,

    /// Output of --exec that means allow, instead of an exit status; `^` and `$` are the ends of a
    /// line
    #[arg(long, help_heading = HEADING, value_name = "REGEX", value_parser = pattern, requires_all = ["exec", "disallow_pattern"], conflicts_with_all = ["allow_exit", "disallow_exit"])]
    pub(super) allow_pattern: Option<Regex>,

    /// Output of --exec that means disallow
    #[arg(long, help_heading = HEADING, value_name = "REGEX", value_parser = pattern, requires = "allow_pattern")]
    pub(super) disallow_pattern: Option<Regex>,

    #[command(flatten)]
    pub(super) limits: Limits,
}

/// The implementations and crawlers of a run.
#[derive(Debug, Clone, Args)]
pub(super) struct Subjects {
    #[command(flatten)]
    pub(super) implementations: Implementations,

    /// A crawler to start on small sites, one for each case of access: `{url}` is the page to start
    /// from, `{agent}` the product token, without which rules for one crawler are left out; the
    /// requests that arrive are judged. It runs in an empty folder; names of files of the current
    /// folder are made absolute
    #[arg(long, help_heading = HEADING, value_name = "CMD")]
    pub(super) crawler: Vec<String>,

    /// A list of known failures of the one --adapter, --exec or --crawler, with reasons: only other
    /// failures then fail the run
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    pub(super) known_failures: Option<PathBuf>,
}

impl Implementations {
    /// Returns the implementations that the arguments name and these crawlers, or else all of the configuration, with the
    /// limits of the arguments.
    ///
    /// # Errors
    ///
    /// A name is unknown.
    pub(super) fn choose(&self, crawlers: &[String], config: &Config) -> Result<Vec<Implementation>> {
        let exec = |command: &String| {
            let patterns = self.allow_pattern.clone().zip(self.disallow_pattern.clone());
            ImplementationKind::exec(command.clone(), patterns, &self.allow_exit, &self.disallow_exit)
        };
        let adapters = self.adapter.iter().cloned().map(ImplementationKind::Adapter);
        let crawlers = crawlers.iter().cloned().map(ImplementationKind::Crawler);
        let commands = adapters.chain(self.exec.iter().map(exec)).chain(crawlers);
        let commands = commands.map(|kind| Implementation::new(kind, self.limits)).collect();
        config.choose(&self.names, commands, self.limits)
    }

    /// Returns whether the arguments name an implementation.
    pub(super) fn names_any(&self) -> bool {
        [&self.names, &self.adapter, &self.exec].into_iter().any(|named| !named.is_empty())
    }
}

impl Subjects {
    /// Returns whether the arguments name no implementation.
    pub(super) fn is_empty(&self) -> bool {
        !self.implementations.names_any() && self.crawler.is_empty()
    }
}
