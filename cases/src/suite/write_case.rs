//! Writes queries about one file as a file of cases, with the answers of the reference as a proposal.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use robotspec_reference::{Edition, Reading, RobotsTxt};
use serde_yaml::{Mapping, Value};

use crate::clause::{Clause, ClauseKind};
use crate::expected::Expected;
use crate::level::Level;
use crate::query::Query;
use crate::suite::load;
use crate::suite::write::{is_inert, open_questions, put, written_expectation, written_file, written_url};

/// The line above the cases.
const REMARK: &str = "# The answers are those of the reference. Compare each with the sentence that decides, then rename the suite.\n";

/// Why a query cannot be written as a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotWritable {
    /// No edition has the clauses that decide.
    NoClause,
    /// The format has no form for the query.
    NoForm,
}

impl fmt::Display for NotWritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotWritable::NoClause => {
                "none of these editions has a clause that decides the query; name another edition"
            }
            NotWritable::NoForm => "the format of the cases cannot express the query",
        })
    }
}

impl std::error::Error for NotWritable {}

/// Returns a file of cases with a case for each match query. A case has those of the editions that have the clauses that
/// decide it. Other queries are left out.
///
/// # Errors
///
/// A query cannot be written as a case.
pub fn written_suite(queries: &[Query], editions: &[Edition]) -> Result<String, NotWritable> {
    let mut cases = Vec::new();
    for query in queries {
        let id = format!("case-{}", cases.len() + 1);
        cases.push(written_case(&id, query, editions)?);
    }
    let mut suite = Mapping::new();
    put(&mut suite, "suite", "new");
    put(&mut suite, "title", "New cases");
    put(&mut suite, "source", Vec::from_iter(editions.iter().map(|edition| edition.title())).join("; "));
    put(&mut suite, "cases", cases);
    let text = serde_yaml::to_string(&suite).map_err(|_| NotWritable::NoForm)?;
    if !text.lines().all(is_inert) {
        return Err(NotWritable::NoForm);
    }
    // The strict reader must find the same queries.
    let suite = load(Path::new("new.yaml"), &text).map_err(|_| NotWritable::NoForm)?;
    let read = suite.cases.iter().flat_map(|case| &case.rows).map(|row| &row.query);
    match read.eq(queries) {
        true => Ok(REMARK.to_owned() + &text),
        false => Err(NotWritable::NoForm),
    }
}

fn written_case(id: &str, query: &Query, editions: &[Edition]) -> Result<Value, NotWritable> {
    let Query::Match { robots, agent, url } = query else { return Err(NotWritable::NoForm) };
    let parsed = RobotsTxt::parse(robots);
    let (clauses, editions) = citable(&parsed, agent, url, editions).ok_or(NotWritable::NoClause)?;
    let ruling =
        |edition: &Edition| Some((*edition, Expected::Ruling(parsed.ruling(*edition, agent, url).ok()?)));
    let expected: BTreeMap<Edition, Expected> = editions.iter().filter_map(ruling).collect();
    let mut row = Mapping::new();
    put(&mut row, "id", "row");
    put(&mut row, "agent", agent.as_str());
    put(&mut row, "url", written_url(url));
    put(&mut row, "expect", written_expectation(&expected).ok_or(NotWritable::NoForm)?);
    let questions = open_questions(robots, agent, url, &expected);
    if !questions.is_empty() {
        put(&mut row, "question", questions);
    }
    let mut case = Mapping::new();
    put(&mut case, "id", id);
    put(&mut case, "clauses", Vec::from_iter(clauses.iter().map(|clause| clause.id.as_str())));
    put(&mut case, "editions", Vec::from_iter(expected.keys().map(|edition| edition.id())));
    put(&mut case, "robots", written_file(robots));
    put(&mut case, "rows", vec![Value::Mapping(row)]);
    Ok(Value::Mapping(case))
}

/// Returns the clauses that decide in the plainest reading of the first edition that has some, and the editions that have
/// all of these clauses and require what at least one of them states.
fn citable(
    robots: &RobotsTxt,
    agent: &str,
    url: &str,
    editions: &[Edition],
) -> Option<(Vec<&'static Clause>, Vec<Edition>)> {
    editions.iter().find_map(|&first| {
        let decision = robots.decide(&Reading::plainest(first), agent, url).ok()?;
        let mut clauses: Vec<&Clause> = decision.clauses().into_iter().filter_map(Clause::find).collect();
        clauses.retain(|clause| clause.kind != ClauseKind::NotTestable && clause.section(first).is_some());
        let has_all = |edition: &Edition| {
            clauses.iter().all(|clause| clause.section(*edition).is_some())
                && Clause::weakest_level(&clauses, *edition) != Level::May
        };
        let editions: Vec<Edition> = editions.iter().copied().filter(has_all).collect();
        (!clauses.is_empty() && !editions.is_empty()).then_some((clauses, editions))
    })
}
