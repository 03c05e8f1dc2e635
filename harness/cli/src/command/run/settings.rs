//! The settings of a run: the command line, and where it gives none, the configuration.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use robotspec::{Plan, Source, Subject};
use robotspec_cases::shard::Shard;
use robotspec_cases::{Level, Suite, select_checks};
use robotspec_reference::Edition;
use robotspec_text::visible;

use super::arguments::Arguments;
use crate::command::config::Config;
use crate::command::filters::Filters;
use crate::command::implementation::{Implementation, refuse_same_names};
use crate::command::reports::ReportTo;
use crate::command::values::{joined, sorted};
use crate::output;

/// The settings of a run.
pub(super) struct Settings<'a> {
    pub(super) implementations: Vec<Implementation>,
    editions: &'a [Edition],
    level: Level,
    /// The editions of the project, which its lists of known failures are about.
    lists_are_about: &'a [Edition],
    /// Whether no implementation was named, so that these are all built-in ones.
    pub(super) names_none: bool,
    pub(super) suites: &'a [PathBuf],
    pub(super) filters: Filters,
    google_specific: bool,
    variants: bool,
    shard: Option<Shard>,
    jobs: usize,
    pub(super) reports: Vec<ReportTo>,
}

impl<'a> Settings<'a> {
    /// Combines the command line and the configuration.
    ///
    /// # Errors
    ///
    /// A name is unknown, or --known-failures is given with several implementations.
    pub(super) fn new(arguments: &'a Arguments, config: &'a Config) -> Result<Self> {
        let Arguments { subjects, edition, suite, filters, shard, report, .. } = arguments;
        let reports = if report.is_empty() { &config.reports } else { report };
        let mut limits = subjects.implementations.limits;
        let editions = if edition.is_empty() { &config.editions } else { edition };
        let mut implementations = subjects.implementations.choose(&subjects.crawler, config)?;
        let names_none = implementations.is_empty();
        if names_none {
            implementations = Implementation::all_built_in(limits);
            implementations.retain(|one| editions.is_empty() || one.claims_any(editions));
        }
        for one in implementations.iter().filter(|one| !editions.is_empty() && !one.claims_any(editions)) {
            let (claimed, name) = (joined(one.usual_editions()), visible(one.label()));
            let editions = joined(editions);
            output::warning(&format!(
                "{name} claims to follow {claimed}; it is judged by {editions}, as you named both"
            ));
        }
        if let Some(list) = &subjects.known_failures {
            match implementations.as_mut_slice() {
                [one] if !one.is_built_in() => one.known_failures = Some(list.clone()),
                _ => bail!(
                    "--known-failures is about one --adapter, --exec or --crawler: give exactly one and no other \
                     implementation, or give each its list in robotspec.toml"
                ),
            }
        }
        limits.jobs = limits.jobs.or(config.jobs);
        Ok(Settings {
            implementations,
            names_none,
            level: arguments.level.or(config.level).unwrap_or_else(Level::of_runs),
            editions,
            lists_are_about: if config.editions.is_empty() { &Edition::USUAL } else { &config.editions },
            suites: suite,
            filters: filters.or(&config.filters()),
            google_specific: config.google_specific.unwrap_or(true) && !arguments.no_google_specific,
            variants: config.variants.unwrap_or(true) && !arguments.no_variants,
            shard: *shard,
            jobs: limits.jobs(),
            reports: reports.iter().cloned().chain(arguments.format.0.map(ReportTo::stdout)).collect(),
        })
    }

    /// Returns the files that the run writes.
    pub(super) fn report_files(&self) -> impl Iterator<Item = &Path> {
        self.reports.iter().map(|report| report.file.as_path())
    }

    /// Starts the implementations, which are run on these suites.
    ///
    /// # Errors
    ///
    /// A command or a list of known failures is wrong, or two implementations have the same name.
    pub(super) fn subjects(&self, suites: &[Suite], date: &str) -> Result<Vec<Subject>> {
        let start = |implementation: &Implementation| -> Result<Subject> {
            let mut subject = implementation.subject(implementation.known_failures()?)?;
            if !self.suites.is_empty() {
                subject.known.limit_to(suites.iter().map(|suite| Arc::clone(&suite.id)));
            }
            subject.source =
                Source { command: implementation.command().map(str::to_owned), date: Some(date.to_owned()) };
            subject.editions = self.editions.is_empty().then(|| implementation.usual_editions());
            Ok(subject)
        };
        let subjects: Vec<Subject> = self.implementations.iter().map(start).collect::<Result<_>>()?;
        refuse_same_names(subjects.iter().map(|subject| subject.info().name))?;
        Ok(subjects)
    }

    /// For each implementation, the arguments that run it again on these suites.
    pub(super) fn arguments(&self) -> Vec<String> {
        let quoted = |file: &PathBuf| format!(" --suite {}", shell_words::quote(&file.to_string_lossy()));
        let suites: String = self.suites.iter().map(quoted).collect();
        self.implementations.iter().map(|implementation| implementation.arguments() + &suites).collect()
    }

    /// Returns the plan of the run.
    ///
    /// # Errors
    ///
    /// A filter matches no check, or no check is selected.
    pub(super) fn plan(&self, suites: &[Suite]) -> Result<Plan> {
        let editions = match self.editions {
            [] => self.implementations.iter().flat_map(Implementation::usual_editions).collect(),
            named => named.to_vec(),
        };
        let editions = sorted(&editions);
        self.filters.refuse_idle(suites, self.variants)?;
        let leaves_out = Cell::new(self.filters.suites().is_some());
        let checks = select_checks(suites, self.variants, &editions, |check| {
            let is_here = self.shard.is_none_or(|shard| shard.has(&check.id));
            let is_selected =
                self.filters.hold(check) && is_here && (self.google_specific || !check.google_specific);
            leaves_out.set(leaves_out.get() || !is_selected);
            is_selected
        });
        if checks.is_empty() {
            bail!("no check is selected; {}", self.describe_available(suites));
        }
        let are_all = self.variants && !leaves_out.get();
        let lists_are_about = are_all.then(|| self.lists_are_about.to_vec());
        let Settings { level, shard, jobs, .. } = *self;
        Ok(Plan { checks, editions, level, lists_are_about, shard, jobs })
    }

    fn describe_available(&self, suites: &[Suite]) -> String {
        if self.suites.is_empty() {
            return "`robotspec cases list` lists all".to_owned();
        }
        let cases = suites.iter().flat_map(|suite| &suite.cases);
        let editions: BTreeSet<&str> =
            cases.flat_map(|case| &case.editions).map(|edition| edition.id()).collect();
        let editions = joined(editions);
        format!("before any filter, these suites have checks for --edition {editions}")
    }
}
