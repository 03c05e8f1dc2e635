//! JUnit XML: a test suite for each implementation, edition and clause (or case that cites none), a test case for each check
//! that a report of tests lists. A known failure is a skipped test, because it does not fail the run.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use robotspec::event::{LikelyCause, Status, Totals};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::Level;
use robotspec_reference::Edition;
use robotspec_text::{visible, visible_lines};
use serde::Serialize;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::summary::failure_lines;
use crate::report::test_result::{TestResult, Tests};

/// The document around the test suites.
const TEMPLATE: &str = include_str!("junit.xml");

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    let mut suites = Vec::new();
    for (place, implementation) in record.implementations.iter().enumerate() {
        suites.extend(clause_suites(implementation, record.level(), catalog, place));
        // A list of known failures that is out of date fails the run, so it is a suite that fails.
        let stale = implementation.stale_known_failures.iter().map(|entry| TestCase {
            name: visible(entry),
            class: format!("{}.known-failures", full_name(&implementation.info)),
            element: Some(FAILURE),
            message: "the list of known failures is out of date".to_owned(),
            kind: "stale",
            body: String::new(),
        });
        suites.extend(failing_suite(format!("{}: known failures", full_name(&implementation.info)), stale));
    }
    // An incomplete run fails, so the reasons are a suite that fails.
    let gaps = record.gaps().into_iter().filter(|gap| !gap.is_of_checks()).map(|gap| TestCase {
        name: visible(&gap.to_string()),
        class: "robotspec.run".to_owned(),
        element: Some(ERROR),
        message: "results are missing".to_owned(),
        kind: "incomplete",
        body: String::new(),
    });
    suites.extend(failing_suite("the run".to_owned(), gaps));
    let elements = || suites.iter().flat_map(|suite| &suite.tests).map(|test| test.element);
    let count = |element| elements().filter(|other| *other == Some(element)).count();
    let mut templates = Environment::new();
    templates.set_formatter(|out, _, value| Ok(out.write_str(&escaped(&value.to_string()))?));
    let document = templates.render_str(
        TEMPLATE,
        context! {
            tests => elements().count(), failures => count(FAILURE), errors => count(ERROR), suites => Serde(&suites)
        },
    )?;
    writeln!(out, "{document}")?;
    Ok(())
}

/// A `testsuite`.
#[derive(Serialize)]
struct TestSuite {
    name: String,
    properties: Vec<(&'static str, String)>,
    tests: Vec<TestCase>,
    output: String,
}

/// A `testcase`.
#[derive(Serialize)]
struct TestCase {
    name: String,
    class: String,
    /// The element of a test that did not pass.
    element: Option<&'static str>,
    message: String,
    kind: &'static str,
    /// What a person needs to understand it.
    body: String,
}

const FAILURE: &str = "failure";
const ERROR: &str = "error";
const SKIPPED: &str = "skipped";

/// Returns a text as a part of an element or of the value of an attribute.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('\'', "&apos;").replace('"', "&quot;")
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
    let mut suites: BTreeMap<(Edition, &str), (Vec<TestCase>, Totals)> = BTreeMap::new();
    for check in &record.checks {
        for (edition, judgement) in check.editions.iter() {
            let clause = &*check.clause;
            let (listed, totals) = suites.entry((*edition, clause)).or_default();
            totals.add(judgement);
            let Some(result) = tests.result(check, *edition, judgement) else { continue };
            let (element, message, body) = match result {
                TestResult::Passed => (None, String::new(), Vec::new()),
                TestResult::Skipped(reason) | TestResult::Tolerated(reason) => {
                    (Some(SKIPPED), reason, Vec::new())
                }
                TestResult::Failed => (
                    Some(if judgement.status == Status::Fail { FAILURE } else { ERROR }),
                    judgement.describe_difference(),
                    failure_lines(check, (*edition, judgement), catalog, place),
                ),
            };
            listed.push(TestCase {
                name: check.id.to_string(),
                class: visible(&format!("{}.{edition}.{clause}", check.implementation)),
                element,
                message: visible_lines(&message),
                kind: judgement.status.id(),
                body: body.join("\n"),
            });
        }
    }
    let describe = |likely: &LikelyCause| format!("likely cause: {}\n", visible(&likely.describe()));
    let incidents =
        record.incidents.iter().map(|incident| format!("{}\n", visible_lines(&incident.to_string())));
    let mut output: String = incidents.chain(record.likely_causes.iter().map(describe)).collect();
    suites.into_iter().map(move |((edition, clause), (tests, totals))| TestSuite {
        name: format!("{name} in {edition}: {}", visible(clause)),
        // A test case has no properties in this format.
        properties: vec![
            ("level", level.id().to_owned()),
            ("checks", totals.sum().to_string()),
            ("not-supported", totals.of(Status::NotSupported).to_string()),
            ("violations", totals.violations().to_string()),
            ("departures", totals.departures.to_string()),
        ],
        tests,
        output: std::mem::take(&mut output),
    })
}

/// Returns a suite of tests that did not pass, if there are any.
fn failing_suite(name: String, tests: impl Iterator<Item = TestCase>) -> Option<TestSuite> {
    let tests: Vec<TestCase> = tests.collect();
    let suite = TestSuite { name, properties: Vec::new(), tests, output: String::new() };
    (!suite.tests.is_empty()).then_some(suite)
}
