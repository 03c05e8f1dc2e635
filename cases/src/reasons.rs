//! Why an edition gives its answer, as data: for the export, the program and the page in the browser.

use std::collections::BTreeMap;

use robotspec_reference::explanation::Explanation;
use robotspec_reference::grammar::{LineStatus, check_lines};
use robotspec_reference::{Choice, Doubt, Edition, Question, RobotsTxt, Verdict};
use robotspec_text::sentences::sentences;
use robotspec_text::visible_bytes;
use serde::Serialize;

use crate::check::Check;
use crate::clause::Clause;
use crate::expected::Expected;
use crate::query::Query;
#[cfg(feature = "schema")]
use crate::schema::{ClauseId, QuestionId};

/// Why an edition gives its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
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
    pub questions: Vec<OpenQuestion>,
}

/// A question to which the edition admits several answers, which lead to different outcomes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct OpenQuestion {
    /// Its permanent name.
    #[cfg_attr(feature = "schema", schemars(with = "QuestionId"))]
    pub question: &'static str,
    /// What it is about.
    pub asks: &'static str,
    /// The passages that do not decide it.
    pub because: &'static str,
    /// The numbers of the lines that raise it, where the URL alone does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<usize>,
    /// The spellings or characters that it is about there, where it may be answered differently for each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
    /// The answers to other questions, such as `FirstRule=last`, without which its answers lead to one outcome.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supposing: Vec<String>,
    /// The admitted answers.
    pub answers: Vec<AdmittedAnswer>,
}

/// An answer to a question that an edition admits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AdmittedAnswer {
    /// Its permanent name.
    pub answer: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What it leads to.
    pub gives: Expected,
}

impl Reasons {
    /// Returns the reasons of a ruling.
    pub fn of(explanation: &Explanation) -> Reasons {
        let clauses = explanation.decision.clauses().into_iter().filter_map(Clause::find);
        let question = |doubt| OpenQuestion::of(doubt, |verdict: Verdict| Expected::Ruling(verdict.into()));
        Reasons {
            lines: explanation.decision.lines(),
            clauses: of_edition(clauses, explanation.edition),
            sentences: sentences(explanation),
            questions: explanation.doubts.iter().map(question).collect(),
        }
    }
}

impl OpenQuestion {
    /// Returns the question of a doubt.
    pub fn of<T: Copy>(doubt: &Doubt<T>, gives: impl Fn(T) -> Expected) -> OpenQuestion {
        let answers = doubt.answers.iter().map(|&(answer, outcome)| (answer, gives(outcome)));
        let supposing = doubt.supposing.iter().map(|choice| choice.name()).collect();
        OpenQuestion {
            lines: doubt.lines.clone(),
            subjects: doubt.subjects.iter().map(|subject| visible_bytes(subject)).collect(),
            supposing,
            ..OpenQuestion::new(doubt.question, answers)
        }
    }

    fn new(question: Question, answers: impl Iterator<Item = (Choice, Expected)>) -> OpenQuestion {
        let row = question.row();
        let admitted = |(choice, gives): (Choice, Expected)| {
            let (answer, meaning) = (choice.id(), choice.meaning());
            AdmittedAnswer { answer, meaning, gives }
        };
        OpenQuestion {
            question: question.id(),
            asks: row.asks,
            because: row.because,
            answers: answers.map(admitted).collect(),
            ..OpenQuestion::default()
        }
    }
}

/// Returns the reasons of each edition that has some.
pub(crate) fn of_row(row: &Check) -> BTreeMap<Edition, Reasons> {
    let editions = row.expected.keys().copied();
    let each = |of: &dyn Fn(Edition) -> Option<Reasons>| {
        editions.filter_map(|edition| Some((edition, of(edition)?))).collect()
    };
    match &row.query {
        Query::Match { robots, agent, url } => {
            let robots = RobotsTxt::parse(robots);
            each(&|edition| Some(Reasons::of(&robots.explain(edition, agent, url).ok()?)))
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

fn of_edition(clauses: impl Iterator<Item = &'static Clause>, edition: Edition) -> Vec<&'static str> {
    clauses.filter(|clause| clause.section(edition).is_some()).map(|clause| clause.id.as_str()).collect()
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
                let required = error.expected.description();
                format!("line {}, column {}: the grammar requires {required}", line.line, error.column)
            }
        };
        reasons.lines.push(line.line);
        reasons.sentences.push(sentence);
    }
    reasons
}

/// Returns the reasons that the row itself states.
fn of_statement(row: &Check, edition: Edition) -> Option<Reasons> {
    if row.expected.get(&edition)?.is_unspecified() {
        let open = |&question: &Question| {
            let admitted = question.row().answers(edition);
            let gives = row.reasons.gives.iter().filter(|(answer, _)| admitted.contains(answer)).cloned();
            OpenQuestion::new(question, gives)
        };
        return Some(Reasons { questions: row.questions.iter().map(open).collect(), ..Reasons::default() });
    }
    let deciding = row.reasons.decided_by.as_ref()?;
    Some(Reasons {
        lines: deciding.lines.clone(),
        clauses: of_edition(deciding.clauses.iter().copied(), edition),
        ..Reasons::default()
    })
}
