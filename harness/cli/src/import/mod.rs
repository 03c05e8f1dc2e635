//! Other people's checks, made a suite of this project.
//!
//! They come as messages in the text format of Protocol Buffers. A text has the names of its fields in it, so that no
//! schema is needed, and none is assumed: what a field says is known [by its name](role).
//!
//! [Messages](text_format) → [what their fields say](node) → [checks](checks) → [a suite](suite).

mod against;
mod checks;
mod node;
pub(crate) mod role;
mod suite;
#[cfg(test)]
mod tests;
mod text_format;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use robotspec_reference::{Edition, Ruling};

pub(crate) use against::{Comparison, Parting};
use checks::{Finder, Found, MOST_CHECKS, slug};
use node::Reading;
use role::{Names, Role};
use suite::Head;

use robotspec_cases::suite::{Case, Expected, Request, Row, Suite, load};
use robotspec_cases::yaml::FileError;

const NO_CHECK: &str = "there is no check: nowhere are a robots.txt, an agent, a URL and what is expected known \
                        together; say with --field NAME=ROLE what the fields are";

/// A file to import.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) file: PathBuf,
    pub(crate) octets: Vec<u8>,
}

impl AsRef<Path> for Source {
    fn as_ref(&self) -> &Path {
        &self.file
    }
}

/// What a suite is to be.
#[derive(Debug)]
pub(crate) struct Wanted<'w> {
    pub(crate) names: &'w Names,
    pub(crate) editions: &'w [Edition],
    /// The id of the suite; made from the name of the first file if absent.
    pub(crate) id: Option<&'w str>,
}

/// What came of an import.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The suite as it is written.
    pub(crate) text: String,
    pub(crate) checks: usize,
    pub(crate) cases: usize,
    /// The fields that were read, by what they say, with how many values each has.
    pub(crate) fields: BTreeMap<Role, BTreeMap<String, usize>>,
    /// How many values were left out, as their fields are to be ignored.
    pub(crate) ignored_values: usize,
    /// How many checks were left out, as their outcome is to be ignored.
    pub(crate) ignored_checks: usize,
    /// Values that are part of no check, and why.
    pub(crate) unused: Vec<FileError>,
    pub(crate) comparison: Comparison,
}

/// Makes a suite of the checks in files.
///
/// # Errors
///
/// A file is no text of this format, has a field that is not known, or says what cannot be; or there is no check.
pub(crate) fn import(sources: &[Source], wanted: &Wanted<'_>) -> Result<Imported, Vec<String>> {
    let mut reading = Reading::new(wanted.names);
    let mut finder = Finder::default();
    let mut broken = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        match text_format::read(&source.octets) {
            Ok(message) => {
                let node = reading.file(number, message);
                finder.file(node);
            }
            Err(error) => broken.push(at(source, error.place, error.message).to_string()),
        }
    }
    broken.extend(reading.errors(sources).iter().map(FileError::to_string));
    if broken.is_empty() {
        broken.extend(never_met(wanted.names, &reading.met));
    }
    if finder.has_too_many {
        broken.push(format!("there are more than {MOST_CHECKS} checks; import fewer files at a time"));
    }
    let unused = unused(&reading, &finder, sources);
    if broken.is_empty() && finder.found.is_empty() {
        broken.extend(unused.iter().map(FileError::to_string));
        broken.push(NO_CHECK.to_owned());
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let (text, suite) = written(sources, wanted, &finder.found).map_err(|error| vec![error])?;
    let mut fields: BTreeMap<Role, BTreeMap<String, usize>> = BTreeMap::new();
    for value in &reading.values {
        *fields.entry(value.role).or_default().entry(value.field.clone()).or_default() += 1;
    }
    Ok(Imported {
        text,
        checks: finder.found.len(),
        cases: suite.cases.len(),
        fields,
        ignored_values: reading.ignored,
        ignored_checks: finder.ignored,
        unused,
        comparison: against::compare(&suite),
    })
}

fn at(source: &Source, place: text_format::Place, message: String) -> FileError {
    FileError { file: source.file.clone(), line: place.line, column: place.column, message }
}

/// The suite as it is written, and as it is read again.
fn written(sources: &[Source], wanted: &Wanted<'_>, found: &[Found]) -> Result<(String, Suite), String> {
    let names: Vec<String> = sources.iter().map(|source| source.file.display().to_string()).collect();
    let stem = sources.first().and_then(|source| source.file.file_stem()).unwrap_or_default();
    let stem = Some(slug(&stem.to_string_lossy())).filter(|stem| !stem.is_empty());
    let head = Head {
        id: wanted.id.map(str::to_owned).or(stem).unwrap_or_else(|| "imported".to_owned()),
        title: format!("Imported from {}", names.join(", ")),
        source: names.join(", "),
        editions: wanted.editions,
    };
    let by_file = suite::by_file(found);
    let text = serde_yaml::to_string(&suite::suite(&head, &by_file)).map_err(|error| error.to_string())?;
    let suite = load(Path::new("imported.yaml"), &text).map_err(|error| error.to_string())?;
    // What is written is what was found, or the suite would be theirs no more.
    let is_same = |(case, found): (&Case, &Vec<&Found>)| holds(case, found);
    if suite.cases.len() != by_file.len() || !suite.cases.iter().zip(&by_file).all(is_same) {
        return Err("these checks cannot be written as they are; please report this".to_owned());
    }
    Ok((text, suite))
}

/// Whether a case has these checks, which are about one file, and no others.
fn holds(case: &Case, found: &[&Found]) -> bool {
    let is_same = |row: &Row, check: &Found| {
        let Request::Match { agent, url, .. } = &row.request else { return false };
        let ruling = if check.is_allowed { Ruling::Allow } else { Ruling::Disallow };
        let is_expected = row.expected.values().all(|expected| *expected == Expected::Ruling(ruling));
        let is_path = check.url.starts_with('/') && url.ends_with(&*check.url);
        **agent == *check.agent && (**url == *check.url || is_path) && is_expected
    };
    let file = case.rows.first().map(|row| &row.request);
    matches!((file, found.first()), (Some(Request::Match { robots, .. }), Some(first)) if robots[..] == first.robots[..])
        && case.rows.len() == found.len()
        && case.rows.iter().zip(found).all(|(row, check)| is_same(row, check))
}

/// What was named by hand, and does not occur.
fn never_met(names: &Names, met: &BTreeSet<String>) -> Vec<String> {
    let fields = names.given_fields().filter(|name| !met.contains(*name));
    let fields = fields.map(|name| format!("--field {name}=…: there is no field `{name}`"));
    let values = names.given_values().filter(|value| !met.contains(*value));
    let values = values.map(|value| format!("--value {value}=…: no outcome is `{value}`"));
    fields.chain(values).collect()
}

/// The values that are part of no check.
fn unused(reading: &Reading<'_>, finder: &Finder, sources: &[Source]) -> Vec<FileError> {
    let unused = reading.values.iter().enumerate().filter(|(number, _)| !finder.used.contains(number));
    let unused = unused.map(|(number, value)| {
        let field = &value.field;
        let lacks = finder.lacking.get(&number).map(|lacks| lacks.iter().map(|role| role.id()).collect());
        let lacks: Vec<&str> = lacks.unwrap_or_default();
        let message = match (&lacks[..], value.role) {
            ([], Role::Name | Role::Note) => format!("`{field}` is about no check"),
            ([], _) => format!("`{field}` is part of no check"),
            (lacks, _) => format!("`{field}` is part of no check: there is no {}", lacks.join(", no ")),
        };
        at(&sources[value.file], value.place, message)
    });
    unused.collect()
}
