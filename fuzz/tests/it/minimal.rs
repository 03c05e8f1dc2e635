//! The minimal set of rows finds what all rows find.
//!
//! `ROBOTSPEC_UPDATE=1` writes the list anew. `ROBOTSPEC_MUTANTS` is a folder of logs of cargo-mutants: the set then has to
//! find each mutant of the reference, too (see `.ci/long`).

#![allow(clippy::print_stdout)] // the size of the set

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::{env, fs, thread};

use robotspec::event::Event;
use robotspec::{BoxedEndpoint, Edition, InProcess, Parser, Plan, Subject, run};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, CheckId, Level, checks, minimal_rows};
use robotspec_test_support::extent::{is_long, is_short};
use robotspec_test_support::faulty::{FaultyParser, Mistake};
use robotspec_test_support::subtle::{SubtleParser, mistakes};

use crate::searches::TIME_LIMIT;

/// The list of the set, and its first line.
const LIST: &str = "../cases/minimal.txt";
const HEAD: &str = "# The rows of the minimal set. `.ci/long mutants` writes this list.\n";

/// Makes a parser with one mistake.
type MakeParser = Arc<dyn Fn() -> Box<dyn Parser + Send> + Send + Sync>;

/// Returns the parsers with mistakes, by the names of the mistakes.
fn parsers() -> Vec<(String, MakeParser)> {
    let faulty = Mistake::ALL.iter().map(|&(mistake, _)| {
        let make: MakeParser = Arc::new(move || Box::new(FaultyParser::new(&[mistake])));
        (format!("{mistake:?}"), make)
    });
    let subtle = mistakes().into_iter().map(|subtle| {
        let make: MakeParser = Arc::new(move || Box::new(SubtleParser::new(subtle)));
        (subtle.name.to_owned(), make)
    });
    faulty.chain(subtle).collect()
}

/// Returns the rows among these on which a parser fails.
fn failing_rows(rows: &[Check], make: &MakeParser) -> BTreeSet<String> {
    let plan = Plan {
        checks: rows.to_vec(),
        editions: vec![Edition::Rfc9309],
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    };
    let make = Arc::clone(make);
    let connect = move || -> BoxedEndpoint {
        let make = Arc::clone(&make);
        Box::new(InProcess::new(move || make(), TIME_LIMIT))
    };
    let subject = Subject::new(connect);
    let mut failing = BTreeSet::new();
    run(&plan, vec![subject], &mut |event| {
        if let Event::CheckFinished(check) = event
            && check.has_failure()
        {
            failing.insert(check.id.to_string());
        }
    });
    failing
}

/// Returns the rows that find each mistake of the collection, or of a sample.
fn rows_by_mistake(step: usize) -> Vec<(String, BTreeSet<String>)> {
    let mut rows = checks(built_in().expect("valid suites"), false);
    // A sample leaves out the long files.
    rows.retain(|row| step == 1 || is_short(row));
    let parsers: Vec<_> = parsers().into_iter().step_by(step).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, make)) = parsers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let failing = failing_rows(&rows, make);
                    found.lock().expect("not poisoned").push((name.clone(), failing));
                }
            });
        }
    });
    found.into_inner().expect("not poisoned")
}

/// Returns the rows that find each mutant of the reference, from the logs of cargo-mutants.
fn rows_by_mutant(logs: &Path) -> Vec<(String, BTreeSet<String>)> {
    let row = |line: &str| {
        let (id, rest) = line.split_once(" in ")?;
        let (edition, difference) = rest.split_once(": ")?;
        let row: CheckId = id.parse().ok()?;
        let is_row = edition.parse::<Edition>().is_ok() && row.variant.is_none();
        (is_row && difference.starts_with("expected")).then(|| id.to_owned())
    };
    let files = fs::read_dir(logs).expect("a folder of logs");
    let of_log = |path: PathBuf| {
        let log = fs::read_to_string(&path).expect("a log");
        (path.display().to_string(), log.lines().filter_map(row).collect())
    };
    files.map(|file| of_log(file.expect("a log").path())).collect()
}

/// Returns rows of which each mistake has one, where it has any: again and again the row that finds the most.
fn cover(rows_by_mistake: &[(String, BTreeSet<String>)]) -> BTreeSet<String> {
    let mut left: Vec<&BTreeSet<String>> =
        rows_by_mistake.iter().map(|(_, rows)| rows).filter(|rows| !rows.is_empty()).collect();
    let mut chosen = BTreeSet::new();
    while !left.is_empty() {
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        left.iter().copied().flatten().for_each(|row| *counts.entry(row).or_default() += 1);
        let best = counts.iter().max_by_key(|(row, count)| (**count, Reverse(**row)));
        let best = best.map(|(row, _)| (*row).clone()).expect("a row");
        left.retain(|rows| !rows.contains(&best));
        chosen.insert(best);
    }
    chosen
}

#[test]
fn the_minimal_set_finds_what_all_rows_find() {
    let is_updating = env::var_os("ROBOTSPEC_UPDATE").is_some();
    let mut found = rows_by_mistake(if is_updating || is_long() { 1 } else { 24 });
    if let Some(logs) = env::var_os("ROBOTSPEC_MUTANTS") {
        found.extend(rows_by_mutant(Path::new(&logs)));
    }
    if is_updating {
        let rows = cover(&found);
        println!("{} mistakes, {} rows", found.len(), rows.len());
        let list: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(LIST, format!("{HEAD}{list}")).expect("a list");
        return;
    }
    let rows: BTreeSet<String> = minimal_rows().iter().map(|row| (*row).to_owned()).collect();
    let missed: Vec<&str> = found
        .iter()
        .filter(|(_, failing)| !failing.is_empty() && failing.is_disjoint(&rows))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(missed, [""; 0], "write the list anew: ROBOTSPEC_UPDATE=1");
}

#[test]
fn the_minimal_set_consists_of_rows() {
    let rows: BTreeSet<String> =
        checks(built_in().expect("valid suites"), false).iter().map(|check| check.id.to_string()).collect();
    assert!(minimal_rows().len() > 30, "{:?}", minimal_rows());
    let unknown: Vec<&&str> = minimal_rows().iter().filter(|row| !rows.contains(**row)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
