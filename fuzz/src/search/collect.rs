//! Collects judged blocks in the order of their numbers, and minimises what is new.

use std::collections::HashMap;
use std::collections::btree_map::Entry;
use std::time::{Duration, Instant};

use robotspec::Endpoint;
use robotspec_cases::{Expected, Query};
use robotspec_reference::Edition;

use crate::deadline::Deadline;
use crate::explain::cause::Agreements;
use crate::explain::finding::{Class, Finding};
use crate::feature::features;
use crate::minimise::examine::Examiner;
use crate::oracle::Oracle;
use crate::oracle::divergence::{Divergence, Observed};
use crate::oracle::kind::Kind;
use crate::oracle::relation::Relation;
use crate::search::block::{Judged, Place, Seen};
use crate::search::cost::measure_cost;
use crate::search::earlier::{TIME_FOR_SEQUENCE, find_sequence, shows_alone, wrong_at_first};
use crate::search::minimise::{Minimised, minimise};
use crate::search::plan::{Make, Plan};
use crate::search::report::{Progress, Report, Unrepeated};

/// How many divergences that look alike are minimised.
const MINIMISED: u64 = 3;

/// The time for minimising the divergences of one implementation that each cost a restart or the time limit.
const TIME_FOR_SLOW: Duration = Duration::from_secs(120);

/// For how many divergences of one implementation such a sequence is searched for.
const MOST_SEQUENCES: u64 = 3;

/// What a divergence looks like before it is minimised. A fault is not a part of it: its message contains numbers and
/// names of the input.
type Look = (usize, Edition, Kind, Option<Relation>, Expected, Option<Observed>, &'static str);

/// The state of a run, as far as it depends on the order of blocks.
pub(crate) struct Collector<'p> {
    plan: &'p Plan,
    subjects: &'p [Make],
    /// When minimising and measuring end, except for the first finding, which is minimised whenever it comes.
    deadline: Deadline<'p>,
    endpoints: Vec<Box<dyn Endpoint + Send>>,
    /// For each implementation, what is left of [`TIME_FOR_SLOW`].
    left_for_slow: Vec<Duration>,
    /// What is known of the causes of the divergences of each implementation.
    agreements: Vec<Agreements>,
    oracle: Oracle,
    /// For each look, how often it was seen, and the class of its finding.
    seen: HashMap<Look, (u64, Option<Class>)>,
    pub(crate) report: Report,
}

impl<'p> Collector<'p> {
    /// Returns a collector for a run that ends at the deadline.
    pub(crate) fn new(plan: &'p Plan, subjects: &'p [Make], deadline: Deadline<'p>) -> Self {
        Collector {
            plan,
            subjects,
            deadline,
            endpoints: subjects.iter().map(|make| make()).collect(),
            left_for_slow: vec![TIME_FOR_SLOW; subjects.len()],
            agreements: subjects.iter().map(|_| Agreements::default()).collect(),
            oracle: Oracle::new(plan.against.as_ref().map(|make| make())),
            seen: HashMap::new(),
            report: Report::default(),
        }
    }

    /// Returns whether the run has as many findings as it may have.
    pub(crate) fn has_enough(&self) -> bool {
        self.plan.max_findings.is_some_and(|max| self.report.findings.len() >= max)
    }

    /// Adds a block.
    pub(crate) fn add(&mut self, judged: Judged, on_progress: &mut dyn FnMut(Progress)) {
        self.report.checks += judged.checks;
        self.report.tally.extend(&judged.tally);
        self.report.incomplete.extend(judged.incomplete);
        for (name, skipped) in judged.skipped.into_iter().filter(|(_, skipped)| *skipped > 0) {
            *self.report.skipped.entry(name).or_default() += skipped;
        }
        for (question, differing) in judged.differing_answers {
            let entry = self.report.differing_answers.entry(question);
            entry.and_modify(|known| known.count += 1).or_insert(differing);
        }
        for (subject, query) in judged.flaky {
            let name = self.endpoints[subject].info().name;
            add_sequence(self.report.flaky.entry(name), Some(vec![query]));
        }
        for seen in judged.seen {
            if self.has_enough() {
                return;
            }
            self.add_divergence(seen, on_progress);
        }
    }

    fn add_divergence(
        &mut self,
        Seen { subject, divergence, place }: Seen,
        on_progress: &mut dyn FnMut(Progress),
    ) {
        let look = look(subject, &divergence);
        let (times, class) = self.seen.entry(look.clone()).or_default();
        *times += 1;
        if *times > MINIMISED {
            if let Some(class) = class {
                *self.report.divergences.entry(class.clone()).or_default() += 1;
            }
            return;
        }
        let is_late = match self.report.findings.is_empty() {
            true => (self.deadline.is_stopped)(),
            false => self.deadline.is_over(),
        };
        let is_slow = matches!(divergence.kind, Kind::Timeout | Kind::Crash | Kind::ProtocolError);
        if is_late || is_slow && self.left_for_slow[subject].is_zero() {
            // A look with a class was examined before.
            self.report.unexamined += u64::from(class.is_none());
            return;
        }
        let started = Instant::now();
        let minimised = self.minimise(subject, &divergence, is_slow);
        if is_slow {
            self.left_for_slow[subject] = self.left_for_slow[subject].saturating_sub(started.elapsed());
        }
        match minimised {
            Minimised::Finding(finding) => {
                if let Some((_, class)) = self.seen.get_mut(&look) {
                    *class = Some(finding.class.clone());
                }
                self.add_finding(*finding, on_progress);
            }
            Minimised::Flaky => self.add_unrepeated(subject, place, divergence),
            Minimised::Unexamined => self.report.unexamined += 1,
        }
    }

