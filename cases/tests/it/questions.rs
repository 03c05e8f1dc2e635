//! Every question that an edition does not answer has a row.

use std::path::Path;

use datatest_stable::Result;
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Expected};
use robotspec_reference::Edition;
use robotspec_reference::question::TABLE;

/// Asserts that for each question that an edition does not answer, a row states the outcome of each answer. The test is
/// about all suites together, so it is listed once, under the clauses.
pub(crate) fn every_unanswered_question_has_a_row(_clauses: &Path) -> Result<()> {
    let suites = built_in().expect("the suites inside are sound");
    let rows: Vec<&Check> =
        suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows).collect();
    for table_row in TABLE {
        let is_unanswered = |edition: &Edition| table_row.answers(*edition).len() > 1;
        // The suites of the texts before Google's have rows only for what these texts say.
        for edition in Edition::USUAL.into_iter().filter(is_unanswered) {
            let states = |row: &&&Check| {
                // A row of two questions cannot state the outcome of each answer. One may be raised by an answer to the
                // other.
                let states_outcomes = !row.reasons.gives.is_empty() || row.questions.len() > 1;
                row.questions.contains(&table_row.question)
                    && match row.expected.get(&edition) {
                        Some(Expected::Sitemaps(sitemaps)) => !sitemaps.optional.is_empty(),
                        Some(expected) => expected.is_unspecified() && states_outcomes,
                        None => false,
                    }
            };
            assert!(rows.iter().any(|row| states(&row)), "no row for {} in {edition}", table_row.question);
        }
    }
    Ok(())
}
