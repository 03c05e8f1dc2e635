//! Imports the tests of Google's robotstxt-spec-test as a suite.
//!
//! [Messages](message) → [a suite](suite) → [a comparison](compare) with the reference.

mod compare;
mod message;
mod suite;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail};
use robotspec_reference::{Edition, Ruling};
use serde_yaml::Mapping;

pub(crate) use compare::{Comparison, Difference};
use message::{Expectation, Test};
use suite::{NewCase, NewCheck};

use robotspec_cases::suite::load;
use robotspec_cases::suite::write::put;
use robotspec_cases::{Case, Expected, FileError, Query, Suite, visible_path};

/// A file to import.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) file: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// The properties of the suite to write.
#[derive(Debug)]
pub(crate) struct Target<'t> {
    pub(crate) id: &'t str,
    /// The files and folders that the suite comes from.
    pub(crate) source: &'t str,
    pub(crate) editions: &'t [Edition],
}

/// The result of an import.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The suite as YAML.
    pub(crate) text: String,
    pub(crate) checks: usize,
    pub(crate) google_specific_checks: usize,
    pub(crate) cases: usize,
    /// The tests and expectations that are not checks, each with the reason.
    pub(crate) left_out: Vec<String>,
    pub(crate) comparison: Comparison,
}

/// Makes a suite of the tests in files.
///
/// # Errors
///
/// A file does not follow the definition, or there is no check. Each message is one line.
pub(crate) fn import(sources: &[Source], target: &Target<'_>) -> Result<Imported, Vec<Error>> {
    let mut collector = Collector { names: Names::new(sources), ..Collector::default() };
    let mut errors = Vec::new();
    for source in sources {
        match message::read(&source.bytes) {
            Ok(tests) => collector.add_file(&source.file, tests),
            Err(message::Error { line, column, message }) => {
                errors.push(FileError { file: source.file.clone(), line, column, message }.into());
            }
        }
    }
    let Collector { cases, left_out, .. } = collector;
    if errors.is_empty() && cases.is_empty() {
        errors.extend(left_out.iter().cloned().map(Error::msg));
        errors.push(anyhow!(
            "the files contain no check; a check has `expected_outcome: ALLOWED` or `DISALLOWED`"
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (text, suite) = write(&cases, target).map_err(|error| vec![error])?;
    let count = |cases: &mut dyn Iterator<Item = &NewCase>| cases.map(|case| case.checks.len()).sum();
    Ok(Imported {
        text,
        checks: count(&mut cases.iter()),
        google_specific_checks: count(&mut cases.iter().filter(|case| case.is_google_specific)),
        cases: cases.len(),
        left_out,
        comparison: compare::compare(&suite),
    })
}

/// Turns tests into cases.
#[derive(Debug, Default)]
struct Collector {
    names: Names,
    cases: Vec<NewCase>,
    left_out: Vec<String>,
}

impl Collector {
    fn add_file(&mut self, file: &Path, tests: Vec<Test>) {
        let name = self.names.name(file);
        for (number, test) in (1..).zip(tests) {
            let place = format!("{}: test {number}", visible_path(file));
            self.add_test(&format!("{name}-{number}"), &place, test);
        }
    }

    /// Adds the case of a test, or two cases where only some of its checks are specific to Google.
    fn add_test(&mut self, id: &str, place: &str, test: Test) {
        if test.expectations.is_empty() {
            self.left_out.push(format!("{place} has no `test_expectations`"));
        }
        let (mut standard, mut google_specific) = (Vec::new(), Vec::new());
        for (number, expectation) in (1..).zip(test.expectations) {
            match check(number, expectation) {
                Ok((check, false)) => standard.push(check),
                Ok((check, true)) => google_specific.push(check),
                Err(reason) => self.left_out.push(format!("{place}, expectation {number}: {reason}")),
            }
        }
        let is_mixed = !standard.is_empty() && !google_specific.is_empty();
        for (checks, is_google_specific) in [(standard, false), (google_specific, true)] {
            if !checks.is_empty() {
                let suffix = if is_mixed && is_google_specific { "-google-specific" } else { "" };
                let id = self.names.unique(format!("{id}{suffix}"));
                self.cases.push(NewCase { id, is_google_specific, robots: test.robots.clone(), checks });
            }
        }
    }
}

/// Why an expectation is not a check.
#[derive(Debug)]
enum NoCheck {
    /// `expected_outcome` is absent or UNSPECIFIED.
    NoOutcome,
    /// The definition does not have this number of `expected_outcome`.
    Outcome(i32),
    /// The definition does not have this number of `test_type`.
    TestType(i32),
}

impl fmt::Display for NoCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, number) = match self {
            NoCheck::NoOutcome => return f.write_str("`expected_outcome` is absent or UNSPECIFIED"),
            NoCheck::Outcome(number) => ("expected_outcome", number),
            NoCheck::TestType(number) => ("test_type", number),
        };
        write!(f, "`{field}` is {number}, which the definition does not have")
    }
}

