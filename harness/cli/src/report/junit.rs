//! JUnit XML: a test suite for each implementation, edition and clause (or case that cites none), a test case for each check that a report of tests
//! lists. A known failure is a skipped test, because it does not fail the run.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::Result;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use robotspec::event::{Judgement, LikelyCause, Status, Totals};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::Level;
use robotspec_reference::Edition;
use robotspec_text::{visible, visible_lines};

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::summary::failure_lines;
use crate::report::test_result::{TestResult, Tests};

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    let mut suites = Vec::new();
    for (place, implementation) in record.implementations.iter().enumerate() {
        suites.extend(clause_suites(implementation, record.level(), catalog, place));
        suites.extend(stale_suite(implementation));
    }
    suites.extend(gap_suite(record));
    write_suites(&suites, out)?;
    Ok(())
}

/// A `testsuite`.
#[derive(Default)]
struct TestSuite {
    name: String,
    properties: Vec<(&'static str, String)>,
    tests: Vec<TestCase>,
    output: String,
}

/// A `testcase`.
struct TestCase {
    name: String,
    class: String,
    /// What is not a success.
    result: Option<NoSuccess>,
}

/// The element of a test that did not pass.
struct NoSuccess {
    element: &'static str,
    message: String,
    kind: &'static str,
    /// What a person needs to understand it.
    body: Vec<String>,
}

const FAILURE: &str = "failure";
const ERROR: &str = "error";
const SKIPPED: &str = "skipped";

fn write_suites(suites: &[TestSuite], out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(out, b' ', 4);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let total = |element| suites.iter().map(|suite| suite.count(element)).sum::<usize>().to_string();
    let tests: usize = suites.iter().map(|suite| suite.tests.len()).sum();
    xml.create_element("testsuites")
        .with_attributes([("name", "robotspec"), ("tests", &tests.to_string())])
        .with_attributes([("failures", &*total(FAILURE)), ("errors", &*total(ERROR))])
        .write_inner_content(|xml| suites.iter().try_for_each(|suite| suite.write(xml)))?;
    xml.write_indent()
}

impl TestSuite {
    fn named(name: String) -> Self {
        TestSuite { name, ..Self::default() }
    }

    /// Returns the number of tests with an element.
    fn count(&self, element: &str) -> usize {
        let results = self.tests.iter().filter_map(|test| test.result.as_ref());
        results.filter(|result| result.element == element).count()
    }

