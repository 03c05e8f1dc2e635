//! How an implementation reads the texts, as the HTML page and `profile --format jsonl` state it.

use std::collections::BTreeMap;

use robotspec::inference::{Contrary, Inferred, Profile, Rejected, Shown};
use robotspec_reference::{Choice, Question};
use serde_json::{Value, json};

/// Returns the answers of a profile.
pub(crate) fn documents(profile: &Profile) -> Vec<Value> {
    profile.questions.iter().map(|(question, inferred)| document(*question, inferred)).collect()
}

/// Returns the answer of an implementation to a question.
fn document(question: Question, inferred: &Inferred) -> Value {
    let mut document = json!({
        "question": question.id(),
        // The answers that explain all rows.
        "answers": [],
        // Whether no answer explains all rows.
        "mixed": false,
        "supported": true,
        // How many rows show the answer.
        "rows": inferred.probes,
        // The editions that do not admit what a row shows.
        "breaks": inferred.breaks,
    });
    match &inferred.shown {
        Shown::Answers(answers) => document["answers"] = ids(answers),
        Shown::BySubject(by_subject) => {
            let by_subject: BTreeMap<_, _> =
                by_subject.iter().map(|(subject, answers)| (subject, ids(answers))).collect();
            document["by-subject"] = json!(by_subject);
        }
        Shown::Mixed(contrary) => {
            // Two rows that contradict each other.
            let example = |Contrary { answers, row, got, .. }: &Contrary| json!({ "answers": ids(answers), "row": row, "got": got });
            document["mixed"] = true.into();
            document["examples"] = contrary.iter().map(example).collect();
        }
        // The answer to another question, without which this one does not arise.
        Shown::OnlyGiven(given) => document["given"] = json!(given),
        Shown::NotSupported => document["supported"] = false.into(),
        Shown::Rejected => {}
    }
    if let Some(Rejected { count, row, got, .. }) = &inferred.rejected {
        document["rejected"] = json!({ "count": count, "row": row, "got": got });
    }
    document
}

fn ids(answers: &[Choice]) -> Value {
    answers.iter().map(|answer| answer.id()).collect()
}
