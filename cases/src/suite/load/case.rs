//! Loads the rows of a case: the parts that rows of several kinds have.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use robotspec_reference::{Edition, Question};

use serde::Deserialize;

use super::loader::Loader;
use crate::check::{Check, Reasons};
use crate::check_id::CheckId;
use crate::clause::{Clause, Level};
use crate::expected::Expected;
use crate::query::Query;
#[cfg(feature = "schema")]
use crate::schema::{QuestionId, by_edition};
use crate::suite::bytes::{BytesFormat, decode_bytes};
use crate::suite::robots_file;
use crate::yaml::{FileError, Loaded};

/// The agent of a row for which the row, its case and its suite name none.
const DEFAULT_AGENT: &str = "FooBot";

/// Returns the URL that a row or a user wrote, which may be only a path.
pub fn absolute_url(written: &str) -> String {
    let origin = if written.starts_with('/') { "http://example.com" } else { "" };
    format!("{origin}{written}")
}

/// An expectation: one for all editions, or one for each edition.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(
    untagged,
    expecting = "expected `allow`, `disallow` or `unspecified` (`yes` or `no` for scope and grammar), or a map with one of them for each edition and `otherwise`"
)]
pub enum ByEdition<T> {
    /// In every edition of the case.
    Same(T),
    /// By edition, with `otherwise` for all editions that have none.
    #[cfg_attr(feature = "schema", schemars(schema_with = "by_edition::<T>"))]
    Each(BTreeMap<String, T>),
}

/// A name, or a list of names.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "QuestionIds"))]
#[serde(untagged, expecting = "expected a name or a list of names")]
pub enum OneOrMany {
    /// A name.
    One(#[cfg_attr(feature = "schema", schemars(with = "QuestionId"))] String),
    /// A list of names.
    Many(#[cfg_attr(feature = "schema", schemars(with = "Vec<QuestionId>"))] Vec<String>),
}

impl OneOrMany {
    /// Returns the names.
    pub fn names(&self) -> &[String] {
        match self {
            OneOrMany::One(name) => std::slice::from_ref(name),
            OneOrMany::Many(names) => names,
        }
    }
}

/// Loads the rows of a case.
pub(in crate::suite) struct CaseLoader<'c> {
    pub(in crate::suite) loader: &'c Loader<'c>,
    /// The path of the case in the document, such as `cases[2]`.
    pub(in crate::suite) part: &'c str,
    /// The ids of the suite and of the case.
    pub(super) ids: (&'c str, &'c str),
    /// The clauses of the case.
    pub(super) clauses: &'c [&'static Clause],
    /// The editions that the case runs in.
    pub(super) editions: &'c [Edition],
    pub(super) google_specific: bool,
    /// The agent of rows that name none: that of the case or the suite.
    pub(super) agent: Option<&'c String>,
    /// The questions of rows that name none.
    pub(in crate::suite) question: Option<&'c OneOrMany>,
}

/// The robots.txt of a case, and its path where the case names a file.
type RobotsFile = (Arc<[u8]>, Option<PathBuf>);

/// What a row states: what is expected, and why.
#[derive(Default)]
pub(in crate::suite) struct Stated {
    pub(in crate::suite) expected: BTreeMap<Edition, Expected>,
    pub(in crate::suite) questions: Vec<Question>,
    pub(in crate::suite) reasons: Reasons,
}

