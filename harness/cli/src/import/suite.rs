//! Writes checks as a suite: one case for each test, with one row for each check.

use std::collections::{HashMap, HashSet};

use robotspec_reference::{Edition, Reading, RobotsTxt};
use serde_yaml::{Mapping, Value};

use robotspec_cases::clause::{Clause, Kind};
use robotspec_cases::suite::write::{put, written_foreign_file};

/// The clause of a case that the reference does not apply to.
const DEFAULT_CLAUSE: &str = "M-default";

/// The number of checks of a case that determine its clauses; more checks would hardly find another clause.
const CHECKS_FOR_CLAUSES: usize = 100;

/// A case to write.
#[derive(Debug)]
pub(super) struct NewCase {
    pub(super) id: String,
    pub(super) is_google_specific: bool,
    pub(super) robots: Vec<u8>,
    pub(super) checks: Vec<NewCheck>,
}

/// A row to write.
#[derive(Debug)]
pub(super) struct NewCheck {
    pub(super) id: String,
    pub(super) agent: String,
    pub(super) url: String,
    pub(super) is_allowed: bool,
    pub(super) explanation: String,
}

/// Writes a case in the YAML format.
pub(super) fn case(case: &NewCase, editions: &[Edition]) -> Value {
    let mut written = Mapping::new();
    put(&mut written, "id", &*case.id);
    put(&mut written, "clauses", clauses(case, editions));
    let about = about(&case.checks);
    if !about.is_empty() {
        put(&mut written, "about", about);
    }
    put(&mut written, "editions", editions.iter().map(|edition| edition.id()).collect::<Vec<_>>());
    if case.is_google_specific {
        put(&mut written, "google-specific", true);
    }
    // The expectations are about this file only, not about a rewritten one.
    put(&mut written, "variants", "none");
    put(&mut written, "robots", written_foreign_file(&case.robots));
    put(&mut written, "rows", case.checks.iter().map(row).collect::<Vec<_>>());
    Value::Mapping(written)
}

fn row(check: &NewCheck) -> Value {
    let mut row = Mapping::new();
    put(&mut row, "id", &*check.id);
    put(&mut row, "agent", &*check.agent);
    put(&mut row, "url", &*check.url);
    put(&mut row, "expect", if check.is_allowed { "allow" } else { "disallow" });
    Value::Mapping(row)
}

/// Returns the explanations of a case, each once, with the rows that have it.
fn about(checks: &[NewCheck]) -> String {
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places = HashMap::new();
    for check in checks.iter().filter(|check| !check.explanation.trim().is_empty()) {
        let place = *places.entry(&*check.explanation).or_insert(notes.len());
        if place == notes.len() {
            notes.push((check.explanation.trim(), Vec::new()));
        }
        notes[place].1.push(&check.id);
    }
    let notes = notes.into_iter().map(|(note, ids)| match ids.len() == checks.len() {
        true => note.to_owned(),
        false => format!("{}: {note}", ids.join(", ")),
    });
    notes.collect::<Vec<_>>().join("\n")
}

/// Returns the clauses by which the reference decides, if all the editions have them; clauses about rules come before
/// clauses about agents.
fn clauses(case: &NewCase, editions: &[Edition]) -> Vec<&'static str> {
    let robots = RobotsTxt::parse(&case.robots);
    let mut clauses = Vec::new();
    let mut seen = HashSet::new();
    for check in case.checks.iter().take(CHECKS_FOR_CLAUSES) {
        for &edition in editions {
            let decision = robots.decide(&Reading::plainest(edition), &check.agent, &check.url);
            let cited = decision.map(|decision| decision.clauses()).unwrap_or_default();
            clauses.extend(cited.into_iter().rev().filter(|id| is_in_all(id, editions) && seen.insert(*id)));
        }
    }
    if clauses.is_empty() {
        clauses.push(DEFAULT_CLAUSE);
    }
    clauses
}

fn is_in_all(id: &str, editions: &[Edition]) -> bool {
    Clause::find(id).is_some_and(|clause| {
        clause.kind != Kind::NotTestable && editions.iter().all(|&edition| clause.section(edition).is_some())
    })
}
