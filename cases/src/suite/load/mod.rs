//! The strict loader of files of cases.
//!
//! Every error has its place in the file and says how to fix it. The loader never leaves anything out silently.

pub(super) mod case;
mod loader;
pub(super) mod reasons;

use std::cell::Cell;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use robotspec_text::visible_path;

use crate::SuiteFile;
use crate::check::{Case, Check, Suite};
use crate::suite::format::{CaseFormat, SuiteFormat};
use crate::suite::kind::{access, alike, grammar, matching, scope, sitemaps, usage};
use crate::yaml::{Document, FileError, Loaded};

use case::CaseLoader;
use loader::Loader;

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
    let suites = crate::files().iter().map(load_built_in).collect::<Result<_, _>>()?;
    Ok(SUITES.get_or_init(|| suites))
}

/// Returns the embedded suite with this id. Its file has the same name, so no other file is read.
///
/// # Errors
///
/// The suite is broken.
pub fn built_in_suite(id: &str) -> Result<Option<Suite>, FileError> {
    let file = crate::files().iter().find(|file| file.name.strip_suffix(".yaml") == Some(id));
    file.map(load_built_in).transpose()
}

/// Loads an embedded suite. The tests check what a table of the specification has in addition to the format.
fn load_built_in(file: &SuiteFile) -> Loaded<Suite> {
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

fn load_document(file: &Path, suite: SuiteFormat, document: Document, is_file: bool) -> Loaded<Suite> {
    let loader = Loader { document, file, is_file, total_size: Cell::new(0) };
    loader.check_id("suite", &suite.suite)?;
    let mut ids = HashSet::new();
    let mut cases = Vec::new();
    for (index, case) in suite.cases.iter().enumerate() {
        let part = format!("cases[{index}]");
        loader.check_id(&format!("{part}.id"), &case.id)?;
        if !ids.insert(&case.id) {
            return Err(loader.duplicate_id(&part, &case.id));
        }
        cases.push(load_case(&loader, &suite, &part, case)?);
    }
    Ok(Suite {
        cases,
        title: suite.title.unwrap_or_else(|| suite.suite.clone()),
        source: suite.source.unwrap_or_else(|| visible_path(file)),
        file: is_file.then(|| file.to_owned()),
        id: suite.suite.into(),
    })
}

fn load_case(loader: &Loader, suite: &SuiteFormat, part: &str, case: &CaseFormat) -> Loaded<Case> {
    let clauses = case.clauses.as_ref().map_or(Ok(Vec::new()), |ids| loader.load_clauses(part, ids))?;
    let editions = loader.load_editions(part, case.editions.as_ref(), &clauses)?;
    let case_loader = CaseLoader {
        loader,
        part,
        ids: (&suite.suite, &case.id),
        clauses: &clauses,
        editions: &editions,
        google_specific: case.google_specific,
        agent: case.agent.as_ref().or(suite.agent.as_ref()),
        question: case.question.as_ref(),
    };
    let file = case_loader.load_robots(case.robots.as_ref(), case.robots_file.as_deref())?;
    let (robots, robots_file) = file.unzip();
    let rows = load_rows(&case_loader, case, robots.as_ref())?;
    // A rewriting keeps the answer by a clause. A row that cites none is about its file as it is.
    let cite_clauses = rows.iter().all(|row| !row.clauses.is_empty());
    Ok(Case {
        name: format!("{}/{}", suite.suite, case.id),
        about: case.about.clone(),
        has_variants: case.variants.is_none() && robots.is_some() && case.twin.is_none() && cite_clauses,
        robots_file: robots_file.flatten(),
        clauses,
        rows,
        editions,
    })
}

/// Returns the rows of a case, given its robots.txt: the list of the kinds, and of what a case about each has.
fn load_rows(loader: &CaseLoader, case: &CaseFormat, robots: Option<&Arc<[u8]>>) -> Loaded<Vec<Check>> {
    let CaseFormat { rows, alike, scope, sitemaps, open_sitemaps, usage, access, grammar, .. } = case;
    if open_sitemaps.is_some() && sitemaps.is_none() {
        return Err(loader.error("open-sitemaps", "add `sitemaps`; the list may be empty"));
    }
    let contents = [
        rows.is_some(),
        alike.is_some(),
        scope.is_some(),
        sitemaps.is_some(),
        usage.is_some(),
        access.is_some(),
        grammar.is_some(),
    ];
    let wrong_content = || {
        loader.loader.error(
            loader.part,
            "a case has one kind of content: `robots` (or `robots-file`) with `rows`, with `twin` and `alike`, with `sitemaps` or with `usage`; `robots-url` with `scope`; `access`; or `grammar`",
        )
    };
    if contents.into_iter().filter(|is_present| *is_present).count() != 1 {
        return Err(wrong_content());
    }
    match (robots, &case.twin, &case.robots_url) {
        (Some(robots), None, None) if let Some(rows) = rows => matching::load(loader, robots, rows),
        (Some(robots), None, None) if let Some(required) = sitemaps => {
            sitemaps::load(loader, robots, required, open_sitemaps.as_deref().unwrap_or(&[]))
        }
        (Some(robots), None, None) if let Some(rows) = usage => usage::load(loader, robots, rows),
        (Some(robots), Some(twin), None) if let Some(rows) = alike => alike::load(loader, robots, twin, rows),
        (None, None, Some(robots_url)) if let Some(rows) = scope => scope::load(loader, robots_url, rows),
        (None, None, None) if let Some(rows) = access => access::load(loader, rows),
        (None, None, None) if let Some(rows) = grammar => grammar::load(loader, rows),
        _ => Err(wrong_content()),
    }
}