impl CaseLoader<'_> {
    /// Returns the robots.txt of the case: its text, or the file that it names, with its path.
    pub(super) fn load_robots(
        &self,
        written: Option<&BytesFormat>,
        name: Option<&str>,
    ) -> Loaded<Option<RobotsFile>> {
        const KEY: &str = "robots-file";
        let name = match (written, name) {
            (None, None) => return Ok(None),
            (Some(written), None) => return Ok(Some((self.load_file("robots", written)?, None))),
            (Some(_), Some(_)) => {
                return Err(self.error(KEY, "the case has `robots`, too; remove one of the two"));
            }
            (None, Some(name)) => name,
        };
        let folder = self.loader.file.parent().filter(|_| self.loader.is_file);
        let folder = folder.ok_or_else(|| {
            self.error(
                KEY,
                "this suite is not in a folder, so it cannot name a file; write the file under `robots`",
            )
        })?;
        let (path, bytes) = robots_file::read(folder, name).map_err(|error| self.error(KEY, error))?;
        self.loader.count(&format!("{}.{KEY}", self.part), bytes.len())?;
        Ok(Some((bytes.into(), Some(path))))
    }

    /// Returns an error at a key of the case.
    pub(in crate::suite) fn error(&self, key: &str, message: impl Into<String>) -> FileError {
        self.loader.error(&format!("{}.{key}", self.part), message)
    }

    /// Returns a row with this id, or the only row of the case.
    pub(in crate::suite) fn load_row(
        &self,
        part: &str,
        id: Option<&String>,
        clauses: &Option<Vec<String>>,
        stated: Stated,
        query: impl FnOnce() -> Loaded<Query>,
    ) -> Loaded<Check> {
        if let Some(id) = id {
            self.loader.check_id(&format!("{part}.id"), id)?;
        }
        let Stated { expected, questions, reasons } = stated;
        let (suite, case) = self.ids;
        Ok(Check {
            id: CheckId {
                suite: suite.into(),
                case: case.into(),
                row: id.map(|id| id.as_str().into()),
                variant: None,
            },
            clauses: self.load_row_clauses(part, clauses, &expected)?,
            google_specific: self.google_specific,
            query: query()?,
            expected,
            questions,
            reasons: reasons.into(),
            line: self.loader.line(part),
        })
    }

    /// Returns the agent of a row: that of the row, the case or the suite.
    pub(in crate::suite) fn load_agent(&self, part: &str, of_row: &Option<String>) -> Loaded<String> {
        let agent = of_row.as_ref().or(self.agent).map_or(DEFAULT_AGENT, String::as_str);
        self.loader.count(part, agent.len())?;
        Ok(agent.to_owned())
    }

    pub(in crate::suite) fn load_file(&self, key: &str, written: &BytesFormat) -> Loaded<Arc<[u8]>> {
        let file = decode_bytes(written).map_err(|error| self.error(key, error))?;
        self.loader.count(&format!("{}.{key}", self.part), file.len())?;
        Ok(file.into())
    }

    pub(in crate::suite) fn load_url(&self, row: &str, url: &BytesFormat) -> Loaded<String> {
        let part = &format!("{row}.url");
        let bytes = decode_bytes(url).map_err(|error| self.loader.error(part, error))?;
        self.loader.count(part, bytes.len())?;
        let url = String::from_utf8(bytes)
            .map_err(|_| self.loader.error(part, "the URL is not UTF-8; percent-encode the bytes"))?;
        Ok(absolute_url(&url))
    }

    /// Returns the clauses of a row: its own, of which each edition needs to have only one, or those of the case.
    fn load_row_clauses(
        &self,
        part: &str,
        of_row: &Option<Vec<String>>,
        expected: &BTreeMap<Edition, Expected>,
    ) -> Loaded<Vec<&'static Clause>> {
        let (part, clauses) = match of_row {
            Some(ids) => (format!("{part}.clauses"), self.loader.load_clauses(part, ids)?),
            None => (format!("{}.clauses", self.part), self.clauses.to_vec()),
        };
        for (&edition, expected) in expected.iter().filter(|_| !clauses.is_empty()) {
            if clauses.iter().all(|clause| clause.section(edition).is_none()) {
                let message = format!("{edition} has none of these clauses; add one that it has");
                return Err(self.loader.error(&part, message));
            }
            // A list of sitemaps is what an edition names, also where it only permits to read it.
            let is_list = matches!(expected, Expected::Sitemaps(_));
            let is_permitted = Clause::weakest_level(&clauses, edition) == Level::May;
            if is_permitted && !is_list && !expected.is_unspecified() {
                let message = format!(
                    "{edition} only permits what these clauses state, so it cannot expect `{expected}`; write `unspecified`, or cite the clause that decides"
                );
                return Err(self.loader.error(&part, message));
            }
        }
        Ok(clauses)
    }

    /// Loads each row under a key of the case.
    pub(in crate::suite) fn load_each<T>(
        &self,
        key: &str,
        written: &[T],
        load: impl Fn(&str, &T) -> Loaded<Check>,
    ) -> Loaded<Vec<Check>> {
        if written.is_empty() {
            return Err(self.error(key, "a case without rows tests nothing; add a row"));
        }
        let mut ids = HashSet::new();
        let mut rows = Vec::new();
        for (index, written) in written.iter().enumerate() {
            let part = format!("{}.{key}[{index}]", self.part);
            let row = load(&part, written)?;
            if !ids.insert(row.id.clone()) {
                return Err(self.loader.duplicate_id(&part, &row.id.to_string()));
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// Returns the same expectation in each edition of the case.
    pub(in crate::suite) fn in_each_edition(&self, expected: &Expected) -> BTreeMap<Edition, Expected> {
        self.editions.iter().map(|&edition| (edition, expected.clone())).collect()
    }

    /// Returns what a row states under its own key and under `question` and `gives`.
    pub(in crate::suite) fn load_stated<T: Clone>(
        &self,
        part: &str,
        (key, written): (&str, &ByEdition<T>),
        question: &Option<OneOrMany>,
        gives: &Option<BTreeMap<String, T>>,
        outcome: impl Fn(T) -> Expected,
    ) -> Loaded<Stated> {
        let expected = self.load_expected(&format!("{part}.{key}"), written, &outcome)?;
        let questions = self.load_questions(part, question.as_ref(), &expected)?;
        let gives = self.load_gives(part, gives, &questions, &expected, outcome)?;
        Ok(Stated { expected, questions, reasons: Reasons { gives, ..Reasons::default() } })
    }

    /// Returns the expectation of each edition of the case.
    fn load_expected<T: Clone>(
        &self,
        part: &str,
        written: &ByEdition<T>,
        expected: impl Fn(T) -> Expected,
    ) -> Loaded<BTreeMap<Edition, Expected>> {
        let each = match written {
            ByEdition::Same(value) => return Ok(self.in_each_edition(&expected(value.clone()))),
            ByEdition::Each(each) => each,
        };
        let mut by_edition = BTreeMap::new();
        for (id, value) in each.iter().filter(|(id, _)| *id != "otherwise") {
            let part = format!("{part}.{id}");
            let edition: Edition =
                id.parse().map_err(|error| self.loader.error(&part, format!("{error}, otherwise")))?;
            if !self.editions.contains(&edition) {
                let message = format!("the case does not run in {edition}; remove this expectation");
                return Err(self.loader.error(&part, message));
            }
            by_edition.insert(edition, expected(value.clone()));
        }
        for &edition in self.editions {
            if let Some(of_base) = edition.base().and_then(|base| by_edition.get(&base)).cloned() {
                by_edition.entry(edition).or_insert(of_base);
            }
        }
        let missing: Vec<Edition> =
            self.editions.iter().copied().filter(|edition| !by_edition.contains_key(edition)).collect();
        match (each.get("otherwise"), missing.first()) {
            (Some(value), Some(_)) => {
                by_edition.extend(missing.iter().map(|&edition| (edition, expected(value.clone()))));
            }
            (Some(_), None) => {
                let message = "every edition has an expectation; remove `otherwise`";
                return Err(self.loader.error(part, message));
            }
            (None, Some(edition)) => {
                let message = format!("{edition} has no expectation; add it, or add `otherwise`");
                return Err(self.loader.error(part, message));
            }
            (None, None) => {}
        }
        Ok(by_edition)
    }

    /// Returns the questions that make a row unspecified, where it is.
    fn load_questions(
        &self,
        part: &str,
        of_row: Option<&OneOrMany>,
        expected: &BTreeMap<Edition, Expected>,
    ) -> Loaded<Vec<Question>> {
        let is_unspecified = expected.values().any(Expected::is_unspecified);
        let (part, written) = match (of_row, self.question) {
            (Some(of_row), _) => (format!("{part}.question"), of_row),
            (None, Some(of_case)) if is_unspecified => (format!("{}.question", self.part), of_case),
            (None, _) if is_unspecified => {
                let message = "an edition expects `unspecified`; name the `question` that is the reason";
                return Err(self.loader.error(part, message));
            }
            (None, _) => return Ok(Vec::new()),
        };
        if !is_unspecified {
            let message = "no edition expects `unspecified`; remove `question`";
            return Err(self.loader.error(&part, message));
        }
        self.find_questions(&part, written)
    }

    pub(in crate::suite) fn find_questions(&self, part: &str, written: &OneOrMany) -> Loaded<Vec<Question>> {
        let find = |name: &String| {
            Question::from_id(name).ok_or_else(|| {
                self.loader.error(part, format!("unknown question `{name}`; see `robotspec editions`"))
            })
        };
        written.names().iter().map(find).collect()
    }
}
