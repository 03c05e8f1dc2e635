//! Checks as a suite: one case for each file, with a row for each check.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use robotspec_reference::{Edition, Reading, RobotsTxt};
use serde_yaml::{Mapping, Value};

use crate::import::checks::{Found, Labels};
use robotspec_cases::clause::{Clause, Kind};
use robotspec_cases::suite::write::{put, written_foreign_file};

/// The clause of a case where no other fits.
const ANY_CLAUSE: &str = "M-default";

/// How many checks of a file are looked at for the clauses that decide; more would hardly find another.
const CHECKS_FOR_CLAUSES: usize = 100;

/// What a suite says of itself.
#[derive(Debug)]
pub(super) struct Head<'h> {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) editions: &'h [Edition],
}

/// The checks of each file, in the order in which files come.
pub(super) fn by_file(found: &[Found]) -> Vec<Vec<&Found>> {
    let mut by_file: Vec<Vec<&Found>> = Vec::new();
    let mut places: HashMap<&[u8], usize> = HashMap::new();
    for check in found {
        let place = *places.entry(&*check.robots).or_insert_with(|| {
            by_file.push(Vec::new());
            by_file.len() - 1
        });
        by_file[place].push(check);
    }
    by_file
}

/// A suite with a case for each file.
pub(super) fn suite(head: &Head<'_>, by_file: &[Vec<&Found>]) -> Mapping {
    let mut ids = Ids::default();
    let mut notes = Notes::default();
    let cases: Vec<Value> = (1..)
        .zip(by_file)
        .map(|(number, checks)| Value::Mapping(case(head, number, checks, &mut ids, &mut notes)))
        .collect();
    let mut suite = Mapping::new();
    put(&mut suite, "suite", &*head.id);
    put(&mut suite, "title", &*head.title);
    put(&mut suite, "source", &*head.source);
    put(&mut suite, "cases", cases);
    suite
}

fn case(head: &Head<'_>, number: usize, checks: &[&Found], ids: &mut Ids, notes: &mut Notes) -> Mapping {
    let first = checks[0];
    let of_file = of_file(checks);
    // The name of a check that has a file for itself is that of the case.
    let is_alone = of_file == 0 && checks.len() == 1;
    let of_case = if is_alone { id(&first.labels) } else { id(&first.labels[..of_file]) };
    let mut about = notes.not_said(&first.labels[..of_file]);
    let mut rows = Vec::new();
    let mut row_ids = Ids::default();
    for (number, check) in (1..).zip(checks) {
        let own = &check.labels[of_file..];
        let of_row = if is_alone { String::new() } else { id(own) };
        let id = row_ids.unique(if of_row.is_empty() { format!("check-{number}") } else { of_row });
        let own = notes.not_said(own).into_iter();
        about.extend(own.map(|note| if is_alone { note } else { format!("{id}: {note}") }));
        let mut row = Mapping::new();
        put(&mut row, "id", id);
        put(&mut row, "agent", &*check.agent);
        put(&mut row, "url", &*check.url);
        put(&mut row, "expect", if check.is_allowed { "allow" } else { "disallow" });
        rows.push(Value::Mapping(row));
    }
    let mut case = Mapping::new();
    put(&mut case, "id", ids.unique(if of_case.is_empty() { format!("file-{number}") } else { of_case }));
    put(&mut case, "clauses", clauses(head.editions, checks));
    if !about.is_empty() {
        put(&mut case, "about", about.join("\n"));
    }
    put(&mut case, "editions", head.editions.iter().map(|edition| edition.id()).collect::<Vec<_>>());
    // What others expect is expected of their file, as they wrote it.
    put(&mut case, "variants", "none");
    put(&mut case, "robots", written_foreign_file(&first.robots));
    put(&mut case, "rows", rows);
    case
}

/// How many labels are about the file, for all checks of it: the same file may stand in several messages.
fn of_file(checks: &[&Found]) -> usize {
    let first = checks[0];
    let common = |check: &&Found| {
        let labels = check.labels[..check.of_file].iter().zip(&first.labels[..first.of_file]);
        labels.take_while(|(one, other)| Rc::ptr_eq(one, other)).count()
    };
    checks.iter().map(common).min().unwrap_or_default()
}

fn id(labels: &[Rc<Labels>]) -> String {
    let slugs: Vec<&str> =
        labels.iter().map(|labels| &*labels.slug).filter(|slug| !slug.is_empty()).collect();
    slugs.join("-")
}

/// The clauses that decide, as the reference has it, of those that all the editions have; those about rules before
/// those about agents.
fn clauses(editions: &[Edition], checks: &[&Found]) -> Vec<&'static str> {
    let robots = RobotsTxt::parse(&checks[0].robots);
    let mut clauses = Vec::new();
    for check in checks.iter().take(CHECKS_FOR_CLAUSES) {
        for &edition in editions {
            let decision = robots.decide(&Reading::plainest(edition), &check.agent, &check.url);
            for clause in decision.map(|decision| decision.clauses()).unwrap_or_default().into_iter().rev() {
                if is_cited(clause, editions) && !clauses.contains(&clause) {
                    clauses.push(clause);
                }
            }
        }
    }
    if clauses.is_empty() {
        clauses.push(ANY_CLAUSE);
    }
    clauses
}

fn is_cited(id: &str, editions: &[Edition]) -> bool {
    Clause::find(id).is_some_and(|clause| {
        clause.kind != Kind::N && editions.iter().all(|&edition| clause.section(edition).is_some())
    })
}

/// Ids that are given once.
#[derive(Debug, Default)]
struct Ids {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Ids {
    fn unique(&mut self, wanted: String) -> String {
        let mut id = wanted.clone();
        while !self.taken.insert(id.clone()) {
            let next = self.next.entry(wanted.clone()).or_insert(1);
            *next += 1;
            id = format!("{wanted}-{next}");
        }
        id
    }
}

/// What was said already: a note about several checks is written with the first.
#[derive(Debug, Default)]
struct Notes {
    said: HashSet<*const Labels>,
}

impl Notes {
    fn not_said(&mut self, labels: &[Rc<Labels>]) -> Vec<String> {
        let is_new = |labels: &&Rc<Labels>| self.said.insert(Rc::as_ptr(labels));
        labels.iter().filter(is_new).flat_map(|labels| labels.notes.iter().cloned()).collect()
    }
}
