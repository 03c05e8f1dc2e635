//! Asks implementations what the oracle judges.

pub(crate) mod bounded;

use robotspec::{Answer, BatchAnswer, Breach, Endpoint, Fault, ask_again};
use robotspec_cases::Query;

use crate::deadline::Deadline;
use crate::search::plan::Make;
use crate::send::bounded::SKIPPED;

/// Returns the parts of answers that are judged: neither how a client requests the robots.txt, nor which rule it says decided.
pub(crate) fn judged_parts(mut answers: BatchAnswer) -> BatchAnswer {
    for answer in &mut answers {
        match answer {
            Ok(Answer::Access(access)) => access.violations.clear(),
            Ok(Answer::Decided { verdict, .. }) => *answer = Ok(Answer::Match(verdict.clone())),
            _ => {}
        }
    }
    answers
}

/// Returns the answer to the query at this place of a batch.
pub(crate) fn answer_at(answer: &BatchAnswer, place: usize) -> Result<Answer, Fault> {
    answer.get(place).cloned().unwrap_or_else(|| Err(Breach::WrongKind.into()))
}

/// Returns why an implementation did not receive a query, if there is one that it did not receive.
pub(crate) fn reason_not_run(answers: &[BatchAnswer]) -> Option<String> {
    answers.iter().flatten().find_map(|answer| match answer {
        Err(Fault::NotRun(reason)) => Some(reason.to_string()).filter(|reason| reason != SKIPPED),
        _ => None,
    })
}

/// Asks an implementation queries again, each in a batch of its own and one after the other. `None` where the deadline is
/// over before the last answer; the first query is sent in any case.
pub(crate) fn ask(endpoint: &mut dyn Endpoint, queries: &[Query], deadline: Deadline) -> Option<BatchAnswer> {
    ask_again(endpoint, queries.iter().cloned(), &|| deadline.is_over()).map(judged_parts)
}

/// Asks a new instance of the implementation. `None` where the time is over.
pub(crate) fn ask_new(make: &Make, queries: &[Query], deadline: Deadline) -> Option<BatchAnswer> {
    if deadline.is_over() { None } else { ask(make().as_mut(), queries, deadline) }
}
