//! What fails for one reason, told once.

use std::io::Write;

use anyhow::Result;

use super::{HumanReport, SubjectReport};
use crate::command::output::{BAD, counted, styled};
use crate::report::{FailingRow, failing_rows};
use robotspec::event::{CheckFinished, LikelyCause};
use robotspec::likely::Cause;

impl HumanReport<'_> {
    /// Whether one of these may be why it fails.
    pub(super) fn is_explained(&self, likely: &[LikelyCause], failure: &CheckFinished) -> bool {
        let Some(check) = self.checks.get(failure.id.as_str()) else { return false };
        let mut causes = likely.iter().filter_map(|likely| Cause::find(&likely.cause));
        causes.any(|cause| cause.may_explain(check, failure))
    }

    /// What fails for one reason is told once, with an example.
    pub(super) fn write_likely(
        &self,
        again: &str,
        likely: &LikelyCause,
        report: &SubjectReport,
        out: &mut impl Write,
    ) -> Result<()> {
        writeln!(out, "  {} {}", styled(BAD, "likely cause:"), likely.observed)?;
        writeln!(out, "    {} bear it out. {}", counted(likely.evidence, &likely.of), likely.advice)?;
        let is_example = |failure: &&CheckFinished| Some(&failure.id) == likely.example.as_ref();
        if let Some(example) = report.failures.iter().find(is_example).filter(|_| !self.show_all) {
            let one = std::slice::from_ref(likely);
            let explained = report
                .failures
                .iter()
                .filter(|failure| failure.has_new_failure() && self.is_explained(one, failure));
            let rows = failing_rows(explained);
            let others = rows.iter().find(|row| row.example.id == example.id).and_then(FailingRow::others);
            let count = counted(likely.rows, "row");
            writeln!(out, "    {count} may fail for it: here is one, and --all shows them")?;
            self.write_failure(again, example, others, out)?;
        }
        Ok(())
    }
}
