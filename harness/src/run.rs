//! The runner: puts every check to every implementation, judges the answers,
//! and tells what happens as a stream of events.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;

use robotspec_reference::Edition;

use crate::event::{CheckFinished, EditionId, Event, FORMAT, Judged, Status, Totals};
use crate::implementation::{Answer, BatchRequest, Fault, Implementation, Query, answer_alone};
use crate::judge::{Got, Single, describe, judge, wants_plain_requests};
use crate::known::KnownFailures;
use crate::likely::Inquiry;
use robotspec_cases::shard::Shard;
use robotspec_cases::suite::{Check, Request, built_in, checks};

/// An implementation under test.
pub struct Subject {
    /// What is asked.
    pub implementation: Box<dyn Implementation + Send>,
    /// What it is known to get wrong.
    pub known: KnownFailures,
}

/// What is asked, and who judges.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The checks, those that share a file next to each other.
    pub checks: Vec<Check>,
    /// The editions that judge.
    pub editions: Vec<Edition>,
    /// The editions that lists of known failures are about, where these are all
    /// checks of `editions`: only then can a list be found to name too much.
    pub lists_are_about: Option<Vec<Edition>>,
    /// Which share of the checks these are, if they are not all.
    pub shard: Option<Shard>,
    /// How many implementations are asked at the same time.
    pub jobs: usize,
}

/// The exit code where an implementation could not be run.
pub const INCOMPLETE: u8 = 3;

/// Every row inside this program.
static ROWS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let suites = built_in().unwrap_or_default();
    checks(&suites, false).into_iter().map(|check| check.row).collect()
});

/// How a run came out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// All implementations and editions together.
    pub totals: Totals,
    /// Failures that no list knows.
    pub unexpected: usize,
    /// Entries of lists of known failures that are not so.
    pub stale: usize,
    /// Whether an implementation could not be asked everything.
    pub is_incomplete: bool,
}

impl Outcome {
    /// 0 where all is as expected, 1 where it is not, 3 where an
    /// implementation could not be run.
    pub fn exit_code(&self) -> u8 {
        if self.is_incomplete { INCOMPLETE } else { u8::from(self.unexpected > 0 || self.stale > 0) }
    }

    /// The event that ends a run.
    pub fn event(&self) -> Event {
        Event::RunFinished {
            totals: self.totals.clone(),
            unexpected: self.unexpected,
            stale: self.stale,
            exit_code: self.exit_code(),
        }
    }
}

/// Runs a plan. Events come in the order of the subjects and the checks,
/// however many run at the same time.
pub fn run(plan: &Plan, subjects: Vec<Subject>, on_event: &mut dyn FnMut(&Event)) -> Outcome {
    on_event(&Event::RunStarted {
        format: FORMAT,
        robotspec: env!("CARGO_PKG_VERSION").to_owned(),
        editions: plan.editions.iter().copied().map(EditionId).collect(),
        checks: plan.checks.len(),
        shard: plan.shard,
    });
    let mut outcome = Outcome::default();
    let mut tell = |event: &Event| {
        if let Event::ImplementationFinished { totals, stale_known_failures, .. } = event {
            totals.values().for_each(|totals| outcome.totals.extend(totals));
            outcome.stale += stale_known_failures.len();
        }
        on_event(event);
    };
    in_order(plan, subjects, &mut tell);
    outcome.unexpected = outcome.totals.new_failures();
    outcome.is_incomplete = outcome.totals.of(Status::NotRun) > 0;
    on_event(&outcome.event());
    outcome
}

/// Runs subjects side by side, and tells their events one subject after the
/// other.
fn in_order(plan: &Plan, subjects: Vec<Subject>, on_event: &mut dyn FnMut(&Event)) {
    let count = subjects.len();
    let waiting: Mutex<VecDeque<(usize, Subject)>> = Mutex::new(subjects.into_iter().enumerate().collect());
    let (sender, receiver) = mpsc::channel::<(usize, Event)>();
    thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, count.max(1)) {
            let (sender, waiting) = (sender.clone(), &waiting);
            scope.spawn(move || {
                let take = || waiting.lock().ok()?.pop_front();
                while let Some((index, subject)) = take() {
                    let inquiry = Inquiry::default();
                    SubjectRun { plan, index, events: &sender, known: subject.known, inquiry }
                        .run(subject.implementation);
                }
            });
        }
        drop(sender);
        let mut held: Vec<Vec<Event>> = vec![Vec::new(); count];
        let mut current = 0;
        for (index, event) in receiver {
            held[index].push(event);
            while let Some(events) = held.get_mut(current) {
                let mut is_finished = false;
                for event in events.drain(..) {
                    is_finished = matches!(event, Event::ImplementationFinished { .. });
                    on_event(&event);
                }
                if !is_finished {
                    break;
                }
                current += 1;
            }
        }
    });
}

