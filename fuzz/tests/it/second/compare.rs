//! The two evaluators give the same rulings.
//!
//! `ROBOTSPEC_LONG=1` compares ten million (see `.ci/long`).

#![allow(clippy::print_stdout)] // what was compared

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_cases::Query;
use robotspec_fuzz::generate::{self, INPUT_BYTES, Shares};
use robotspec_reference::{Doubt, Edition, Question, RobotsTxt, Ruling, Verdict};
use robotspec_test_support::extent::is_long;

use super::reduce::reduce;
use robotspec_test_support::second::rulings::{File, Ruled};

pub(crate) const EDITIONS: [Edition; 2] = [Edition::Rfc9309, Edition::Google2026];

/// Regular expressions are slow for longer paths, in bytes: most files with such paths are left out.
const LONG: usize = 1500;

/// What a comparison found.
#[derive(Default)]
struct Compared {
    checks: usize,
    /// Checks with too many readings.
    left_out: usize,
    /// The number of each ruling.
    allowed: usize,
    disallowed: usize,
    differences: Vec<String>,
}

/// Compares the rulings about generated files, until there have been this many checks.
fn compare(seed: u64, checks: usize, most_differences: usize) -> Compared {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut bytes = [0; INPUT_BYTES];
    let mut compared = Compared::default();
    // Regular expressions are slow for the many lines and stars of files near a limit.
    let shares = Shares { scope: 0, sitemaps: 0, usage: 0, access: 0, large: 1, limits: 0, confusions: 0 };
    while compared.checks < checks && compared.differences.len() < most_differences {
        random.fill_bytes(&mut bytes);
        let batch = generate::input(&bytes, shares);
        let Query::Match { robots, .. } = batch.first() else { continue };
        let has_long_line =
            robots.split(|byte| *byte == b'\n').any(|line| line.len() > LONG && !line.starts_with(b"#"));
        if has_long_line && random.next_u32() % 20 != 0 {
            continue;
        }
        for edition in EDITIONS {
            let first = RobotsTxt::parse(robots);
            let Some(second) = File::read(edition, robots) else {
                compared.left_out += batch.queries().len();
                continue;
            };
            for query in batch.match_queries() {
                let ruling = first.ruling(edition, query.agent, query.url).expect("a URL");
                let Some(other) = second.ruling(query.agent, query.url) else {
                    compared.left_out += 1;
                    continue;
                };
                compared.checks += 1;
                compared.allowed += usize::from(ruling == Ruling::Allow);
                compared.disallowed += usize::from(ruling == Ruling::Disallow);
                if ruling != other.ruling && !is_coarser(edition, robots, query.agent, query.url) {
                    compared.differences.push(describe(
                        edition,
                        robots,
                        query.agent,
                        query.url,
                        (ruling, other.ruling),
                    ));
                    break;
                }
            }
        }
    }
    compared
}

fn second(edition: Edition, robots: &[u8], agent: &str, url: &str) -> Option<Ruled> {
    File::read(edition, robots)?.ruling(agent, url)
}

/// Describes the smallest input on which the evaluators differ in the same way.
fn describe(edition: Edition, robots: &[u8], agent: &str, url: &str, rulings: (Ruling, Ruling)) -> String {
    let differs = |robots: &[u8], agent: &str, url: &str| {
        let first = RobotsTxt::parse(robots).ruling(edition, agent, url);
        url.starts_with("http://e/") | url.starts_with("http://example.com/")
            && first == Ok(rulings.0)
            && !is_coarser(edition, robots, agent, url)
            && second(edition, robots, agent, url).is_some_and(|ruled| ruled.ruling == rulings.1)
    };
    let (robots, agent, url) = reduce((robots, agent, url), differs);
    let mut text = format!("in {edition}, agent {agent}, URL {url}:\n");
    for line in robots.split_inclusive(|byte| *byte == b'\n') {
        writeln!(text, "    {:?}", String::from_utf8_lossy(line)).expect("text");
        if std::str::from_utf8(line).is_err() {
            writeln!(text, "      bytes {:?}", line.escape_ascii().to_string()).expect("text");
        }
    }
    let first = RobotsTxt::parse(&robots).explain(edition, &agent, &url).expect("a URL");
    writeln!(text, "  the reference: {}", first.ruling).expect("text");
    for doubt in &first.doubts {
        writeln!(
            text,
            "    {}: {} supposing {}",
            doubt.question,
            list(doubt.answers.iter().map(|(answer, verdict)| format!("{answer} {verdict:?}"))),
            list(doubt.supposing.iter().map(|choice| format!("{} {choice}", choice.question)))
        )
        .expect("text");
    }
    if let Some(other) = second(edition, &robots, &agent, &url) {
        writeln!(text, "  the second evaluator: {}", other.ruling).expect("text");
        for (verdict, example) in [("allow", other.allowing), ("disallow", other.disallowing)] {
            if let Some(example) = example {
                writeln!(text, "    {verdict} in {example:?}").expect("text");
            }
        }
    }
    text
}

/// Returns whether the reference does not decide because of a reading that the text excludes: it takes every spelling of
/// an escape of which a rule may match a part, also with escapes that must be decoded. Or there are too many readings.
fn is_coarser(edition: Edition, robots: &[u8], agent: &str, url: &str) -> bool {
    let explanation = RobotsTxt::parse(robots).explain(edition, agent, url).expect("a URL");
    let is_about_parts = |doubt: &Doubt<Verdict>| {
        let supposed = doubt.supposing.iter().map(|choice| choice.question);
        supposed.chain([doubt.question]).any(|question| question == Question::PartialEscape)
    };
    explanation.ruling == Ruling::Unspecified
        && (explanation.doubts.is_empty() || explanation.doubts.iter().any(is_about_parts))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_two_evaluators_agree() {
    let (seeds, checks) = if is_long() { (10, 1_000_000) } else { (2, 8_000) };
    let next = AtomicU64::new(1);
    let differences = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > seeds {
                        break;
                    }
                    let compared = compare(seed, checks, 20);
                    println!(
                        "seed {seed}: {} checks, {} left out: {} allow, {} disallow",
                        compared.checks, compared.left_out, compared.allowed, compared.disallowed
                    );
                    for difference in &compared.differences {
                        println!("{difference}");
                    }
                    differences.lock().expect("not poisoned").extend(compared.differences);
                }
            });
        }
    });
    let differences = differences.into_inner().expect("not poisoned");
    assert!(differences.is_empty(), "{} differences", differences.len());
}
