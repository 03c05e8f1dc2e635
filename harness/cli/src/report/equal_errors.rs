//! Errors and crashes that many rows end with alike: they have one cause, whatever the clauses of the rows are.

use std::collections::BTreeMap;

use robotspec::event::{CheckFinished, Judgement, Status};
use robotspec::failing::failing_rows;
use robotspec::general_message;

/// The number of rows from which on they are shown together.
const MANY: usize = 5;

/// Failures that end alike.
pub(super) struct EqualErrors<'f> {
    /// How they end, in words.
    pub(super) what: &'static str,
    /// What the first of them says.
    pub(super) message: String,
    pub(super) failures: Vec<&'f CheckFinished>,
}

/// Returns the failures that end alike, and the others.
pub(super) fn equal_errors<'f>(
    failures: &[&'f CheckFinished],
) -> (Vec<EqualErrors<'f>>, Vec<&'f CheckFinished>) {
    let mut by_message: BTreeMap<_, Vec<&CheckFinished>> = BTreeMap::new();
    let mut others = Vec::new();
    for &failure in failures {
        match broken(failure).and_then(|judged| Some((general_message(&judged.got)?, judged.status.id()))) {
            Some(key) => by_message.entry(key).or_default().push(failure),
            None => others.push(failure),
        }
    }
    let mut equal = Vec::new();
    for ((_, what), failures) in by_message {
        if failing_rows(failures.iter().copied()).len() < MANY {
            others.extend(failures);
            continue;
        }
        let message = broken(failures[0]).map(Judgement::describe_got).unwrap_or_default();
        let message = message.lines().next().unwrap_or_default().to_owned();
        equal.push(EqualErrors { what, message, failures });
    }
    (equal, others)
}

/// Returns the first judgement of an error or a crash.
fn broken(failure: &CheckFinished) -> Option<&Judgement> {
    failure.editions.values().find(|judged| matches!(judged.status, Status::Error | Status::Crash))
}

/// Returns whether a message says that something is not there that a program needs.
pub(super) fn names_what_is_missing(message: &str) -> bool {
    const SIGNS: [&str; 7] = [
        "undefined function",
        "undefined symbol",
        "is not defined",
        "no module named",
        "cannot find module",
        "can't locate",
        "noclassdeffound",
    ];
    let message = message.to_ascii_lowercase();
    SIGNS.iter().any(|sign| message.contains(sign))
}
