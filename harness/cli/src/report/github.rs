//! Annotations of a GitHub job: a line for each check that fails the run, which GitHub shows at the place of the check.
//!
//! GitHub obeys each line, so no text of a parser or a file may end a line or a property of it: its control characters are
//! visible, and the rest is escaped as the workflow commands require.

use std::io::Write;

use anyhow::Result;
use robotspec::event::{CheckFinished, Judgement};
use robotspec::sentences::reasons;
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::inert::inert_line;
use robotspec_cases::{Check, Query, brief, visible};
use robotspec_reference::Edition;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::query::explain;
use crate::report::test_result::{TestResult, Tests};

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    for implementation in &record.implementations {
        let tests = Tests::new(implementation, record.level());
        for check in &implementation.checks {
            let fails = |(edition, judgement): &(&Edition, &Judgement)| {
                matches!(tests.result(check, **edition, judgement), Some(TestResult::Failed))
            };
            let failures: Vec<(&Edition, &Judgement)> = check.editions.iter().filter(fails).collect();
            if !failures.is_empty() {
                writeln!(out, "{}", annotation(implementation, check, &failures, catalog))?;
            }
        }
        for entry in &implementation.stale_known_failures {
            let message =
                format!("the list of known failures of {} is out of date", full_name(&implementation.info));
            writeln!(out, "::error title={}::{}", property(entry), data(&message))?;
        }
    }
    for gap in record.gaps().iter().filter(|gap| !gap.is_of_checks()) {
        writeln!(out, "::error title=results are missing::{}", data(&gap.to_string()))?;
    }
    Ok(())
}

/// Returns the annotation of a check, with the failures that fail the run.
fn annotation(
    record: &ImplementationRecord,
    check: &CheckFinished,
    failures: &[(&Edition, &Judgement)],
    catalog: &Catalog,
) -> String {
    let place = catalog.place(&check.id);
    let place = place.map(|(file, line)| format!("file={},line={line},", property(&file.to_string_lossy())));
    let query = catalog.find(&check.id).and_then(|check| match &check.query {
        Query::Match { agent, url, .. } => Some(format!("{} {}: ", brief(agent), brief(url))),
        _ => None,
    });
    let name = full_name(&record.info);
    let answers = failures
        .iter()
        .map(|(edition, judgement)| format!("{name} in {edition}: {}", judgement.describe_difference()));
    let because = failures.first().and_then(|(edition, _)| because(catalog.find(&check.id)?, **edition));
    let message =
        query.unwrap_or_default() + &answers.collect::<Vec<_>>().join("; ") + &because.unwrap_or_default();
    format!(
        "::error {}title={}::{}",
        place.unwrap_or_default(),
        property(&check.id.to_string()),
        data(&message)
    )
}

/// Returns the reasons of an edition for its answer, in brackets: the lines that decide.
fn because(check: &Check, edition: Edition) -> Option<String> {
    let Query::Match { robots, .. } = &check.query else { return None };
    let explanation = explain(&check.query, robots, edition)?;
    Some(format!(" ({edition}: {})", reasons(&explanation).join("; ")))
}

/// Returns a text as the message of a workflow command. Nothing in it is a command of the older form, `##[name]`.
fn data(text: &str) -> String {
    inert_line(&visible(text)).replace('%', "%25")
}

/// Returns a text as the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_line_or_a_property() {
        let hostile = "a\n::error::b\r,c:d%0A##[e]";
        assert_eq!(property(hostile), r"a\n%3A%3Aerror%3A%3Ab\r%2Cc%3Ad%250A#\u{23}[e]");
        assert_eq!(data("100 %"), "100 %25");
    }
}