/// A request, and the checks that its answer is for.
struct Batch {
    request: BatchRequest,
    checks: Vec<usize>,
}

struct SubjectRun<'p> {
    plan: &'p Plan,
    index: usize,
    events: &'p Sender<(usize, Event)>,
    known: KnownFailures,
    inquiry: Inquiry<'p>,
}

impl<'p> SubjectRun<'p> {
    fn run(mut self, mut implementation: Box<dyn Implementation + Send>) {
        let info = implementation.info();
        let name = info.name.clone();
        self.tell(Event::ImplementationStarted { info });
        let totals = self.judge_all(&name, implementation.as_mut());
        implementation.finish();
        self.tell_incidents(&name, implementation.as_mut());
        for likely in self.inquiry.causes() {
            self.tell(Event::LikelyCause { implementation: name.clone(), likely });
        }
        let stale_known_failures = match &self.plan.lists_are_about {
            Some(about) => self.known.stale(&self.plan.editions, about, |row| ROWS.contains(row)),
            None => Vec::new(),
        };
        self.tell(Event::ImplementationFinished { implementation: name, totals, stale_known_failures });
    }

    fn tell(&self, event: Event) {
        // The receiver outlives this thread.
        let _ = self.events.send((self.index, event));
    }

    fn tell_incidents(&mut self, name: &str, implementation: &mut dyn Implementation) {
        for incident in implementation.incidents() {
            self.inquiry.take_incident(&incident);
            self.tell(Event::Incident { implementation: name.to_owned(), incident });
        }
    }

    fn judge_all(
        &mut self,
        name: &str,
        implementation: &mut dyn Implementation,
    ) -> BTreeMap<EditionId, Totals> {
        let plan = self.plan;
        let editions = &plan.editions;
        let mut totals: BTreeMap<EditionId, Totals> =
            editions.iter().map(|&edition| (EditionId(edition), Totals::default())).collect();
        let depends_on_edition = editions.first().is_some_and(|&first| implementation.read_as(first));
        let checks: Vec<usize> = (0..plan.checks.len()).collect();
        if !depends_on_edition {
            let mut pending = Pending::new(checks.len());
            ask(&plan.checks, &checks, implementation, &mut |check, got, implementation| {
                self.tell_incidents(name, implementation);
                for (check, got) in pending.take_in_order(check, got) {
                    let got = editions.iter().map(|&edition| (edition, &got));
                    self.judge(name, &plan.checks[check], got, &mut totals);
                }
            });
            return totals;
        }
        let mut by_edition: Vec<Vec<Option<Got>>> = Vec::new();
        for &edition in editions {
            implementation.read_as(edition);
            let judged_here: Vec<usize> = checks
                .iter()
                .copied()
                .filter(|&check| plan.checks[check].expected.contains_key(&edition))
                .collect();
            let mut answers: Vec<Option<Got>> = vec![None; checks.len()];
            ask(&plan.checks, &judged_here, implementation, &mut |check, got, implementation| {
                self.tell_incidents(name, implementation);
                answers[check] = Some(got);
            });
            by_edition.push(answers);
        }
        for check in checks {
            let got = editions.iter().zip(&by_edition);
            let got = got.filter_map(|(&edition, answers)| Some((edition, answers[check].as_ref()?)));
            self.judge(name, &plan.checks[check], got, &mut totals);
        }
        totals
    }

