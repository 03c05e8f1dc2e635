//! Why an edition answers as it does, row by row.

use std::collections::{BTreeMap, BTreeSet};

use robotspec_reference::explanation::Doubt;
use robotspec_reference::grammar::{LineStatus, check_lines};
use robotspec_reference::{Answer, Edition, Question, RobotsTxt};
use serde::Serialize;

use crate::report::html::intern::Interner;
use crate::report::html::results::{ByEdition, EDITIONS, column};
use robotspec::sentences::sentences;
use robotspec_cases::clause::Clause;
use robotspec_cases::suite::{Request, Row};

/// The reasons of an edition. Written as a list, to be short: thousands of
/// these are in a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Why(
    /// The lines that decide.
    pub(super) Vec<usize>,
    /// The places of the clauses that were applied.
    Vec<usize>,
    /// The places of the sentences that tell it.
    Vec<u32>,
    /// The questions that the answer turns on, where it is open.
    Vec<Open>,
);

/// A question that the answer turns on, and what each answer to it gives.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
struct Open(usize, Vec<(&'static str, u32)>);

/// A robots.txt, which many rows ask about, read once.
pub(super) type Parsed<'f> = BTreeMap<*const u8, RobotsTxt<'f>>;

/// The reasons of each edition that expects something of a row.
pub(super) fn why<'f>(row: &'f Row, parsed: &mut Parsed<'f>, texts: &mut Interner<String>) -> ByEdition<Why> {
    let mut reasons: ByEdition<Why> = [const { None }; EDITIONS];
    for &edition in row.expected.keys() {
        let why = match &row.request {
            Request::Match { robots, agent, url } => {
                let robots = parsed.entry(robots.as_ptr()).or_insert_with(|| RobotsTxt::parse(robots));
                of_match(robots, edition, agent, url, texts)
            }
            Request::Sitemaps { robots } => {
                let robots = parsed.entry(robots.as_ptr()).or_insert_with(|| RobotsTxt::parse(robots));
                of_sitemaps(robots, edition, texts)
            }
            Request::Grammar { text } => Some(of_grammar(text, edition, texts)),
            Request::Alike { .. } | Request::Scope { .. } | Request::Access { .. } => {
                of_row(row, edition, texts)
            }
        };
        reasons[column(edition)] = why;
    }
    reasons
}

/// The lines that decide in any edition.
pub(super) fn lines(reasons: &ByEdition<Why>) -> BTreeSet<usize> {
    reasons.iter().flatten().flat_map(|why| why.0.iter().copied()).collect()
}

fn of_match(
    robots: &RobotsTxt<'_>,
    edition: Edition,
    agent: &str,
    url: &str,
    texts: &mut Interner<String>,
) -> Option<Why> {
    let explanation = robots.explain(edition, agent, url).ok()?;
    let clauses = explanation.decision.clauses().into_iter().filter_map(place_of_clause);
    let has = |&place: &usize| Clause::all()[place].section(edition).is_some();
    let sentences = sentences(&explanation.decision).iter().map(|sentence| texts.text(sentence)).collect();
    let doubts = explanation.doubts.iter().map(|doubt| of_doubt(doubt, texts)).collect();
    Some(Why(explanation.decision.lines(), clauses.filter(has).collect(), sentences, doubts))
}

fn of_doubt(doubt: &Doubt, texts: &mut Interner<String>) -> Open {
    let answers = doubt.answers.iter();
    Open(
        doubt.question as usize,
        answers.map(|(answer, verdict)| (answer.id(), texts.text(&verdict.to_string()))).collect(),
    )
}

fn of_sitemaps(robots: &RobotsTxt<'_>, edition: Edition, texts: &mut Interner<String>) -> Option<Why> {
    let sitemaps = robots.sitemaps(edition);
    let open = sitemaps.iter().filter(|sitemap| !sitemap.certain);
    let told = open.map(|sitemap| texts.text(&format!("whether line {} counts is left open", sitemap.line)));
    let told = told.collect();
    Some(Why(sitemaps.iter().map(|sitemap| sitemap.line).collect(), Vec::new(), told, Vec::new()))
}

fn of_grammar(text: &[u8], edition: Edition, texts: &mut Interner<String>) -> Why {
    let mut lines = Vec::new();
    let mut told = Vec::new();
    for line in check_lines(edition, text) {
        let why = match line.status {
            LineStatus::Derived(_) => continue,
            LineStatus::Additional(field) => {
                format!("line {}: `{field}` is no line of the grammar", line.line)
            }
            LineStatus::NotDerived(error) => {
                format!("line {}, column {}: the grammar wants {}", line.line, error.column, error.expected)
            }
        };
        lines.push(line.line);
        told.push(texts.text(&why));
    }
    Why(lines, Vec::new(), told, Vec::new())
}

/// What the row itself says.
fn of_row(row: &Row, edition: Edition, texts: &mut Interner<String>) -> Option<Why> {
    let is_open = row.expected.get(&edition)?.is_unspecified();
    if is_open {
        let gives = |question: Question| {
            let admitted = |answer: &Answer| question.row().answers(edition).contains(answer);
            let gives = row.reasons.gives.iter().filter(|(answer, _)| admitted(answer));
            gives.map(|(answer, expected)| (answer.id(), expected.to_string())).collect::<Vec<_>>()
        };
        let open = row.questions.iter().map(|&question| {
            let answers = gives(question).into_iter();
            Open(question as usize, answers.map(|(answer, gives)| (answer, texts.text(&gives))).collect())
        });
        return Some(Why(Vec::new(), Vec::new(), Vec::new(), open.collect()));
    }
    let deciding = row.reasons.decided_by.as_ref()?;
    let clauses = deciding.clauses.iter().filter(|clause| clause.section(edition).is_some());
    let clauses = clauses.filter_map(|clause| place_of_clause(&clause.id)).collect();
    Some(Why(deciding.lines.clone(), clauses, Vec::new(), Vec::new()))
}

/// The place of a clause in [`Clause::all`].
pub(super) fn place_of_clause(id: &str) -> Option<usize> {
    Clause::all().iter().position(|clause| clause.id == id)
}
