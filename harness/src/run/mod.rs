//! The runner: sends every check to every implementation, judges the answers, and reports what happens as events.

mod confirm;
mod subject;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use robotspec_cases::shard::Shard;
use robotspec_cases::{Check, Level};
use robotspec_reference::Edition;

use crate::endpoint::{BoxedEndpoint, MakeEndpoint};
use crate::event::{Event, FORMAT, Source, Status};
use crate::known::KnownFailures;
use crate::parser::Info;
use crate::record::RunOutcome;
use confirm::Confirmer;

/// An implementation under test.
pub struct Subject {
    /// The connection to the implementation.
    pub connection: Connection,
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
        Connection::Shared(make(), Box::new(make)).into()
    }

    /// Does the same for an implementation whose answers depend on the edition.
    pub fn by_edition(make: impl Fn(Edition) -> BoxedEndpoint + Send + Sync + 'static) -> Self {
        Connection::ByEdition(Arc::new(make)).into()
    }

    /// Returns the information in reports.
    pub fn info(&self) -> Info {
        match &self.connection {
            Connection::Shared(endpoint, _) => endpoint.info(),
            Connection::ByEdition(make) => make(Edition::Rfc9309).info(),
        }
    }
}

impl From<Connection> for Subject {
    fn from(connection: Connection) -> Self {
        Subject { connection, known: KnownFailures::default(), editions: None, source: Source::default() }
    }
}

/// How an implementation is connected.
pub enum Connection {
    /// One endpoint answers each query once, whichever editions judge the answer. The function makes others.
    Shared(BoxedEndpoint, MakeEndpoint),
    /// The answers depend on the edition: this makes an endpoint for each.
    ByEdition(Arc<dyn Fn(Edition) -> BoxedEndpoint + Send + Sync>),
}

/// An endpoint, and the editions that judge its answers.
struct Judged {
    endpoint: BoxedEndpoint,
    confirmer: Confirmer,
    editions: Vec<Edition>,
}

impl Connection {
    fn open(self, editions: &[Edition]) -> Vec<Judged> {
        let judged = |endpoint: BoxedEndpoint, make, editions| {
            let confirmer = Confirmer::new(make, endpoint.starts_anew());
            Judged { endpoint, confirmer, editions }
        };
        match self {
            Connection::Shared(endpoint, make) => vec![judged(endpoint, make, editions.to_vec())],
            Connection::ByEdition(make) => editions
                .iter()
                .map(|&edition| {
                    let make = Arc::clone(&make);
                    judged(make(edition), Box::new(move || make(edition)), vec![edition])
                })
                .collect(),
        }
    }
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
