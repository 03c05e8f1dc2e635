//! Collects judged blocks in the order of their numbers, and minimises what is new.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use robotspec::Endpoint;
use robotspec_cases::Expected;
use robotspec_reference::Edition;

use crate::block::{Judged, Seen};
use crate::cost::measure_cost;
use crate::divergence::Observed;
use crate::examine::Examiner;
use crate::feature::features;
use crate::finding::{Class, Finding};
use crate::kind::Kind;
use crate::minimise::minimise;
use crate::oracle::Oracle;
use crate::plan::{Make, Plan};
use crate::relation::Relation;
use crate::report::{Progress, Report};

/// How many divergences that look alike are minimised.
const MINIMISED: u64 = 3;

/// How long after the end of the time of a run its divergences are still minimised. The first finding is minimised
/// whenever it comes.
const GRACE: Duration = Duration::from_secs(30);

/// What a divergence looks like before it is minimised.
type Look = (usize, Edition, Kind, Option<Relation>, Expected, Observed, &'static str);

/// The state of a run, as far as it depends on the order of blocks.
pub(crate) struct Collector<'p> {
    plan: &'p Plan,
    /// When minimising ends, except for the first finding.
    until: Option<Instant>,
    endpoints: Vec<Box<dyn Endpoint + Send>>,
    oracle: Oracle,
    /// For each look, how often it was seen, and the class of its finding.
    seen: HashMap<Look, (u64, Option<Class>)>,
    pub(crate) report: Report,
}

impl<'p> Collector<'p> {
    /// Returns a collector for a run that sends no queries after `until`.
    pub(crate) fn new(plan: &'p Plan, subjects: &[Make], until: Option<Instant>) -> Self {
        Collector {
            plan,
            until: until.and_then(|until| until.checked_add(GRACE)),
            endpoints: subjects.iter().map(|make| make()).collect(),
            oracle: Oracle::new(plan),
            seen: HashMap::new(),
            report: Report::default(),
        }
    }

    /// Returns whether the run has as many findings as it may have.
    pub(crate) fn has_enough(&self) -> bool {
        self.plan.max_findings.is_some_and(|max| self.report.findings.len() >= max)
    }

    /// Adds a block. Leaves out the rest of its divergences once `is_over`.
    pub(crate) fn add(
        &mut self,
        judged: Judged,
        is_over: impl Fn() -> bool,
        on_progress: &mut dyn FnMut(Progress),
    ) {
        self.report.checks += judged.checks;
        self.report.tally.extend(&judged.tally);
        self.report.incomplete.extend(judged.incomplete);
        for (question, differing) in judged.differing_answers {
            let entry = self.report.differing_answers.entry(question);
            entry.and_modify(|known| known.count += 1).or_insert(differing);
        }
        for seen in judged.seen {
            if is_over() || self.has_enough() {
                return;
            }
            let is_late = self.until.is_some_and(|until| Instant::now() >= until);
            if is_late && !self.report.findings.is_empty() {
                self.report.unexamined += 1;
                continue;
            }
            self.add_divergence(seen, on_progress);
        }
    }

    fn add_divergence(&mut self, Seen { subject, divergence }: Seen, on_progress: &mut dyn FnMut(Progress)) {
        let look = (
            subject,
            divergence.edition,
            divergence.kind,
            divergence.relation,
            divergence.expected.clone(),
            divergence.got.clone(),
            features(divergence.edition, &divergence.query).clause(divergence.edition),
        );
        let (times, class) = self.seen.entry(look.clone()).or_default();
        *times += 1;
        if *times > MINIMISED {
            if let Some(class) = class {
                *self.report.divergences.entry(class.clone()).or_default() += 1;
            }
            return;
        }
        let (endpoint, until) = (self.endpoints[subject].as_mut(), self.until);
        let mut examiner = Examiner { endpoint, oracle: &mut self.oracle, until };
        let after = self.report.checks;
        let Some(finding) = minimise(&mut examiner, &self.plan.editions, &divergence, after) else { return };
        if let Some((_, class)) = self.seen.get_mut(&look) {
            *class = Some(finding.class.clone());
        }
        self.add_finding(finding, on_progress);
    }

    /// Measures how the time for an answer grows.
    pub(crate) fn measure_cost(&mut self, on_progress: &mut dyn FnMut(Progress)) {
        let Some(&edition) = self.plan.editions.last() else { return };
        for subject in 0..self.endpoints.len() {
            let endpoint = self.endpoints[subject].as_mut();
            let name = endpoint.info().name;
            for divergence in measure_cost(endpoint, edition) {
                let (class, query) = (Class::new(&name, &divergence), divergence.query.clone());
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
