//! The levels of rows: a row is only recommended where its verdict depends on a clause that is only recommended.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::Level;
use robotspec::event::Status;
use robotspec_cases::Check;
use robotspec_test_support::extent;
use robotspec_test_support::faulty::{FaultyParser, Mistake};

use crate::support::{EDITION, in_process, run_checks};

/// The clauses that RFC 9309 only recommends, each with parsers that do otherwise and are sound in every other respect.
/// `L-size` is missing: the limit that it recommends may have any size from the required one on, so no answer departs.
const DEPARTURES: &[(&str, &[Mistake])] = &[
    ("M-case", &[Mistake::PathCaseIgnored, Mistake::PathUnicodeCaseIgnored]),
    ("O-tie", &[Mistake::TieDisallows, Mistake::TieWithTrailingStarDisallows]),
    ("G-orphan", &[Mistake::OrphansBindAll, Mistake::OrphansBindNext]),
    (
        "M-literal",
        &[
            Mistake::EscapedStarIsWildcard,
            Mistake::EscapedDollarIsEnd,
            Mistake::EscapedSpecialStays,
            Mistake::DollarIsItselfToo,
        ],
    ),
    ("H-3xx", &[Mistake::NoRedirects]),
    ("C-24h", &[Mistake::NeverForgets]),
];

fn rows() -> Vec<Check> {
    let mut rows = extent::rows();
    rows.retain(|row| row.expected.get(&EDITION).is_some_and(|expected| !expected.is_unspecified()));
    rows.retain(|row| !row.query.is_optional_in(EDITION));
    rows
}

/// Returns the rows that fail for a parser with one mistake.
fn failing(mistake: Mistake) -> Vec<String> {
    let ran = run_checks(move || in_process(move || FaultyParser::new(&[mistake])), rows());
    let failing = ran.checks.into_iter().filter(|(_, judgement)| judgement.status == Status::Fail);
    failing.map(|(id, _)| id).collect()
}

#[test]
fn a_row_is_recommended_if_and_only_if_its_verdict_depends_on_a_recommendation() {
    let mut wrong = Vec::new();
    let mut depends_on: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (clause, mistakes) in DEPARTURES {
        for failing in mistakes.iter().flat_map(|mistake| failing(*mistake)) {
            depends_on.entry(failing).or_default().insert(clause);
        }
    }
    let none = BTreeSet::new();
    for row in rows() {
        let id = row.id.to_string();
        let needed = depends_on.get(&id).unwrap_or(&none);
        let is_recommended = |clause: &&str| DEPARTURES.iter().any(|(recommended, _)| recommended == clause);
        let cited = row.clauses.iter().map(|clause| clause.id.as_str()).filter(is_recommended);
        let cited: BTreeSet<&str> = cited.collect();
        let level = if needed.is_empty() { Level::Must } else { Level::Should };
        if cited != *needed || row.level(EDITION) != level {
            wrong.push(format!("{id} cites {cited:?}, and depends on {needed:?}: {}", row.level(EDITION)));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
