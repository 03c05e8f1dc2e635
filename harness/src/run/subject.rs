//! The run of one implementation: query, judge, annotate with known failures, diagnose.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, LazyLock};

use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, CheckId, checks};
use robotspec_reference::Edition;

use super::put::{Got, Happened, put};
use super::{Plan, Subject};
use crate::diagnosis::{checks_by_id, diagnose};
use crate::endpoint::{Endpoint, Incident};
use crate::event::{CheckFinished, Event, Totals};
use crate::judge::judge;
use crate::known::KnownFailures;
use crate::record::RunRecord;

/// Every row of the embedded suites.
static ROWS: LazyLock<HashSet<CheckId>> = LazyLock::new(|| {
    let suites = built_in().unwrap_or_default();
    checks(&suites, false).into_iter().map(|check| check.id).collect()
});

/// Runs a subject, and passes its events on.
pub(super) fn run(plan: &Plan, subject: Subject, on_event: &mut dyn FnMut(Event)) {
    let Subject { mut endpoint, name, known } = subject;
    let mut info = endpoint.info();
    info.name = name.unwrap_or(info.name);
    let implementation: Arc<str> = info.name.as_str().into();
    let totals = plan.editions.iter().map(|&edition| (edition, Totals::default())).collect();
    let mut run = SubjectRun { plan, implementation, known, totals, record: RunRecord::default(), on_event };
    run.emit(Event::ImplementationStarted { info });
    run.judge_all(endpoint.as_mut());
    endpoint.finish();
    endpoint.incidents().into_iter().for_each(|incident| run.emit_incident(incident));
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

    fn judge_all(&mut self, endpoint: &mut dyn Endpoint) {
        let plan = self.plan;
        let all: Vec<usize> = (0..plan.checks.len()).collect();
        let depends_on_edition = plan.editions.first().is_some_and(|&first| endpoint.read_as(first));
        if !depends_on_edition {
            let mut in_order = InOrder::default();
            put(&plan.checks, &all, endpoint, &mut |happened| match happened {
                Happened::Incident(incident) => self.emit_incident(incident),
                Happened::Answered(check, got) => {
                    for (check, got) in in_order.take(check, got) {
                        self.judge(&plan.checks[check], plan.editions.iter().map(|&edition| (edition, &got)));
                    }
                }
            });
            return;
        }
        let mut by_edition: Vec<Vec<Option<Got>>> = Vec::new();
        for &edition in &plan.editions {
            endpoint.read_as(edition);
            let has_expectation = |check: &usize| plan.checks[*check].expected.contains_key(&edition);
            let judged: Vec<usize> = all.iter().copied().filter(has_expectation).collect();
            let mut answers: Vec<Option<Got>> = vec![None; all.len()];
            put(&plan.checks, &judged, endpoint, &mut |happened| match happened {
                Happened::Incident(incident) => self.emit_incident(incident),
                Happened::Answered(check, got) => answers[check] = Some(got),
            });
            by_edition.push(answers);
        }
        for check in all {
            let got = plan.editions.iter().zip(&by_edition);
            let got = got.filter_map(|(&edition, answers)| Some((edition, answers[check].as_ref()?)));
            self.judge(&plan.checks[check], got);
        }
    }

    /// Judges an answer in each edition that has an expectation for it.
    fn judge<'g>(&mut self, check: &Check, got: impl Iterator<Item = (Edition, &'g Got)>) {
        let mut editions = BTreeMap::new();
        for (edition, got) in got {
            let Some(expected) = check.expected.get(&edition) else { continue };
            let mut judgement = judge(check, expected, got);
            self.known.annotate(&check.id, edition, &mut judgement);
            self.totals.entry(edition).or_default().add(&judgement);
            editions.insert(edition, judgement);
        }
        if editions.is_empty() {
            return;
        }
        self.emit(Event::CheckFinished(CheckFinished {
            implementation: Arc::clone(&self.implementation),
            id: check.id.clone(),
            clause: check.clauses.first().map(|clause| clause.id.as_str()).unwrap_or_default().into(),
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
            Some(about) => self.known.stale(&self.plan.editions, about, |row| ROWS.contains(row)),
            None => Vec::new(),
        };
        let totals = std::mem::take(&mut self.totals);
        let implementation = Arc::clone(&self.implementation);
        self.emit(Event::ImplementationFinished { implementation, totals, stale_known_failures });
    }
}

/// Answers that arrived before those to earlier checks.
#[derive(Default)]
struct InOrder {
    next: usize,
    early: BTreeMap<usize, Got>,
}

impl InOrder {
    /// Takes an answer. Returns the answers that are next in the order of the checks.
    fn take(&mut self, check: usize, got: Got) -> Vec<(usize, Got)> {
        self.early.insert(check, got);
        let mut ready = Vec::new();
        while let Some(got) = self.early.remove(&self.next) {
            ready.push((self.next, got));
            self.next += 1;
        }
        ready
    }
}
