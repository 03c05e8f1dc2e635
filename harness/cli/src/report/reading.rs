//! How an implementation reads the texts, as the HTML page and `profile --format jsonl` state it.

use std::collections::BTreeMap;

use robotspec::inference::{Contrary, Inferred, Profile, Rejected, Shown};
use robotspec_cases::CheckId;
use robotspec_reference::{Choice, Edition, Question};
use serde::Serialize;

/// The answer of an implementation to a question.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ReadingDocument<'p> {
    question: &'static str,
    /// The answers that explain all rows.
    answers: Vec<&'static str>,
    /// Whether no answer explains all rows.
    mixed: bool,
    supported: bool,
    /// How many rows show the answer.
    rows: usize,
    /// The editions that do not admit what a row shows.
    breaks: Vec<Edition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_subject: Option<BTreeMap<&'p str, Vec<&'static str>>>,
    /// Two rows that contradict each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    examples: Vec<Example<'p>>,
    /// The answer to another question, without which this one does not arise.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<RejectedDocument<'p>>,
}

#[derive(Debug, Serialize)]
struct Example<'p> {
    answers: Vec<&'static str>,
    row: &'p CheckId,
    got: &'p str,
}

#[derive(Debug, Serialize)]
struct RejectedDocument<'p> {
    count: usize,
    row: &'p CheckId,
    got: &'p str,
}

/// Returns the answers of a profile.
pub(crate) fn documents(profile: &Profile) -> Vec<ReadingDocument<'_>> {
    profile.questions.iter().map(|(question, inferred)| ReadingDocument::new(*question, inferred)).collect()
}

fn ids(answers: &[Choice]) -> Vec<&'static str> {
    answers.iter().map(|answer| answer.id()).collect()
}

impl<'p> ReadingDocument<'p> {
    fn new(question: Question, inferred: &'p Inferred) -> Self {
        let Inferred { shown, rejected, .. } = inferred;
        let mut document = ReadingDocument {
            question: question.id(),
            answers: Vec::new(),
            mixed: false,
            supported: true,
            rows: inferred.probes,
            breaks: inferred.breaks.iter().copied().collect(),
            by_subject: None,
            examples: Vec::new(),
            given: None,
            rejected: rejected.as_ref().map(|Rejected { count, row, got, .. }| RejectedDocument {
                count: *count,
                row,
                got,
            }),
        };
        match shown {
            Shown::Answers(answers) => document.answers = ids(answers),
            Shown::BySubject(by_subject) => {
                let by_subject = by_subject.iter().map(|(subject, answers)| (&**subject, ids(answers)));
                document.by_subject = Some(by_subject.collect());
            }
            Shown::Mixed(contrary) => {
                let example = |Contrary { answers, row, got, .. }: &'p Contrary| Example {
                    answers: ids(answers),
                    row,
                    got,
                };
                document.mixed = true;
                document.examples = contrary.iter().map(example).collect();
            }
            Shown::OnlyGiven(given) => document.given = Some(*given),
            Shown::NotSupported => document.supported = false,
            Shown::Rejected => {}
        }
        document
    }
}
