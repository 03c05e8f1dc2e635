//! Strict readers: parsers that follow one admitted reading without a mistake, as their authors might have read the
//! text. No row of a suite, no variant, no relation and no search may accuse one.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec::event::{Event, Status};
use robotspec::{BoxedEndpoint, Fault, Info, MatchQuery, Parser, Plan, Reference, Subject, Verdict, run};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Level, Query, checks};
use robotspec_fuzz::Source;
use robotspec_fuzz::generate::Shares;
use robotspec_reference::{Edition, Governs};
use robotspec_test_support::extent::{is_long, is_short};

use super::compare::EDITIONS;
use crate::searches::{describe, in_process, make, plan, search_quietly};
use robotspec_test_support::second::questions::{Answer, Question};
use robotspec_test_support::second::readings::Reading;
use robotspec_test_support::second::rulings::{allows_in, groups_in, sitemaps};

/// A parser that follows one reading of an edition.
#[derive(Clone)]
pub(crate) struct StrictReader {
    edition: Edition,
    /// Its answers that are not the plainest.
    answers: Vec<(Question, Answer)>,
}

impl Parser for StrictReader {
    fn info(&self) -> Info {
        Info::named(format!("{:?}", self.answers))
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let mut reading = Reading::fixed(self.edition, &self.answers);
        let groups = groups_in(robots, &mut reading);
        let verdict =
            |query: &MatchQuery| Verdict::from(allows_in(&groups, query.agent, query.url, &mut reading));
        Ok(queries.iter().map(verdict).collect())
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        Ok(sitemaps(robots, &mut Reading::fixed(self.edition, &self.answers)))
    }
}

/// The answers to a question that a reader of the edition may choose from, the plainest one first.
fn answers(question: Question, edition: Edition) -> Vec<Answer> {
    match (question, edition) {
        // "at least 500 kibibytes"
        (Question::SizeLimit, Edition::Rfc9309) => {
            [512_000, 600_000, 1 << 20, usize::MAX].map(Answer::At).to_vec()
        }
        _ => question.admitted(edition).to_vec(),
    }
}

/// An answer without which a question is not asked.
fn condition(question: Question) -> Option<(Question, Answer)> {
    match question {
        Question::TypoOfTwo => Some((Question::Typo, Answer::Accept)),
        Question::EncodesReserved => Some((Question::PartialEscape, Answer::Capitals)),
        Question::EscapedDot => Some((Question::DotSegments, Answer::Both)),
        _ => None,
    }
}

/// Returns the plain reader of an edition, a reader for each other answer, and some that answer at random.
fn readers(edition: Edition) -> Vec<StrictReader> {
    const COMBINATIONS: u64 = 20;
    let mut readers = vec![StrictReader { edition, answers: Vec::new() }];
    for question in Question::ALL {
        for answer in answers(question, edition).into_iter().skip(1) {
            let condition = condition(question);
            if condition.is_none_or(|(question, answer)| question.admitted(edition).contains(&answer)) {
                let answers = condition.into_iter().chain([(question, answer)]).collect();
                readers.push(StrictReader { edition, answers });
            }
        }
    }
    for seed in 0..COMBINATIONS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let answers = Question::ALL.map(|question| {
            let answers = answers(question, edition);
            (question, answers[random.next_u32() as usize % answers.len()])
        });
        readers.push(StrictReader { edition, answers: answers.to_vec() });
    }
    readers
}

/// The readers of an edition of which a short test takes a share.
fn some_readers(edition: Edition, one_in: usize) -> Vec<StrictReader> {
    let readers = readers(edition);
    assert!(readers.len() > 40, "{} readers", readers.len());
    // The plain reader, and the last ones, which combine answers.
    readers.into_iter().rev().step_by(if is_long() { 1 } else { one_in }).collect()
}

