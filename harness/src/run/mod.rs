//! The runner: sends every check to every implementation, judges the answers, and reports what happens as events.

mod confirm;
mod subject;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use robotspec_cases::shard::Shard;
use robotspec_cases::{Check, Level};
use robotspec_reference::Edition;

use crate::endpoint::BoxedEndpoint;
use crate::event::{Event, FORMAT, Source, Status};
use crate::known::KnownFailures;
use crate::parser::Info;
use crate::record::RunOutcome;
use confirm::Confirmer;

/// An implementation under test.
pub struct Subject {
    /// Makes an instance of the implementation, for the queries that an edition judges.
    make: Arc<dyn Fn(Edition) -> BoxedEndpoint + Send + Sync>,
    /// The instance that answers each query once, whichever editions judge the answer; `None` where the answers depend on
    /// the edition.
    shared: Option<BoxedEndpoint>,
    /// The list of its known failures.
    pub known: KnownFailures,
    /// The editions that judge it, where they are not those of the plan: those that it claims to follow.
    pub editions: Option<Vec<Edition>>,
    /// How it is run, for the reports.
    pub source: Source,
}

impl Subject {
    /// Returns a subject without known failures. Of the instances of the implementation that `make`
    /// makes, one answers each query once, whichever editions judge the answer, and others confirm its answers.
    pub fn new(make: impl Fn() -> BoxedEndpoint + Send + 'static) -> Self {
        let shared = Some(make());
        let make = Mutex::new(make);
        let make = move |_| make.lock().unwrap_or_else(PoisonError::into_inner)();
        Subject { shared, ..Self::by_edition(make) }
    }

    /// Does the same for an implementation whose answers depend on the edition.
    pub fn by_edition(make: impl Fn(Edition) -> BoxedEndpoint + Send + Sync + 'static) -> Self {
        Subject {
            make: Arc::new(make),
            shared: None,
            known: KnownFailures::default(),
            editions: None,
            source: Source::default(),
        }
    }

    /// Returns the information in reports.
    pub fn info(&self) -> Info {
        match &self.shared {
            Some(endpoint) => endpoint.info(),
            None => (self.make)(Edition::Rfc9309).info(),
        }
    }

    /// Returns the instances that answer, where these editions judge.
    fn open(&mut self, editions: &[Edition]) -> Vec<Judged> {
        let judged = |endpoint: BoxedEndpoint, editions: &[Edition]| {
            let (make, edition) = (Arc::clone(&self.make), editions.first().copied());
            let make = move || make(edition.unwrap_or(Edition::Rfc9309));
            let confirmer = Confirmer::new(Box::new(make), endpoint.starts_anew());
            Judged { endpoint, confirmer, editions: editions.to_vec() }
        };
        match self.shared.take() {
            Some(endpoint) => vec![judged(endpoint, editions)],
            None => editions.chunks(1).map(|one| judged((self.make)(one[0]), one)).collect(),
        }
    }
}

/// An endpoint, and the editions that judge its answers.
struct Judged {
    endpoint: BoxedEndpoint,
    confirmer: Confirmer,
    editions: Vec<Edition>,
}

/// The checks of a run and the editions that judge.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The checks, those that share a file next to each other.
    pub checks: Vec<Check>,
    /// The editions that judge.
    pub editions: Vec<Edition>,
    /// The weakest level of failures that fail the run.
    pub level: Level,
    /// The editions that lists of known failures are about, where the plan has all checks of `editions`, or all of these
    /// in some suites: only then can an entry of a list be found to be stale.
    pub lists_are_about: Option<Vec<Edition>>,
    /// The share of the checks that these are, if they are not all.
    pub shard: Option<Shard>,
    /// The number of implementations that are run at the same time.
    pub jobs: usize,
}

impl Plan {
    /// Returns the plan of a subject that these editions judge.
    fn for_editions(&self, editions: Vec<Edition>) -> Plan {
        let is_judged = |check: &&Check| editions.iter().any(|edition| check.expected.contains_key(edition));
        let Plan { level, shard, jobs, .. } = *self;
        Plan {
            checks: self.checks.iter().filter(is_judged).cloned().collect(),
            lists_are_about: self.lists_are_about.as_ref().map(|_| editions.clone()),
            editions,
            level,
            shard,
            jobs,
        }
    }
}

/// Runs a plan. The events come in the order of the subjects and the checks, however many subjects run at the same
/// time.
pub fn run(plan: &Plan, subjects: Vec<Subject>, on_event: &mut dyn FnMut(&Event)) -> RunOutcome {
    on_event(&Event::RunStarted {
        format: FORMAT,
        robotspec: env!("CARGO_PKG_VERSION").to_owned(),
        editions: plan.editions.clone(),
        level: plan.level,
        checks: plan.checks.len(),
        shard: plan.shard,
    });
    let mut outcome = RunOutcome::new(plan.level);
    run_subjects(plan, subjects, &mut |event: &Event| {
        match event {
            Event::ImplementationFinished { totals, stale_known_failures, .. } => {
                totals.values().for_each(|totals| outcome.totals.extend(totals));
                outcome.stale += stale_known_failures.len();
            }
            Event::Incident { incident, .. } => outcome.is_incomplete |= incident.is_end(),
            _ => {}
        }
        on_event(event);
    });
    outcome.is_incomplete |= outcome.totals.of(Status::NotRun) > 0;
    on_event(&outcome.event());
    outcome
}

/// Runs subjects in parallel, and passes their events on one subject after the other.
fn run_subjects(plan: &Plan, subjects: Vec<Subject>, on_event: &mut dyn FnMut(&Event)) {
    let jobs = plan.jobs.clamp(1, subjects.len().max(1));
    let with_channel = |subject| {
        let (sender, receiver) = mpsc::channel();
        ((subject, sender), receiver)
    };
    let (waiting, receivers): (VecDeque<_>, Vec<_>) = subjects.into_iter().map(with_channel).unzip();
    let waiting = Arc::new(Mutex::new(waiting));
    thread::scope(|scope| {
        for _ in 0..jobs {
            let waiting = Arc::clone(&waiting);
            scope.spawn(move || {
                let take = || waiting.lock().ok()?.pop_front();
                while let Some((subject, sender)) = take() {
                    // The receiver outlives this thread.
                    subject::run(plan, subject, &mut |event| drop(sender.send(event)));
                }
            });
        }
        // If the threads end early, so do the channels that are left.
        drop(waiting);
        receivers.into_iter().flatten().for_each(|event| on_event(&event));
    });
}
