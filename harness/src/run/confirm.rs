//! Confirms answers: a second instance of the implementation, which has answered nothing else, gives them again.
//!
//! An implementation that keeps something from one query to the next gives answers that are no fault of the check that they
//! answer. To start an instance for each failure would take too long, so one answers all failures, in the reverse order:
//! what comes after the cause of a wrong answer in the one order comes before it in the other. It also answers a sample
//! of the checks that passed, because the same may make failures pass.

use std::collections::BTreeMap;
use std::iter::successors;
use std::time::{Duration, Instant};

use robotspec_cases::{Check, Query};

use super::subject::send;
use crate::again::{ask, ask_again, find_sequence};
use crate::answer::{Dependent, Fault, Got, TwoAnswers, differ};
use crate::endpoint::{BoxedEndpoint, Incident, MakeEndpoint};

/// How many checks that took too long are sent once more.
const MOST_LATE: usize = 5;

/// How many checks are answered by an instance of their own. Each costs a start.
const MOST_ALONE: usize = 100;

/// How many checks of a run are confirmed even if they pass, if it is not a run of fewer.
const SAMPLED: usize = 128;

/// For how many checks a sequence of earlier checks is searched for, and how long.
const MOST_SEARCHES: usize = 3;
const TIME_FOR_SEARCH: Duration = Duration::from_secs(5);

/// From this number of checks that depend on earlier ones on, the implementation is said to keep state.
const SEVERAL: usize = 3;

/// The instances that confirm the answers of another one.
pub(super) struct Confirmer {
    make: MakeEndpoint,
    /// Whether each answer is that of an instance of its own anyway.
    starts_anew: bool,
    /// The instance that has answered only checks that were to be confirmed, and the first of them with its answer.
    second: Option<(BoxedEndpoint, Option<(usize, Got)>)>,
    /// The checks that the confirmed instance has answered, in their order.
    history: Vec<usize>,
    late: usize,
    alone: usize,
    searches: usize,
    /// The checks whose answers depend on earlier ones.
    dependent: usize,
    /// The shortest sequences after which an answer was another one, and the first check that showed it.
    sequences: Vec<(Vec<usize>, usize)>,
}

impl Confirmer {
    pub(super) fn new(make: MakeEndpoint, starts_anew: bool) -> Self {
        Confirmer {
            make,
            starts_anew,
            second: None,
            history: Vec::new(),
            late: 0,
            alone: 0,
            searches: 0,
            dependent: 0,
            sequences: Vec::new(),
        }
    }

    /// Remembers what the confirmed instance has answered. A check that it did not answer may have restarted it, and takes
    /// too long to be sent again.
    pub(super) fn answered(&mut self, checks: &[Check], check: usize, got: &Got) {
        if got.is_ok() && !matches!(checks[check].query, Query::Access { .. }) {
            self.history.push(check);
        }
    }

