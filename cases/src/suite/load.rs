//! Strict loading: what is wrong with a file of cases is told with its place
//! and the mend, and nothing is ever silently left out.

mod access;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use robotspec_reference::grammar::LineStatus;
use robotspec_reference::{Choice, Edition, Question};

use crate::SuiteFile;
use crate::check::{Case, Row, Suite};
use crate::check_id::{CheckId, is_part};
use crate::clause::{Clause, Kind};
use crate::expected::{Expected, ExpectedSitemaps};
use crate::query::Query;
use crate::suite::bytes;
use crate::suite::format::{
    AlikeRowFormat, ByEdition, BytesFormat, CaseFormat, GrammarRowFormat, OneOrMany, RowFormat,
    ScopeRowFormat, SuiteFormat, ValidFormat,
};
use crate::suite::{Reasons, reasons};
use crate::yaml::{Document, FileError};

/// The crawler that asks where none is named.
const DEFAULT_AGENT: &str = "FooBot";

/// Where a URL that is a path alone is.
const DEFAULT_ORIGIN: &str = "http://example.com";

/// The embedded suites, in the order of their ids.
///
/// # Errors
///
/// A suite is broken.
pub fn built_in() -> Result<Vec<Suite>, FileError> {
    crate::files().into_iter().map(load_built_in).collect()
}

/// The embedded suite with this id. Its file has the same name, so no other file is read.
///
/// # Errors
///
/// The suite is broken.
pub fn built_in_suite(id: &str) -> Result<Option<Suite>, FileError> {
    crate::files()
        .into_iter()
        .find(|file| file.name.strip_suffix(".yaml") == Some(id))
        .map(load_built_in)
        .transpose()
}

fn load_built_in(file: SuiteFile) -> Result<Suite, FileError> {
    let name = Path::new("cases/suites").join(file.name);
    let suite = load(&name, file.text)?;
    if file.name.strip_suffix(".yaml") == Some(&suite.id) {
        return Ok(suite);
    }
    let message =
        format!("the suite `{}` must be in the file `{}.yaml`; rename one of them", suite.id, suite.id);
    Err(FileError { file: name, line: 0, column: 0, message })
}

/// Loads a file of cases.
///
/// # Errors
///
/// It is no YAML, or breaks the format that `cases/README.md` describes.
pub fn load(file: &Path, text: &str) -> Result<Suite, FileError> {
    let (suite, document): (SuiteFormat, Document) = Document::read(file, text)?;
    let loader = Loader { document, suite: &suite };
    loader.id("suite", &suite.suite)?;
    let mut ids = HashSet::new();
    let mut cases = Vec::new();
    for (index, case) in suite.cases.iter().enumerate() {
        let part = format!("cases[{index}]");
        loader.id(&format!("{part}.id"), &case.id)?;
        if !ids.insert(&case.id) {
            return Err(
                loader.error(&format!("{part}.id"), format!("the id `{}` is taken; choose another", case.id))
            );
        }
        cases.push(loader.case(&part, case)?);
    }
    Ok(Suite { cases, id: suite.suite.into(), title: suite.title, source: suite.source })
}

struct Loader<'s> {
    document: Document,
    suite: &'s SuiteFormat,
}

impl Loader<'_> {
    fn error(&self, part: &str, message: impl Into<String>) -> FileError {
        self.document.error(part, message)
    }

    fn id(&self, part: &str, id: &str) -> Result<(), FileError> {
        if is_part(id) {
            return Ok(());
        }
        Err(self.error(part, format!("`{id}` is no id: use lower-case letters, digits and hyphens")))
    }

    fn case(&self, part: &str, case: &CaseFormat) -> Result<Case, FileError> {
        let clauses = self.clauses(part, case)?;
        let editions = self.editions(part, case, &clauses)?;
        let context = Context { loader: self, part, case, editions: &editions };
        let rows = context.rows()?;
        Ok(Case {
            name: context.name(),
            clauses,
            about: case.about.clone(),
            google_specific: case.google_specific,
            has_variants: case.variants.is_none() && case.robots.is_some() && case.twin.is_none(),
            rows,
            editions,
        })
    }

    fn clauses(&self, part: &str, case: &CaseFormat) -> Result<Vec<&'static Clause>, FileError> {
        let mut clauses: Vec<&'static Clause> = Vec::new();
        for (index, id) in case.clauses.iter().enumerate() {
            let part = format!("{part}.clauses[{index}]");
            let clause = Clause::find(id).ok_or_else(|| {
                self.error(&part, format!("there is no clause `{id}`; see cases/clauses.yaml"))
            })?;
            if clause.kind == Kind::NotTestable {
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

    fn editions(
        &self,
        part: &str,
        case: &CaseFormat,
        clauses: &[&Clause],
    ) -> Result<Vec<Edition>, FileError> {
        let lacking = |edition: Edition| clauses.iter().find(|clause| clause.section(edition).is_none());
        let Some(named) = &case.editions else {
            let editions: Vec<Edition> =
                Edition::ALL.into_iter().filter(|&edition| lacking(edition).is_none()).collect();
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
            if let Some(clause) = lacking(edition) {
                let message = format!("{edition} has no clause `{}`; remove one of the two", clause.id);
                return Err(self.error(&part, message));
            }
            if editions.contains(&edition) {
                return Err(self.error(&part, format!("{edition} is named twice; remove one")));
            }
            editions.push(edition);
        }
        editions.sort();
        Ok(editions)
    }
}

/// A case while its rows are read.
struct Context<'c> {
    loader: &'c Loader<'c>,
    part: &'c str,
    case: &'c CaseFormat,
    editions: &'c [Edition],
}

