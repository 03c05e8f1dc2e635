//! Why an edition expects what it expects of a row.

use std::collections::BTreeMap;

use robotspec_reference::grammar::{LineStatus, check_lines};
use robotspec_reference::{self as reference, Edition, RobotsTxt, Verdict};
use serde::Serialize;

use crate::check::Row;
use crate::clause::Clause;
use crate::expected::Expected;
use crate::query::Query;
#[cfg(feature = "schema")]
use crate::schema::{ClauseId, QuestionId};
use robotspec_text::sentences::sentences;

/// Why an edition expects what it expects.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub struct Reasons {
    /// The numbers of the lines that decide, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<usize>,
    /// The clauses of the edition that are applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ClauseId>"))]
    pub clauses: Vec<&'static str>,
    /// How the plainest reading comes to its answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<String>,
    /// The questions that make the answer unspecified.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// A question to which the edition admits several answers, which lead to different outcomes.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub struct Doubt {
    /// The question.
    #[cfg_attr(feature = "schema", schemars(with = "QuestionId"))]
    pub question: String,
    /// What each admitted answer leads to.
    pub outcomes: BTreeMap<String, Expected>,
}

/// Returns the reasons of each edition that has some.
pub(super) fn of_row(row: &Row) -> BTreeMap<Edition, Reasons> {
    let editions = row.expected.keys().copied();
    let each = |of: &dyn Fn(Edition) -> Option<Reasons>| {
        editions.filter_map(|edition| Some((edition, of(edition)?))).collect()
    };
    match &row.query {
        Query::Match { robots, agent, url } => {
            let robots = RobotsTxt::parse(robots);
            each(&|edition| of_match(&robots, edition, agent, url))
        }
        Query::Sitemaps { robots } => {
            let robots = RobotsTxt::parse(robots);
            each(&|edition| Some(of_sitemaps(&robots, edition)))
        }
        Query::Grammar { text } => each(&|edition| Some(of_grammar(text, edition))),
        Query::Alike { .. } | Query::Scope { .. } | Query::Usage { .. } | Query::Access { .. } => {
            each(&|edition| of_statement(row, edition))
        }
    }
}

fn of_match(robots: &RobotsTxt<'_>, edition: Edition, agent: &str, url: &str) -> Option<Reasons> {
    let explanation = robots.explain(edition, agent, url).ok()?;
    let clauses = explanation.decision.clauses().into_iter().filter_map(Clause::find);
    Some(Reasons {
        lines: explanation.decision.lines(),
        clauses: of_edition(clauses, edition),
        sentences: sentences(&explanation.decision),
        doubts: explanation.doubts.iter().map(of_doubt).collect(),
    })
}

fn of_edition(clauses: impl Iterator<Item = &'static Clause>, edition: Edition) -> Vec<&'static str> {
    clauses.filter(|clause| clause.section(edition).is_some()).map(|clause| clause.id.as_str()).collect()
}

fn of_doubt(doubt: &reference::Doubt<Verdict>) -> Doubt {
    let outcomes = doubt.answers.iter();
    Doubt {
        question: doubt.question.to_string(),
        outcomes: outcomes
            .map(|(answer, verdict)| (answer.to_string(), Expected::Ruling((*verdict).into())))
            .collect(),
    }
}

fn of_sitemaps(robots: &RobotsTxt<'_>, edition: Edition) -> Reasons {
    let sitemaps = robots.sitemaps(edition);
    let optional = sitemaps.iter().filter(|sitemap| !sitemap.certain);
    Reasons {
        lines: sitemaps.iter().map(|sitemap| sitemap.line).collect(),
        sentences: optional
            .map(|sitemap| format!("the edition does not specify whether line {} counts", sitemap.line))
            .collect(),
        ..Reasons::default()
    }
}

fn of_grammar(text: &[u8], edition: Edition) -> Reasons {
    let mut reasons = Reasons::default();
    for line in check_lines(edition, text) {
        let sentence = match line.status {
            LineStatus::Derived(_) => continue,
            LineStatus::Additional(field) => {
                format!("line {}: the grammar does not have the field `{field}`", line.line)
            }
            LineStatus::NotDerived(error) => {
                format!(
                    "line {}, column {}: the grammar requires {}",
                    line.line, error.column, error.expected
                )
            }
        };
        reasons.lines.push(line.line);
        reasons.sentences.push(sentence);
    }
    reasons
}

/// Returns the reasons that the row itself states.
fn of_statement(row: &Row, edition: Edition) -> Option<Reasons> {
    if row.expected.get(&edition)?.is_unspecified() {
        let doubts = row.questions.iter().map(|question| {
            let admitted = question.row().answers(edition);
            let outcomes = row.reasons.gives.iter().filter(|(answer, _)| admitted.contains(answer));
            Doubt {
                question: question.to_string(),
                outcomes: outcomes.map(|(answer, expected)| (answer.to_string(), expected.clone())).collect(),
            }
        });
        return Some(Reasons { doubts: doubts.collect(), ..Reasons::default() });
    }
    let deciding = row.reasons.decided_by.as_ref()?;
    Some(Reasons {
        lines: deciding.lines.clone(),
        clauses: of_edition(deciding.clauses.iter().copied(), edition),
        ..Reasons::default()
    })
}
