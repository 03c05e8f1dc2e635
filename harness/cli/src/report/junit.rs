//! JUnit XML: a test suite for each implementation and edition, a test case for
//! each check. A known failure is a skipped test, as it keeps no run from passing.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use crate::report::{Report, TestResult, difference, test_result};
use robotspec::event::{CheckFinished, EditionId, Event, Judged, Status};

pub(super) struct JunitReport {
    junit: Junit,
    /// What the implementation is called, with its version.
    implementation: String,
    /// Those of the implementation that is being asked.
    suites: BTreeMap<EditionId, TestSuite>,
    /// What is likely of it.
    likely: Vec<String>,
}

impl Default for JunitReport {
    fn default() -> Self {
        JunitReport {
            junit: Junit::new("robotspec"),
            implementation: String::new(),
            suites: BTreeMap::new(),
            likely: Vec::new(),
        }
    }
}

impl Report for JunitReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::ImplementationStarted { info } => {
                let version = info.version.as_deref().unwrap_or_default();
                self.implementation = format!("{} {version}", info.name).trim().to_owned();
            }
            Event::CheckFinished(check) => self.check(check),
            Event::LikelyCause { likely, .. } => self.likely.push(likely.told()),
            Event::ImplementationFinished { stale_known_failures, .. } => {
                self.finish_suites();
                self.stale(stale_known_failures);
            }
            Event::RunFinished { .. } => {
                self.junit.serialize(&mut *out).map_err(io::Error::other)?;
            }
            Event::RunStarted { .. } | Event::Incident { .. } => {}
        }
        Ok(())
    }
}

impl JunitReport {
    /// What is likely of an implementation is the output of each of its suites.
    fn finish_suites(&mut self) {
        let likely = std::mem::take(&mut self.likely);
        let told: Vec<String> = likely.iter().map(|likely| format!("likely cause: {likely}\n")).collect();
        for mut suite in std::mem::take(&mut self.suites).into_values() {
            if !told.is_empty() {
                suite.set_system_out(told.concat());
            }
            self.junit.add_test_suite(suite);
        }
    }

    fn check(&mut self, check: &CheckFinished) {
        for (edition, judged) in &check.editions {
            let mut test = TestCase::new(&check.id, status(judged));
            test.set_classname(format!("{}.{}.{}", check.implementation, edition.0, check.clause));
            let name = || TestSuite::new(format!("{} in {}", self.implementation, edition.0));
            self.suites.entry(*edition).or_insert_with(name).add_test_case(test);
        }
    }

    /// A list that is out of date fails the run, so it is a suite that fails.
    fn stale(&mut self, entries: &[String]) {
        if entries.is_empty() {
            return;
        }
        let mut suite = TestSuite::new(format!("{}: known failures", self.implementation));
        for entry in entries {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message("the list of known failures is out of date").set_type("stale");
            let mut test = TestCase::new(entry, status);
            test.set_classname(format!("{}.known-failures", self.implementation));
            suite.add_test_case(test);
        }
        self.junit.add_test_suite(suite);
    }
}

fn status(judged: &Judged) -> TestCaseStatus {
    let (mut status, message) = match test_result(judged) {
        TestResult::Passed => return TestCaseStatus::success(),
        TestResult::Skipped(why) => (TestCaseStatus::skipped(), why),
        TestResult::Failed if judged.known => {
            (TestCaseStatus::skipped(), format!("known failure: {}", difference(judged)))
        }
        TestResult::Failed => {
            let kind = match judged.status {
                Status::Fail => NonSuccessKind::Failure,
                _ => NonSuccessKind::Error,
            };
            (TestCaseStatus::non_success(kind), difference(judged))
        }
    };
    status.set_message(message).set_type(judged.status.id());
    status
}
