//! Every question that an edition does not answer has a row.

use robotspec_cases::suite::{Expected, Row, built_in};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Edition, Question};

/// Ignored or taken as written, the rule matches no path.
const OF_NO_MATTER: (Question, Edition) = (Question::LeadingSlash, Edition::Google2026);

/// Where an edition leaves a question open, a row tells what each answer gives.
pub(crate) fn every_open_question_has_a_row_that_tells_what_its_answers_give() {
    let suites = built_in().expect("the suites inside are sound");
    let rows: Vec<&Row> = suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows).collect();
    for table_row in TABLE {
        let is_open = |edition: &Edition| {
            table_row.answers(*edition).len() > 1 && (table_row.question, *edition) != OF_NO_MATTER
        };
        for edition in Edition::ALL.into_iter().filter(is_open) {
            let tells = |row: &&&Row| {
                let tells_answers = !row.reasons.gives.is_empty();
                row.questions.contains(&table_row.question)
                    && match row.expected.get(&edition) {
                        Some(Expected::Sitemaps { open, .. }) => !open.is_empty(),
                        Some(expected) => expected.is_unspecified() && tells_answers,
                        None => false,
                    }
            };
            assert!(rows.iter().any(|row| tells(&row)), "no row for {} in {edition}", table_row.question);
        }
    }
}
