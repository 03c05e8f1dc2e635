//! The fuzzer: makes inputs, puts them to implementations, and minimises what departs.
//!
//! The work is cut into blocks of inputs, each made from the seed and its number alone. Blocks are worked on
//! side by side and judged in their order, so that the same seed finds the same, however many jobs there are.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};

use crate::fuzz::cost::cost;
use crate::fuzz::examine::{Divergence, Examiner, Oracle, answers};
use crate::fuzz::feature::{Features, features};
use crate::fuzz::finding::{Class, Finding, class};
use crate::fuzz::generate::{self, OCTETS, Shares};
use crate::fuzz::judge::{self, Kind};
use crate::fuzz::reduce::reduce;
use crate::fuzz::relation::Relation;
use crate::fuzz::tally::Tally;
use crate::implementation::{Answer, BatchRequest, Fault, Implementation};
use crate::suite::{Expected, Request};

/// How many inputs a block has.
const BLOCK: usize = 64;

/// One block in so many is looked at more closely, to tell what was reached.
const SAMPLED: u64 = 16;

/// How many divergences that look alike are minimised.
const MINIMISED: u64 = 3;

/// How many blocks are worked on, for each job, beyond the last that is judged: a block that takes long does not let
/// the others pile up.
const AHEAD: u64 = 16;

/// One file in so many is also asked about in another form that means the same.
const RELATED: u64 = 5;

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

/// What came of a block.
#[derive(Default)]
struct Judged {
    checks: u64,
    departed: Vec<Departed>,
    tally: Tally,
    open_ends: Vec<(Question, OpenEnd)>,
    incomplete: Vec<(String, String)>,
}

/// A divergence, and whose it is.
struct Departed {
    subject: usize,
    divergence: Divergence,
}

/// Runs until the limit is reached, or `stop` is set.
pub fn fuzz(
    plan: &Plan,
    subjects: &[Make],
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(Progress),
) -> Report {
    let pace = Pace::default();
    let (sender, receiver) = sync_channel(2 * plan.jobs.max(1));
    thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            let (sender, pace) = (sender.clone(), &pace);
            scope.spawn(move || work(plan, subjects, pace, &sender));
        }
        drop(sender);
        let report = collect(plan, subjects, stop, &pace, &receiver, on_progress);
        pace.ended.store(true, Ordering::Relaxed);
        // A worker that waits to hand over a block finds nobody there, and ends.
        drop(receiver);
        report
    })
}

/// How far the work has come.
#[derive(Default)]
struct Pace {
    /// The number of the block that nobody has taken yet.
    next: AtomicU64,
    /// How many blocks are judged.
    judged: AtomicU64,
    ended: AtomicBool,
}

