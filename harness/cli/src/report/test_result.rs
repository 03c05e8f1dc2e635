//! The result of a judgement in the terms of a test report.
//!
//! Such a report lists the rows as they are written. The rewritten file of a row is a test of its own only where it fails
//! the run and the row does not, and what an implementation does not have is no test: a page of tests that say nothing, or
//! the same, hides the others.

use std::collections::HashSet;

use robotspec::ImplementationRecord;
use robotspec::event::{CheckFinished, Judgement, Status};
use robotspec_cases::{CheckId, Level};
use robotspec_reference::Edition;

/// The result of a judgement in a report that knows only three results.
pub(super) enum TestResult {
    Passed,
    /// A failure that no list of known failures has and that fails the run.
    Failed,
    /// The test does not count, with the reason.
    Skipped(String),
    /// A known failure, or a departure from a recommendation, that does not fail the run, with the difference.
    Tolerated(String),
}

/// The tests of an implementation.
pub(super) struct Tests<'r> {
    /// The weakest level of failures that fail the run.
    level: Level,
    /// The rows that fail the run as they are written.
    failed: HashSet<(&'r CheckId, Edition)>,
}

impl<'r> Tests<'r> {
    /// Returns the tests of a run with this level.
    pub(super) fn new(record: &'r ImplementationRecord, level: Level) -> Self {
        let rows = record.rows().flat_map(|row| row.editions.iter().map(move |judged| (&row.id, judged)));
        let failed = rows.filter_map(|(id, (edition, judgement))| {
            matches!(TestResult::of(judgement, level), TestResult::Failed).then_some((id, *edition))
        });
        Tests { level, failed: failed.collect() }
    }

    /// Returns the result of a judgement, if the report lists it.
    pub(super) fn result(
        &self,
        check: &CheckFinished,
        edition: Edition,
        judgement: &Judgement,
    ) -> Option<TestResult> {
        let result = TestResult::of(judgement, self.level);
        let is_listed = match (judgement.status, check.id.variant) {
            (Status::NotSupported, _) => false,
            (_, None) => true,
            (_, Some(_)) => {
                matches!(result, TestResult::Failed)
                    && !self.failed.contains(&(&check.id.as_written(), edition))
            }
        };
        is_listed.then_some(result)
    }
}

impl TestResult {
    /// Returns the result in a run with this level.
    fn of(judgement: &Judgement, level: Level) -> Self {
        match judgement.status {
            Status::Pass => TestResult::Passed,
            Status::NotSupported => TestResult::Skipped("not supported".to_owned()),
            Status::Unspecified | Status::Unanswered => {
                TestResult::Skipped(format!("unspecified; got {}", judgement.describe_got()))
            }
            _ if judgement.known.is_some() => {
                TestResult::Tolerated(format!("known failure: {}", judgement.describe_difference()))
            }
            status if status.is_failure() && !judgement.is_failure_at(level) => {
                TestResult::Tolerated(format!("only a departure: {}", judgement.describe_difference()))
            }
            _ => TestResult::Failed,
        }
    }
}
