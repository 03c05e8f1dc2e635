//! JUnit XML: a test suite for each implementation, edition and clause (or case that cites none), a test case for each check that a report of tests
//! lists. A known failure is a skipped test, because it does not fail the run.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use robotspec::event::{Judgement, LikelyCause, Status, Totals};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::{Level, visible, visible_lines};
use robotspec_reference::Edition;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::test_result::{TestResult, Tests};

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    let mut report = Report::new("robotspec");
    for implementation in &record.implementations {
        report.add_test_suites(clause_suites(implementation, record.level()));
        report.add_test_suites(stale_suite(implementation));
    }
    report.add_test_suites(gap_suite(record));
    out.write_all(report.to_string()?.as_bytes())?;
    Ok(())
}

/// Returns a suite for each edition and clause. Each has the level of the run and the numbers of its checks, of those that
/// are not supported, and of violations and departures as its properties. The first one has the likely causes and the
/// incidents as its output.
fn clause_suites(record: &ImplementationRecord, level: Level) -> impl Iterator<Item = TestSuite> {
    let name = full_name(&record.info);
    let tests = Tests::new(record, level);
    let mut suites: BTreeMap<(Edition, &str), (TestSuite, Totals)> = BTreeMap::new();
    for check in &record.checks {
        for (edition, judgement) in check.editions.iter() {
            let clause = &*check.clause;
            let new_suite =
                || (TestSuite::new(format!("{name} in {edition}: {}", visible(clause))), Totals::default());
            let (suite, totals) = suites.entry((*edition, clause)).or_insert_with(new_suite);
            totals.add(judgement);
            if let Some(result) = tests.result(check, *edition, judgement) {
                let mut test = TestCase::new(check.id.to_string(), status(result, judgement));
                test.set_classname(visible(&format!("{}.{edition}.{clause}", check.implementation)));
                suite.add_test_case(test);
            }
        }
    }
    let describe = |likely: &LikelyCause| format!("likely cause: {}\n", visible(&likely.describe()));
    let incidents =
        record.incidents.iter().map(|incident| format!("{}\n", visible_lines(&incident.to_string())));
    let mut output: String = incidents.chain(record.likely_causes.iter().map(describe)).collect();
    suites.into_values().map(move |(mut suite, totals)| {
        suite.add_property(("level", level.id()));
        let counts = [
            ("checks", totals.sum()),
            ("not-supported", totals.of(Status::NotSupported)),
            ("violations", totals.violations()),
            ("departures", totals.departures),
        ];
        // A test case has no properties in this format.
        for (name, count) in counts {
            suite.add_property((name, count.to_string().as_str()));
        }
        if !output.is_empty() {
            suite.set_system_out(std::mem::take(&mut output));
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

fn status(result: TestResult, judgement: &Judgement) -> TestCaseStatus {
    let (mut status, message) = match result {
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
