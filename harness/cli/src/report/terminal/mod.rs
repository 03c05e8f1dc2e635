//! The report for a person at a terminal: a table, then the failures of each implementation that are new.

mod failures;
mod incidents;
mod overview;
mod totals;

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use robotspec::event::{CheckFinished, LikelyCause};
use robotspec::{ImplementationRecord, Incident, RunRecord, describe_other_rows};
use robotspec_cases::visible;

use crate::output::{BAD, STRONG, styled};
use crate::report::Catalog;
use crate::report::failing::is_only_in_variants;

/// What a person chose on the command line.
pub(crate) struct Options {
    /// Whether every failure is shown.
    pub(crate) show_all: bool,
    /// Whether the failures are counted that a list of known failures has.
    pub(crate) show_known: bool,
    /// Whether only rows are shown that pass as they are written.
    pub(crate) only_in_variants: bool,
    /// The duration of the run.
    pub(crate) elapsed: Duration,
    /// Whether the report says how a project checks its own parser, because none was named.
    pub(crate) advises: bool,
}

/// How a parser is checked.
const ADVICE: &str = "\
To check your own parser:
  robotspec run --exec 'my-tool {file} {agent} {url}'   a program that is started for each check
  robotspec init --lang python                          an adapter to fill in (--help: in which languages)";

/// Writes the report.
pub(crate) fn write(
    record: &RunRecord,
    catalog: &Catalog,
    options: &Options,
    out: &mut dyn Write,
) -> Result<()> {
    let has_results = !record.implementations.iter().all(could_not_be_run);
    if !has_results {
        // There is nothing to count. The reasons follow.
    } else if record.implementations.len() > 1 && !options.show_all {
        overview::write(record, out)?;
    } else {
        totals::write_table(record, out)?;
    }
    for (place, implementation) in record.implementations.iter().enumerate() {
        let again = catalog.again(place).unwrap_or_default();
        Section { record: implementation, catalog, again, options }.write(out)?;
    }
    if has_results {
        totals::write_outcome(record, options, out)?;
    }
    if options.advises {
        writeln!(out, "\n{ADVICE}")?;
    }
    Ok(())
}

/// Returns whether an implementation was given up before any check was judged.
fn could_not_be_run(record: &ImplementationRecord) -> bool {
    let is_given_up = |incident: &Incident| matches!(incident, Incident::GaveUp { .. });
    record.incidents.iter().any(is_given_up) && record.checks.iter().all(CheckFinished::has_not_run)
}

/// The failures of an implementation.
struct Section<'r> {
    record: &'r ImplementationRecord,
    catalog: &'r Catalog<'r>,
    /// The arguments that run the implementation again.
    again: &'r str,
    options: &'r Options,
}

impl Section<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let ImplementationRecord { info, incidents, likely_causes, stale_known_failures, .. } = self.record;
        let has_shown =
            |failures: Vec<&CheckFinished>| failures.iter().any(|failure| self.is_counted(failure));
        let has_failure = match self.options.only_in_variants {
            true => has_shown(self.unexplained_failures()),
            false => has_shown(self.record.failures().collect()),
        };
        if !has_failure && incidents.is_empty() && stale_known_failures.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", styled(STRONG, visible(&info.name)))?;
        let (first, others) = incidents.split_at(incidents.partition_point(Incident::comes_first));
        incidents::write(first, self.options.show_all, out)?;
        for likely in likely_causes.iter().filter(|_| !self.options.only_in_variants) {
            self.write_likely_cause(likely, out)?;
        }
        if !self.options.only_in_variants
            && let Some(others) = describe_other_rows(likely_causes, self.record, self.catalog.checks())
        {
            writeln!(out, "  {others}")?;
        }
        let has_more = !others.is_empty() || has_shown(self.unexplained_failures());
        if has_more && !likely_causes.is_empty() {
            writeln!(out)?;
        }
        incidents::write(others, self.options.show_all, out)?;
        self.write_failures(out)?;
        let label = styled(BAD, "known failures are out of date:");
        for entry in stale_known_failures {
            writeln!(out, "  {label} {}; take it off the list", visible(entry))?;
        }
        Ok(())
    }

    /// Returns whether a failure is counted: a new one, or any where known ones are shown too.
    fn is_counted(&self, failure: &CheckFinished) -> bool {
        self.options.show_known || failure.has_new_failure()
    }

    /// Returns the failures that no likely cause explains; all failures if all are shown.
    fn unexplained_failures(&self) -> Vec<&CheckFinished> {
        if self.options.only_in_variants {
            return self
                .record
                .failures()
                .filter(|failure| is_only_in_variants(failure, self.record))
                .collect();
        }
        let is_shown = |failure: &&CheckFinished| {
            self.options.show_all || !self.explain(&self.record.likely_causes, failure)
        };
        self.record.failures().filter(is_shown).collect()
    }

    /// Returns whether one of the causes explains a failure.
    fn explain(&self, causes: &[LikelyCause], failure: &CheckFinished) -> bool {
        let check = self.catalog.find(&failure.id);
        let explains = |likely: &LikelyCause, check| likely.explains(check, failure, self.record);
        check.is_some_and(|check| causes.iter().any(|likely| explains(likely, check)))
    }
}
