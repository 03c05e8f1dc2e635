//! Mistakes that most inputs do not show: rows find them, and a search of about a minute does where there is no row.
//!
//! `ROBOTSPEC_LONG=1` tests every mistake with three seeds and prints a table (see `.ci/long`). `ROBOTSPEC_MISTAKES=TEXT`
//! selects those whose family or name contains a text, `ROBOTSPEC_SEEDS=N` the number of seeds, and `ROBOTSPEC_CHECKS=N` that
//! of the checks of a search.

#![allow(clippy::print_stdout)] // the table

use std::collections::BTreeMap;
use std::env;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use robotspec::{Edition, Subject, run};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Level, checks};
use robotspec_fuzz::generate::Shares;
use robotspec_fuzz::{Progress, Report, SearchPlan, Source, fuzz};
use robotspec_test_support::extent::is_long;
use robotspec_test_support::subtle::{Family, Subtle, SubtleParser, mistakes};

use crate::searches::{in_process, make, plan};

/// A search of a parser in this process makes about so many checks a minute.
const MOST_CHECKS: u64 = 1_000_000;

/// Mistakes that no row shows. The row of the first would take some parsers seconds, that of the second would be a list of a
/// thousand URLs.
const WITHOUT_ROWS: [&str; 2] = ["no more than 1,000,000 steps", "no more than 1,000 sitemaps"];

/// How many answers a second a usual parser gives.
const ANSWERS_A_SECOND: f64 = 5000.0;

fn most_checks() -> u64 {
    env::var("ROBOTSPEC_CHECKS").ok().and_then(|checks| checks.parse().ok()).unwrap_or(MOST_CHECKS)
}

/// What a search came to.
struct Search {
    /// After how many checks the mistake was found, and the time until then.
    found: Option<(u64, Duration)>,
}

/// Returns the edition that judges mistakes of this family. RFC 9309 requires nothing of sitemaps.
fn judging(family: Family) -> Edition {
    match family {
        Family::Sitemap => Edition::Google2026,
        _ => Edition::Rfc9309,
    }
}

/// Searches until a mistake is found.
fn search_for(subtle: Subtle, seed: u64) -> Search {
    let is_found = AtomicBool::new(false);
    let plan = SearchPlan {
        max_findings: Some(1),
        source: Source::Generated(Shares::default()),
        ..plan(judging(subtle.family), seed, most_checks())
    };
    let started = Instant::now();
    let mut checks = 0;
    let subjects = make(move || SubtleParser::new(subtle));
    let report =
        fuzz(&plan.into(), &subjects.into(), &|| is_found.load(Ordering::Relaxed), &mut |progress| {
            if let Progress::Checked(report) = progress {
                checks = report.checks;
                is_found.store(is_unsteady(report), Ordering::Relaxed);
            }
        });
    let found = !report.findings.is_empty() || is_unsteady(&report);
    Search { found: found.then(|| (checks, started.elapsed())) }
}

/// Returns whether an implementation gave answers that it does not always give.
fn is_unsteady(report: &Report) -> bool {
    !report.dependent.is_empty() || !report.flaky.is_empty()
}

/// Returns whether a row of the suites fails.
fn is_caught_by_rows(subtle: Subtle, plan: &robotspec::Plan) -> bool {
    let subject = Subject::new(move || Box::new(in_process(move || SubtleParser::new(subtle))));
    run(plan, vec![subject], &mut |_| {}).totals.new_failures() > 0
}

/// The result of one mistake.
struct Tested {
    subtle: Subtle,
    by_rows: bool,
    searches: Vec<Search>,
}

#[test]
fn rows_or_a_search_find_every_subtle_mistake() {
    let step = if is_long() { 1 } else { 36 };
    let text = env::var("ROBOTSPEC_MISTAKES").unwrap_or_default();
    let is_selected = |subtle: &Subtle| format!("{:?}: {}", subtle.family, subtle.name).contains(&text);
    let chosen: Vec<Subtle> = mistakes().into_iter().filter(is_selected).step_by(step).collect();
    let seeds = env::var("ROBOTSPEC_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(3);
    let checks = checks(built_in().expect("valid suites"), is_long());
    let rows_for = |family: Family| robotspec::Plan {
        checks: checks.clone(),
        editions: vec![judging(family)],
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    };
    let next = AtomicUsize::new(0);
    let tested = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&subtle) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let by_rows = is_caught_by_rows(subtle, &rows_for(subtle.family));
                    let seeds = if is_long() { seeds } else { u64::from(!by_rows) };
                    let searches = (1..=seeds).map(|seed| search_for(subtle, seed)).collect();
                    let result = Tested { subtle, by_rows, searches };
                    print(&result);
                    tested.lock().expect("not poisoned").push(result);
                }
            });
        }
    });
    let tested = tested.into_inner().expect("not poisoned");
    summarise(&tested);
    for Tested { subtle, by_rows, searches } in &tested {
        assert_eq!(*by_rows, !WITHOUT_ROWS.contains(&subtle.name), "{}: whether a row shows it", subtle.name);
        let is_missed = !by_rows && searches.iter().any(|search| search.found.is_none());
        assert!(!is_missed, "{}: a search misses it", subtle.name);
    }
}

fn print(Tested { subtle, by_rows, searches }: &Tested) {
    let searches: Vec<String> = searches
        .iter()
        .map(|search| match search.found {
            Some((checks, time)) => format!("{checks:>8} {:>5.1} s", time.as_secs_f64()),
            None => format!("{:>16}", "-"),
        })
        .collect();
    let by_rows = if *by_rows { "rows" } else { "-" };
    println!("{:<8} {:<48} {by_rows:<5} {}", format!("{:?}", subtle.family), subtle.name, searches.join(" "));
}

/// Prints, for each family, how many mistakes the rows find and how many searches find theirs.
fn summarise(tested: &[Tested]) {
    let mut families: BTreeMap<Family, Vec<&Tested>> = BTreeMap::new();
    tested.iter().for_each(|tested| families.entry(tested.subtle.family).or_default().push(tested));
    for (family, tested) in families {
        let searches: Vec<&Search> = tested.iter().flat_map(|tested| &tested.searches).collect();
        println!(
            "{family:?}: {} mistakes, rows find {}, {} of {} searches",
            tested.len(),
            tested.iter().filter(|tested| tested.by_rows).count(),
            searches.iter().filter(|search| search.found.is_some()).count(),
            searches.len(),
        );
    }
    let searches = tested.iter().flat_map(|tested| &tested.searches);
    let mut needed: Vec<u64> =
        searches.map(|search| search.found.map_or(u64::MAX, |(checks, _)| checks)).collect();
    needed.sort_unstable();
    for percent in [50, 95] {
        match needed.get(needed.len().saturating_sub(1) * percent / 100) {
            Some(&checks) if checks < u64::MAX => {
                let seconds = checks as f64 / ANSWERS_A_SECOND;
                println!("{percent} % are found within {checks} checks: {seconds:.1} s of a usual parser");
            }
            _ => println!("{percent} % are not found"),
        }
    }
}
