//! The run of one implementation: query, judge, annotate with known failures, diagnose.

use std::collections::{BTreeMap, HashSet};
use std::mem::take;
use std::sync::{Arc, LazyLock};

use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, CheckId, Query};
use robotspec_reference::Edition;

use super::{Judged, Plan, Subject};
use crate::answer::Got;
use crate::diagnosis::{checks_by_id, diagnose};
use crate::endpoint::{Batch, Endpoint, Incident, not_answered};
use crate::event::{CheckFinished, Event, Status, Totals};
use crate::interrupt;
use crate::judge::judge;
use crate::known::KnownFailures;
use crate::record::RunRecord;

/// The number of checks after which the next ones wait for the answers to these: what is held back to be passed on in
/// order is limited. Those about one file stay together.
const WINDOW: usize = 256;

/// Every row of the embedded suites.
static ROWS: LazyLock<HashSet<&CheckId>> = LazyLock::new(|| {
    let cases = built_in().unwrap_or_default().iter().flat_map(|suite| &suite.cases);
    cases.flat_map(|case| &case.rows).map(|row| &row.id).collect()
});

/// Runs a subject, and passes its events on.
pub(super) fn run(plan: &Plan, mut subject: Subject, on_event: &mut dyn FnMut(Event)) {
    let info = subject.info();
    let (known, source) = (take(&mut subject.known), take(&mut subject.source));
    let of_subject = subject.editions.take().map(|editions| plan.for_editions(editions));
    let plan = of_subject.as_ref().unwrap_or(plan);
    let implementation: Arc<str> = info.name.as_str().into();
    let totals = plan.editions.iter().map(|&edition| (edition, Totals::default())).collect();
    let mut run = SubjectRun { plan, implementation, known, totals, record: RunRecord::default(), on_event };
    run.emit(Event::ImplementationStarted { info, source });
    let mut endpoints = subject.open(&plan.editions);
    run.judge_all(&mut endpoints);
    endpoints.iter_mut().for_each(|judged| judged.endpoint.finish());
    run.emit_incidents(&mut endpoints);
    for Judged { confirmer, .. } in endpoints {
        confirmer.finish(&plan.checks).into_iter().for_each(|incident| run.emit_incident(incident));
    }
    if run.has_judged_nothing() {
        run.emit_incident(Incident::NothingJudged);
    }
    if interrupt::is_requested() && run.has_not_run() {
        run.emit_incident(Incident::Interrupted);
    }
    run.finish();
}

struct SubjectRun<'r> {
    plan: &'r Plan,
    implementation: Arc<str>,
    known: KnownFailures,
    totals: BTreeMap<Edition, Totals>,
    /// What happened so far, for the diagnosis.
    record: RunRecord,
    on_event: &'r mut dyn FnMut(Event),
}

impl SubjectRun<'_> {
    fn emit(&mut self, event: Event) {
        self.record.take(&event);
        (self.on_event)(event);
    }

    fn emit_incident(&mut self, incident: Incident) {
        self.emit(Event::Incident { implementation: Arc::clone(&self.implementation), incident });
    }

    fn emit_incidents(&mut self, endpoints: &mut [Judged]) {
        let incidents = endpoints.iter_mut().flat_map(|judged| judged.endpoint.incidents());
        incidents.for_each(|incident| self.emit_incident(incident));
    }

    fn has_not_run(&self) -> bool {
        self.totals.values().any(|totals| totals.of(Status::NotRun) > 0)
    }

    /// Returns whether the implementation supports none of the checks. A shard may have none that it does.
    fn has_judged_nothing(&self) -> bool {
        let mut all = Totals::default();
        self.totals.values().for_each(|totals| all.extend(totals));
        self.plan.shard.is_none() && all.sum() > 0 && all.of(Status::NotSupported) == all.sum()
    }

    fn judge_all(&mut self, endpoints: &mut [Judged]) {
        let plan = self.plan;
        let is_judged = |check: &usize| count_expectations(&plan.checks[*check], &plan.editions) > 0;
        let all: Vec<usize> = (0..plan.checks.len()).filter(is_judged).collect();
        for window in windows(&plan.checks, &all) {
            self.judge_window(window, endpoints);
            self.emit_incidents(endpoints);
        }
    }

    /// Judges the checks of a window in their order, each as soon as it and those before it are answered in every
    /// edition.
    fn judge_window(&mut self, window: &[usize], endpoints: &mut [Judged]) {
        let plan = self.plan;
        let mut in_order = InOrder { plan, left: window, early: BTreeMap::new() };
        for Judged { endpoint, confirmer, editions } in endpoints {
            let is_judged = |check: &usize| count_expectations(&plan.checks[*check], editions) > 0;
            let window: Vec<usize> = window.iter().copied().filter(is_judged).collect();
            let sample = confirmer.sample(&window, plan.checks.len());
            // The answers that are confirmed.
            let mut due = BTreeMap::new();
            let mut judge_next = |run: &mut Self, check, got| {
                for (check, answers) in in_order.take(check, editions, &got) {
                    run.judge(&plan.checks[check], &answers);
                }
            };
            send(&plan.checks, &window, endpoint.as_mut(), &mut |check, got| {
                confirmer.answered(&plan.checks, check, &got);
                let is_sampled = got.is_ok() && sample.contains(&check);
                match is_sampled || is_failure(&plan.checks[check], editions, &got) {
                    true => drop(due.insert(check, got)),
                    false => judge_next(self, check, got),
                }
            });
            confirmer.confirm(&plan.checks, &mut due);
            due.into_iter().for_each(|(check, got)| judge_next(self, check, got));
        }
    }

    /// Judges an answer in each edition that has an expectation for it.
    fn judge(&mut self, check: &Check, answers: &[(Edition, Got)]) {
        let mut editions = BTreeMap::new();
        for &(edition, ref got) in answers {
            let Some(expected) = check.expected.get(&edition) else { continue };
            let mut judgement = judge(check, edition, expected, got);
            judgement.known = self.known.take(&check.id, edition, judgement.status);
            self.totals.entry(edition).or_default().add(&judgement);
            editions.insert(edition, judgement);
        }
        self.emit(Event::CheckFinished(CheckFinished {
            implementation: Arc::clone(&self.implementation),
            id: check.id.clone(),
            clause: check.reported_under(),
            editions: Arc::new(editions),
        }));
    }

    fn finish(mut self) {
        let likely_causes = match self.record.implementations.first() {
            Some(record) => diagnose(record, &checks_by_id(&self.plan.checks)),
            None => Vec::new(),
        };
        for likely in likely_causes {
            self.emit(Event::LikelyCause { implementation: Arc::clone(&self.implementation), likely });
        }
        let stale_known_failures = match &self.plan.lists_are_about {
            // Nothing is known of an entry whose check was not run.
            Some(about) if !self.has_not_run() => {
                self.known.stale(&self.plan.editions, about, |row| ROWS.contains(row))
            }
            _ => Vec::new(),
        };
        let totals = take(&mut self.totals);
        let implementation = Arc::clone(&self.implementation);
        self.emit(Event::ImplementationFinished { implementation, totals, stale_known_failures });
    }
}

