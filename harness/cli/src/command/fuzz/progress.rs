//! The progress bar of a run of the fuzzer.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use robotspec_fuzz::{Limit, Plan, Report};

use crate::output::counted;

/// A progress bar on a terminal.
pub(super) struct ProgressLine {
    bar: ProgressBar,
    started: Instant,
    limit: Limit,
}

impl ProgressLine {
    pub(super) fn new(plan: &Plan) -> Self {
        let length = match plan.limit {
            Limit::Runs(runs) => runs,
            Limit::Time(time) => time.as_millis() as u64,
        };
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
            bar.set_style(style);
        }
        ProgressLine { bar, started: Instant::now(), limit: plan.limit }
    }

    pub(super) fn take(&self, report: &Report) {
        let elapsed = self.started.elapsed();
        if self.bar.is_hidden() && elapsed > Duration::from_secs(2) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(match self.limit {
            Limit::Runs(_) => report.checks,
            Limit::Time(_) => elapsed.as_millis() as u64,
        });
        self.bar.set_message(format!(
            "{:.0} checks/s, {}, {} in play",
            report.checks as f64 / elapsed.as_secs_f64().max(0.001),
            counted(report.findings.len(), "finding"),
            counted(report.tally.clauses.len(), "clause"),
        ));
    }

    /// Writes something else while the bar is hidden.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
