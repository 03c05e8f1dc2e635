//! The result of a judgement in the terms of a test report.

use robotspec::event::{Judgement, Status};
use robotspec_cases::Level;

/// The result of a judgement in a report that knows only three results.
pub(super) enum TestResult {
    Passed,
    /// A failure that no list of known failures has and that fails the run.
    Failed,
    /// The test does not count, with the reason.
    Skipped(String),
    /// The failure is in a list of known failures, with the difference.
    Known(String),
    /// A departure from a recommendation that does not fail the run, with the difference.
    Departure(String),
}

impl TestResult {
    /// Returns the result in a run with this level.
    pub(super) fn of(judgement: &Judgement, level: Level) -> Self {
        match judgement.status {
            Status::Pass => TestResult::Passed,
            Status::NotSupported => TestResult::Skipped("not supported".to_owned()),
            Status::Unspecified => {
                TestResult::Skipped(format!("unspecified; got {}", judgement.describe_got()))
            }
            _ if judgement.known.is_some() => {
                TestResult::Known(format!("known failure: {}", judgement.describe_difference()))
            }
            status if status.is_failure() && !judgement.is_failure_at(level) => {
                TestResult::Departure(format!("only a departure: {}", judgement.describe_difference()))
            }
            _ => TestResult::Failed,
        }
    }
}
