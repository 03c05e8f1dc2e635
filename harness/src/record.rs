//! The record of runs: the one fold over events, from which every report starts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use robotspec_cases::shard::{Shard, Shards};
use robotspec_cases::{CheckId, Level};
use robotspec_reference::Edition;

use crate::endpoint::Incident;
use crate::event::{CheckFinished, Event, FORMAT, Judgements, LikelyCause, Source, Status, Totals};
use crate::parser::Info;
use robotspec_text::sentences::counted;

/// What happened in a run, or in several runs that belong together.
///
/// Runs of several implementations, and the shards of one run, are taken one after the other: an implementation that
/// a later run has in the same version goes on where it ended, and a check that it answers again counts as answered
/// last.
#[derive(Debug, Clone, Default)]
pub struct RunRecord {
    /// The version of robotspec that ran.
    pub robotspec: String,
    /// The editions that judged.
    pub editions: BTreeSet<Edition>,
    /// The implementations, in the order in which they came.
    pub implementations: Vec<ImplementationRecord>,
    /// The weakest level of failures that fail one of the runs.
    level: Option<Level>,
    /// Whether a run has no end, so that results are missing.
    pub is_cut_off: bool,
    /// The implementation that the next events are about.
    current: usize,
    /// The number of runs that have started.
    runs: usize,
    /// The share of the checks that the current run has.
    shard: Option<Shard>,
    /// The number of judgements of the current run.
    judgements: usize,
    /// The number of judgements that runs count and that are not there.
    missing_judgements: usize,
    /// Judgements that are alike are kept once.
    pool: HashMap<Arc<Judgements>, Arc<Judgements>>,
}

/// A reason why results are missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Gap {
    /// A run has no end.
    #[error("the run was cut off")]
    CutOff,
    /// A run was interrupted.
    #[error("the run was interrupted")]
    Interrupted,
    /// A shard of an implementation is not there.
    #[error("shard {shard} of {implementation} is missing")]
    MissingShard {
        /// The name of the implementation.
        implementation: String,
        /// The shard.
        shard: Shard,
    },
    /// The implementation of this name received no further queries.
    #[error("{0} was given up")]
    GaveUp(String),
    /// This many judgements that a run counts are not there.
    #[error("the run counts {} more than there are", counted(*.0, "judgement"))]
    MissingJudgements(usize),
    /// The implementation of this name supports none of the checks.
    #[error("nothing was judged of {0}, which supports none of these checks")]
    NothingJudged(String),
    /// This many checks were not run.
    #[error("{} not run", counted(*.0, "check"))]
    NotRun(usize),
}

impl Gap {
    /// Returns whether a part of a run is missing, and not only answers of an implementation.
    pub fn is_of_events(&self) -> bool {
        !matches!(self, Gap::GaveUp(_) | Gap::NotRun(_))
    }

    /// Returns whether the judgements of checks show it.
    pub fn is_of_checks(&self) -> bool {
        matches!(self, Gap::NotRun(_))
    }
}

/// What happened to one implementation.
#[derive(Debug, Clone, Default)]
pub struct ImplementationRecord {
    /// The name and version.
    pub info: Info,
    /// How its last run ran it.
    pub source: Source,
    /// The judged checks, in the order in which they came.
    pub checks: Vec<CheckFinished>,
    /// The incidents, those that [come first](Incident::comes_first) before the others.
    pub incidents: Vec<Incident>,
    /// The likely causes of its failures, the first to fix first.
    pub likely_causes: Vec<LikelyCause>,
    /// Entries of its list of known failures that do not hold.
    pub stale_known_failures: BTreeSet<String>,
    /// Whether its last run came to its end.
    pub is_finished: bool,
    /// The number of the last run that it takes part in.
    run: usize,
    places: HashMap<CheckId, usize>,
    shards: Shards,
}

