//! The progress of a run of the fuzzer.

use robotspec_fuzz::{Limit, Report, SearchPlan, Source};

use crate::command::progress::Progress;
use crate::output::counted;

/// A progress bar on a terminal.
pub(super) struct ProgressLine {
    bar: Progress,
    /// The limit of the run; `None` where the inputs are files.
    limit: Option<Limit>,
}

impl ProgressLine {
    pub(super) fn new(plan: &SearchPlan) -> Self {
        let (length, limit) = match &plan.source {
            Source::Files(files) => (files.len() as u64, None),
            Source::Generated { limit, .. } => match limit {
                Limit::Runs(runs) => (*runs, Some(*limit)),
                Limit::Time(time) => (time.as_millis() as u64, Some(*limit)),
            },
        };
        let bar = Progress::of("starting");
        bar.measure(length);
        ProgressLine { bar, limit }
    }

    pub(super) fn take(&self, report: &Report) {
        let elapsed = self.bar.elapsed();
        self.bar.set_position(match self.limit {
            None => report.inputs,
            Some(Limit::Runs(_)) => report.checks,
            Some(Limit::Time(_)) => elapsed.as_millis() as u64,
        });
        self.bar.say(&format!(
            "{:.0} checks/s, {}, {} in play",
            report.checks as f64 / elapsed.as_secs_f64().max(0.001),
            counted(report.findings.len(), "finding"),
            counted(report.tally.clauses.len(), "clause"),
        ));
    }

    /// Writes something else while the bar is hidden.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.aside(write)
    }
}
