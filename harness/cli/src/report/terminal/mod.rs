//! The report for a person at a terminal: a table of totals, then the failures of each implementation.

mod failures;
mod incidents;
mod totals;

use std::io::Write;

use anyhow::Result;
use robotspec::event::{CheckFinished, LikelyCause};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::visible;

use crate::output::{BAD, STRONG, styled};
use crate::report::Catalog;

/// What a person chose on the command line.
pub(crate) struct Options {
    /// The arguments of `robotspec run` for each implementation, which run it again.
    pub(crate) arguments: Vec<String>,
    /// Whether every failure is shown.
    pub(crate) show_all: bool,
}

/// Writes the report.
pub(crate) fn write(
    record: &RunRecord,
    catalog: &Catalog,
    options: &Options,
    out: &mut dyn Write,
) -> Result<()> {
    totals::write_table(record, out)?;
    for (place, implementation) in record.implementations.iter().enumerate() {
        let again = options.arguments.get(place).map(String::as_str).unwrap_or_default();
        let show_all = options.show_all;
        Section { record: implementation, catalog, again, show_all }.write(out)?;
    }
    totals::write_outcome(record, out)
}

/// The failures of an implementation.
struct Section<'r> {
    record: &'r ImplementationRecord,
    catalog: &'r Catalog<'r>,
    /// The arguments that run the implementation again.
    again: &'r str,
    show_all: bool,
}

impl Section<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let ImplementationRecord { info, incidents, likely_causes, stale_known_failures, .. } = self.record;
        let has_failure = self.record.failures().next().is_some();
        if !has_failure && incidents.is_empty() && stale_known_failures.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", styled(STRONG, visible(&info.name)))?;
        for likely in likely_causes {
            self.write_likely_cause(likely, out)?;
        }
        let has_more = !incidents.is_empty() || !self.unexplained_failures().is_empty();
        if has_more && !likely_causes.is_empty() {
            writeln!(out)?;
        }
        incidents::write(incidents, self.show_all, out)?;
        self.write_failures(out)?;
        let label = styled(BAD, "known failures are out of date:");
        for entry in stale_known_failures {
            writeln!(out, "  {label} {}; take it off the list", visible(entry))?;
        }
        Ok(())
    }

    /// Returns the failures that no likely cause may explain; all failures if all are shown.
    fn unexplained_failures(&self) -> Vec<&CheckFinished> {
        let is_shown = |failure: &&CheckFinished| {
            self.show_all || !self.may_explain(&self.record.likely_causes, failure)
        };
        self.record.failures().filter(is_shown).collect()
    }

    /// Returns whether one of the causes may explain a failure.
    fn may_explain(&self, causes: &[LikelyCause], failure: &CheckFinished) -> bool {
        let check = self.catalog.find(&failure.id);
        check.is_some_and(|check| causes.iter().any(|likely| likely.cause.may_explain(check, failure)))
    }
}
