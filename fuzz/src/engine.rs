//! The fuzzer: makes inputs, puts them to implementations, and minimises what departs.
//!
//! The work is cut into blocks of inputs, each made from the seed and its number alone. Blocks are worked on
//! side by side and judged in their order, so that the same seed finds the same, however many jobs there are.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use robotspec_reference::{Edition, Question, Ruling};

use crate::asking::Asking;
use crate::block::{Departed, Judged, block};
use crate::cost::cost;
use crate::examine::{Divergence, Examiner, Oracle, finding};
use crate::feature::{Features, features};
use crate::finding::{Class, Finding, class};
use crate::generate::Shares;
use crate::judge::Kind;
use crate::tally::Tally;
use robotspec::implementation::Implementation;
use robotspec_cases::suite::Request;

/// How many divergences that look alike are minimised.
const MINIMISED: u64 = 3;

/// How many blocks are worked on, for each job, beyond the last that is judged: a block that takes long does not let
/// the others pile up.
const AHEAD: u64 = 16;

/// How long after the end of the time that a run may take what was found is still minimised. The first finding is
/// told whenever it came.
const GRACE: Duration = Duration::from_secs(30);

/// Makes an implementation: each job has its own.
pub type Make = Box<dyn Fn() -> Box<dyn Implementation + Send> + Send + Sync>;

/// When to end.
#[derive(Debug, Clone, Copy)]
pub enum Limit {
    /// After so many checks.
    Runs(u64),
    /// After so long.
    Time(Duration),
}

/// What is to be done.
pub struct Plan {
    /// The editions that judge, or those that the implementations read.
    pub editions: Vec<Edition>,
    /// What all inputs are made from.
    pub seed: u64,
    /// When to end.
    pub limit: Limit,
    /// After how many findings to end.
    pub most_findings: Option<usize>,
    /// How many blocks are worked on at the same time.
    pub jobs: usize,
    /// Which kinds of inputs.
    pub shares: Shares,
    /// Another implementation that is taken for right, instead of the editions.
    pub against: Option<Make>,
    /// Whether to look, at the end, at how the time for an answer grows.
    pub looks_at_cost: bool,
}

/// What a run tells while it goes on.
#[derive(Debug)]
pub enum Progress<'r> {
    /// A finding that no other is like.
    Found(&'r Finding),
    /// So many checks were made.
    Checked(&'r Report),
}

/// What a run has found.
#[derive(Debug, Default)]
pub struct Report {
    /// How many checks were made, relations included; each implementation answers each.
    pub checks: u64,
    /// How many departed, for each class that was found.
    pub departed: BTreeMap<Class, u64>,
    /// How many more departed, and were not looked at, as the time was up.
    pub unexamined: u64,
    /// The findings, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// What was reached.
    pub tally: Tally,
    /// How often implementations answered otherwise than each other where the text leaves it open, with an example.
    pub open_ends: BTreeMap<Question, OpenEnd>,
    /// Implementations that could not be asked to the end, and why.
    pub incomplete: BTreeMap<String, String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A question that implementations answer in different ways.
#[derive(Debug, Clone)]
pub struct OpenEnd {
    /// How often that was seen, in the checks that were looked at.
    pub count: u64,
    /// A request.
    pub request: Request,
    /// Who says what.
    pub verdicts: Vec<(String, Ruling)>,
}

/// Runs until the limit is reached, or `stop` is set.
pub fn fuzz(
    plan: &Plan,
    subjects: &[Make],
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(Progress),
) -> Report {
    let started = Instant::now();
    let until = if let Limit::Time(time) = plan.limit { started.checked_add(time) } else { None };
    let pace = Pace { next: 0.into(), judged: 0.into(), ended: false.into(), until, stop };
    let (sender, receiver) = sync_channel(2 * plan.jobs.max(1));
    thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            let (sender, pace) = (sender.clone(), &pace);
            scope.spawn(move || work(plan, subjects, pace, &sender));
        }
        drop(sender);
        let report = collect(plan, subjects, started, &pace, &receiver, on_progress);
        pace.ended.store(true, Ordering::Relaxed);
        // A worker that waits to hand over a block finds nobody there, and ends.
        drop(receiver);
        report
    })
}

/// How far the work has come.
struct Pace<'s> {
    /// The number of the block that nobody has taken yet.
    next: AtomicU64,
    /// How many blocks are judged.
    judged: AtomicU64,
    ended: AtomicBool,
    /// When no further input is put to anybody.
    until: Option<Instant>,
    stop: &'s AtomicBool,
}