    /// Minimises a divergence. A slow one has an endpoint of its own, because an adapter is given up after many failures.
    fn minimise(&mut self, subject: usize, divergence: &Divergence, is_slow: bool) -> Minimised {
        let mut own = is_slow.then(|| (self.subjects[subject])());
        let endpoint = match &mut own {
            Some(own) => own.as_mut(),
            None => self.endpoints[subject].as_mut(),
        };
        let deadline = match self.report.findings.is_empty() {
            // The first finding is minimised whenever it comes.
            true => Deadline::at_stop(self.deadline.is_stopped),
            false => self.deadline,
        };
        let make = &self.subjects[subject];
        let depends_on_others = |divergence: &Divergence| {
            matches!(divergence.kind, Kind::Violation | Kind::Relation)
                && shows_alone(make, divergence, deadline) == Some(false)
        };
        // The many queries of the minimiser could cause a divergence that this query does not.
        let name = endpoint.info().name;
        let is_unsteady = self.report.dependent.contains_key(&name) || self.report.flaky.contains_key(&name);
        if is_unsteady && depends_on_others(divergence) {
            return Minimised::Flaky;
        }
        let mut examiner = Examiner { endpoint, oracle: &mut self.oracle, deadline };
        let (editions, after) = (&self.plan.editions, self.report.checks);
        let minimised = minimise(&mut examiner, editions, divergence, after, &mut self.agreements[subject]);
        match minimised {
            // The many queries of the minimiser may be what it depends on.
            Minimised::Finding(finding)
                if !self.report.divergences.contains_key(&finding.class)
                    && depends_on_others(&finding.divergence()) =>
            {
                Minimised::Flaky
            }
            minimised => minimised,
        }
    }

    /// Adds a divergence that its query alone does not show.
    fn add_unrepeated(&mut self, subject: usize, place: Option<Place>, divergence: Divergence) {
        let name = self.endpoints[subject].info().name;
        let is_known = [&self.report.dependent, &self.report.flaky]
            .iter()
            .filter_map(|reports| reports.get(&name))
            .any(|report| report.count >= MOST_SEQUENCES);
        let make = &self.subjects[subject];
        let found = place
            .filter(|_| !is_known)
            .and_then(|place| find_sequence(self.plan, make, place, &divergence, self.deadline));
        let is_dependent = found.is_some() || is_known && self.report.dependent.contains_key(&name);
        let reports = if is_dependent { &mut self.report.dependent } else { &mut self.report.flaky };
        let queries = found.or_else(|| (!is_dependent).then(|| vec![divergence.query]));
        add_sequence(reports.entry(name), queries);
    }

    /// Finds the divergences that an implementation shows only in its first answer.
    pub(crate) fn check_first_answers(&mut self) {
        for (make, endpoint) in self.subjects.iter().zip(&self.endpoints) {
            let deadline = self.deadline.within(TIME_FOR_SEQUENCE);
            for query in wrong_at_first(self.plan, make, &mut self.oracle, deadline) {
                add_sequence(self.report.dependent.entry(endpoint.info().name), Some(vec![query]));
            }
        }
    }

    /// Measures how the time for an answer grows.
    pub(crate) fn measure_cost(&mut self, on_progress: &mut dyn FnMut(Progress)) {
        let Some(&edition) = self.plan.editions.last() else { return };
        for subject in 0..self.endpoints.len() {
            let endpoint = self.endpoints[subject].as_mut();
            let name = endpoint.info().name;
            for divergence in measure_cost(endpoint, edition, self.deadline).grown {
                let (class, query) = (Class::new(&name, &divergence, None), divergence.query.clone());
                let after = self.report.checks;
                let finding = Finding::new(class, divergence, vec![edition], after, query);
                self.add_finding(finding, on_progress);
            }
        }
    }

    /// Counts a finding, and keeps it where it is the first of its class.
    fn add_finding(&mut self, finding: Finding, on_progress: &mut dyn FnMut(Progress)) {
        let count = self.report.divergences.entry(finding.class.clone()).or_default();
        *count += 1;
        if *count == 1 {
            on_progress(Progress::Found(&finding));
            self.report.findings.push(finding);
        }
    }

    /// Ends the implementations.
    pub(crate) fn finish(mut self) -> Report {
        self.endpoints.iter_mut().for_each(|endpoint| endpoint.finish());
        self.report
    }
}

/// Counts a divergence that a query does not always show, and keeps the shortest sequence of queries that shows it.
fn add_sequence(entry: Entry<String, Unrepeated>, queries: Option<Vec<Query>>) {
    let report = entry.or_insert_with(|| Unrepeated { count: 0, queries: Vec::new() });
    report.count += 1;
    if let Some(queries) = queries
        && (report.queries.is_empty() || queries.len() < report.queries.len())
    {
        report.queries = queries;
    }
}

fn look(subject: usize, divergence: &Divergence) -> Look {
    let Divergence { edition, kind, relation, query, expected, got } = divergence;
    let is_fault = matches!(got, Observed::Answer(Err(_)));
    let clause = features(*edition, query).clause(*edition);
    (subject, *edition, *kind, *relation, expected.clone(), (!is_fault).then(|| got.clone()), clause)
}
