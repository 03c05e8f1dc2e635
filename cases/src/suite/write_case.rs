//! Writes queries about one file as a file of cases, with the answers of the reference as a proposal.

use std::collections::BTreeMap;
use std::path::Path;

use robotspec_reference::{Decision, Edition, Reading, RobotsTxt, Ruling};
use serde_yaml::{Mapping, Value};

use crate::clause::{Clause, ClauseKind, Level};
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::load;
use crate::suite::write::{is_inert, open_questions, put, written_expectation, written_file, written_url};
use crate::timed_visit::TimedVisit;
use crate::visit::Visit;

/// The line above the cases.
const REMARK: &str = "# The answers are those of the reference. Compare each with the sentence that decides, then rename the suite.\n";

/// Cited where an edition applies no clause that requires anything.
const DEFAULT: &str = "M-prefix";

/// The error of a query that cannot be written as a case.
const NO_FORM: &str = "the format of the cases cannot express the query";

/// Returns a file of cases with a case for each match query, which the strict reader reads as these queries.
///
/// # Errors
///
/// A query cannot be written as a case.
pub fn written_suite(queries: &[Query], editions: &[Edition]) -> Result<String, String> {
    let text = proposed_suite(queries, editions)?;
    let suite = load(Path::new("new.yaml"), &text).map_err(|_| NO_FORM)?;
    let read = suite.cases.iter().flat_map(|case| &case.rows).map(|row| &row.query);
    if read.eq(queries) { Ok(text) } else { Err(NO_FORM.into()) }
}

/// Returns a file of cases with a case for each match query. A case cites the clauses that the first edition applies, and has
/// those of the editions that have them.
///
/// # Errors
///
/// A query cannot be written as a case.
pub fn proposed_suite(queries: &[Query], editions: &[Edition]) -> Result<String, String> {
    let case = |(query, number): (&Query, usize)| written_case(&format!("case-{number}"), query, editions);
    let cases = queries.iter().zip(1..).map(case).collect::<Result<Vec<Value>, String>>()?;
    let source = Vec::from_iter(editions.iter().map(|edition| edition.title())).join("; ");
    let text = suite_of("new", "New cases", &source, cases).ok_or(NO_FORM)?;
    if text.lines().all(is_inert) { Ok(REMARK.to_owned() + &text) } else { Err(NO_FORM.into()) }
}

/// Returns a file of cases. The result is `None` where YAML has no form for it.
pub fn suite_of(id: &str, title: &str, source: &str, cases: Vec<Value>) -> Option<String> {
    let mut suite = Mapping::new();
    put(&mut suite, "suite", id);
    put(&mut suite, "title", title);
    put(&mut suite, "source", source);
    put(&mut suite, "cases", cases);
    serde_yaml::to_string(&suite).ok()
}

fn written_case(id: &str, query: &Query, editions: &[Edition]) -> Result<Value, String> {
    let Query::Match { robots, agent, url } = query else { return Err(NO_FORM.into()) };
    let parsed = RobotsTxt::parse(robots);
    let [first, ..] = editions else { return Err(NO_FORM.into()) };
    let decision =
        parsed.decide(&Reading::plainest(*first), agent, url).map_err(|error| error.to_string())?;
    let clauses = required_clauses(&decision, *first);
    let mut expected = BTreeMap::new();
    for &edition in
        editions.iter().filter(|edition| clauses.iter().all(|clause| clause.section(**edition).is_some()))
    {
        let ruling = parsed.ruling(edition, agent, url).map_err(|error| error.to_string())?;
        if ruling == Ruling::Unspecified || Clause::weakest_level(&clauses, edition) != Level::May {
            expected.insert(edition, Expected::Ruling(ruling));
        }
    }
    let clauses = clauses.iter().map(|clause| clause.id.as_str()).collect();
    let case = CaseToWrite { id, clauses, about: None, has_variants: true, query, expected: &expected };
    Ok(case.write().ok_or(NO_FORM)?)
}

/// The id of the row of a case that is written.
pub const ROW: &str = "row";

/// A case with one row.
pub struct CaseToWrite<'q> {
    /// The id of the case in its suite.
    pub id: &'q str,
    /// The ids of the clauses that it cites.
    pub clauses: Vec<&'static str>,
    /// A sentence for the reader.
    pub about: Option<String>,
    /// Whether variants of its file are derived.
    pub has_variants: bool,
    /// The query.
    pub query: &'q Query,
    /// What each edition expects.
    pub expected: &'q BTreeMap<Edition, Expected>,
}

