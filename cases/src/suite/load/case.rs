//! Loads the rows of a case: the parts that rows of several kinds have.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use robotspec_reference::{Edition, Question};

use super::Loader;
use crate::check::Row;
use crate::check_id::CheckId;
use crate::clause::Clause;
use crate::clause::Level;
use crate::expected::Expected;
use crate::suite::bytes::decode_bytes;
use crate::suite::format::{ByEdition, BytesFormat, CaseFormat, OneOrMany};
use crate::suite::robots_file;
use crate::yaml::FileError;

/// The agent of a row for which the row, its case and its suite name none.
const DEFAULT_AGENT: &str = "FooBot";

/// The origin of a URL that is only a path.
const DEFAULT_ORIGIN: &str = "http://example.com";

/// Loads the rows of a case.
pub(super) struct CaseLoader<'c> {
    pub(super) loader: &'c Loader<'c>,
    /// The path of the case in the document, such as `cases[2]`.
    pub(super) part: &'c str,
    pub(super) case: &'c CaseFormat,
    /// The clauses of the case.
    pub(super) clauses: &'c [&'static Clause],
    /// The editions that the case runs in.
    pub(super) editions: &'c [Edition],
}

/// The robots.txt of a case.
pub(super) struct RobotsFile {
    pub(super) bytes: Arc<[u8]>,
    /// Its path, where the case names a file.
    pub(super) path: Option<PathBuf>,
}

impl CaseLoader<'_> {
    /// Returns the robots.txt of the case: its text, or the file that it names.
    pub(super) fn load_robots(&self) -> Result<Option<RobotsFile>, FileError> {
        const KEY: &str = "robots-file";
        let name = match (&self.case.robots, &self.case.robots_file) {
            (None, None) => return Ok(None),
            (Some(written), None) => {
                return Ok(Some(RobotsFile { bytes: self.load_file("robots", written)?, path: None }));
            }
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
        Ok(Some(RobotsFile { bytes: bytes.into(), path: Some(path) }))
    }

    /// Returns the rows of the case, given its robots.txt.
    pub(super) fn load_rows(&self, robots: Option<&Arc<[u8]>>) -> Result<Vec<Row>, FileError> {
        let case = self.case;
        if case.open_sitemaps.is_some() && case.sitemaps.is_none() {
            return Err(self.error("open-sitemaps", "add `sitemaps`; the list may be empty"));
        }
        let contents = [
            case.rows.is_some(),
            case.alike.is_some(),
            case.scope.is_some(),
            case.sitemaps.is_some(),
            case.usage.is_some(),
            case.access.is_some(),
            case.grammar.is_some(),
        ];
        let has_one_content = contents.iter().filter(|&&is_present| is_present).count() == 1;
        match (robots, &case.twin, &case.robots_url) {
            (Some(robots), None, None) if has_one_content && let Some(rows) = &case.rows => {
                self.load_match_rows(robots, rows)
            }
            (Some(robots), Some(twin), None) if has_one_content && let Some(rows) = &case.alike => {
                self.load_alike_rows(robots, twin, rows)
            }
            (None, None, Some(robots_url)) if has_one_content && let Some(rows) = &case.scope => {
                self.load_scope_rows(robots_url, rows)
            }
            (Some(robots), None, None) if has_one_content && let Some(required) = &case.sitemaps => {
                self.load_sitemaps_row(robots, required)
            }
            (Some(robots), None, None) if has_one_content && let Some(rows) = &case.usage => {
                self.load_usage_rows(robots, rows)
            }
            (None, None, None) if has_one_content && let Some(rows) = &case.access => {
                self.load_access_rows(rows)
            }
            (None, None, None) if has_one_content && let Some(rows) = &case.grammar => {
                self.load_grammar_rows(rows)
            }
            _ => Err(self.loader.error(
                self.part,
                "a case has one kind of content: `robots` (or `robots-file`) with `rows`, with `twin` and `alike`, with `sitemaps` or with `usage`; `robots-url` with `scope`; `access`; or `grammar`",
            )),
        }
    }

    /// Returns an error at a key of the case.
    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> FileError {
        self.loader.error(&format!("{}.{key}", self.part), message)
    }

    pub(super) fn id(&self, row: Option<&str>) -> CheckId {
        let (suite, case) = (self.loader.suite.suite.as_str(), self.case.id.as_str());
        CheckId { suite: suite.into(), case: case.into(), row: row.map(Arc::from), variant: None }
    }

    pub(super) fn row_id(&self, part: &str, id: &str) -> Result<CheckId, FileError> {
        self.loader.check_id(&format!("{part}.id"), id)?;
        Ok(self.id(Some(id)))
    }

    /// Returns the agent of a row: that of the row, the case or the suite.
    pub(super) fn load_agent(&self, part: &str, of_row: Option<&String>) -> Result<String, FileError> {
        let agent = of_row.or(self.case.agent.as_ref()).or(self.loader.suite.agent.as_ref());
        let agent = agent.map_or(DEFAULT_AGENT, String::as_str);
        self.loader.count(part, agent.len())?;
        Ok(agent.to_owned())
    }

    pub(super) fn load_file(&self, key: &str, written: &BytesFormat) -> Result<Arc<[u8]>, FileError> {
        let file = decode_bytes(written).map_err(|error| self.error(key, error))?;
        self.loader.count(&format!("{}.{key}", self.part), file.len())?;
        Ok(file.into())
    }

    pub(super) fn load_url(&self, part: &str, url: &BytesFormat) -> Result<String, FileError> {
        let bytes = decode_bytes(url).map_err(|error| self.loader.error(part, error))?;
        self.loader.count(part, bytes.len())?;
        let url = String::from_utf8(bytes)
            .map_err(|_| self.loader.error(part, "the URL is not UTF-8; percent-encode the bytes"))?;
        Ok(if url.starts_with('/') { format!("{DEFAULT_ORIGIN}{url}") } else { url })
    }

    /// Returns the clauses of a row: its own, of which each edition needs to have only one, or those of the case.
    pub(super) fn load_row_clauses(
        &self,
        part: &str,
        of_row: Option<&Vec<String>>,
        expected: &BTreeMap<Edition, Expected>,
    ) -> Result<Vec<&'static Clause>, FileError> {
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
    pub(super) fn load_each<T>(
        &self,
        key: &str,
        written: &[T],
        load: impl Fn(&str, &T) -> Result<Row, FileError>,
    ) -> Result<Vec<Row>, FileError> {
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
    pub(super) fn in_each_edition(&self, expected: &Expected) -> BTreeMap<Edition, Expected> {
        self.editions.iter().map(|&edition| (edition, expected.clone())).collect()
    }

    /// Returns the expectation of each edition of the case.
    pub(super) fn load_expected<T: Clone>(
        &self,
        part: &str,
        written: &ByEdition<T>,
        expected: impl Fn(T) -> Expected,
    ) -> Result<BTreeMap<Edition, Expected>, FileError> {
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
    pub(super) fn load_questions(
        &self,
        part: &str,
        of_row: Option<&OneOrMany>,
        expected: &BTreeMap<Edition, Expected>,
    ) -> Result<Vec<Question>, FileError> {
        let is_unspecified = expected.values().any(Expected::is_unspecified);
        let (part, written) = match (of_row, &self.case.question) {
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

    pub(super) fn find_questions(&self, part: &str, written: &OneOrMany) -> Result<Vec<Question>, FileError> {
        let find = |name: &String| {
            Question::from_id(name).ok_or_else(|| {
                self.loader.error(part, format!("unknown question `{name}`; see `robotspec editions`"))
            })
        };
        written.names().iter().map(find).collect()
    }
}
