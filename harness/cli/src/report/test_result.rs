//! The result of a judgement in the terms of a test report.

use robotspec::event::{Judgement, Status};

/// The result of a judgement in a report that knows only three results.
pub(super) enum TestResult {
    Passed,
    /// A failure that no list of known failures has.
    Failed,
    /// The test does not count, with the reason.
    Skipped(String),
    /// The failure is in a list of known failures, with the difference.
    Known(String),
}

impl TestResult {
    pub(super) fn of(judgement: &Judgement) -> Self {
        match judgement.status {
            Status::Pass => TestResult::Passed,
            Status::NotSupported => TestResult::Skipped("not supported".to_owned()),
            Status::Unspecified => {
                TestResult::Skipped(format!("unspecified; got {}", judgement.describe_got()))
            }
            _ if judgement.known.is_some() => {
                TestResult::Known(format!("known failure: {}", judgement.describe_difference()))
            }
            _ => TestResult::Failed,
        }
    }
}