/// Returns in how many of these editions a check has an expectation.
fn count_expectations(check: &Check, editions: &[Edition]) -> usize {
    editions.iter().filter(|edition| check.expected.contains_key(edition)).count()
}

/// Divides checks into windows.
fn windows<'a>(checks: &[Check], mut all: &'a [usize]) -> Vec<&'a [usize]> {
    let is_same_file = |pair: &[usize]| match (&checks[pair[0]].query, &checks[pair[1]].query) {
        (Query::Match { robots, .. }, Query::Match { robots: next, .. }) => Arc::ptr_eq(robots, next),
        _ => false,
    };
    let mut windows = Vec::new();
    while !all.is_empty() {
        let least = all.len().min(WINDOW);
        let more = all[least - 1..].windows(2).take_while(|pair| is_same_file(pair)).count();
        let (window, rest) = all.split_at(least + more);
        windows.push(window);
        all = rest;
    }
    windows
}

/// Returns whether an answer to a check is a failure in one of these editions.
fn is_failure(check: &Check, editions: &[Edition], got: &Got) -> bool {
    let mut expected = editions.iter().filter_map(|edition| Some((*edition, check.expected.get(edition)?)));
    expected.any(|(edition, expected)| judge(check, edition, expected, got).status.is_failure())
}

/// Answers that arrived before those to earlier checks, or before those for other editions.
struct InOrder<'w> {
    plan: &'w Plan,
    /// The checks that are not passed on yet.
    left: &'w [usize],
    early: BTreeMap<usize, Vec<(Edition, Got)>>,
}

impl InOrder<'_> {
    /// Takes the answer for these editions. Returns the answers that are next in the order of the checks.
    fn take(&mut self, check: usize, editions: &[Edition], got: &Got) -> Vec<(usize, Vec<(Edition, Got)>)> {
        let InOrder { plan, left, early } = self;
        let expecting = editions.iter().filter(|edition| plan.checks[check].expected.contains_key(edition));
        early.entry(check).or_default().extend(expecting.map(|&edition| (edition, got.clone())));
        let expected = |next: &usize| count_expectations(&plan.checks[*next], &plan.editions);
        let mut ready = Vec::new();
        while let Some((next, rest)) = left.split_first()
            && early.get(next).is_some_and(|answers| answers.len() == expected(next))
            && let Some(answers) = early.remove(next)
        {
            ready.push((*next, answers));
            *left = rest;
        }
        ready
    }
}

/// Sends the selected checks, those about one file together, and passes on the answer to each of them once, as soon as it
/// arrives.
pub(super) fn send(
    checks: &[Check],
    selected: &[usize],
    endpoint: &mut dyn Endpoint,
    on_answer: &mut dyn FnMut(usize, Got),
) {
    let batches = Batch::group(selected.iter().map(|&check| &checks[check].query));
    let mut rest = selected;
    let of_batch = |batch: &Batch| rest.split_off(..batch.queries().len()).unwrap_or_default();
    let mut waiting: Vec<&[usize]> = batches.iter().map(of_batch).collect();
    endpoint.answer(&batches, &mut |index: usize, answer| {
        let mut answers = answer.into_iter();
        for &check in take(&mut waiting[index]) {
            on_answer(check, answers.next().unwrap_or_else(|| Err(not_answered())));
        }
    });
    waiting.into_iter().flatten().for_each(|&check| on_answer(check, Err(not_answered())));
}