    /// Judges an answer in each edition that has an expectation for it.
    fn judge<'g>(
        &mut self,
        name: &str,
        check: &'p Check,
        got: impl Iterator<Item = (Edition, &'g Got)>,
        totals: &mut BTreeMap<EditionId, Totals>,
    ) {
        let mut editions = BTreeMap::new();
        for (edition, got) in got {
            let Some(expected) = check.expected.get(&edition) else { continue };
            let wants_plain_requests = wants_plain_requests(check);
            let status = judge(expected, got, wants_plain_requests);
            let known = self.known.judge(&check.row, check.variant, edition, status.is_failure());
            let reason = known.then(|| self.known.reason(&check.row, check.variant, edition)).flatten();
            let judged = Judged {
                status,
                expected: expected.to_string(),
                got: describe(got, wants_plain_requests),
                known,
                reason: reason.map(str::to_owned),
            };
            totals.entry(EditionId(edition)).or_default().add(&judged);
            editions.insert(EditionId(edition), judged);
        }
        if editions.is_empty() {
            return;
        }
        let finished = CheckFinished {
            implementation: name.to_owned(),
            id: check.id.clone(),
            clause: check.clauses.first().map(|clause| clause.id.clone()).unwrap_or_default(),
            editions,
        };
        self.inquiry.take(check, &finished);
        self.tell(Event::CheckFinished(finished));
    }
}

/// Answers that have come before those of earlier checks.
struct Pending {
    next: usize,
    early: BTreeMap<usize, Got>,
    count: usize,
}

impl Pending {
    fn new(count: usize) -> Self {
        Pending { next: 0, early: BTreeMap::new(), count }
    }

    /// Takes an answer, and gives those that are next in order.
    fn take_in_order(&mut self, check: usize, got: Got) -> Vec<(usize, Got)> {
        self.early.insert(check, got);
        let mut ready = Vec::new();
        while self.next < self.count {
            let Some(got) = self.early.remove(&self.next) else { break };
            ready.push((self.next, got));
            self.next += 1;
        }
        ready
    }
}

/// Asks for the checks, and hands over what came of each, once.
fn ask(
    checks: &[Check],
    selected: &[usize],
    implementation: &mut dyn Implementation,
    on_answer: &mut dyn FnMut(usize, Got, &mut dyn Implementation),
) {
    let batches = batches(checks, selected);
    let requests: Vec<BatchRequest> = batches.iter().map(|batch| batch.request.clone()).collect();
    let mut unanswered: Vec<bool> = vec![true; batches.len()];
    let mut to_split: Vec<(usize, Fault)> = Vec::new();
    let mut answers: Vec<(usize, Vec<(usize, Got)>)> = Vec::new();
    implementation.answer_all(&requests, &mut |index, answer| {
        if !std::mem::take(&mut unanswered[index]) {
            return;
        }
        let batch = &batches[index];
        match answer {
            Err(fault) if batch.checks.len() > 1 && may_be_anothers(&fault) => to_split.push((index, fault)),
            answer => answers.push((index, split(batch, answer))),
        }
    });
    for (index, batch) in batches.iter().enumerate().filter(|&(index, _)| unanswered[index]) {
        answers.push((index, split(batch, Err(Fault::NotRun("it was not answered".to_owned())))));
    }
    // A file and its twin are asked about in this order, one next to the other.
    answers.sort_by_key(|&(index, _)| index);
    let mut of_file: Option<Got> = None;
    for (check, got) in answers.into_iter().flat_map(|(_, answers)| answers) {
        let got = match (&checks[check].request, of_file.take()) {
            (Request::Alike { .. }, None) => {
                of_file = Some(got);
                continue;
            }
            (Request::Alike { .. }, Some(of_file)) => both(of_file, got),
            (_, _) => got,
        };
        on_answer(check, got, implementation);
    }
    // Which of the queries about a file was to blame shows when each is asked alone.
    for (index, fault) in to_split {
        for single in batches[index].singles() {
            let got = match answer_alone(implementation, &single.request) {
                Err(Fault::NotRun(_)) => Err(fault.clone()),
                answer => split(&single, answer).pop().map_or_else(|| Err(fault.clone()), |(_, got)| got),
            };
            on_answer(single.checks[0], got, implementation);
        }
    }
}

