//! `robotspec editions`.

use robotspec_reference::Edition;
use robotspec_reference::question::TABLE;

use crate::support::{json_lines, run};

#[test]
fn editions_prints_a_json_object_for_each_question() {
    let done = run("editions --format jsonl");
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
fn an_edition_does_not_differ_from_itself() {
    let done = run("editions diff rfc9309 rfc9309");
    assert_eq!((&*done.stdout, done.code), ("", Some(0)));
}

/// `editions diff` has a row for every question on which two editions differ.
#[test]
fn every_difference_between_two_editions_is_shown_by_a_row() {
    for (index, a) in Edition::USUAL.into_iter().enumerate() {
        for b in Edition::USUAL.into_iter().skip(index + 1) {
            let differences = run(&format!("editions diff {a} {b} --format jsonl")).stdout;
            assert!(differences.lines().count() > 0, "{a} and {b}: no difference is listed");
            let without_row: Vec<&str> =
                differences.lines().filter(|line| line.contains(r#""row":null"#)).collect();
            assert!(without_row.is_empty(), "{a} and {b}: no row for {without_row:#?}");
        }
    }
}

#[test]
fn editions_lists_the_answers_of_one_edition() {
    let all = run("editions").stdout;
    let one = run("editions rfc9309").stdout;
    assert!(
        one.contains("RFC 9309, Robots Exclusion Protocol") && !one.contains("Google's documentation as of"),
        "{one}"
    );
    assert!(one.contains("\n  ignore or accept\n"), "{one}");
    assert!(one.lines().count() < all.lines().count(), "{one}");
    assert_eq!(run("editions rfc9310").code, Some(2));
}

#[test]
fn an_unknown_question_is_rejected_with_a_known_one() {
    run("editions StarTxt").assert_refused("StarText");
}