impl Pace<'_> {
    /// Whether to leave off, even in the midst of a block.
    fn is_over(&self) -> bool {
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        is_late || self.ended.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// The next block to work on, once it is not too far ahead; none at the end. There is one for each job.
    fn take(&self, jobs: usize) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        while number > self.judged.load(Ordering::Relaxed) + AHEAD * jobs as u64 {
            if self.is_over() {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        (number < jobs as u64 || !self.is_over()).then_some(number)
    }
}

/// Works on blocks until there is nobody to hand them to.
fn work(plan: &Plan, subjects: &[Make], pace: &Pace, sender: &SyncSender<(u64, Judged)>) {
    let mut implementations: Vec<_> = subjects.iter().map(|make| make()).collect();
    let mut oracle = oracle(plan);
    let mut asking = Asking::new(|| pace.is_over());
    while let Some(number) = pace.take(plan.jobs.max(1)) {
        let judged = block(plan, number, &mut implementations, &mut oracle, &mut asking);
        if sender.send((number, judged)).is_err() {
            break;
        }
    }
    implementations.iter_mut().for_each(|implementation| implementation.finish());
}

fn oracle(plan: &Plan) -> Oracle {
    match &plan.against {
        Some(make) => Oracle::Implementation(make()),
        None => Oracle::Text,
    }
}

/// Takes the blocks in their order, and minimises what is new.
fn collect(
    plan: &Plan,
    subjects: &[Make],
    started: Instant,
    pace: &Pace,
    receiver: &Receiver<(u64, Judged)>,
    on_progress: &mut dyn FnMut(Progress),
) -> Report {
    let mut collector = Collector {
        plan,
        pace,
        implementations: subjects.iter().map(|make| make()).collect(),
        oracle: oracle(plan),
        seen: HashMap::new(),
        report: Report::default(),
    };
    let mut waiting: BTreeMap<u64, Judged> = BTreeMap::new();
    let mut next = 0;
    'blocks: while let Ok((number, judged)) = receiver.recv() {
        waiting.insert(number, judged);
        while let Some(judged) = waiting.remove(&next) {
            next += 1;
            pace.judged.store(next, Ordering::Relaxed);
            collector.take(judged, on_progress);
            collector.report.elapsed = started.elapsed();
            on_progress(Progress::Checked(&collector.report));
            let is_done = matches!(plan.limit, Limit::Runs(runs) if collector.report.checks >= runs);
            // Where the time is up, what was asked by then still counts.
            if is_done || collector.is_over_early() {
                break 'blocks;
            }
        }
    }
    // Last, as what runs away in this process cannot be ended.
    if plan.looks_at_cost && !collector.is_over_early() {
        collector.take_cost(on_progress);
    }
    collector.implementations.iter_mut().for_each(|implementation| implementation.finish());
    collector.report
}

/// How a divergence looks before it is minimised.
type Look = (usize, Edition, Kind, String, String, &'static str);

struct Collector<'p> {
    plan: &'p Plan,
    pace: &'p Pace<'p>,
    implementations: Vec<Box<dyn Implementation + Send>>,
    oracle: Oracle,
    /// How often each look was seen, and the class that it turned out to be of.
    seen: HashMap<Look, (u64, Option<Class>)>,
    report: Report,
}

impl Collector<'_> {
    fn take(&mut self, judged: Judged, on_progress: &mut dyn FnMut(Progress)) {
        self.report.checks += judged.checks;
        self.report.tally.extend(&judged.tally);
        self.report.incomplete.extend(judged.incomplete);
        for (question, open_end) in judged.open_ends {
            let entry = self.report.open_ends.entry(question);
            entry.and_modify(|known| known.count += 1).or_insert(open_end);
        }
        for departed in judged.departed {
            if self.is_over_early() {
                return;
            }
            let is_late = self.minimise_until().is_some_and(|until| Instant::now() >= until);
            if is_late && !self.report.findings.is_empty() {
                self.report.unexamined += 1;
                continue;
            }
            self.take_departed(departed, on_progress);
        }
    }

    /// Whether to end before all is done.
    fn is_over_early(&self) -> bool {
        let has_enough = self.plan.most_findings.is_some_and(|most| self.report.findings.len() >= most);
        has_enough || self.pace.stop.load(Ordering::Relaxed)
    }

    /// Takes what grows too fast.
    fn take_cost(&mut self, on_progress: &mut dyn FnMut(Progress)) {
        let Some(&edition) = self.plan.editions.last() else { return };
        for implementation in &mut self.implementations {
            let name = implementation.info().name;
            for divergence in cost(implementation.as_mut(), edition) {
                let class = class(&name, &divergence);
                let count = self.report.departed.entry(class.clone()).or_default();
                *count += 1;
                if *count > 1 {
                    continue;
                }
                let Divergence { edition, request, expected, got, .. } = divergence;
                let (after, first_seen) = (self.report.checks, request.clone());
                let editions = vec![edition];
                let finding = Finding { class, edition, editions, request, expected, got, after, first_seen };
                on_progress(Progress::Found(&finding));
                self.report.findings.push(finding);
            }
        }
    }

    /// When findings are left as they are.
    fn minimise_until(&self) -> Option<Instant> {
        self.pace.until?.checked_add(GRACE)
    }

    fn take_departed(
        &mut self,
        Departed { subject, divergence }: Departed,
        on_progress: &mut dyn FnMut(Progress),
    ) {
        let all: Features = features(divergence.edition, &divergence.request);
        let look = (
            subject,
            divergence.edition,
            divergence.kind,
            divergence.expected.to_string(),
            divergence.got.clone(),
            all.clause(divergence.edition),
        );
        let (times, known) = self.seen.entry(look.clone()).or_default();
        *times += 1;
        if *times > MINIMISED {
            if let Some(class) = known {
                *self.report.departed.entry(class.clone()).or_default() += 1;
            }
            return;
        }
        let until = self.minimise_until();
        let implementation = self.implementations[subject].as_mut();
        let mut examiner = Examiner { implementation, oracle: &mut self.oracle, until };
        let after = self.report.checks;
        let Some(finding) = finding(&mut examiner, &self.plan.editions, &divergence, after) else { return };
        if let Some((_, known)) = self.seen.get_mut(&look) {
            *known = Some(finding.class.clone());
        }
        let count = self.report.departed.entry(finding.class.clone()).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        on_progress(Progress::Found(&finding));
        self.report.findings.push(finding);
    }
}