/// What came of a file and of its twin.
fn both(of_file: Got, of_twin: Got) -> Got {
    match (of_file?, of_twin?) {
        (Single::Verdict(of_file), Single::Verdict(of_twin)) => Ok(Single::Verdicts(of_file, of_twin)),
        _ => Err(Fault::Protocol("that is no answer to this request".to_owned())),
    }
}

/// Whether one query of a request may have brought this on the others. What
/// took too long is not asked again: it would take too long once more for
/// each of its queries.
fn may_be_anothers(fault: &Fault) -> bool {
    matches!(fault, Fault::Crash(_) | Fault::Protocol(_))
}

fn batches(checks: &[Check], selected: &[usize]) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for &check in selected {
        let request = match &checks[check].request {
            Request::Match { robots, agent, url } => {
                let query = Query { agent: agent.clone(), url: url.clone() };
                if let Some(Batch { request: BatchRequest::Match { robots: same, queries }, checks: asked }) =
                    batches.last_mut()
                    && same == robots
                    && asked.iter().all(|&asked| matches!(checks[asked].request, Request::Match { .. }))
                {
                    queries.push(query);
                    asked.push(check);
                    continue;
                }
                BatchRequest::Match { robots: robots.clone(), queries: vec![query] }
            }
            Request::Alike { robots, twin, agent, url } => {
                let about = |file: &Arc<[u8]>| BatchRequest::Match {
                    robots: file.clone(),
                    queries: vec![Query { agent: agent.clone(), url: url.clone() }],
                };
                batches.push(Batch { request: about(robots), checks: vec![check] });
                about(twin)
            }
            Request::Sitemaps { robots } => BatchRequest::Sitemaps { robots: robots.clone() },
            Request::Scope { robots_url, url } => {
                BatchRequest::Scope { robots_url: robots_url.clone(), url: url.clone() }
            }
            Request::Access { visits, agent, paths } => {
                BatchRequest::Access { visits: visits.clone(), agent: agent.clone(), paths: paths.clone() }
            }
            Request::Grammar { text } => BatchRequest::Grammar { text: text.clone() },
        };
        batches.push(Batch { request, checks: vec![check] });
    }
    batches
}

impl Batch {
    /// The same with one query a request.
    fn singles(&self) -> Vec<Batch> {
        let BatchRequest::Match { robots, queries } = &self.request else { return Vec::new() };
        let single = |(query, &check): (&Query, &usize)| Batch {
            request: BatchRequest::Match { robots: robots.clone(), queries: vec![query.clone()] },
            checks: vec![check],
        };
        queries.iter().zip(&self.checks).map(single).collect()
    }
}

/// What an answer to a batch is to each of its checks.
fn split(batch: &Batch, answer: Result<Answer, Fault>) -> Vec<(usize, Got)> {
    let each = |got: &dyn Fn(usize) -> Got| {
        batch.checks.iter().enumerate().map(|(at, &check)| (check, got(at))).collect()
    };
    match answer {
        Ok(Answer::Verdicts(verdicts)) if verdicts.len() == batch.checks.len() => {
            each(&|at| Ok(Single::Verdict(verdicts[at].clone())))
        }
        Ok(Answer::Verdicts(verdicts)) => {
            let message = format!("there are {} verdicts for {} checks", verdicts.len(), batch.checks.len());
            each(&|_| Err(Fault::Protocol(message.clone())))
        }
        Ok(Answer::Sitemaps(urls)) => each(&|_| Ok(Single::Sitemaps(urls.clone()))),
        Ok(Answer::Governs(governs)) => each(&|_| Ok(Single::Governs(governs))),
        Ok(Answer::Accessed(accessed)) => each(&|_| {
            let BatchRequest::Access { paths, .. } = &batch.request else {
                return Err(Fault::Protocol("that is no answer to this request".to_owned()));
            };
            if accessed.verdicts.len() != paths.len() {
                let message =
                    format!("there are {} verdicts for {} paths", accessed.verdicts.len(), paths.len());
                return Err(Fault::Protocol(message));
            }
            Ok(Single::Accessed { paths: paths.clone(), accessed: accessed.clone() })
        }),
        Ok(Answer::Derived(derived)) => each(&|_| Ok(Single::Derived(derived))),
        Err(fault) => each(&|_| Err(fault.clone())),
    }
}