/// Returns the failures of a reader in the suites.
pub(super) fn failures(
    edition: Edition,
    reader: &(impl Parser + Clone + Send + Sync + 'static),
    checks: &[Check],
) -> Vec<String> {
    let plan = Plan {
        checks: checks.to_vec(),
        editions: vec![edition],
        lists_are_about: None,
        shard: None,
        level: Level::May,
        jobs: 1,
    };
    let reader_of_run = reader.clone();
    let make = move || -> BoxedEndpoint {
        let made = reader_of_run.clone();
        Box::new(in_process(move || made.clone()))
    };
    let name = reader.clone().info().name;
    let mut failures = Vec::new();
    run(&plan, vec![Subject::new(make)], &mut |event| {
        let Event::CheckFinished(check) = event else { return };
        for (edition, judgement) in check.editions.iter() {
            let is_fine =
                matches!(judgement.status, Status::Pass | Status::Unspecified | Status::NotSupported);
            if !is_fine {
                failures.push(format!("{} in {edition}, {name}: {judgement:?}", check.id));
            }
        }
    });
    failures
}

#[test]
fn no_row_or_variant_accuses_a_strict_reader() {
    let mut checks = checks(built_in().expect("the embedded suites are sound"), true);
    checks.retain(|check| {
        matches!(check.query, Query::Match { .. } | Query::Sitemaps { .. } | Query::Alike { .. })
    });
    let mut wrong = Vec::new();
    for edition in EDITIONS {
        let readers = some_readers(edition, 18);
        for (turn, reader) in readers.iter().enumerate() {
            // A variant has the rulings of its row, and long files have much the same lines, so a short test shares both
            // out to the readers.
            let is_for_all = |check: &Check| is_long() || check.id.variant.is_none() && is_short(check);
            let is_taken =
                |(place, check): &(usize, &Check)| is_for_all(check) || place % readers.len() == turn;
            let checks: Vec<Check> =
                checks.iter().enumerate().filter(is_taken).map(|(_, check)| check.clone()).collect();
            wrong.extend(failures(edition, reader, &checks));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_search_accuses_a_strict_reader() {
    let runs = if is_long() { 80_000 } else { 2_000 };
    for (number, edition) in (0..).zip(EDITIONS) {
        for (seed, reader) in (0..).zip(some_readers(edition, 18)) {
            let mut plan = plan(edition, 100 * number + seed, runs);
            plan.source = Source::Generated(Shares { sitemaps: 60, large: 1, limits: 1, ..Shares::NONE });
            let report = search_quietly(plan, make(move || reader.clone()));
            assert!(report.findings.is_empty(), "in {edition}:\n{}", describe(&report.findings));
        }
    }
}

/// A parser without mistakes that knows no other schemes than `http` and `https`.
#[derive(Clone)]
struct WebAlone(Reference);

impl WebAlone {
    fn refuse(urls: &[&str]) -> Result<(), Fault> {
        let is_known = |url: &&str| url.starts_with('/') || url.to_ascii_lowercase().starts_with("http");
        if urls.iter().all(is_known) { Ok(()) } else { Err(Fault::Error("unknown scheme".into())) }
    }
}

impl Parser for WebAlone {
    fn info(&self) -> Info {
        Info::named("http and https alone")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        queries.iter().try_for_each(|query| WebAlone::refuse(&[query.url]))?;
        self.0.check(robots, queries)
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        WebAlone::refuse(&[robots_url, url])?;
        self.0.scope(robots_url, url)
    }
}

#[test]
fn neither_a_row_nor_a_search_accuses_a_reader_that_knows_http_alone() {
    let mut checks = checks(built_in().expect("the embedded suites are sound"), false);
    checks.retain(|check| matches!(check.query, Query::Match { .. } | Query::Scope { .. }));
    for edition in EDITIONS {
        let reader = WebAlone(Reference::new(edition));
        assert_eq!(failures(edition, &reader, &checks), [""; 0]);
        let mut plan = plan(edition, 7, 2_000);
        plan.source = Source::Generated(Shares { scope: 500, ..Shares::default() });
        let report = search_quietly(plan, make(move || reader.clone()));
        assert!(report.findings.is_empty(), "in {edition}:\n{}", describe(&report.findings));
    }
}
