//! Sends the queries of checks to an endpoint in batches, and gives each check its answer.

use std::collections::HashMap;
use std::mem;

use robotspec_cases::{Check, Query};

use crate::answer::{Answer, Breach, Fault, Got};
use crate::endpoint::{Batch, BatchAnswer, Endpoint, not_answered};

/// How checks are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// For the first time: checks about one file together.
    First,
    /// Once more: each check alone.
    Again,
}

/// A batch, and the checks that its queries belong to.
struct Planned {
    batch: Batch,
    checks: Vec<usize>,
    /// Which half of a check about two files the batch is.
    half: Option<Half>,
}

#[derive(Debug, Clone, Copy)]
enum Half {
    File,
    Twin,
}

/// Sends the selected checks, and passes on the answer to each of them once, as soon as it arrives, with how the check was
/// sent in the end: a check has a fault of its own only after it was sent alone.
pub(super) fn send(
    checks: &[Check],
    selected: &[usize],
    how: Attempt,
    endpoint: &mut dyn Endpoint,
    on_answer: &mut dyn FnMut(usize, Got, Attempt),
) {
    let mut halves: HashMap<usize, [Option<Got>; 2]> = HashMap::new();
    let planned = plan_batches(checks, selected, how);
    if planned.is_empty() {
        return;
    }
    let mut is_waiting = vec![true; planned.len()];
    let mut pass_on = |planned: &Planned, answer: BatchAnswer| {
        for (check, got) in planned.distribute(answer) {
            let Some(half) = planned.half else {
                let is_repeated = planned.checks.len() > 1 && is_fault(&got);
                on_answer(check, got, if is_repeated { Attempt::Again } else { how });
                continue;
            };
            let both = halves.entry(check).or_default();
            both[half as usize] = Some(got);
            if let [Some(file), Some(twin)] = both {
                on_answer(check, combine(file.clone(), twin.clone()), how);
            }
        }
    };
    let batches: Vec<Batch> = planned.iter().map(|planned| planned.batch.clone()).collect();
    let mut on_batch = |index: usize, answer| {
        if mem::take(&mut is_waiting[index]) {
            pass_on(&planned[index], answer);
        }
    };
    endpoint.answer(&batches, &mut on_batch);
    for (planned, _) in planned.iter().zip(&is_waiting).filter(|(_, is_waiting)| **is_waiting) {
        pass_on(planned, planned.batch.each_fails(&not_answered()));
    }
}

fn is_fault(got: &Got) -> bool {
    got.as_ref().is_err_and(Fault::may_have_another_cause)
}

/// Returns the answers for a file and for its twin as one.
fn combine(for_file: Got, for_twin: Got) -> Got {
    match (for_file?.without_line(), for_twin?.without_line()) {
        (Answer::Match(file), Answer::Match(twin)) => Ok(Answer::Alike { file, twin }),
        _ => Err(Fault::Protocol(Breach::WrongKind.without_line())),
    }
}

fn plan_batches(checks: &[Check], selected: &[usize], how: Attempt) -> Vec<Planned> {
    let mut planned: Vec<Planned> = Vec::new();
    for &check in selected {
        let single = |query: Query, half| Planned { batch: Batch::single(query), checks: vec![check], half };
        match &checks[check].query {
            Query::Alike { robots, twin, agent, url } => {
                for (file, half) in [(robots, Half::File), (twin, Half::Twin)] {
                    let (agent, url) = (agent.clone(), url.clone());
                    planned.push(single(Query::Match { robots: file.clone(), agent, url }, Some(half)));
                }
            }
            query @ Query::Match { .. } => {
                if how == Attempt::First
                    && let Some(last) = planned.last_mut()
                    && matches!(checks[last.checks[0]].query, Query::Match { .. })
                    && last.batch.try_push(query)
                {
                    last.checks.push(check);
                } else {
                    planned.push(single(query.clone(), None));
                }
            }
            query => planned.push(single(query.clone(), None)),
        }
    }
    planned
}

impl Planned {
    /// Returns the answer to each check of the batch.
    fn distribute(&self, answer: BatchAnswer) -> Vec<(usize, Got)> {
        let (answers, checks) = (answer.len(), self.checks.len());
        if answers != checks {
            let breach = Breach::VerdictCount { verdicts: answers, checks };
            let fault = Fault::Protocol(breach.without_line());
            return self.checks.iter().map(|&check| (check, Err(fault.clone()))).collect();
        }
        self.checks.iter().copied().zip(answer).collect()
    }
}