/// Returns the check of an expectation, and whether it is specific to Google.
fn check(number: usize, expectation: Expectation) -> Result<(NewCheck, bool), NoCheck> {
    let Expectation { agent, url, outcome, test_type, explanation } = expectation;
    let is_allowed = match outcome {
        1 => true,
        2 => false,
        0 => return Err(NoCheck::NoOutcome),
        other => return Err(NoCheck::Outcome(other)),
    };
    let is_google_specific = match test_type {
        0 => false,
        1 => true,
        other => return Err(NoCheck::TestType(other)),
    };
    Ok((NewCheck { id: format!("check-{number}"), agent, url, is_allowed, explanation }, is_google_specific))
}

/// The names of files as ids.
#[derive(Debug, Default)]
struct Names {
    /// The number of files that have a name.
    files: HashMap<String, usize>,
    ids: HashSet<String>,
}

impl Names {
    fn new(sources: &[Source]) -> Self {
        let mut files: HashMap<String, usize> = HashMap::new();
        sources.iter().for_each(|source| *files.entry(file_id(&source.file)).or_default() += 1);
        Names { files, ids: HashSet::new() }
    }

    /// Returns the name of a file, after the name of its folder where several files have the same name.
    fn name(&self, file: &Path) -> String {
        let (name, folder) = (file_id(file), file.parent().map(file_id).unwrap_or_default());
        let is_shared = self.files.get(&name).is_some_and(|&files| files > 1) && !folder.is_empty();
        match (is_shared, name.is_empty()) {
            (true, _) => format!("{folder}-{name}"),
            (false, true) => "test".to_owned(),
            (false, false) => name,
        }
    }

    /// Returns an id with a number where the id itself is taken.
    fn unique(&mut self, id: String) -> String {
        let numbered = (2..).map(|number| format!("{id}-{number}"));
        let mut candidates = std::iter::once(id.clone()).chain(numbered);
        candidates.find(|candidate| self.ids.insert(candidate.clone())).unwrap_or(id)
    }
}

/// Returns the name of a file or folder as an id: lower-case letters, digits and hyphens. It may be empty.
pub(crate) fn file_id(path: &Path) -> String {
    const LONGEST: usize = 60;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut id = words.collect::<Vec<_>>().join("-");
    id.truncate(LONGEST);
    id.trim_end_matches('-').to_owned()
}

/// Returns the suite as it is written, and as it loads.
fn write(cases: &[NewCase], target: &Target<'_>) -> Result<(String, Suite)> {
    let mut written = Mapping::new();
    put(&mut written, "suite", target.id);
    put(&mut written, "title", format!("Imported from {}", target.source));
    put(&mut written, "source", target.source);
    put(
        &mut written,
        "cases",
        cases.iter().map(|case| suite::case(case, target.editions)).collect::<Vec<_>>(),
    );
    let text = serde_yaml::to_string(&written)?;
    let suite = load(Path::new("imported.yaml"), &text)?;
    if suite.cases.len() != cases.len()
        || !suite.cases.iter().zip(cases).all(|(case, new)| is_same(case, new))
    {
        bail!("YAML does not preserve these checks; please report this");
    }
    Ok((text, suite))
}

/// Returns whether a loaded case has the checks that were written.
fn is_same(case: &Case, new: &NewCase) -> bool {
    let rows = case.rows.iter().zip(&new.checks).all(|(row, check)| {
        let Query::Match { robots, agent, url } = &row.query else { return false };
        let ruling = if check.is_allowed { Ruling::Allow } else { Ruling::Disallow };
        // The loader completes a path to an absolute URL.
        let is_path = check.url.starts_with('/') && url.ends_with(&*check.url);
        robots[..] == new.robots[..]
            && **agent == *check.agent
            && (**url == *check.url || is_path)
            && row.expected.values().all(|expected| *expected == Expected::Ruling(ruling))
    });
    rows && case.rows.len() == new.checks.len() && case.google_specific == new.is_google_specific
}
