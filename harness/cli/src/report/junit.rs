//! JUnit XML: a test suite for each implementation and edition, a test case for each check. A known failure is a
//! skipped test, because it does not fail the run.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use robotspec::event::{Judgement, LikelyCause, Status};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::{Level, visible, visible_lines};
use robotspec_reference::Edition;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::test_result::TestResult;

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    let mut report = Report::new("robotspec");
    for implementation in &record.implementations {
        report.add_test_suites(edition_suites(implementation, record.level()));
        report.add_test_suites(stale_suite(implementation));
    }
    report.add_test_suites(gap_suite(record));
    out.write_all(report.to_string()?.as_bytes())?;
    Ok(())
}

/// Returns a suite for each edition. Each has the level of the run and the numbers of violations and departures as its
/// properties, and the likely causes and the incidents as its output.
fn edition_suites(record: &ImplementationRecord, level: Level) -> impl Iterator<Item = TestSuite> {
    let name = full_name(&record.info);
    let mut suites: BTreeMap<Edition, TestSuite> = BTreeMap::new();
    for check in &record.checks {
        for (edition, judgement) in check.editions.iter() {
            let mut test = TestCase::new(check.id.to_string(), status(judgement, level));
            test.set_classname(visible(&format!("{}.{edition}.{}", check.implementation, check.clause)));
            let suite = suites.entry(*edition);
            suite.or_insert_with(|| TestSuite::new(format!("{name} in {edition}"))).add_test_case(test);
        }
    }
    let describe = |likely: &LikelyCause| format!("likely cause: {}\n", visible(&likely.describe()));
    let incidents =
        record.incidents.iter().map(|incident| format!("{}\n", visible_lines(&incident.to_string())));
    let output: String = incidents.chain(record.likely_causes.iter().map(describe)).collect();
    let totals = record.totals();
    suites.into_iter().map(move |(edition, mut suite)| {
        // A test case has no properties in this format.
        let totals = totals.get(&edition).cloned().unwrap_or_default();
        suite.add_property(("level", level.id()));
        suite.add_property(("violations", totals.violations().to_string().as_str()));
        suite.add_property(("departures", totals.departures.to_string().as_str()));
        if !output.is_empty() {
            suite.set_system_out(output.as_str());
        }
        suite
    })
}

/// A list of known failures that is out of date fails the run, so it is a suite that fails.
fn stale_suite(record: &ImplementationRecord) -> Option<TestSuite> {
    let name = full_name(&record.info);
    let mut suite = TestSuite::new(format!("{name}: known failures"));
    for entry in &record.stale_known_failures {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message("the list of known failures is out of date").set_type("stale");
        let mut test = TestCase::new(visible(entry), status);
        test.set_classname(format!("{name}.known-failures"));
        suite.add_test_case(test);
    }
    (!record.stale_known_failures.is_empty()).then_some(suite)
}

/// An incomplete run fails, so the reasons are a suite that fails.
fn gap_suite(record: &RunRecord) -> Option<TestSuite> {
    let mut gaps = record.gaps();
    gaps.retain(|gap| !gap.is_of_checks());
    let mut suite = TestSuite::new("the run");
    for gap in &gaps {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message("results are missing").set_type("incomplete");
        let mut test = TestCase::new(visible(&gap.to_string()), status);
        test.set_classname("robotspec.run");
        suite.add_test_case(test);
    }
    (!gaps.is_empty()).then_some(suite)
}

fn status(judgement: &Judgement, level: Level) -> TestCaseStatus {
    let (mut status, message) = match TestResult::of(judgement, level) {
        TestResult::Passed => return TestCaseStatus::success(),
        TestResult::Skipped(message) | TestResult::Known(message) | TestResult::Departure(message) => {
            (TestCaseStatus::skipped(), message)
        }
        TestResult::Failed => {
            let kind = match judgement.status {
                Status::Fail => NonSuccessKind::Failure,
                _ => NonSuccessKind::Error,
            };
            (TestCaseStatus::non_success(kind), judgement.describe_difference())
        }
    };
    status.set_message(visible_lines(&message)).set_type(judgement.status.id());
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use quick_junit::XmlString;

    /// Returns whether XML 1.0 permits a character (section 2.2, `Char`).
    fn is_in_xml(c: char) -> bool {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
    }

    #[test]
    fn every_character_is_written_as_characters_of_xml() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = c.to_string();
            for shown in [visible(&text), visible_lines(&text)].map(XmlString::new) {
                assert!(shown.chars().all(is_in_xml), "{c:?} is written as {shown:?}");
            }
        }
    }
}
