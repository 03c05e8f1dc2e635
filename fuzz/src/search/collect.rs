//! Collects judged blocks in the order of their numbers, and minimises what is new.

use std::collections::HashMap;
use std::collections::btree_map::Entry;
use std::slice;
use std::time::{Duration, Instant};

use robotspec::{Answer, Endpoint};
use robotspec_cases::{Expected, Query, Variant};
use robotspec_reference::Edition;

use crate::deadline::Deadline;
use crate::explain::cause::{Agreements, find_cause};
use crate::explain::finding::{Class, Finding};
use crate::feature::features;
use crate::minimise::again::Examiner;
use crate::minimise::reduce;
use crate::oracle::Oracle;
use crate::oracle::divergence::{Divergence, FindingKind};
use crate::search::block::{Judged, Seen};
use crate::search::earlier::{TIME_FOR_SEQUENCE, find_sequence, shows_alone, wrong_at_first};
use crate::search::plan::{Make, SearchPlan, Source};
use crate::search::report::{Progress, Report, Unrepeated};

/// How many divergences that look alike are minimised.
const MINIMISED: u64 = 3;

/// In files, how many more of them are minimised each time their number doubles.
const MINIMISED_PER_DOUBLING: u64 = 8;

/// The time for minimising the divergences of one implementation that each cost a restart or the time limit.
const TIME_FOR_SLOW: Duration = Duration::from_secs(120);

/// The number of blocks after which an implementation that has answered nothing is not asked further.
const SILENT_BLOCKS: u64 = 16;

/// For how many divergences of one implementation such a sequence is searched for.
const MOST_SEQUENCES: u64 = 3;

/// What a divergence looks like before it is minimised. A fault is not a part of it: its message contains numbers and
/// names of the input. All time-outs look alike.
type Look = (usize, Edition, FindingKind, Option<Variant>, Option<(Expected, Option<Answer>, &'static str)>);

/// An implementation under test.
struct Subject<'p> {
    make: &'p Make,
    /// Answers again, while a divergence is examined.
    endpoint: Box<dyn Endpoint + Send>,
    /// What is left of [`TIME_FOR_SLOW`].
    left_for_slow: Duration,
    /// What is known of the causes of its divergences.
    agreements: Agreements,
    /// The number of checks that it answered.
    answered: usize,
}

/// The state of a run, as far as it depends on the order of blocks.
pub(crate) struct Collector<'p> {
    plan: &'p SearchPlan,
    /// When minimising ends, except for the first finding, which is minimised whenever it comes.
    deadline: Deadline<'p>,
    subjects: Vec<Subject<'p>>,
    oracle: Oracle,
    answered_by_judge: usize,
    /// The number of blocks that were added.
    blocks: u64,
    /// For each look, how often it was seen, and the class of its finding.
    seen: HashMap<Look, (u64, Option<Class>)>,
    pub(crate) report: Report,
}

impl<'p> Collector<'p> {
    /// Returns a collector for a run that ends at the deadline.
    pub(crate) fn new(plan: &'p SearchPlan, subjects: &'p [Make], deadline: Deadline<'p>) -> Self {
        let subject = |make: &'p Make| Subject {
            make,
            endpoint: make(),
            left_for_slow: TIME_FOR_SLOW,
            agreements: Agreements::default(),
            answered: 0,
        };
        Collector {
            plan,
            deadline,
            subjects: subjects.iter().map(subject).collect(),
            oracle: Oracle::new(plan.against.as_ref().map(|make| make())),
            answered_by_judge: 0,
            blocks: 0,
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
        self.report.add(judged.report);
        self.blocks += 1;
        for (subject, answered) in self.subjects.iter_mut().zip(judged.answered) {
            subject.answered += answered;
        }
        self.answered_by_judge += judged.answered_by_judge;
        if self.blocks == SILENT_BLOCKS {
            self.report_silent();
        }
        for (subject, query) in judged.flaky {
            let name = self.subjects[subject].endpoint.info().name;
            add_sequence(self.report.flaky.entry(name), Some(vec![query]));
        }
        for seen in judged.seen {
            if self.has_enough() {
                return;
            }
            self.add_divergence(seen, on_progress);
        }
    }

