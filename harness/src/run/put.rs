//! Puts the queries of checks to an endpoint in batches, and gives each check its answer.

use std::collections::HashMap;

use robotspec_cases::{Check, Query};

use crate::answer::{Answer, Breach, Fault};
use crate::endpoint::{Batch, BatchAnswer, Endpoint, ask, not_answered};

/// The answer to a check, or why there is none.
pub(super) type Got = Result<Answer, Fault>;

/// A batch, and the checks that its queries belong to.
struct Planned {
    batch: Batch,
    checks: Vec<usize>,
}

/// Puts the selected checks, and passes on the answer to each of them once.
pub(super) fn put(
    checks: &[Check],
    selected: &[usize],
    endpoint: &mut dyn Endpoint,
    on_answer: &mut dyn FnMut(usize, Got, &mut dyn Endpoint),
) {
    let planned = plan_batches(checks, selected);
    let batches: Vec<Batch> = planned.iter().map(|planned| planned.batch.clone()).collect();
    let mut answers: Vec<Option<BatchAnswer>> = vec![None; planned.len()];
    endpoint.answer(&batches, &mut |index, answer| {
        answers[index].get_or_insert(answer);
    });
    let mut to_split: Vec<(&Planned, Fault)> = Vec::new();
    let mut answers_for_file: HashMap<usize, Got> = HashMap::new();
    for (planned, answer) in planned.iter().zip(answers) {
        let answer = answer.unwrap_or_else(|| Err(not_answered()));
        match answer {
            Err(fault) if planned.checks.len() > 1 && may_be_caused_by_another(&fault) => {
                to_split.push((planned, fault));
            }
            answer => {
                for (check, got) in planned.distribute(answer) {
                    let got = match (&checks[check].query, answers_for_file.remove(&check)) {
                        (Query::Alike { .. }, None) => {
                            answers_for_file.insert(check, got);
                            continue;
                        }
                        (_, Some(for_file)) => combine(for_file, got),
                        (_, None) => got,
                    };
                    on_answer(check, got, endpoint);
                }
            }
        }
    }
    // A query that is put alone shows whether it is to blame.
    for (planned, fault) in to_split {
        for (query, &check) in planned.batch.queries().iter().zip(&planned.checks) {
            let got = match ask(endpoint, query) {
                Err(Fault::NotRun(_)) => Err(fault.clone()),
                got => got,
            };
            on_answer(check, got, endpoint);
        }
    }
}

/// The answers for a file and for its twin as one.
fn combine(for_file: Got, for_twin: Got) -> Got {
    match (for_file?, for_twin?) {
        (Answer::Match(file), Answer::Match(twin)) => Ok(Answer::Alike { file, twin }),
        _ => Err(Fault::Protocol(Breach::WrongKind.without_line())),
    }
}

/// Whether one query of a batch may have caused this for the others. A batch that took too long is not put again: it
/// would take too long once more for each of its queries.
fn may_be_caused_by_another(fault: &Fault) -> bool {
    matches!(fault, Fault::Crash(_) | Fault::Protocol(_))
}

fn plan_batches(checks: &[Check], selected: &[usize]) -> Vec<Planned> {
    let mut planned: Vec<Planned> = Vec::new();
    for &check in selected {
        let single = |query: Query| Planned { batch: Batch::single(query), checks: vec![check] };
        match &checks[check].query {
            Query::Alike { robots, twin, agent, url } => {
                for file in [robots, twin] {
                    let (agent, url) = (agent.clone(), url.clone());
                    planned.push(single(Query::Match { robots: file.clone(), agent, url }));
                }
            }
            query @ Query::Match { .. } => {
                if let Some(last) = planned.last_mut()
                    && matches!(checks[last.checks[0]].query, Query::Match { .. })
                    && last.batch.try_push(query)
                {
                    last.checks.push(check);
                } else {
                    planned.push(single(query.clone()));
                }
            }
            query => planned.push(single(query.clone())),
        }
    }
    planned
}

impl Planned {
    /// The answer to each check of the batch.
    fn distribute(&self, answer: BatchAnswer) -> Vec<(usize, Got)> {
        let all = |fault: &Fault| self.checks.iter().map(|&check| (check, Err(fault.clone()))).collect();
        match answer {
            Ok(answers) if answers.len() == self.checks.len() => {
                self.checks.iter().copied().zip(answers.into_iter().map(Ok)).collect()
            }
            Ok(answers) => {
                let breach = Breach::VerdictCount { verdicts: answers.len(), checks: self.checks.len() };
                all(&Fault::Protocol(breach.without_line()))
            }
            Err(fault) => all(&fault),
        }
    }
}