    /// Returns the checks of a window that are confirmed even if they pass: the last ones, so that no other result has to
    /// wait for them.
    pub(super) fn sample<'w>(&self, window: &'w [usize], checks: usize) -> &'w [usize] {
        let is_sampled = !self.starts_anew && checks >= SAMPLED;
        let size = if is_sampled { (SAMPLED * window.len()).div_ceil(checks) } else { 0 };
        &window[window.len().saturating_sub(size)..]
    }

    /// Replaces the answers that are not given again.
    pub(super) fn confirm(&mut self, checks: &[Check], answers: &mut BTreeMap<usize, Got>) {
        for (check, then) in self.answer_again(checks, answers) {
            let Some(first) = answers.get(&check).filter(|first| differ(first, &then)) else { continue };
            if let Some(fault) = self.explain(checks, check, first, then) {
                answers.insert(check, Err(fault));
            }
        }
    }

    /// Returns the answers of the second instance.
    fn answer_again(&mut self, checks: &[Check], answers: &BTreeMap<usize, Got>) -> Vec<(usize, Got)> {
        let mut again: Vec<usize> = Vec::new();
        for (&check, got) in answers.iter().rev() {
            let is_late = matches!(got, Err(Fault::Timeout(_)));
            self.late += usize::from(is_late);
            if !is_late || self.late <= MOST_LATE {
                again.push(check);
            }
        }
        if again.is_empty() {
            return Vec::new();
        }
        // An instance that may have changed in the same way is of no use.
        if self.dependent > 0 {
            self.second = None;
        }
        let got = self.ask_second(checks, &again);
        let witness = self.second.as_ref().and_then(|(_, witness)| witness.clone());
        if let Some((check, answer)) = witness
            && self.ask_second(checks, &[check]).pop().is_some_and(|(_, now)| differ(&answer, &now))
        {
            // It has changed since its first answer: what it said in this window confirms nothing.
            self.second = None;
            return self.ask_second(checks, &again);
        }
        got
    }

    fn ask_second(&mut self, checks: &[Check], selected: &[usize]) -> Vec<(usize, Got)> {
        let (endpoint, witness) = self.second.get_or_insert_with(|| ((self.make)(), None));
        let queries = selected.iter().map(|&check| checks[check].query.clone());
        let got = ask_again(endpoint.as_mut(), queries, &|| false).unwrap_or_default();
        let is_run = |(_, got): &(usize, Got)| !matches!(got, Err(Fault::NotRun(_)));
        let got: Vec<_> = selected.iter().copied().zip(got).filter(is_run).collect();
        if witness.is_none() {
            *witness = got.iter().find(|(_, got)| got.is_ok()).cloned();
        }
        got
    }

    /// Returns what is wrong with an answer that the second instance did not give; `None` if an instance gives it that
    /// has received nothing else.
    fn explain(&mut self, checks: &[Check], check: usize, first: &Got, then: Got) -> Option<Fault> {
        let alone = if self.alone < MOST_ALONE { self.ask_new(checks, &[], check) } else { then };
        self.alone += 1;
        if !differ(first, &alone) {
            return None;
        }
        let after = if self.starts_anew { None } else { self.find_sequence(checks, check, first) };
        let Some(after) = after else {
            return Some(Fault::Flaky(Box::new(TwoAnswers { first: first.clone(), then: alone })));
        };
        self.dependent += 1;
        let after = after.iter().map(|&check| checks[check].id.clone()).collect();
        Some(Fault::Dependent(Box::new(Dependent { first: first.clone(), alone, after })))
    }

    /// Returns the shortest sequence of earlier checks that was found after which a new instance gives this answer.
    fn find_sequence(&mut self, checks: &[Check], check: usize, first: &Got) -> Option<Vec<usize>> {
        let deadline = Instant::now() + TIME_FOR_SEARCH;
        let mut known = self.sequences.iter().map(|(sequence, _)| sequence);
        if self.alone > MOST_ALONE {
            // There are too many to examine each: they differ as the others did.
            return known.next().cloned();
        }
        let shows = |before: &[usize]| !differ(first, &self.ask_new(checks, before, check));
        if let Some(sequence) = known.find(|sequence| shows(sequence)) {
            return Some(sequence.clone());
        }
        if self.searches >= MOST_SEARCHES {
            return None;
        }
        let end = self.history.iter().rposition(|&sent| sent == check).unwrap_or(self.history.len());
        let before = &self.history[..end];
        // Most answers that depend on others depend on the last ones.
        let lengths = successors(Some(1), |length| (*length < end).then_some(length * 2));
        let sequences = lengths.map(|length| before[end.saturating_sub(length)..].to_vec());
        let found = find_sequence(sequences, || Instant::now() >= deadline, shows);
        self.searches += 1;
        self.sequences.extend(found.iter().map(|sequence| (sequence.clone(), check)));
        found
    }

    /// Asks a new instance, after other checks.
    fn ask_new(&self, checks: &[Check], before: &[usize], check: usize) -> Got {
        let mut endpoint = (self.make)();
        send(checks, before, endpoint.as_mut(), &mut |_, _| {});
        ask(endpoint.as_mut(), &checks[check].query)
    }

    /// Ends the second instance. Returns that the implementation keeps state, if it does.
    pub(super) fn finish(self, checks: &[Check]) -> Option<Incident> {
        if let Some((mut endpoint, _)) = self.second {
            endpoint.finish();
        }
        let (after, example) = self.sequences.into_iter().next().filter(|_| self.dependent >= SEVERAL)?;
        Some(Incident::KeepsState {
            checks: self.dependent,
            example: checks[example].id.clone(),
            after: after.iter().map(|&check| checks[check].id.clone()).collect(),
        })
    }
}