    /// Follows a divergence from where it was seen to where it is reported: one that a known mistake explains, or one of
    /// many that look alike, is only counted; the others are examined, and are findings, are not repeated by their query
    /// alone, or are counted as unexamined.
    fn add_divergence(&mut self, seen: Seen, on_progress: &mut dyn FnMut(Progress)) {
        let look = look(&seen);
        let (times, class) = self.seen.entry(look.clone()).or_default();
        // The answers that an edition leaves open are many.
        let is_examined = is_minimised(*times + 1, &self.plan.source);
        let known = &self.subjects[seen.subject].agreements.known;
        let explains = |openly| known.explains(&seen.divergence, openly);
        let explained = explains(false).or_else(|| is_examined.then(|| explains(true)).flatten());
        let name = self.subjects[seen.subject].endpoint.info().name;
        let of_mistake = |mistake| {
            let mut classes = self.report.findings.iter().map(|finding| &finding.class);
            classes.find(|class| class.implementation == name && class.answers == Some(mistake))
        };
        if let Some(class) = explained.and_then(of_mistake) {
            *self.report.divergences.entry(class.clone()).or_default() += 1;
            return;
        }
        *times += 1;
        let class = class.clone();
        match (is_examined.then(|| self.examine(&seen)), class) {
            (Some(Examined::Finding(mut finding)), _) => {
                finding.input = Some(seen.input);
                self.seen.entry(look).or_default().1 = Some(finding.class.clone());
                self.add_finding(*finding, on_progress);
            }
            (Some(Examined::Unrepeated), _) => self.add_unrepeated(seen),
            (Some(Examined::Unexamined) | None, Some(class)) => {
                *self.report.divergences.entry(class).or_default() += 1;
            }
            (Some(Examined::Unexamined), None) => self.report.unexamined += 1,
            (None, None) => {}
        }
    }

    fn examine(&mut self, Seen { subject, divergence, .. }: &Seen) -> Examined {
        let Subject { make, endpoint, left_for_slow, agreements, .. } = &mut self.subjects[*subject];
        let make: &Make = make;
        let deadline = match self.report.findings.is_empty() {
            true => Deadline::at_stop(self.deadline.is_stopped),
            false => self.deadline,
        };
        let is_slow =
            matches!(divergence.kind, FindingKind::Timeout | FindingKind::Crash | FindingKind::ProtocolError);
        if deadline.is_over() || is_slow && left_for_slow.is_zero() {
            return Examined::Unexamined;
        }
        let started = Instant::now();
        // A slow one has an endpoint of its own, because an adapter is given up after many failures.
        let mut own = is_slow.then(make);
        let endpoint = own.as_mut().unwrap_or(endpoint).as_mut();
        let depends_on_others = |divergence: &Divergence| {
            matches!(divergence.kind, FindingKind::Violation | FindingKind::Relation)
                && shows_alone(make, divergence, deadline) == Some(false)
        };
        // The many queries of the minimiser could cause a divergence that this query does not.
        let name = endpoint.info().name;
        let is_unsteady = self.report.dependent.contains_key(&name) || self.report.flaky.contains_key(&name);
        if is_unsteady && depends_on_others(divergence) {
            return Examined::Unrepeated;
        }
        let known = agreements.known.clone();
        let mut examiner = Examiner { endpoint, oracle: &mut self.oracle, known, deadline };
        let examined = make_finding(&mut examiner, self.plan, divergence, self.report.checks, agreements);
        if is_slow {
            *left_for_slow = left_for_slow.saturating_sub(started.elapsed());
        }
        match &examined {
            // The many queries of the minimiser may be what it depends on.
            Examined::Finding(finding)
                if !self.report.divergences.contains_key(&finding.class)
                    && depends_on_others(&finding.divergence()) =>
            {
                agreements.known = examiner.known;
                Examined::Unrepeated
            }
            _ => examined,
        }
    }

    /// Adds a divergence that its query alone does not show.
    fn add_unrepeated(&mut self, Seen { subject, divergence, place, .. }: Seen) {
        let Subject { make, endpoint, .. } = &self.subjects[subject];
        let name = endpoint.info().name;
        let is_known = [&self.report.dependent, &self.report.flaky]
            .iter()
            .filter_map(|reports| reports.get(&name))
            .any(|report| report.count >= MOST_SEQUENCES);
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
        for Subject { make, endpoint, .. } in &self.subjects {
            let deadline = self.deadline.within(TIME_FOR_SEQUENCE);
            for query in wrong_at_first(self.plan, make, &mut self.oracle, deadline) {
                add_sequence(self.report.dependent.entry(endpoint.info().name), Some(vec![query]));
            }
        }
    }

