//! The parts that suites, cases and rows have, and the errors with their places.

use std::cell::Cell;
use std::path::Path;

use robotspec_reference::Edition;

use crate::check_id::is_part;
use crate::clause::{Clause, ClauseKind};
use crate::yaml::{Document, FileError, Loaded};

/// Loads the parts that suites, cases and rows have.
pub(in crate::suite) struct Loader<'s> {
    pub(super) document: Document<'s>,
    pub(super) file: &'s Path,
    /// Whether the text was read from the file, so that it has a folder.
    pub(super) is_file: bool,
    /// The size of the files, URLs and agents up to here, in bytes.
    pub(super) total_size: Cell<usize>,
}

/// The largest size of all files, URLs and agents of a document together, in bytes.
const LARGEST_TOGETHER: usize = 128 << 20;

/// The longest id, in bytes. The name of each check contains the ids of its suite and its case.
const LONGEST_ID: usize = 200;

impl Loader<'_> {
    pub(in crate::suite) fn error(&self, part: &str, message: impl Into<String>) -> FileError {
        self.document.error(part, message)
    }

    /// Returns the line of a part of the suite. Those of embedded suites are not read at every start of a program.
    pub(in crate::suite) fn line(&self, part: &str) -> Option<usize> {
        let place = self.is_file.then(|| self.document.place(part)).flatten();
        place.map(|(line, _)| line)
    }

    /// Counts the bytes of a part of the suite. A short document can describe gigabytes, because each file may repeat a
    /// text, and each row may have the agent of its suite.
    pub(in crate::suite) fn count(&self, part: &str, bytes: usize) -> Loaded<()> {
        self.total_size.set(self.total_size.get().saturating_add(bytes));
        if self.total_size.get() <= LARGEST_TOGETHER {
            return Ok(());
        }
        let message = format!(
            "the files, URLs and agents up to here have more than {LARGEST_TOGETHER} bytes together; split the document"
        );
        Err(self.error(part, message))
    }

    pub(super) fn duplicate_id(&self, part: &str, id: &str) -> FileError {
        self.error(&format!("{part}.id"), format!("the id `{id}` is not unique; choose another"))
    }

    pub(super) fn check_id(&self, part: &str, id: &str) -> Loaded<()> {
        if id.len() > LONGEST_ID {
            return Err(self.error(part, format!("the id is longer than {LONGEST_ID} bytes; shorten it")));
        }
        if is_part(id) {
            return Ok(());
        }
        Err(self.error(part, format!("`{id}` is not an id; use lower-case letters, digits and hyphens")))
    }

    /// Returns the clauses of a case or a row.
    pub(super) fn load_clauses(&self, part: &str, ids: &[String]) -> Loaded<Vec<&'static Clause>> {
        let mut clauses: Vec<&'static Clause> = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            let part = format!("{part}.clauses[{index}]");
            let clause = self.find_clause(&part, id)?;
            if clause.kind == ClauseKind::NotTestable {
                return Err(
                    self.error(&part, format!("the clause `{id}` is marked as not testable; cite another"))
                );
            }
            if clauses.iter().any(|earlier| earlier.id == clause.id) {
                return Err(self.error(&part, format!("the clause `{id}` is cited twice; remove one")));
            }
            clauses.push(clause);
        }
        if clauses.is_empty() {
            return Err(self.error(part, "cite at least one clause of cases/clauses.yaml"));
        }
        Ok(clauses)
    }

    pub(super) fn find_clause(&self, part: &str, id: &str) -> Loaded<&'static Clause> {
        Clause::find(id)
            .ok_or_else(|| self.error(part, format!("unknown clause `{id}`; see cases/clauses.yaml")))
    }

    /// Returns the editions that a case names, or all that have its clauses.
    pub(super) fn load_editions(
        &self,
        part: &str,
        named: Option<&Vec<String>>,
        clauses: &[&Clause],
    ) -> Loaded<Vec<Edition>> {
        let missing = |edition: Edition| clauses.iter().find(|clause| clause.section(edition).is_none());
        let Some(named) = named else {
            let editions: Vec<Edition> =
                Edition::ALL.into_iter().filter(|&edition| missing(edition).is_none()).collect();
            if editions.is_empty() {
                return Err(self
                    .error(&format!("{part}.clauses"), "no edition has all these clauses; split the case"));
            }
            return Ok(editions);
        };
        let mut editions = Vec::new();
        for (index, id) in named.iter().enumerate() {
            let part = format!("{part}.editions[{index}]");
            let edition: Edition = id.parse().map_err(|error| self.error(&part, format!("{error}")))?;
            if let Some(clause) = missing(edition) {
                let message =
                    format!("{edition} has no clause `{}`; remove the edition or the clause", clause.id);
                return Err(self.error(&part, message));
            }
            if editions.contains(&edition) {
                return Err(self.error(&part, format!("{edition} occurs twice; remove one")));
            }
            editions.push(edition);
        }
        editions.sort();
        Ok(editions)
    }
}