impl RunRecord {
    /// Returns the record of events.
    pub fn of(events: impl IntoIterator<Item = Event>) -> Self {
        let mut record = RunRecord::default();
        events.into_iter().for_each(|event| record.take(&event));
        record
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        let current = self.implementations.get_mut(self.current);
        match (event, current) {
            (Event::RunStarted { robotspec, editions, level, shard, .. }, _) => {
                self.robotspec.clone_from(robotspec);
                self.level = self.level.max(Some(*level));
                self.shard = *shard;
                self.runs += 1;
                self.judgements = 0;
                self.editions.extend(editions);
            }
            (Event::ImplementationStarted { info, source }, _) => self.start(info, source),
            (Event::RunFinished { totals, .. }, _) => {
                self.missing_judgements += totals.sum().saturating_sub(self.judgements);
            }
            (Event::CheckFinished(check), current) => {
                self.judgements += check.editions.len();
                let shared = self.pool.entry(Arc::clone(&check.editions)).or_insert_with_key(Arc::clone);
                if let Some(record) = current {
                    record.take(CheckFinished { editions: Arc::clone(shared), ..check.clone() });
                }
            }
            (Event::Incident { incident, .. }, Some(record)) => {
                let place = if incident.comes_first() { 0 } else { record.incidents.len() };
                record.incidents.insert(place, incident.clone());
            }
            (Event::LikelyCause { likely, .. }, Some(record)) => record.likely_causes.push(likely.clone()),
            (Event::ImplementationFinished { stale_known_failures, .. }, Some(record)) => {
                record.stale_known_failures.extend(stale_known_failures.iter().cloned());
                record.is_finished = true;
            }
            (_, None) => {}
        }
    }

    fn start(&mut self, info: &Info, source: &Source) {
        // One run may have several implementations of the same name and version.
        let is_same = |record: &ImplementationRecord| {
            record.run < self.runs && (&record.info.name, &record.info.version) == (&info.name, &info.version)
        };
        self.current = self.implementations.iter().position(is_same).unwrap_or_else(|| {
            let record = ImplementationRecord { info: info.clone(), ..ImplementationRecord::default() };
            self.implementations.push(record);
            self.implementations.len() - 1
        });
        let record = &mut self.implementations[self.current];
        record.source.clone_from(source);
        record.likely_causes.clear();
        record.is_finished = false;
        record.run = self.runs;
        record.shards.take(self.shard);
    }

    /// Returns the reasons why results are missing.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = self.is_cut_off.then_some(Gap::CutOff).into_iter().collect();
        let mut incidents = self.implementations.iter().flat_map(|record| &record.incidents);
        gaps.extend(incidents.any(|incident| *incident == Incident::Interrupted).then_some(Gap::Interrupted));
        let missing = self.missing_judgements;
        gaps.extend((missing > 0).then_some(Gap::MissingJudgements(missing)));
        for record in &self.implementations {
            let implementation = || record.info.name.clone();
            let missing = record.shards.missing().into_iter();
            gaps.extend(missing.map(|shard| Gap::MissingShard { implementation: implementation(), shard }));
            if record.incidents.iter().any(|incident| matches!(incident, Incident::GaveUp { .. })) {
                gaps.push(Gap::GaveUp(implementation()));
            }
            if record.incidents.contains(&Incident::NothingJudged) {
                gaps.push(Gap::NothingJudged(implementation()));
            }
        }
        let totals = self.implementations.iter().flat_map(|record| record.totals().into_values());
        let not_run: usize = totals.map(|totals| totals.of(Status::NotRun)).sum();
        gaps.extend((not_run > 0).then_some(Gap::NotRun(not_run)));
        gaps
    }

    /// Puts the checks of each implementation into this order. Other checks follow.
    pub fn sort_checks<'c>(&mut self, order: impl IntoIterator<Item = &'c CheckId>) {
        let places: HashMap<&CheckId, usize> = order.into_iter().zip(0..).collect();
        for record in &mut self.implementations {
            record.checks.sort_by_key(|check| places.get(&check.id).copied().unwrap_or(usize::MAX));
            record.places =
                record.checks.iter().zip(0..).map(|(check, place)| (check.id.clone(), place)).collect();
        }
    }

    /// Returns the weakest level of failures that fail one of the runs.
    pub fn level(&self) -> Level {
        self.level.unwrap_or_else(Level::of_runs)
    }

    /// Returns the number of different checks.
    pub fn check_count(&self) -> usize {
        let checks = self.implementations.iter().flat_map(|record| &record.checks);
        checks.map(|check| &check.id).collect::<HashSet<_>>().len()
    }

    /// Returns how often each status occurs in all implementations and editions together, for the rows as they are
    /// written.
    pub fn row_totals(&self) -> Totals {
        let mut totals = Totals::default();
        let all = self.implementations.iter().flat_map(|record| record.row_totals().into_values());
        all.for_each(|of_edition| totals.extend(&of_edition));
        totals
    }

    /// Returns the outcome of all implementations and editions together.
    pub fn outcome(&self) -> RunOutcome {
        let mut outcome = RunOutcome::new(self.level());
        for record in &self.implementations {
            record.totals().values().for_each(|totals| outcome.totals.extend(totals));
            outcome.stale += record.stale_known_failures.len();
        }
        outcome.is_incomplete = !self.gaps().is_empty();
        outcome
    }

    /// Returns the events of one run with this record.
    pub fn events(&self) -> Vec<Event> {
        let mut events = vec![Event::RunStarted {
            format: FORMAT,
            robotspec: self.robotspec.clone(),
            editions: self.editions.iter().copied().collect(),
            level: self.level(),
            checks: self.check_count(),
            shard: None,
        }];
        for record in &self.implementations {
            let implementation: Arc<str> = record.info.name.as_str().into();
            let name = || Arc::clone(&implementation);
            events.push(Event::ImplementationStarted {
                info: record.info.clone(),
                source: record.source.clone(),
            });
            events.extend(record.checks.iter().cloned().map(Event::CheckFinished));
            let incidents = record.incidents.iter().cloned();
            events.extend(incidents.map(|incident| Event::Incident { implementation: name(), incident }));
            let likely = record.likely_causes.iter().cloned();
            events.extend(likely.map(|likely| Event::LikelyCause { implementation: name(), likely }));
            events.push(Event::ImplementationFinished {
                implementation: name(),
                totals: record.totals(),
                stale_known_failures: record.stale_known_failures.iter().cloned().collect(),
            });
        }
        events.push(self.outcome().event());
        events
    }
}

