//! How many rows test each clause in each edition.

use std::collections::BTreeMap;

use robotspec_reference::Edition;
use serde::Serialize;

use crate::check::Suite;
use crate::clause::{Clause, ClauseKind, Level};

/// The coverage of a clause.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ClauseCoverage {
    /// The id of the clause.
    pub clause: String,
    /// The kind of the clause.
    pub kind: ClauseKind,
    /// The rows that test the clause, for each edition that has it.
    pub editions: BTreeMap<Edition, Rows>,
    /// Whether each edition that has the clause must test it.
    pub is_testable: bool,
}

/// The number of rows that test a clause in an edition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// Rows for which the edition specifies the answer.
    pub definite: usize,
    /// Rows for which the edition does not specify the answer.
    pub unspecified: usize,
}

/// Returns the coverage of every clause, in the order of the specification.
pub fn coverage(suites: &[Suite]) -> Vec<ClauseCoverage> {
    Clause::all().iter().map(|clause| clause_coverage(clause, suites)).collect()
}

fn clause_coverage(clause: &Clause, suites: &[Suite]) -> ClauseCoverage {
    let mut editions: BTreeMap<Edition, Rows> =
        clause.editions.keys().map(|&edition| (edition, Rows::default())).collect();
    let rows = suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows);
    for row in rows.filter(|row| row.clauses.iter().any(|cited| cited.id == clause.id)) {
        for (edition, expected) in &row.expected {
            // A row may cite clauses that only some of its editions have.
            if let Some(rows) = editions.get_mut(edition) {
                match expected.is_unspecified() {
                    true => rows.unspecified += 1,
                    false => rows.definite += 1,
                }
            }
        }
    }
    let is_testable = clause.kind != ClauseKind::NotTestable;
    ClauseCoverage { clause: clause.id.clone(), kind: clause.kind, editions, is_testable }
}

impl ClauseCoverage {
    /// Returns the editions that have the clause but no row that could fail. Where an edition does not require what the
    /// clause states, a row for which it does not specify the answer suffices.
    pub fn missing(&self) -> Vec<Edition> {
        let level = |edition| Clause::find(&self.clause).and_then(|clause| clause.level(edition));
        let is_untested = |edition: &Edition, rows: &Rows| match level(*edition) {
            Some(Level::Should | Level::May) => rows.definite + rows.unspecified == 0,
            Some(Level::Must) | None => rows.definite == 0,
        };
        let untested = self.editions.iter().filter(|(edition, rows)| is_untested(edition, rows));
        untested.map(|(edition, _)| *edition).filter(|_| self.is_testable).collect()
    }
}