impl Context<'_> {
    fn name(&self) -> String {
        format!("{}/{}", self.loader.suite.suite, self.case.id)
    }

    fn id(&self, row: Option<&str>) -> CheckId {
        let (suite, case) = (self.loader.suite.suite.as_str(), self.case.id.as_str());
        CheckId { suite: suite.into(), case: case.into(), row: row.map(Arc::from), variant: None }
    }

    fn row_id(&self, part: &str, id: &str) -> Result<CheckId, FileError> {
        self.loader.id(&format!("{part}.id"), id)?;
        Ok(self.id(Some(id)))
    }

    fn rows(&self) -> Result<Vec<Row>, FileError> {
        let case = self.case;
        if case.open_sitemaps.is_some() && case.sitemaps.is_none() {
            let message = "give the `sitemaps` that are certain too, be it none";
            return Err(self.loader.error(&format!("{}.open-sitemaps", self.part), message));
        }
        let is_alone = [
            case.rows.is_some(),
            case.alike.is_some(),
            case.scope.is_some(),
            case.sitemaps.is_some(),
            case.access.is_some(),
            case.grammar.is_some(),
        ];
        let is_alone = is_alone.iter().filter(|&&is_given| is_given).count() == 1;
        match (&case.robots, &case.twin, &case.robots_url) {
            (Some(robots), None, None) if is_alone && let Some(rows) = &case.rows => {
                self.match_rows(robots, rows)
            }
            (Some(robots), Some(twin), None) if is_alone && let Some(rows) = &case.alike => {
                self.alike_rows(robots, twin, rows)
            }
            (None, None, Some(robots_url)) if is_alone && let Some(rows) = &case.scope => {
                self.scope_rows(robots_url, rows)
            }
            (Some(robots), None, None) if is_alone && let Some(certain) = &case.sitemaps => {
                self.sitemaps_row(robots, certain)
            }
            (None, None, None) if is_alone && let Some(rows) = &case.access => self.access_rows(rows),
            (None, None, None) if is_alone && let Some(rows) = &case.grammar => self.grammar_rows(rows),
            _ => Err(self.loader.error(
                self.part,
                "a case has `robots` with `rows`, `robots` and `twin` with `alike`, `robots-url` with `scope`, `robots` with `sitemaps`, `access`, or `grammar`, and nothing of the others",
            )),
        }
    }

    fn file(&self, key: &str, written: &BytesFormat) -> Result<Arc<[u8]>, FileError> {
        let part = format!("{}.{key}", self.part);
        bytes::file(written).map(Arc::from).map_err(|message| self.loader.error(&part, message))
    }

    fn url(&self, part: &str, url: &BytesFormat) -> Result<String, FileError> {
        let octets = bytes::file(url).map_err(|message| self.loader.error(part, message))?;
        let url = String::from_utf8(octets)
            .map_err(|_| self.loader.error(part, "a URL is text: write it in UTF-8"))?;
        Ok(if url.starts_with('/') { format!("{DEFAULT_ORIGIN}{url}") } else { url })
    }

    fn match_rows(&self, robots: &BytesFormat, rows: &[RowFormat]) -> Result<Vec<Row>, FileError> {
        let file = self.file("robots", robots)?;
        let agent_of_case = self.case.agent.as_ref().or(self.loader.suite.agent.as_ref());
        self.each_row("rows", rows, |part, row| {
            let agent = row.agent.as_ref().or(agent_of_case);
            let url = self.url(&format!("{part}.url"), &row.url)?;
            let expected = self.by_edition(&format!("{part}.expect"), &row.expect, Expected::Ruling)?;
            let questions = self.questions(part, row.question.as_ref(), &expected)?;
            let reasons = Reasons {
                gives: self.gives(part, row.gives.as_ref(), &questions, &expected, Expected::Ruling)?,
                decided_by: row
                    .decided_by
                    .as_ref()
                    .map(|written| reasons::deciding(written, &expected))
                    .transpose()
                    .map_err(|wrong| self.wrong_reasons(&format!("{part}.decided-by"), wrong))?,
                ..Reasons::default()
            };
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                query: Query::Match {
                    robots: Arc::clone(&file),
                    agent: agent.map_or(DEFAULT_AGENT, String::as_str).to_owned(),
                    url,
                },
                questions,
                expected,
                reasons,
            })
        })
    }

    fn alike_rows(
        &self,
        robots: &BytesFormat,
        twin: &BytesFormat,
        rows: &[AlikeRowFormat],
    ) -> Result<Vec<Row>, FileError> {
        let (robots, twin) = (self.file("robots", robots)?, self.file("twin", twin)?);
        let agent_of_case = self.case.agent.as_ref().or(self.loader.suite.agent.as_ref());
        self.each_row("alike", rows, |part, row| {
            let agent = row.agent.as_ref().or(agent_of_case);
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                query: Query::Alike {
                    robots: Arc::clone(&robots),
                    twin: Arc::clone(&twin),
                    agent: agent.map_or(DEFAULT_AGENT, String::as_str).to_owned(),
                    url: self.url(&format!("{part}.url"), &row.url)?,
                },
                expected: self.editions.iter().map(|&edition| (edition, Expected::Alike)).collect(),
                questions: Vec::new(),
                reasons: Reasons::default(),
            })
        })
    }

    fn scope_rows(&self, robots_url: &str, rows: &[ScopeRowFormat]) -> Result<Vec<Row>, FileError> {
        self.each_row("scope", rows, |part, row| {
            let expected = self.by_edition(&format!("{part}.governs"), &row.governs, Expected::Governs)?;
            let questions = self.questions(part, row.question.as_ref(), &expected)?;
            let gives = self.gives(part, row.gives.as_ref(), &questions, &expected, Expected::Governs)?;
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                query: Query::Scope { robots_url: robots_url.to_owned(), url: row.url.clone() },
                questions,
                expected,
                reasons: Reasons { gives, ..Reasons::default() },
            })
        })
    }

    fn sitemaps_row(&self, robots: &BytesFormat, certain: &[String]) -> Result<Vec<Row>, FileError> {
        let open = self.case.open_sitemaps.clone().unwrap_or_default();
        let questions = match (&self.case.question, open.is_empty()) {
            (_, true) => Vec::new(),
            (Some(written), false) => self.named_questions(&format!("{}.question", self.part), written)?,
            (None, false) => {
                let message = "name the `question` that leaves these open";
                return Err(self.loader.error(&format!("{}.open-sitemaps", self.part), message));
            }
        };
        let sitemaps = ExpectedSitemaps { required: certain.to_vec(), optional: open };
        let expected = Expected::Sitemaps(sitemaps);
        Ok(vec![Row {
            id: self.id(None),
            query: Query::Sitemaps { robots: self.file("robots", robots)? },
            expected: self.editions.iter().map(|&edition| (edition, expected.clone())).collect(),
            questions,
            reasons: Reasons::default(),
        }])
    }

    fn grammar_rows(&self, rows: &[GrammarRowFormat]) -> Result<Vec<Row>, FileError> {
        self.each_row("grammar", rows, |part, row| {
            let text = bytes::unescaped(&row.text)
                .map_err(|message| self.loader.error(&format!("{part}.text"), message))?;
            let expected = self.by_edition(&format!("{part}.valid"), &row.valid, |valid| {
                Expected::Derived(matches!(valid, ValidFormat::Yes))
            })?;
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                query: Query::Grammar { text: text.into() },
                expected,
                questions: Vec::new(),
                reasons: Reasons { lines: self.line_statuses(part, row)?, ..Reasons::default() },
            })
        })
    }

    fn line_statuses(
        &self,
        part: &str,
        row: &GrammarRowFormat,
    ) -> Result<Option<Vec<LineStatus>>, FileError> {
        let Some(written) = &row.lines else { return Ok(None) };
        let mut statuses = Vec::new();
        for (index, line) in written.iter().enumerate() {
            let status = reasons::line_status(line)
                .map_err(|wrong| self.wrong_reasons(&format!("{part}.lines[{index}]"), wrong))?;
            statuses.push(status);
        }
        Ok(Some(statuses))
    }

    fn gives<T: Clone>(
        &self,
        part: &str,
        written: Option<&BTreeMap<String, T>>,
        questions: &[Question],
        expected: &BTreeMap<Edition, Expected>,
        outcome: impl Fn(T) -> Expected,
    ) -> Result<Vec<(Choice, Expected)>, FileError> {
        let Some(written) = written else { return Ok(Vec::new()) };
        reasons::gives(written, questions, expected, outcome)
            .map_err(|wrong| self.wrong_reasons(&format!("{part}.gives"), wrong))
    }

    fn wrong_reasons(&self, part: &str, (below, message): (String, String)) -> FileError {
        self.loader.error(&format!("{part}{below}"), message)
    }

    fn each_row<T>(
        &self,
        key: &str,
        rows: &[T],
        read: impl Fn(&str, &T) -> Result<Row, FileError>,
    ) -> Result<Vec<Row>, FileError> {
        let part = format!("{}.{key}", self.part);
        if rows.is_empty() {
            return Err(self.loader.error(&part, "a case without rows tests nothing; add one"));
        }
        let mut ids = HashSet::new();
        let mut read_rows = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let part = format!("{part}[{index}]");
            let row = read(&part, row)?;
            if !ids.insert(row.id.clone()) {
                let message = format!("the id `{}` is taken; choose another", row.id);
                return Err(self.loader.error(&format!("{part}.id"), message));
            }
            read_rows.push(row);
        }
        Ok(read_rows)
    }

    /// What is expected in each edition of the case, no more and no less.
    fn by_edition<T: Clone>(
        &self,
        part: &str,
        written: &ByEdition<T>,
        expected: impl Fn(T) -> Expected,
    ) -> Result<BTreeMap<Edition, Expected>, FileError> {
        let each = match written {
            ByEdition::Same(value) => {
                return Ok(self.editions.iter().map(|&edition| (edition, expected(value.clone()))).collect());
            }
            ByEdition::Each(each) => each,
        };
        let mut by_edition = BTreeMap::new();
        for (id, value) in each.iter().filter(|(id, _)| *id != "otherwise") {
            let part = format!("{part}.{id}");
            let edition: Edition =
                id.parse().map_err(|error| self.loader.error(&part, format!("{error}, and `otherwise`")))?;
            if !self.editions.contains(&edition) {
                let message = format!(
                    "the case does not run in {edition}, which lacks a clause that it cites; remove this"
                );
                return Err(self.loader.error(&part, message));
            }
            by_edition.insert(edition, expected(value.clone()));
        }
        let missing: Vec<Edition> =
            self.editions.iter().copied().filter(|edition| !by_edition.contains_key(edition)).collect();
        match (each.get("otherwise"), missing.first()) {
            (Some(value), Some(_)) => {
                by_edition.extend(missing.iter().map(|&edition| (edition, expected(value.clone()))))
            }
            (Some(_), None) => {
                return Err(self
                    .loader
                    .error(part, "every edition is named, so `otherwise` says nothing; remove it"));
            }
            (None, Some(edition)) => {
                return Err(self
                    .loader
                    .error(part, format!("nothing is said of {edition}; name it, or add `otherwise`")));
            }
            (None, None) => {}
        }
        Ok(by_edition)
    }

    fn questions(
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
                return Err(self
                    .loader
                    .error(part, "it is unspecified somewhere; name the `question` that makes it so"));
            }
            (None, _) => return Ok(Vec::new()),
        };
        if !is_unspecified {
            return Err(self.loader.error(&part, "a definite row has no `question`; remove it"));
        }
        self.named_questions(&part, written)
    }

    fn named_questions(&self, part: &str, written: &OneOrMany) -> Result<Vec<Question>, FileError> {
        written
            .names()
            .iter()
            .map(|name| {
                Question::from_id(name).ok_or_else(|| {
                    self.loader
                        .error(part, format!("there is no question `{name}`; see `robotspec editions`"))
                })
            })
            .collect()
    }
}