    fn write<W: Write>(&self, xml: &mut Writer<W>) -> io::Result<()> {
        let count = |element| self.count(element).to_string();
        let suite = xml
            .create_element("testsuite")
            .with_attributes([("name", &*self.name), ("tests", &self.tests.len().to_string())])
            .with_attributes([("disabled", &*count(SKIPPED)), ("errors", &count(ERROR))])
            .with_attribute(("failures", &*count(FAILURE)));
        suite.write_inner_content(|xml| {
            if !self.properties.is_empty() {
                xml.create_element("properties").write_inner_content(|xml| {
                    self.properties.iter().try_for_each(|(name, value)| {
                        let property = xml.create_element("property");
                        property.with_attributes([("name", *name), ("value", value)]).write_empty().map(drop)
                    })
                })?;
            }
            self.tests.iter().try_for_each(|test| test.write(xml))?;
            if !self.output.is_empty() {
                xml.create_element("system-out").write_text_content(BytesText::new(&self.output))?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

impl TestCase {
    fn write<W: Write>(&self, xml: &mut Writer<W>) -> io::Result<()> {
        let test = xml
            .create_element("testcase")
            .with_attributes([("name", &*self.name), ("classname", &*self.class)]);
        match &self.result {
            None => test.write_empty()?,
            Some(NoSuccess { element, message, kind, body }) => test.write_inner_content(|xml| {
                let result = xml.create_element(*element);
                let result = result.with_attributes([("message", &**message), ("type", kind)]);
                let written = match body.as_slice() {
                    [] => result.write_empty(),
                    lines => result.write_text_content(BytesText::new(&lines.join("\n"))),
                };
                written.map(drop)
            })?,
        };
        Ok(())
    }
}

/// Returns a suite for each edition and clause. Each has the level of the run and the numbers of its checks, of those that
/// are not supported, and of violations and departures as its properties. The first one has the likely causes and the
/// incidents as its output.
fn clause_suites(
    record: &ImplementationRecord,
    level: Level,
    catalog: &Catalog,
    place: usize,
) -> impl Iterator<Item = TestSuite> {
    let name = full_name(&record.info);
    let tests = Tests::new(record, level);
    let mut suites: BTreeMap<(Edition, &str), (TestSuite, Totals)> = BTreeMap::new();
    for check in &record.checks {
        for (edition, judgement) in check.editions.iter() {
            let clause = &*check.clause;
            let new_suite =
                || (TestSuite::named(format!("{name} in {edition}: {}", visible(clause))), Totals::default());
            let (suite, totals) = suites.entry((*edition, clause)).or_insert_with(new_suite);
            totals.add(judgement);
            if let Some(result) = tests.result(check, *edition, judgement) {
                let body = match result {
                    TestResult::Failed => failure_lines(check, (*edition, judgement), catalog, place),
                    _ => Vec::new(),
                };
                suite.tests.push(TestCase {
                    name: check.id.to_string(),
                    class: visible(&format!("{}.{edition}.{clause}", check.implementation)),
                    result: no_success(result, judgement, body),
                });
            }
        }
    }
    let describe = |likely: &LikelyCause| format!("likely cause: {}\n", visible(&likely.describe()));
    let incidents =
        record.incidents.iter().map(|incident| format!("{}\n", visible_lines(&incident.to_string())));
    let mut output: String = incidents.chain(record.likely_causes.iter().map(describe)).collect();
    suites.into_values().map(move |(mut suite, totals)| {
        suite.properties.push(("level", level.id().to_owned()));
        let counts = [
            ("checks", totals.sum()),
            ("not-supported", totals.of(Status::NotSupported)),
            ("violations", totals.violations()),
            ("departures", totals.departures),
        ];
        // A test case has no properties in this format.
        suite.properties.extend(counts.map(|(name, count)| (name, count.to_string())));
        suite.output = std::mem::take(&mut output);
        suite
    })
}

/// A list of known failures that is out of date fails the run, so it is a suite that fails.
fn stale_suite(record: &ImplementationRecord) -> Option<TestSuite> {
    let name = full_name(&record.info);
    let mut suite = TestSuite::named(format!("{name}: known failures"));
    suite.tests.extend(record.stale_known_failures.iter().map(|entry| TestCase {
        name: visible(entry),
        class: format!("{name}.known-failures"),
        result: Some(NoSuccess {
            element: FAILURE,
            message: "the list of known failures is out of date".to_owned(),
            kind: "stale",
            body: Vec::new(),
        }),
    }));
    (!suite.tests.is_empty()).then_some(suite)
}

/// An incomplete run fails, so the reasons are a suite that fails.
fn gap_suite(record: &RunRecord) -> Option<TestSuite> {
    let mut gaps = record.gaps();
    gaps.retain(|gap| !gap.is_of_checks());
    let mut suite = TestSuite::named("the run".to_owned());
    suite.tests.extend(gaps.iter().map(|gap| TestCase {
        name: visible(&gap.to_string()),
        class: "robotspec.run".to_owned(),
        result: Some(NoSuccess {
            element: ERROR,
            message: "results are missing".to_owned(),
            kind: "incomplete",
            body: Vec::new(),
        }),
    }));
    (!suite.tests.is_empty()).then_some(suite)
}

fn no_success(result: TestResult, judgement: &Judgement, body: Vec<String>) -> Option<NoSuccess> {
    let (element, message) = match result {
        TestResult::Passed => return None,
        TestResult::Skipped(message) | TestResult::Known(message) | TestResult::Departure(message) => {
            (SKIPPED, message)
        }
        TestResult::Failed => {
            let element = if judgement.status == Status::Fail { FAILURE } else { ERROR };
            (element, judgement.describe_difference())
        }
    };
    Some(NoSuccess { element, message: visible_lines(&message), kind: judgement.status.id(), body })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether XML 1.0 permits a character (section 2.2, `Char`).
    fn is_in_xml(c: char) -> bool {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
    }

    #[test]
    fn every_character_is_written_as_characters_of_xml() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = c.to_string();
            for shown in [visible(&text), visible_lines(&text)] {
                assert!(shown.chars().all(is_in_xml), "{c:?} is written as {shown:?}");
            }
        }
    }
}
