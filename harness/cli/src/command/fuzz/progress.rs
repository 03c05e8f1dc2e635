//! The progress of a run of the fuzzer.

use robotspec_fuzz::{Limit, Report, SearchPlan, Source};

use crate::command::progress::Progress;
use crate::output::counted;

/// A progress bar on a terminal.
pub(super) struct ProgressLine {
    pub(super) bar: Progress,
    /// `None` where the run ends after the last file.
    limit: Option<Limit>,
}

impl ProgressLine {
    pub(super) fn new(plan: &SearchPlan) -> Self {
        let length = match (plan.limit, &plan.source) {
            (Some(Limit::Runs(runs)), _) => runs,
            (Some(Limit::Time(time)), _) => time.as_millis() as u64,
            (None, Source::Files(files)) => files.len() as u64,
            (None, Source::Given(_)) => 1,
            (None, Source::Generated(_)) => u64::MAX,
        };
        let bar = Progress::of("starting");
        bar.measure(length);
        ProgressLine { bar, limit: plan.limit }
    }

    pub(super) fn take(&self, report: &Report) {
        let elapsed = self.bar.elapsed();
        self.bar.set_position(match self.limit {
            Some(Limit::Runs(_)) => report.checks,
            Some(Limit::Time(_)) => elapsed.as_millis() as u64,
            None => report.inputs,
        });
        self.bar.say(&format!(
            "{:.0} checks/s, {}",
            report.checks as f64 / elapsed.as_secs_f64().max(0.001),
            counted(report.findings.len(), "finding"),
        ));
    }
}
