//! The two evaluators give the same rulings: a search accuses neither where the other one decides.
//!
//! `ROBOTSPEC_LONG=1` compares ten million (see `.ci/long`).

use std::thread;

use robotspec::{Fault, Info, MatchQuery, Parser, Reference, Verdict};
use robotspec_fuzz::generate::Shares;
use robotspec_fuzz::{Make, SearchPlan, Source};
use robotspec_reference::{Doubt, Edition, Question, RobotsTxt, Ruling};
use robotspec_test_support::extent::is_long;
use robotspec_test_support::second::rulings::File;

use crate::searches::{describe, make, plan, search_quietly};

pub(crate) const EDITIONS: [Edition; 2] = [Edition::Rfc9309, Edition::Google2026];

/// Regular expressions are slow for longer paths, in bytes: most files with such paths are left out.
const LONG: usize = 1500;

/// The second evaluator. It answers like the reference where the two cannot be compared.
#[derive(Clone)]
struct Second(Edition);

impl Parser for Second {
    fn info(&self) -> Info {
        Info::named("the second evaluator")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let has_long_line =
            robots.split(|byte| *byte == b'\n').any(|line| line.len() > LONG && !line.starts_with(b"#"));
        let is_left_out = has_long_line && !robots.len().is_multiple_of(20);
        let second = File::read(self.0, robots).filter(|_| !is_left_out);
        let mut verdicts = Reference::new(self.0).check(robots, queries)?;
        for (query, verdict) in queries.iter().zip(&mut verdicts) {
            // It has no ruling where there are too many readings.
            let ruled = second.as_ref().and_then(|second| second.ruling(query.agent, query.url));
            if let Some(other) = ruled.map(|ruled| Verdict::from(ruled.ruling))
                && other != *verdict
                && !is_coarser(self.0, robots, query)
            {
                *verdict = other;
            }
        }
        Ok(verdicts)
    }
}

/// Returns whether the reference does not decide because of a reading that the text excludes: it takes every spelling of
/// an escape of which a rule may match a part, also with escapes that must be decoded. Or there are too many readings, or the
/// minimiser made a URL that is none.
fn is_coarser(edition: Edition, robots: &[u8], query: &MatchQuery) -> bool {
    let Ok(explanation) = RobotsTxt::parse(robots).explain(edition, query.agent, query.url) else {
        return true;
    };
    let is_about_parts = |doubt: &Doubt<_>| {
        let supposed = doubt.supposing.iter().map(|choice| choice.question);
        supposed.chain([doubt.question]).any(|question| question == Question::PartialEscape)
    };
    explanation.ruling == Ruling::Unspecified
        && (explanation.doubts.is_empty() || explanation.doubts.iter().any(is_about_parts))
}

#[test]
fn the_two_evaluators_agree() {
    let checks = if is_long() { 2_500_000 } else { 4_000 };
    for (seed, edition) in (1..).zip(EDITIONS) {
        let second = || make(move || Second(edition));
        let reference = || make(move || Reference::new(edition));
        let compare = |seed: u64, subjects: Vec<Make>, judge: Vec<Make>| {
            let plan = SearchPlan {
                // Regular expressions are slow for the many lines and stars of files near a limit.
                source: Source::Generated(Shares { large: 1, ..Shares::NONE }),
                jobs: thread::available_parallelism().map_or(1, usize::from),
                against: judge.into_iter().next(),
                ..plan(edition, seed, checks)
            };
            let report = search_quietly(plan, subjects);
            assert!(report.findings.is_empty(), "in {edition}:\n{}", describe(&report.findings));
        };
        // The judge decides only where it has a definite ruling.
        compare(seed, second(), reference());
        compare(seed + 10, reference(), second());
    }
}
