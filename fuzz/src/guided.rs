//! The engine behind a fuzzer that makes its own inputs, such as one that is guided by coverage.
//!
//! To judge an input is quick, and is all that happens while that fuzzer measures an input. To minimise a divergence is
//! slow, so divergences wait until [`minimise`](Guided::minimise). It uses other endpoints, with a time limit, because
//! parts of an input that hangs may hang too.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use robotspec::{
    Answer, Batch, BatchAnswer, Endpoint, Fault, InProcess, Info, Parser, SUBJECT_THREAD, Verdict,
};
use robotspec_cases::Expected;
use robotspec_reference::Edition;

use crate::deadline::Deadline;
use crate::explain::cause::Agreements;
use crate::explain::finding::{Class, Finding};
use crate::feature::features;
use crate::minimise::again::Examiner;
use crate::oracle::divergence::Divergence;
use crate::oracle::expectation::expect_batch;
use crate::oracle::kind::FindingKind;
use crate::oracle::{Oracle, is_certain, judge};
use crate::search::examine::{Examined, examine};
use crate::send::{answer_at, send};

/// How many divergences that look alike are minimised.
const MINIMISED: u64 = 3;

/// After this many divergences that look alike, only one in this many is examined.
const OFTEN: u64 = 32;

/// How many divergences may wait to be minimised. Others will be seen again.
const MAX_WAITING: usize = 256;

/// How long an answer may take while a divergence is minimised.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time that each part of the work took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    /// The reference.
    pub reference: Duration,
    /// The implementations.
    pub implementations: Duration,
    /// The comparison of their answers.
    pub judging: Duration,
    /// Minimising.
    pub minimising: Duration,
}

/// Implementations, and the divergences that they showed.
pub struct Guided {
    editions: Vec<Edition>,
    subjects: Vec<Subject>,
    oracle: Oracle,
    seen: HashMap<Look, Seen>,
    classes: BTreeSet<Class>,
    waiting: Vec<(usize, Divergence)>,
    checks: u64,
    spent: Spent,
}

/// An implementation under test.
pub struct Subject {
    /// Answers the inputs.
    direct: Box<dyn Endpoint + Send>,
    /// Answers while a divergence is minimised.
    limited: Box<dyn Endpoint + Send>,
    /// What is known of the causes of its divergences.
    agreements: Agreements,
}

impl Subject {
    /// Returns a parser in this process.
    pub fn parser(make: impl Fn() -> Box<dyn Parser + Send> + Send + Sync + 'static) -> Self {
        let direct = Box::new(Direct(make()));
        Subject::new(direct, Box::new(InProcess::new(make, PATIENCE)))
    }

    /// Returns an endpoint that limits the time for an answer itself.
    pub fn endpoint(make: impl Fn() -> Box<dyn Endpoint + Send>) -> Self {
        Subject::new(make(), make())
    }

    fn new(direct: Box<dyn Endpoint + Send>, limited: Box<dyn Endpoint + Send>) -> Self {
        Subject { direct, limited, agreements: Agreements::default() }
    }
}

/// A parser that answers in the calling thread.
struct Direct(Box<dyn Parser + Send>);

impl Endpoint for Direct {
    fn info(&self) -> Info {
        Parser::info(self.0.as_ref())
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        self.0.answer(batches, on_answer);
    }
}

