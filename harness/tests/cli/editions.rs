//! `robotspec editions`.

use robotspec_reference::Edition;
use robotspec_reference::question::TABLE;

use crate::support::assert_told;
use crate::{json_lines, run};

#[test]
fn editions_tells_every_question_with_the_answers_of_each_edition() {
    assert_told!(run("editions").told());
}

#[test]
fn editions_tells_programs_an_object_for_each_question() {
    let done = run("editions --format json");
    let questions = json_lines(&done.stdout);
    assert_eq!(questions.len(), TABLE.len());
    for (question, row) in questions.iter().zip(TABLE) {
        assert_eq!(question["question"], row.question.id());
        for edition in Edition::ALL {
            let answers: Vec<&str> = row.answers(edition).iter().map(|answer| answer.id()).collect();
            assert_eq!(question["answers"][edition.id()], serde_json::json!(answers));
        }
    }
    insta::assert_snapshot!(done.stdout.lines().next().unwrap_or_default());
}

#[test]
fn editions_diff_tells_where_two_editions_part_with_a_row_that_shows_it() {
    assert_told!(run("editions diff google-2021 rfc9309").told());
    assert_told!("editions_diff_for_programs", run("editions diff google-2021 rfc9309 --format json").told());
}

#[test]
fn an_edition_does_not_differ_from_itself() {
    let done = run("editions diff rfc9309 rfc9309");
    assert_eq!((&*done.stdout, done.code), ("", Some(0)));
}
