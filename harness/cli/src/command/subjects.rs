//! Which implementations a run is about.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::command::implementations::{HEADING, Implementations};
use crate::command::named::Named;
use robotspec::external::crawler::Crawler;
use robotspec::implementation::Implementation;
use robotspec::known::KnownFailures;
use robotspec::run::Subject;
use robotspec_fuzz::Make;

/// Which implementations and crawlers a run is about.
#[derive(Debug, Clone, Args)]
pub(super) struct Subjects {
    #[command(flatten)]
    pub(super) implementations: Implementations,

    /// A crawler to let loose on small sites, one for each case of access: `{url}` is the page to start
    /// from; it is judged by the requests that arrive
    #[arg(long, help_heading = HEADING, value_name = "CMD")]
    pub(super) crawler: Vec<String>,

    /// A list of what the one --adapter, --exec or --crawler is known to fail, with reasons: only other
    /// failures count then
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    pub(super) known_failures: Option<PathBuf>,

    /// What a configuration calls it.
    #[arg(skip)]
    pub(super) name: Option<String>,
}

impl Subjects {
    pub(super) fn jobs(&self) -> usize {
        self.implementations.jobs()
    }

    /// Whether none is named.
    pub(super) fn is_empty(&self) -> bool {
        self.implementations.is_empty() && self.crawler.is_empty()
    }

    /// For each, in the order in which they are run, the words of the command
    /// line that name it, for a command that repeats a check.
    pub(super) fn words(&self) -> Vec<String> {
        let makes = self.makes().unwrap_or_default();
        let crawlers =
            self.crawler.iter().map(|command| format!("--crawler {}", shell_words::quote(command)));
        makes.into_iter().map(|(words, _)| words).chain(crawlers).collect()
    }

    /// The built-in ones: those that are named, or all where nothing else is given.
    fn names(&self) -> Vec<&str> {
        if self.is_empty() {
            robotspec_built_in::NAMES.to_vec()
        } else {
            self.implementations.names.iter().map(String::as_str).collect()
        }
    }

    fn makes(&self) -> Result<Vec<(String, Make)>> {
        self.implementations.makes(&self.names())
    }

    /// How each is made that is no crawler, under the name that a configuration gives it.
    pub(super) fn named_makes(&self) -> Result<Vec<Make>> {
        let names: Vec<&str> = self.implementations.names.iter().map(String::as_str).collect();
        let makes =
            self.implementations.makes(&names)?.into_iter().map(|(_, make)| match self.name.clone() {
                None => make,
                Some(name) => Box::new(move || -> Box<dyn Implementation + Send> {
                    Box::new(Named { name: name.clone(), implementation: make() })
                }),
            });
        Ok(makes.collect())
    }

    /// Starts them all.
    pub(super) fn start(&self) -> Result<Vec<Subject>> {
        self.start_with(&self.known_failures()?)
    }

    /// Starts them all, and knows no failure of those that are not built in.
    pub(super) fn start_without_list(&self) -> Result<Vec<Subject>> {
        self.start_with(&KnownFailures::default())
    }

    fn start_with(&self, known: &KnownFailures) -> Result<Vec<Subject>> {
        let mut subjects = Vec::new();
        for (index, (name, make)) in self.makes()?.into_iter().enumerate() {
            let known =
                if index < self.names().len() { built_in_known_failures(&name)? } else { known.clone() };
            subjects.push(Subject { implementation: make(), known });
        }
        for command in &self.crawler {
            let crawler = Crawler::new(command, self.implementations.timeout(), self.jobs())?;
            subjects.push(Subject { implementation: Box::new(crawler), known: known.clone() });
        }
        if let Some(name) = &self.name {
            for subject in &mut subjects {
                let unnamed =
                    std::mem::replace(&mut subject.implementation, Box::new(robotspec::Reference::default()));
                subject.implementation = Box::new(Named { name: name.clone(), implementation: unnamed });
            }
        }
        Ok(subjects)
    }

    fn known_failures(&self) -> Result<KnownFailures> {
        let Some(file) = &self.known_failures else { return Ok(KnownFailures::default()) };
        if self.implementations.foreign() + self.crawler.len() != 1 || !self.implementations.names.is_empty()
        {
            bail!(
                "--known-failures is about one --adapter, --exec or --crawler; give exactly one, and no other implementation"
            );
        }
        if !file.exists() {
            bail!(
                "{}: there is no such file; `robotspec known update` writes it, and an empty one is an empty list",
                file.display()
            );
        }
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(KnownFailures::read(file, &text)?)
    }
}

fn built_in_known_failures(name: &str) -> Result<KnownFailures> {
    match robotspec_built_in::known_failures(name) {
        Some(text) => {
            let file = format!("harness/adapters/built-in/known-failures/{name}.yaml");
            Ok(KnownFailures::read(Path::new(&file), text)?)
        }
        None => Ok(KnownFailures::default()),
    }
}