/// What a divergence looks like before it is minimised. The answer is a part of it for verdicts alone: the message of a
/// crash contains numbers of the input. All time-outs look alike.
type Look = (usize, Edition, FindingKind, Option<Answer>, Option<&'static str>);

/// How often a divergence was seen.
#[derive(Default)]
struct Seen {
    times: u64,
    /// How often it waited to be minimised.
    waited: u64,
}

impl Seen {
    /// Returns whether to examine it once more. Whether the edition is certain costs more than all other steps; where
    /// it was not for so many divergences, it rarely is.
    fn is_worthwhile(&mut self) -> bool {
        self.times += 1;
        self.waited < MINIMISED && (self.times <= OFTEN || self.times.is_multiple_of(OFTEN))
    }
}

thread_local! {
    static IS_ANSWERING: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread runs an implementation under test. A panic is then a finding, so a panic hook has
/// neither to report it nor to end the process.
pub fn is_answering() -> bool {
    IS_ANSWERING.get() || std::thread::current().name() == Some(SUBJECT_THREAD)
}

impl Guided {
    /// Judges implementations by editions.
    pub fn new(editions: Vec<Edition>, subjects: Vec<Subject>) -> Self {
        Guided {
            editions,
            subjects,
            oracle: Oracle::Editions,
            seen: HashMap::new(),
            classes: BTreeSet::new(),
            waiting: Vec::new(),
            checks: 0,
            spent: Spent::default(),
        }
    }

    /// Returns the time that each part of the work took so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Sends a batch to all implementations, and keeps the divergences.
    ///
    /// Returns a number for each query and edition that stands for the combination of what is expected and what each
    /// implementation answered. A guided fuzzer keeps an input with a new combination, even of implementations whose
    /// coverage it cannot measure.
    pub fn judge(&mut self, batch: &Batch) -> Vec<u64> {
        let mut combinations = Vec::new();
        let started = Instant::now();
        let expected = expect_batch(&self.editions, batch);
        self.spent.reference += started.elapsed();
        for ((place, edition), expected) in self.editions.clone().into_iter().enumerate().zip(expected) {
            self.checks += expected.len() as u64;
            let from = combinations.len();
            combinations.extend(expected.iter().map(|expected| place as u64 * 7 + expected_code(expected)));
            for subject in 0..self.subjects.len() {
                self.judge_subject(subject, edition, batch, &expected, &mut combinations[from..]);
            }
        }
        combinations
    }

    fn judge_subject(
        &mut self,
        subject: usize,
        edition: Edition,
        batch: &Batch,
        expected: &[Expected],
        combinations: &mut [u64],
    ) {
        let started = Instant::now();
        let endpoint = self.subjects[subject].direct.as_mut();
        IS_ANSWERING.set(true);
        let answer = send(endpoint, std::slice::from_ref(batch)).remove(0);
        IS_ANSWERING.set(false);
        let answered = Instant::now();
        self.spent.implementations += answered - started;
        let queries = batch.queries().iter().zip(expected).zip(combinations);
        for (place, ((query, expected), combination)) in queries.enumerate() {
            let got = answer_at(&answer, place);
            *combination = *combination * 7 + answer_code(&got);
            let Some(kind) = judge(expected, &got) else { continue };
            // A time-out breaks no edition, so that it counts once, however many judge.
            let is_repeated = kind == FindingKind::Timeout && edition != self.editions[0];
            if is_repeated || self.waiting.len() >= MAX_WAITING {
                continue;
            }
            let is_violation = kind == FindingKind::Violation;
            let clause = (kind != FindingKind::Timeout).then(|| features(edition, query).clause(edition));
            let verdict = got.clone().ok().filter(|_| is_violation);
            let look = (subject, edition, kind, verdict, clause);
            let seen = self.seen.entry(look).or_default();
            if !seen.is_worthwhile() || is_violation && !is_certain(edition, query, expected) {
                continue;
            }
            seen.waited += 1;
            let (query, expected) = (query.clone(), expected.clone());
            self.waiting.push((subject, Divergence { edition, kind, relation: None, query, expected, got }));
        }
        self.spent.judging += answered.elapsed();
    }

    /// Minimises the divergences since the last time. Returns the findings of new classes.
    pub fn minimise(&mut self) -> Vec<Finding> {
        let started = Instant::now();
        let waiting = std::mem::take(&mut self.waiting);
        let mut findings = Vec::new();
        for (subject, divergence) in waiting {
            let Subject { limited, agreements, .. } = &mut self.subjects[subject];
            let endpoint = limited.as_mut();
            let mut examiner =
                Examiner { endpoint, oracle: &mut self.oracle, deadline: Deadline::at_stop(&|| false) };
            // That fuzzer shows how often an input crashes or hangs; what does not occur again is not a finding.
            if let Examined::Finding(finding) =
                examine(&mut examiner, &self.editions, &divergence, self.checks, agreements)
                && self.classes.insert(finding.class.clone())
            {
                findings.push(*finding);
            }
        }
        self.spent.minimising += started.elapsed();
        findings
    }
}

fn expected_code(expected: &Expected) -> u64 {
    match expected {
        Expected::Ruling(ruling) => *ruling as u64,
        other => 3 + u64::from(other.is_unspecified()),
    }
}

fn answer_code(got: &Result<Answer, Fault>) -> u64 {
    match got {
        Ok(Answer::Match(Verdict::Allow)) => 0,
        Ok(Answer::Match(Verdict::Disallow)) => 1,
        Ok(Answer::Match(Verdict::Unspecified)) => 2,
        Ok(Answer::Match(Verdict::Error(_))) | Err(Fault::Error(_)) => 3,
        Err(Fault::Crash(_)) => 4,
        Err(_) => 5,
        Ok(_) => 6,
    }
}
