//! The strict loader of files of cases.
//!
//! Every error has its place in the file and says how to fix it. The loader never leaves anything out silently.

mod access;
mod case;
mod grammar;
mod matching;
mod reasons;
mod scope;
mod sitemaps;
mod usage;

use std::cell::Cell;
use std::collections::HashSet;
use std::path::Path;
use std::sync::OnceLock;

use robotspec_reference::Edition;

use crate::SuiteFile;
use crate::check::{Case, Suite};
use crate::check_id::is_part;
use crate::clause::{Clause, ClauseKind};
use crate::suite::format::{CaseFormat, SuiteFormat};
use crate::yaml::{Document, FileError};
use robotspec_text::visible_path;

use case::CaseLoader;

/// Returns the embedded suites, in the order of their ids. They are read once.
///
/// # Errors
///
/// A suite is broken.
pub fn built_in() -> Result<&'static [Suite], FileError> {
    static SUITES: OnceLock<Vec<Suite>> = OnceLock::new();
    if let Some(suites) = SUITES.get() {
        return Ok(suites);
    }
    let suites = crate::SUITE_FILES.iter().map(load_built_in).collect::<Result<_, _>>()?;
    Ok(SUITES.get_or_init(|| suites))
}

/// Returns the embedded suite with this id. Its file has the same name, so no other file is read.
///
/// # Errors
///
/// The suite is broken.
pub fn built_in_suite(id: &str) -> Result<Option<Suite>, FileError> {
    let file = crate::SUITE_FILES.iter().find(|file| file.name.strip_suffix(".yaml") == Some(id));
    file.map(load_built_in).transpose()
}

/// Loads an embedded suite. The tests check what a table of the specification has in addition to the format.
fn load_built_in(file: &SuiteFile) -> Result<Suite, FileError> {
    let name = Path::new("cases/suites").join(file.name);
    let (suite, document) = Document::read_embedded(name.clone(), file.text)?;
    load_document(&name, suite, document, false)
}

/// Loads the text of a file of cases. No case of it can name a file, because the text has no folder.
///
/// # Errors
///
/// The text is not YAML, or breaks the format that `cases/README.md` describes.
pub fn load(file: &Path, text: &str) -> Result<Suite, FileError> {
    let (suite, document) = Document::read(file, text)?;
    load_document(file, suite, document, false)
}

/// Loads a file of cases with this text, and the files in its folder that cases name.
///
/// # Errors
///
/// The text is not YAML, or breaks the format that `cases/README.md` describes; or a file that a case names cannot be read,
/// or is outside the folder.
pub fn load_file(file: &Path, text: &str) -> Result<Suite, FileError> {
    let (suite, document) = Document::read(file, text)?;
    load_document(file, suite, document, true)
}

fn load_document(
    file: &Path,
    suite: SuiteFormat,
    document: Document,
    is_file: bool,
) -> Result<Suite, FileError> {
    let loader = Loader { document, file, suite: &suite, is_file, total_size: Cell::new(0) };
    loader.check_id("suite", &suite.suite)?;
    let mut ids = HashSet::new();
    let mut cases = Vec::new();
    for (index, case) in suite.cases.iter().enumerate() {
        let part = format!("cases[{index}]");
        loader.check_id(&format!("{part}.id"), &case.id)?;
        if !ids.insert(&case.id) {
            return Err(loader.duplicate_id(&part, &case.id));
        }
        cases.push(loader.load_case(&part, case)?);
    }
    Ok(Suite {
        cases,
        title: suite.title.unwrap_or_else(|| suite.suite.clone()),
        source: suite.source.unwrap_or_else(|| visible_path(file)),
        file: is_file.then(|| file.to_owned()),
        id: suite.suite.into(),
    })
}

struct Loader<'s> {
    document: Document<'s>,
    file: &'s Path,
    suite: &'s SuiteFormat,
    /// Whether the text was read from the file, so that it has a folder.
    is_file: bool,
    /// The size of the files, URLs and agents up to here, in bytes.
    total_size: Cell<usize>,
}

/// The largest size of all files, URLs and agents of a document together, in bytes.
const LARGEST_TOGETHER: usize = 128 << 20;

/// The longest id, in bytes. The name of each check contains the ids of its suite and its case.
const LONGEST_ID: usize = 200;

impl Loader<'_> {
    fn error(&self, part: &str, message: impl Into<String>) -> FileError {
        self.document.error(part, message)
    }

    /// Returns the line of a part of the suite. Those of embedded suites are not read at every start of a program.
    fn line(&self, part: &str) -> Option<usize> {
        let place = self.is_file.then(|| self.document.place(part)).flatten();
        place.map(|(line, _)| line)
    }

    /// Counts the bytes of a part of the suite. A short document can describe gigabytes, because each file may repeat a
    /// text, and each row may have the agent of its suite.
    fn count(&self, part: &str, bytes: usize) -> Result<(), FileError> {
        self.total_size.set(self.total_size.get().saturating_add(bytes));
        if self.total_size.get() <= LARGEST_TOGETHER {
            return Ok(());
        }
        let message = format!(
            "the files, URLs and agents up to here have more than {LARGEST_TOGETHER} bytes together; split the document"
        );
        Err(self.error(part, message))
    }

    fn duplicate_id(&self, part: &str, id: &str) -> FileError {
        self.error(&format!("{part}.id"), format!("the id `{id}` is not unique; choose another"))
    }

    fn check_id(&self, part: &str, id: &str) -> Result<(), FileError> {
        if id.len() > LONGEST_ID {
            return Err(self.error(part, format!("the id is longer than {LONGEST_ID} bytes; shorten it")));
        }
        if is_part(id) {
            return Ok(());
        }
        Err(self.error(part, format!("`{id}` is not an id; use lower-case letters, digits and hyphens")))
    }

    fn load_case(&self, part: &str, case: &CaseFormat) -> Result<Case, FileError> {
        let clauses = case.clauses.as_ref().map_or(Ok(Vec::new()), |ids| self.load_clauses(part, ids))?;
        let editions = self.load_editions(part, case, &clauses)?;
        let loader = CaseLoader { loader: self, part, case, clauses: &clauses, editions: &editions };
        let file = loader.load_robots()?;
        let (robots, robots_file) = file.map_or((None, None), |file| (Some(file.bytes), file.path));
        let rows = loader.load_rows(robots.as_ref())?;
        // A rewriting keeps the answer by a clause. A row that cites none is about its file as it is.
        let cite_clauses = rows.iter().all(|row| !row.clauses.is_empty());
        Ok(Case {
            name: format!("{}/{}", self.suite.suite, case.id),
            clauses,
            about: case.about.clone(),
            google_specific: case.google_specific,
            has_variants: case.variants.is_none() && robots.is_some() && case.twin.is_none() && cite_clauses,
            robots_file,
            rows,
            editions,
        })
    }

    /// Returns the clauses of a case or a row.
    fn load_clauses(&self, part: &str, ids: &[String]) -> Result<Vec<&'static Clause>, FileError> {
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

    fn find_clause(&self, part: &str, id: &str) -> Result<&'static Clause, FileError> {
        Clause::find(id)
            .ok_or_else(|| self.error(part, format!("unknown clause `{id}`; see cases/clauses.yaml")))
    }

    fn load_editions(
        &self,
        part: &str,
        case: &CaseFormat,
        clauses: &[&Clause],
    ) -> Result<Vec<Edition>, FileError> {
        let missing = |edition: Edition| clauses.iter().find(|clause| clause.section(edition).is_none());
        let Some(named) = &case.editions else {
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