impl CaseToWrite<'_> {
    /// Returns the case as YAML. The result is `None` where the format cannot express it.
    pub fn write(&self) -> Option<Value> {
        let mut case = Mapping::new();
        put(&mut case, "id", self.id);
        put(&mut case, "clauses", self.clauses.clone());
        if let Some(about) = &self.about {
            put(&mut case, "about", about.as_str());
        }
        put(&mut case, "editions", Vec::from_iter(self.expected.keys().map(|edition| edition.id())));
        if !self.has_variants {
            put(&mut case, "variants", "none");
        }
        self.write_query(&mut case)?;
        Some(Value::Mapping(case))
    }

    fn write_query(&self, case: &mut Mapping) -> Option<()> {
        let mut row = Mapping::new();
        put(&mut row, "id", ROW);
        let put_match = |row: &mut Mapping, agent: &str, url: &str| {
            put(row, "agent", agent);
            put(row, "url", written_url(url));
        };
        if let Some(file) = self.query.file() {
            put(case, "robots", written_file(file));
        }
        let rows = match self.query {
            Query::Match { robots, agent, url } => {
                put_match(&mut row, agent, url);
                put(&mut row, "expect", written_expectation(self.expected)?);
                let questions = open_questions(robots, agent, url, self.expected);
                if !questions.is_empty() {
                    put(&mut row, "question", questions);
                }
                "rows"
            }
            Query::Alike { twin, agent, url, .. } => {
                put(case, "twin", written_file(twin));
                put_match(&mut row, agent, url);
                "alike"
            }
            Query::Scope { robots_url, url } => {
                put(case, "robots-url", robots_url.as_str());
                put(&mut row, "url", url.as_str());
                put(&mut row, "governs", written_expectation(self.expected)?);
                "scope"
            }
            Query::Sitemaps { .. } => {
                let Expected::Sitemaps(sitemaps) = self.expected.values().next()? else { return None };
                if !sitemaps.optional.is_empty() {
                    return None;
                }
                put(case, "sitemaps", sitemaps.required.clone());
                return Some(());
            }
            Query::Usage { agent, url, .. } => {
                let Expected::Usage(Some(preferences)) = self.expected.values().next()? else { return None };
                put_match(&mut row, agent, url);
                put(&mut row, "preferences", Vec::from_iter(preferences.clone()));
                "usage"
            }
            Query::Access { visits, agent, .. } => {
                let visits: Option<Vec<Value>> = visits.iter().map(written_visit).collect();
                put(&mut row, "agent", agent.as_str());
                put(&mut row, "visits", visits?);
                put(&mut row, "outcome", written_expectation(self.expected)?);
                "access"
            }
            Query::Grammar { .. } => return None,
        };
        put(case, rows, vec![Value::Mapping(row)]);
        Some(())
    }
}

/// Returns the clauses that an edition applies in its plainest reading and that require something, the most specific first.
fn required_clauses(decision: &Decision, edition: Edition) -> Vec<&'static Clause> {
    let applied = decision.clauses().into_iter().rev().filter_map(Clause::find);
    let is_required = |clause: &&Clause| {
        clause.kind != ClauseKind::NotTestable
            && clause.level(edition).is_some_and(|level| level != Level::May)
    };
    let required: Vec<&Clause> = applied.filter(is_required).collect();
    if required.is_empty() { Clause::find(DEFAULT).into_iter().collect() } else { required }
}

/// Returns a visit without what is as by default. The result is `None` where its time is not a full hour.
fn written_visit(visit: &TimedVisit) -> Option<Value> {
    const HOUR: u64 = 60 * 60;
    let mut written = Mapping::new();
    if !visit.at.is_multiple_of(HOUR) {
        return None;
    }
    if visit.at > 0 {
        put(&mut written, "at", format!("{}h", visit.at / HOUR));
    }
    if !visit.site_answers {
        put(&mut written, "site-answers", false);
    }
    // Through JSON, because YAML has tags where the format has a name or a map.
    let given = serde_json::to_value(&visit.visit).ok()?;
    let default = serde_json::to_value(Visit::default()).ok()?;
    let other = serde_yaml::to_value(without_defaults(given, &default)).ok()?;
    written.extend(other.as_mapping()?.clone());
    Some(Value::Mapping(written))
}

/// Returns the entries that differ from the defaults.
fn without_defaults(given: serde_json::Value, default: &serde_json::Value) -> serde_json::Value {
    let (serde_json::Value::Object(given), serde_json::Value::Object(default)) = (&given, default) else {
        return given;
    };
    let differs = |(key, value): &(&String, &serde_json::Value)| default.get(*key) != Some(*value);
    let below = |(key, value): (&String, &serde_json::Value)| {
        let default = default.get(key).unwrap_or(&serde_json::Value::Null);
        (key.clone(), without_defaults(value.clone(), default))
    };
    given.iter().filter(differs).map(below).collect()
}
