//! Puts runs together: the shards of one, or runs of several implementations.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::event::{CheckFinished, EditionId, Event, FORMAT, LikelyCause, Status, Totals};
use crate::implementation::{Incident, Info};
use crate::likely::Inquiry;
use crate::run::Outcome;
use robotspec_cases::shard::{Shard, Shards};
use robotspec_cases::suite::Check;

/// Runs that are put together. All of their events are kept until the end.
#[derive(Debug, Default)]
pub struct Merge {
    robotspec: String,
    editions: BTreeSet<EditionId>,
    implementations: Vec<Merged>,
    /// Whom the next events are about.
    current: usize,
    is_cut_off: bool,
    /// Which share of the checks the present run has.
    shard: Option<Shard>,
}

/// What is known of one implementation.
#[derive(Debug)]
struct Merged {
    info: Info,
    checks: Vec<CheckFinished>,
    places: HashMap<String, usize>,
    incidents: Vec<Incident>,
    /// What its last run told.
    likely: Vec<LikelyCause>,
    stale: BTreeSet<String>,
    shards: Shards,
}

impl Merge {
    /// Takes the next event of a run. An implementation that comes again, in the same version, goes on where it
    /// ended; what it answers again counts, and not what it answered before.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::RunStarted { robotspec, editions, shard, .. } => {
                self.robotspec = robotspec;
                self.shard = shard;
                self.editions.extend(editions);
            }
            Event::ImplementationStarted { info } => self.start(info),
            event => {
                if let Some(merged) = self.implementations.get_mut(self.current) {
                    merged.take(event);
                }
            }
        }
    }

    /// Says that a run has no end, so that results are missing.
    pub fn cut_off(&mut self) {
        self.is_cut_off = true;
    }

    fn start(&mut self, info: Info) {
        let is_same = |merged: &Merged| merged.info.name == info.name && merged.info.version == info.version;
        self.current = self.implementations.iter().position(is_same).unwrap_or_else(|| {
            self.implementations.push(Merged::new(info));
            self.implementations.len() - 1
        });
        let merged = &mut self.implementations[self.current];
        merged.likely.clear();
        merged.shards.take(self.shard);
    }

    /// The shards that are missing, each with its implementation.
    pub fn missing(&self) -> Vec<(&str, Shard)> {
        let mut missing = Vec::new();
        for merged in &self.implementations {
            missing.extend(merged.shards.missing().into_iter().map(|shard| (&*merged.info.name, shard)));
        }
        missing
    }

    /// The events of them all as of one run, as [`crate::run::run`] would tell them: in the order of these checks, and
    /// what is none of them at the end.
    pub fn events(mut self, order: &[Check]) -> Vec<Event> {
        let is_complete = !self.is_cut_off && self.missing().is_empty();
        let places: HashMap<&str, (usize, &Check)> =
            order.iter().enumerate().map(|(place, check)| (check.id.as_str(), (place, check))).collect();
        for merged in &mut self.implementations {
            let place = |check: &CheckFinished| places.get(check.id.as_str()).map(|(place, _)| *place);
            merged.checks.sort_by_key(|check| place(check).unwrap_or(usize::MAX));
            merged.infer(&places);
        }
        let ids =
            self.implementations.iter().flat_map(|merged| &merged.checks).map(|check| check.id.as_str());
        let mut events = vec![Event::RunStarted {
            format: FORMAT,
            robotspec: self.robotspec,
            editions: self.editions.into_iter().collect(),
            checks: ids.collect::<HashSet<_>>().len(),
            shard: None,
        }];
        let mut outcome = Outcome::default();
        for merged in self.implementations {
            let by_edition = merged.totals();
            by_edition.values().for_each(|of_edition| outcome.totals.extend(of_edition));
            outcome.stale += merged.stale.len();
            merged.tell(by_edition, &mut events);
        }
        outcome.unexpected = outcome.totals.new_failures();
        outcome.is_incomplete = !is_complete || outcome.totals.of(Status::NotRun) > 0;
        events.push(outcome.event());
        events
    }
}

impl Merged {
    fn new(info: Info) -> Self {
        Merged {
            info,
            checks: Vec::new(),
            places: HashMap::new(),
            incidents: Vec::new(),
            likely: Vec::new(),
            stale: BTreeSet::new(),
            shards: Shards::default(),
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::CheckFinished(check) => self.judge(check),
            Event::Incident { incident, .. } => self.incidents.push(incident),
            Event::LikelyCause { likely, .. } => self.likely.push(likely),
            Event::ImplementationFinished { stale_known_failures, .. } => {
                self.stale.extend(stale_known_failures);
            }
            _ => {}
        }
    }

    fn judge(&mut self, check: CheckFinished) {
        match self.places.get(&check.id) {
            Some(&place) => self.checks[place].editions.extend(check.editions),
            None => {
                self.places.insert(check.id.clone(), self.checks.len());
                self.checks.push(check);
            }
        }
    }

    fn totals(&self) -> BTreeMap<EditionId, Totals> {
        let mut totals: BTreeMap<EditionId, Totals> = BTreeMap::new();
        for (edition, judged) in self.checks.iter().flat_map(|check| &check.editions) {
            totals.entry(*edition).or_default().add(judged);
        }
        totals
    }

    /// Infers what is likely from what all of its runs answered, where these are the checks that they were put to.
    fn infer(&mut self, checks: &HashMap<&str, (usize, &Check)>) {
        let mut inquiry = Inquiry::default();
        for finished in &self.checks {
            let Some((_, check)) = checks.get(finished.id.as_str()) else { return };
            inquiry.take(check, finished);
        }
        self.incidents.iter().for_each(|incident| inquiry.take_incident(incident));
        self.likely = inquiry.causes();
    }

    fn tell(self, totals: BTreeMap<EditionId, Totals>, events: &mut Vec<Event>) {
        let implementation = self.info.name.clone();
        events.push(Event::ImplementationStarted { info: self.info });
        events.extend(self.checks.into_iter().map(Event::CheckFinished));
        events.extend(
            self.incidents
                .into_iter()
                .map(|incident| Event::Incident { implementation: implementation.clone(), incident }),
        );
        events.extend(
            self.likely
                .into_iter()
                .map(|likely| Event::LikelyCause { implementation: implementation.clone(), likely }),
        );
        let stale_known_failures = self.stale.into_iter().collect();
        events.push(Event::ImplementationFinished { implementation, totals, stale_known_failures });
    }
}
