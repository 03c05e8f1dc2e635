//! Which clause is tested in which edition, and by how many rows.

use std::collections::BTreeMap;

use robotspec_reference::Edition;
use serde::Serialize;

use crate::check::Suite;
use crate::clause::{Clause, Kind};
use crate::expected::Expected;

/// A row of the coverage table.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ClauseCoverage {
    /// The clause.
    pub clause: String,
    /// What it is about.
    pub kind: Kind,
    /// For each edition that has the clause, the rows that test it.
    pub editions: BTreeMap<Edition, Rows>,
    /// Whether the clause must be tested in every edition that has it.
    pub is_testable: bool,
}

/// Rows that test a clause in an edition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// With a definite expectation.
    pub definite: usize,
    /// With none, as the edition leaves the point open.
    pub unspecified: usize,
}

/// Counts, clause by clause.
pub fn coverage(suites: &[Suite]) -> Vec<ClauseCoverage> {
    Clause::all().iter().map(|clause| of_clause(clause, suites)).collect()
}

fn of_clause(clause: &Clause, suites: &[Suite]) -> ClauseCoverage {
    let mut editions: BTreeMap<Edition, Rows> =
        clause.editions.keys().map(|&edition| (edition, Rows::default())).collect();
    let cases = suites.iter().flat_map(|suite| &suite.cases);
    for case in cases.filter(|case| case.clauses.iter().any(|cited| cited.id == clause.id)) {
        for (edition, expected) in case.rows.iter().flat_map(|row| &row.expected) {
            editions.entry(*edition).or_default().count(expected);
        }
    }
    let is_testable = clause.kind != Kind::NotTestable;
    ClauseCoverage { clause: clause.id.clone(), kind: clause.kind, editions, is_testable }
}

impl Rows {
    fn count(&mut self, expected: &Expected) {
        match expected.is_unspecified() {
            true => self.unspecified += 1,
            false => self.definite += 1,
        }
    }
}

impl ClauseCoverage {
    /// The editions that have the clause but no row that could fail.
    pub fn missing(&self) -> Vec<Edition> {
        let untested = |rows: &Rows| self.is_testable && rows.definite == 0;
        self.editions.iter().filter(|(_, rows)| untested(rows)).map(|(edition, _)| *edition).collect()
    }
}
