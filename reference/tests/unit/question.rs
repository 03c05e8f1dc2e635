//! Tests of the private parts of `src/question.rs`.

use super::*;

#[test]
fn every_edition_admits_an_answer_and_no_answer_twice() {
    for row in TABLE {
        for edition in Edition::ALL {
            let answers = row.answers(edition);
            assert!(!answers.is_empty(), "{} has no answer in {edition}", row.question);
            for (index, answer) in answers.iter().enumerate() {
                assert!(!answers[..index].contains(answer), "{} in {edition}", row.question);
            }
        }
    }
}

#[test]
fn a_mistake_is_read_by_its_name_and_some_edition_does_not_admit_it() {
    for mistake in Choice::mistakes() {
        assert_eq!(Choice::from_name(&mistake.name()), Some(mistake));
        let is_excluded = |edition| !mistake.question.row().answers(edition).contains(&mistake);
        assert!(Edition::ALL.into_iter().any(is_excluded), "{}", mistake.name());
        assert!(!mistake.question.row().advice.is_empty() && mistake.meaning().ends_with('.'));
    }
    assert_eq!(Choice::from_name("FirstRule=lost"), None);
}
