//! How an implementation reads what the texts leave open, as far as its
//! answers to the rows tell: a row tells the answer to a question where its
//! verdict turns on that question alone. `robotspec profile` asks more.

use std::collections::{BTreeMap, HashMap};

use robotspec_reference::{Answer, Edition, Question};
use serde::Serialize;

use crate::report::html::results::{Answers, Results};
use robotspec_cases::suite::{Expected, Request, Row};
use robotspec_fuzz::profile::probe;

/// A row that tells the answer to a question.
#[derive(Debug)]
pub(super) struct TellingRow {
    pub(super) row: u32,
    pub(super) question: Question,
    /// What is answered by those who answer the question so.
    answered: Vec<(Answer, String)>,
}

/// Which answer an implementation gives to a question.
#[derive(Debug, Serialize)]
pub(super) struct Inferred {
    question: usize,
    /// How many rows tell it.
    rows: usize,
    /// With how many of them each answer agrees, and a row with which it does not.
    answers: Vec<(&'static str, usize, Option<u32>)>,
    /// The editions that admit no answer that agrees with a row.
    breaks: Vec<usize>,
}

/// The row as one that tells an answer, where it is such.
pub(super) fn telling(place: u32, row: &Row) -> Option<TellingRow> {
    let (question, outcomes) = match (&row.request, &row.questions[..]) {
        (Request::Match { .. }, [_, ..]) => {
            let probe = probe(&row.request)?;
            (probe.question, probe.outcomes)
        }
        (_, &[question]) if !row.reasons.gives.is_empty() => (question, row.reasons.gives.clone()),
        _ => return None,
    };
    let answered = outcomes.into_iter().map(|(answer, expected)| (answer, told(&row.request, &expected)));
    Some(TellingRow { row: place, question, answered: answered.collect() })
}

/// The words in which a run tells the answer that is expected.
fn told(request: &Request, expected: &Expected) -> String {
    let (Request::Access { paths, .. }, Expected::Access(expected)) = (request, expected) else {
        return expected.to_string();
    };
    let told: Vec<String> = paths.iter().map(|path| format!("{path} {}", expected.ruling(path))).collect();
    told.join(", ")
}

/// What the answers of an implementation tell.
pub(super) fn inferred(rows: &[TellingRow], answers: &Answers, results: &Results) -> Vec<Inferred> {
    let mut by_question: BTreeMap<Question, Inferred> = BTreeMap::new();
    for telling in rows {
        let Some(got) = answer(telling.row, answers, results) else { continue };
        let agrees = |told: &str| got == told;
        // What it does not do, or fails at, says nothing about how it reads.
        if !telling.answered.iter().any(|(_, told)| agrees(told)) {
            continue;
        }
        let question = telling.question;
        let inferred = by_question.entry(question).or_insert_with(|| Inferred {
            question: question as usize,
            rows: 0,
            answers: Vec::new(),
            breaks: Vec::new(),
        });
        inferred.rows += 1;
        for (answer, told) in &telling.answered {
            let place = inferred.answers.iter().position(|(other, ..)| *other == answer.id());
            let place = place.unwrap_or_else(|| {
                inferred.answers.push((answer.id(), 0, None));
                inferred.answers.len() - 1
            });
            let (_, agreeing, against) = &mut inferred.answers[place];
            match agrees(told) {
                true => *agreeing += 1,
                false => *against = against.or(Some(telling.row)),
            }
        }
        inferred.note_breaks(telling, &agrees);
    }
    by_question.into_values().collect()
}

impl Inferred {
    /// Names rows by their places in the page.
    pub(super) fn renumber(&mut self, place: &HashMap<u32, u32>) {
        for (.., against) in &mut self.answers {
            *against = against.and_then(|row| place.get(&row).copied());
        }
    }

    fn note_breaks(&mut self, telling: &TellingRow, agrees: &dyn Fn(&str) -> bool) {
        for (column, edition) in Edition::ALL.into_iter().enumerate() {
            let admitted = telling.question.row().answers(edition);
            let told = |answer: &Answer| telling.answered.iter().find(|(told, _)| told == answer);
            // The answers that a row tells of may not be all that this edition admits.
            let all: Option<Vec<_>> = admitted.iter().map(told).collect();
            let is_broken = all.is_some_and(|all| !all.iter().any(|(_, told)| agrees(told)));
            if is_broken && !self.breaks.contains(&column) {
                self.breaks.push(column);
            }
        }
    }
}

/// What was answered to a row, where it is the same in every edition: one that
/// reads each edition as it is written has no reading of its own.
fn answer<'r>(row: u32, answers: &Answers, results: &'r Results) -> Option<&'r str> {
    let outcome = results.outcomes.get(*answers.rows.get(&row)?)?;
    let mut got = outcome.iter().flatten().map(|(_, got, ..)| *got);
    let first = got.next()?;
    got.all(|other| other == first).then(|| results.texts.get(first).map(String::as_str))?
}