impl Pace {
    /// The next block to work on, once it is not too far ahead; none at the end.
    fn take(&self, jobs: usize) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        while number > self.judged.load(Ordering::Relaxed) + AHEAD * jobs as u64 {
            if self.ended.load(Ordering::Relaxed) {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        (!self.ended.load(Ordering::Relaxed)).then_some(number)
    }
}

/// Works on blocks until there is nobody to hand them to.
fn work(plan: &Plan, subjects: &[Make], pace: &Pace, sender: &SyncSender<(u64, Judged)>) {
    let mut implementations: Vec<_> = subjects.iter().map(|make| make()).collect();
    let mut oracle = oracle(plan);
    while let Some(number) = pace.take(plan.jobs.max(1)) {
        let judged = block(plan, number, &mut implementations, &mut oracle);
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

/// The inputs of a block, and which of them mean the same.
struct Inputs {
    requests: Vec<BatchRequest>,
    /// Two requests and the relation between them.
    related: Vec<(usize, usize, Relation)>,
}

fn inputs(plan: &Plan, number: u64) -> Inputs {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(number);
    let mut octets = [0; OCTETS];
    let mut requests = Vec::with_capacity(BLOCK + BLOCK / 4);
    let mut related = Vec::new();
    let relations: Vec<Relation> = Relation::all().collect();
    for _ in 0..BLOCK {
        random.fill_bytes(&mut octets);
        requests.push(generate::input(&octets, plan.shares));
        let (place, draw) = (requests.len() - 1, random.next_u64());
        if draw % RELATED != 0 || plan.against.is_some() {
            continue;
        }
        let relation = relations[(draw / RELATED) as usize % relations.len()];
        if let BatchRequest::Match { robots, queries } = &requests[place]
            && plan.editions.iter().any(|&edition| relation.holds_in(edition))
            && let Some(twin) = relation.rewrite(robots)
        {
            let queries = queries.clone();
            requests.push(BatchRequest::Match { robots: twin, queries });
            related.push((place, place + 1, relation));
        }
    }
    Inputs { requests, related }
}

fn block(
    plan: &Plan,
    number: u64,
    implementations: &mut [Box<dyn Implementation + Send>],
    oracle: &mut Oracle,
) -> Judged {
    let Inputs { requests, related } = inputs(plan, number);
    let mut judged =
        Judged { checks: requests.iter().map(judge::queries).sum::<usize>() as u64, ..Judged::default() };
    let expected: Vec<Vec<Vec<Expected>>> =
        plan.editions.iter().map(|&edition| oracle.expectations(edition, &requests)).collect();
    if number.is_multiple_of(SAMPLED) {
        requests.iter().for_each(|request| judged.tally.add(plan.editions[plan.editions.len() - 1], request));
    }
    let mut all_answers = Vec::new();
    for (subject, implementation) in implementations.iter_mut().enumerate() {
        let depends_on_edition = implementation.read_as(plan.editions[0]);
        let mut answered = Vec::new();
        for (place, &edition) in plan.editions.iter().enumerate() {
            if place == 0 || depends_on_edition {
                implementation.read_as(edition);
                answered = answers(implementation.as_mut(), &requests);
            }
            judged.take(subject, edition, &requests, &expected[place], &answered, oracle);
            judged.take_related(subject, edition, &requests, &related, &answered);
        }
        if let Some(Fault::NotRun(reason)) = answered
            .iter()
            .find_map(|answer| answer.as_ref().err().filter(|fault| matches!(fault, Fault::NotRun(_))))
        {
            judged.incomplete.push((implementation.info().name, reason.clone()));
        }
        all_answers.push((implementation.info().name, answered));
    }
    // What has the least that is out of the ordinary shows best what is wrong.
    judged.departed.sort_by_key(|Departed { divergence, .. }| {
        features(divergence.edition, &divergence.request).clauses().count()
    });
    if all_answers.len() > 1 {
        let edition = plan.editions[plan.editions.len() - 1];
        judged.compare(edition, &requests, &expected[plan.editions.len() - 1], &all_answers);
    }
    judged
}

impl Judged {
    /// Takes what departs from what is expected.
    fn take(
        &mut self,
        subject: usize,
        edition: Edition,
        requests: &[BatchRequest],
        expected: &[Vec<Expected>],
        answered: &[Result<Answer, Fault>],
        oracle: &Oracle,
    ) {
        for ((request, expected), answer) in requests.iter().zip(expected).zip(answered) {
            for (place, expected) in expected.iter().enumerate() {
                let got = judge::got(request, answer, place);
                if let (Expected::Ruling(ruling), Some(verdict)) = (expected, judge::verdict(&got))
                    && (verdict == *ruling || *ruling == Ruling::Unspecified)
                {
                    continue;
                }
                let Some(kind) = judge::departs(expected, &got) else { continue };
                let kind = match oracle {
                    Oracle::Implementation(_) if kind == Kind::Violation => Kind::Disagreement,
                    _ => kind,
                };
                let single = judge::single(request, place);
                if kind == Kind::Violation && !judge::is_certain(edition, &single, expected) {
                    continue;
                }
                let divergence = Divergence {
                    edition,
                    kind,
                    request: single,
                    expected: expected.clone(),
                    got: judge::told(&got),
                };
                self.departed.push(Departed { subject, divergence });
            }
        }
    }

    /// Takes what is answered differently in two files that mean the same.
    fn take_related(
        &mut self,
        subject: usize,
        edition: Edition,
        requests: &[BatchRequest],
        related: &[(usize, usize, Relation)],
        answered: &[Result<Answer, Fault>],
    ) {
        for &(a, b, relation) in related.iter().filter(|(.., relation)| relation.holds_in(edition)) {
            for place in 0..judge::queries(&requests[a]) {
                let verdict =
                    |index: usize| judge::verdict(&judge::got(&requests[index], &answered[index], place));
                if let (Some(before), Some(after)) = (verdict(a), verdict(b))
                    && before != after
                {
                    let divergence = Divergence {
                        edition,
                        kind: Kind::Relation(relation),
                        request: judge::single(&requests[a], place),
                        expected: Expected::Ruling(before),
                        got: after.to_string(),
                    };
                    self.departed.push(Departed { subject, divergence });
                }
            }
        }
    }

    /// Notes where implementations part and the text does not say who is right. Which question it is costs
    /// more than all the rest, so a block tells of one.
    fn compare(
        &mut self,
        edition: Edition,
        requests: &[BatchRequest],
        expected: &[Vec<Expected>],
        all_answers: &[(String, Vec<Result<Answer, Fault>>)],
    ) {
        for (index, request) in requests.iter().enumerate() {
            for (place, expected) in expected[index].iter().enumerate() {
                if *expected != Expected::Ruling(Ruling::Unspecified) {
                    continue;
                }
                let verdicts: Vec<(String, Ruling)> = all_answers
                    .iter()
                    .filter_map(|(name, answers)| {
                        Some((name.clone(), judge::verdict(&judge::got(request, &answers[index], place))?))
                    })
                    .collect();
                if verdicts.windows(2).all(|pair| pair[0].1 == pair[1].1) {
                    continue;
                }
                let request = judge::single(request, place);
                let Request::Match { robots, agent, url } = &request else { continue };
                let Ok(explanation) = RobotsTxt::parse(robots).explain(edition, agent, url) else { continue };
                if let [doubt] = &explanation.doubts[..] {
                    let open_end = OpenEnd { count: 1, request: request.clone(), verdicts };
                    self.open_ends.push((doubt.question, open_end));
                    return;
                }
            }
        }
    }
}

/// Takes the blocks in their order, and minimises what is new.
fn collect(
    plan: &Plan,
    subjects: &[Make],
    stop: &AtomicBool,
    pace: &Pace,
    receiver: &Receiver<(u64, Judged)>,
    on_progress: &mut dyn FnMut(Progress),
) -> Report {
    let started = Instant::now();
    let mut collector = Collector {
        plan,
        started,
        stop,
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
            if is_done || collector.is_over() {
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
    started: Instant,
    stop: &'p AtomicBool,
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
            if self.is_over() {
                return;
            }
            self.take_departed(departed, on_progress);
        }
    }

    /// Whether to end before all is done.
    fn is_over_early(&self) -> bool {
        let has_enough = self.plan.most_findings.is_some_and(|most| self.report.findings.len() >= most);
        has_enough || self.stop.load(Ordering::Relaxed)
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

    /// Whether to end at once, and not only after so many checks.
    fn is_over(&self) -> bool {
        let is_late = matches!(self.plan.limit, Limit::Time(time) if self.started.elapsed() >= time);
        is_late || self.is_over_early()
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
        let first_seen = divergence.request.clone();
        let implementation = self.implementations[subject].as_mut();
        let name = implementation.info().name;
        let mut examiner = Examiner { implementation, oracle: &mut self.oracle };
        // What does not show again, asked alone, was another query's doing: that one shows by itself.
        let Some((_, divergence)) = examiner.first_like(&divergence, std::slice::from_ref(&first_seen))
        else {
            return;
        };
        let minimal = reduce(&mut examiner, divergence);
        let class = class(&name, &minimal);
        if let Some((_, known)) = self.seen.get_mut(&look) {
            *known = Some(class.clone());
        }
        let count = self.report.departed.entry(class.clone()).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        let breaks = |edition: &Edition| {
            let seen = examiner.examine(*edition, minimal.kind, std::slice::from_ref(&minimal.request));
            seen.iter().any(Option::is_some)
        };
        let editions = match self.plan.against {
            Some(_) => vec![minimal.edition],
            None => self.plan.editions.iter().copied().filter(breaks).collect(),
        };
        let Divergence { edition, request, expected, got, .. } = minimal;
        let after = self.report.checks;
        let finding = Finding { class, edition, editions, request, expected, got, after, first_seen };
        on_progress(Progress::Found(&finding));
        self.report.findings.push(finding);
    }
}