    /// Counts a finding, and keeps it where it is the first of its class. Findings with one proven cause, or with one error, are
    /// one class, whichever clause of an edition they break.
    fn add_finding(&mut self, mut finding: Finding, on_progress: &mut dyn FnMut(Progress)) {
        if let Some(known) = self.report.findings.iter().find(|known| known.has_cause_of(&finding)) {
            finding.class = known.class.clone();
        }
        let count = self.report.divergences.entry(finding.class.clone()).or_default();
        *count += 1;
        if *count == 1 {
            on_progress(Progress::Found(&finding));
            self.report.findings.push(finding);
        }
    }

    /// Adds the implementations that have answered nothing: a search without findings says nothing about them.
    fn report_silent(&mut self) {
        let silent = self.subjects.iter().filter(|subject| subject.answered == 0);
        let judge = self.oracle.implementation().filter(|_| self.answered_by_judge == 0);
        for name in silent.map(|subject| subject.endpoint.info().name).chain(judge) {
            let incomplete = self.report.incomplete.entry(name);
            incomplete.or_insert_with(|| "nothing was judged: it supports none of these checks".to_owned());
        }
    }

    /// Ends the implementations.
    pub(crate) fn finish(mut self) -> Report {
        if self.blocks > 0 && !self.report.is_interrupted {
            self.report_silent();
        }
        self.subjects.iter_mut().for_each(|subject| subject.endpoint.finish());
        self.report
    }
}

/// What became of a divergence.
enum Examined {
    Finding(Box<Finding>),
    /// The query does not always show it.
    Unrepeated,
    /// The implementation was not available, or the time was over.
    Unexamined,
}

/// Asks the implementation again; then minimises the divergence, finds its cause, and judges it by all editions.
fn make_finding(
    examiner: &mut Examiner,
    plan: &SearchPlan,
    divergence: &Divergence,
    after: u64,
    agreements: &mut Agreements,
) -> Examined {
    examiner.deadline = examiner.deadline.within(plan.time_for_divergence);
    let Some(seen) = examiner.first_like(divergence, slice::from_ref(&divergence.query)) else {
        let is_answered = examiner.is_available(&divergence.query) && !examiner.deadline.is_over();
        return if is_answered { Examined::Unrepeated } else { Examined::Unexamined };
    };
    let minimal = reduce(examiner, seen);
    let cause = find_cause(examiner, &minimal, agreements);
    let class = Class::new(&examiner.endpoint.info().name, &minimal, cause);
    let is_broken = |&edition: &Edition| match minimal.kind {
        // No edition says which of the two implementations is right, nor how long an answer may take.
        FindingKind::Disagreement | FindingKind::Timeout => false,
        // Every edition expects an answer.
        FindingKind::Crash | FindingKind::ProtocolError => true,
        _ => {
            edition == minimal.edition
                || examiner.shows(edition, minimal.kind, minimal.relation, &minimal.query)
        }
    };
    let editions = plan.editions.iter().copied().filter(is_broken).collect();
    let against = examiner.oracle.implementation();
    let first_seen = divergence.query.clone();
    let Divergence { edition, query, expected, got, .. } = minimal;
    Examined::Finding(Box::new(Finding {
        class,
        edition,
        editions,
        query,
        expected,
        against,
        got,
        after,
        first_seen,
        input: None,
    }))
}

/// Counts a divergence that a query does not always show, and keeps the shortest sequence of queries that shows it.
fn add_sequence(entry: Entry<String, Unrepeated>, queries: Option<Vec<Query>>) {
    let report = entry.or_default();
    report.count += 1;
    if let Some(queries) = queries
        && (report.queries.is_empty() || queries.len() < report.queries.len())
    {
        report.queries = queries;
    }
}

/// Returns whether the divergence that is the `times`th of its look is minimised. The others count with the last one that is.
/// How frequent a finding is in files is a result, and ones that look alike may have different causes, so that those in files
/// are sampled.
fn is_minimised(times: u64, source: &Source) -> bool {
    let step = 1 << (times / MINIMISED_PER_DOUBLING).max(1).ilog2();
    times <= MINIMISED || matches!(source, Source::Files(_)) && times.is_multiple_of(step)
}

fn look(Seen { subject, divergence, .. }: &Seen) -> Look {
    let Divergence { edition, kind, relation, query, expected, got } = divergence;
    let details = (*kind != FindingKind::Timeout)
        .then(|| (expected.clone(), got.clone().ok(), features(*edition, query).clause(*edition)));
    (*subject, *edition, *kind, *relation, details)
}

#[cfg(test)]
#[path = "../../tests/unit/collect.rs"]
mod tests;