impl ImplementationRecord {
    fn take(&mut self, check: CheckFinished) {
        match self.places.get(&check.id) {
            Some(&place) => {
                // A shard that comes twice changes nothing, and its judgements stay shared.
                let known = &mut self.checks[place].editions;
                if *known != check.editions {
                    let more =
                        check.editions.iter().map(|(edition, judgement)| (*edition, judgement.clone()));
                    Arc::make_mut(known).extend(more);
                }
            }
            None => {
                self.places.insert(check.id.clone(), self.checks.len());
                self.checks.push(check);
            }
        }
    }

    /// Returns the judgements of a check.
    pub fn find(&self, id: &CheckId) -> Option<&CheckFinished> {
        self.places.get(id).map(|&place| &self.checks[place])
    }

    /// Returns whether its last run came to its end, and every shard is there.
    pub fn is_complete(&self) -> bool {
        self.is_finished && self.shards.missing().is_empty()
    }

    /// Returns the checks of rows as they are written.
    pub fn rows(&self) -> impl Iterator<Item = &CheckFinished> {
        self.checks.iter().filter(|check| check.id.variant.is_none())
    }

    /// Returns the checks that fail in an edition, known failures included.
    pub fn failures(&self) -> impl Iterator<Item = &CheckFinished> {
        self.checks.iter().filter(|check| check.has_failure())
    }

    /// Returns how often each status occurs in each edition, variants included.
    pub fn totals(&self) -> BTreeMap<Edition, Totals> {
        count(self.checks.iter())
    }

    /// Returns the same for the rows as they are written.
    pub fn row_totals(&self) -> BTreeMap<Edition, Totals> {
        count(self.rows())
    }
}

fn count<'c>(checks: impl Iterator<Item = &'c CheckFinished>) -> BTreeMap<Edition, Totals> {
    let mut totals: BTreeMap<Edition, Totals> = BTreeMap::new();
    for (edition, judgement) in checks.flat_map(|check| check.editions.iter()) {
        totals.entry(*edition).or_default().add(judgement);
    }
    totals
}

/// The exit code of a run in which an implementation could not be run.
pub const INCOMPLETE: u8 = 3;

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOutcome {
    /// The weakest level of failures that fail the run.
    pub level: Level,
    /// The totals of all implementations and editions together.
    pub totals: Totals,
    /// The number of entries of lists of known failures that do not hold.
    pub stale: usize,
    /// Whether some checks were not run, or an implementation was given up.
    pub is_incomplete: bool,
}

impl RunOutcome {
    /// Returns the outcome of a run with this level, before its first check.
    pub fn new(level: Level) -> Self {
        RunOutcome { level, totals: Totals::default(), stale: 0, is_incomplete: false }
    }

    /// 0 where all is as expected, 1 where it is not, 3 where an implementation could not be run. With the level
    /// [`Level::Must`], departures from recommendations are as expected.
    pub fn exit_code(&self) -> u8 {
        if self.is_incomplete { INCOMPLETE } else { u8::from(self.failing() > 0 || self.stale > 0) }
    }

    /// Returns the number of failures that no list of known failures has and that fail the run.
    pub fn failing(&self) -> usize {
        self.totals.new_failures_at(self.level)
    }

    /// Returns the event that ends a run.
    pub fn event(&self) -> Event {
        Event::RunFinished {
            totals: self.totals.clone(),
            unexpected: self.totals.new_failures(),
            stale: self.stale,
            exit_code: self.exit_code(),
        }
    }
}
