//! The editions, told apart.

use std::process::Command;

use robotspec::suite::{Expected, Row, built_in};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Edition, Question};

/// `editions diff` has a row for every question on which two editions part.
#[test]
fn every_difference_between_two_editions_is_shown_by_a_row() {
    for (index, a) in Edition::ALL.into_iter().enumerate() {
        for b in Edition::ALL.into_iter().skip(index + 1) {
            let output = Command::new(env!("CARGO_BIN_EXE_robotspec"))
                .args(["editions", "diff", a.id(), b.id(), "--format", "json"])
                .output()
                .expect("robotspec starts");
            let differences = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(differences.lines().count() > 0, "{a} and {b} are said to be the same");
            let without_row: Vec<&str> =
                differences.lines().filter(|line| line.contains(r#""row":null"#)).collect();
            assert!(without_row.is_empty(), "{a} and {b}: no row for {without_row:#?}");
        }
    }
}

/// Ignored or taken as written, the rule matches no path.
const OF_NO_MATTER: (Question, Edition) = (Question::LeadingSlash, Edition::Google2026);

/// Where an edition leaves a question open, a row tells what each answer gives.
#[test]
fn every_open_question_has_a_row_that_tells_what_its_answers_give() {
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
