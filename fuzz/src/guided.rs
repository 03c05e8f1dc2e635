//! The engine for a fuzzer that makes its own inputs, as one that is guided by coverage does.
//!
//! To judge an input is quick, and is all that happens where the fuzzer measures. To minimise what departs is
//! not, so it waits until [`settle`](Guided::settle), and asks implementations of its own, behind a guard: the
//! pieces of an input that hangs may hang as well.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use robotspec_reference::Edition;

use crate::engine::Make;
use crate::examine::{Divergence, Examiner, Oracle, answers, finding};
use crate::feature::features;
use crate::finding::{Class, Finding};
use crate::judge::{self, Kind};
use robotspec::guard::Guarded;
use robotspec::implementation::{BatchRequest, Fault, Implementation, Verdict};
use robotspec_cases::suite::Expected;

/// How many divergences that look alike are minimised.
const MINIMISED: u64 = 3;

/// After how many that look alike only one in so many is looked into.
const OFTEN: u64 = 32;

/// How many wait to be minimised, at most; the same will be seen again.
const MOST_WAITING: usize = 256;

/// How long an answer may take while a divergence is minimised.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where time went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    /// In the reference.
    pub reference: Duration,
    /// In the implementations.
    pub implementations: Duration,
    /// In telling apart what they said.
    pub judging: Duration,
    /// In minimising.
    pub minimising: Duration,
}

/// Implementations, and what they were found to depart in.
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

struct Subject {
    at_work: Box<dyn Implementation + Send>,
    behind_guard: Guarded,
    /// Whether it answers each edition in another way.
    reads_editions: bool,
}

/// How a divergence looks before it is minimised.
type Look = (usize, Edition, Kind, String, &'static str);

/// How often that was met, and how often it waited to be minimised.
#[derive(Default)]
struct Seen {
    met: u64,
    waited: u64,
}

impl Seen {
    /// Whether to look into it once more. Whether the text is certain costs more than all the rest, and where it
    /// was not for so many, it hardly ever is.
    fn is_worth_it(&mut self) -> bool {
        self.met += 1;
        self.waited < MINIMISED && (self.met <= OFTEN || self.met.is_multiple_of(OFTEN))
    }
}

thread_local! {
    static IS_ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in an implementation under test. A panic is then a finding, and no panic hook
/// need tell it, much less end the process.
pub fn is_asking() -> bool {
    IS_ASKING.get() || std::thread::current().name() == Some(robotspec::guard::SUBJECT_THREAD)
}

impl Guided {
    /// Judges these by the editions.
    pub fn new(editions: Vec<Edition>, makes: Vec<Make>) -> Self {
        let subjects = makes.into_iter().map(Arc::new).map(|make| {
            let mut at_work = make();
            let reads_editions = editions.first().is_some_and(|&edition| at_work.read_as(edition));
            let behind_guard = Guarded::new(move || make(), PATIENCE);
            Subject { at_work, behind_guard, reads_editions }
        });
        let subjects = subjects.collect();
        Guided {
            editions,
            subjects,
            oracle: Oracle::Text,
            seen: HashMap::new(),
            classes: BTreeSet::new(),
            waiting: Vec::new(),
            checks: 0,
            spent: Spent::default(),
        }
    }

    /// Where time went so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Puts a request to all of them, and keeps what departs. For each query and edition, it tells in a number
    /// who said what: a guided fuzzer takes a combination that it has not met yet for progress, even of
    /// implementations into which it cannot see.
    pub fn judge(&mut self, request: &BatchRequest) -> Vec<u64> {
        let mut combinations = Vec::new();
        for (place, edition) in self.editions.clone().into_iter().enumerate() {
            let started = Instant::now();
            let expected = judge::expectations(edition, request);
            self.spent.reference += started.elapsed();
            self.checks += expected.len() as u64;
            let from = combinations.len();
            combinations
                .extend(expected.iter().map(|expected| place as u64 * 7 + code_of_expected(expected)));
            for subject in 0..self.subjects.len() {
                self.judge_one(subject, edition, request, &expected, &mut combinations[from..]);
            }
        }
        combinations
    }

    fn judge_one(
        &mut self,
        index: usize,
        edition: Edition,
        request: &BatchRequest,
        expected: &[Expected],
        combinations: &mut [u64],
    ) {
        let started = Instant::now();
        let subject = &mut self.subjects[index];
        if subject.reads_editions {
            subject.at_work.read_as(edition);
        }
        IS_ASKING.set(true);
        let answer = answers(subject.at_work.as_mut(), std::slice::from_ref(request)).remove(0);
        IS_ASKING.set(false);
        let answered = Instant::now();
        self.spent.implementations += answered - started;
        for (place, (expected, combination)) in expected.iter().zip(combinations).enumerate() {
            let got = judge::got(request, &answer, place);
            *combination = *combination * 7 + code_of_answer(&got);
            let Some(kind) = judge::departs(expected, &got) else { continue };
            if self.waiting.len() >= MOST_WAITING {
                continue;
            }
            let single = judge::single(request, place);
            let told = judge::told(&got);
            // What a crash says has the numbers of the very input in it.
            let word = if kind == Kind::Violation { told.clone() } else { String::new() };
            let look = (index, edition, kind, word, features(edition, &single).clause(edition));
            let seen = self.seen.entry(look).or_default();
            if !seen.is_worth_it()
                || kind == Kind::Violation && !judge::is_certain(edition, &single, expected)
            {
                continue;
            }
            seen.waited += 1;
            let divergence =
                Divergence { edition, kind, request: single, expected: expected.clone(), got: told };
            self.waiting.push((index, divergence));
        }
        self.spent.judging += answered.elapsed();
    }

    /// Minimises what departed since the last time, and tells what no finding before was like.
    pub fn settle(&mut self) -> Vec<Finding> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let started = Instant::now();
        let waiting = std::mem::take(&mut self.waiting);
        let findings =
            waiting.into_iter().filter_map(|(subject, divergence)| self.minimise(subject, divergence));
        let findings = findings.collect::<Vec<_>>();
        self.spent.minimising += started.elapsed();
        findings
    }

    fn minimise(&mut self, subject: usize, divergence: Divergence) -> Option<Finding> {
        let Subject { behind_guard, .. } = &mut self.subjects[subject];
        let mut examiner = Examiner { implementation: behind_guard, oracle: &mut self.oracle, until: None };
        let finding = finding(&mut examiner, &self.editions, &divergence, self.checks)?;
        self.classes.insert(finding.class.clone()).then_some(finding)
    }
}

fn code_of_expected(expected: &Expected) -> u64 {
    match expected {
        Expected::Ruling(ruling) => *ruling as u64,
        other => 3 + u64::from(other.is_unspecified()),
    }
}

fn code_of_answer(got: &Result<robotspec::judge::Single, Fault>) -> u64 {
    match got {
        Ok(robotspec::judge::Single::Verdict(Verdict::Allow)) => 0,
        Ok(robotspec::judge::Single::Verdict(Verdict::Disallow)) => 1,
        Ok(robotspec::judge::Single::Verdict(Verdict::Unspecified)) => 2,
        Ok(robotspec::judge::Single::Verdict(Verdict::Error(_))) | Err(Fault::Error(_)) => 3,
        Err(Fault::Crash(_)) => 4,
        Err(_) => 5,
        Ok(_) => 6,
    }
}
