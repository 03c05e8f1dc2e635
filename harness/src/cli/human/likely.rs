//! What fails for one reason, told once.

use std::io::Write;

use anyhow::Result;
use robotspec_reference::Ruling;

use super::{HumanReport, SubjectReport};
use crate::cli::output::{BAD, counted, styled};
use crate::event::CheckFinished;
use crate::likely::{Cause, Likely};
use crate::report::{FailingRow, failing_rows};

impl HumanReport<'_> {
    pub(super) fn is_explained(&self, likely: &[Likely], failure: &CheckFinished) -> bool {
        let check = self.checks.get(failure.id.as_str());
        check.is_some_and(|check| likely.iter().any(|likely| likely.may_explain(check, failure)))
    }

    /// What newly fails that this explains.
    fn newly_explained<'r>(&self, likely: &Likely, report: &'r SubjectReport<'_>) -> Vec<&'r CheckFinished> {
        let one = std::slice::from_ref(likely);
        let new = report.failures.iter().filter(|failure| failure.has_new_failure());
        new.filter(|failure| self.is_explained(one, failure)).collect()
    }

    /// Whether to tell it. Why something fails that is known to is told by the list.
    pub(super) fn is_news(&self, likely: &Likely, report: &SubjectReport<'_>) -> bool {
        !matches!(likely.cause, Cause::Mistake(_)) || !self.newly_explained(likely, report).is_empty()
    }

    /// What fails for one reason is told once, with an example.
    pub(super) fn write_likely(
        &self,
        again: &str,
        likely: &Likely,
        report: &SubjectReport<'_>,
        out: &mut impl Write,
    ) -> Result<()> {
        let explained = self.newly_explained(likely, report);
        let (observed, advice) = likely.cause.told();
        writeln!(out, "  {} {observed}", styled(BAD, "likely cause:"))?;
        let evidence = counted(likely.evidence, likely.of);
        writeln!(out, "    {evidence} bear it out. {advice}")?;
        let is_decided = |failure: &&&CheckFinished| {
            let mut expected = failure.editions.values().map(|judged| judged.expected.as_str());
            expected.all(|expected| expected != Ruling::Unspecified.id())
        };
        let example =
            explained.iter().copied().find(|failure| is_decided(&failure)).or(explained.first().copied());
        if let Some(example) = example.filter(|_| !self.show_all) {
            let rows = failing_rows(explained);
            let others = rows.iter().find(|row| row.example.id == example.id).and_then(FailingRow::others);
            let count = counted(rows.len(), "row");
            writeln!(out, "    {count} may fail for it: here is one, and --all shows them")?;
            self.write_failure(again, example, others, out)?;
        }
        Ok(())
    }
}
