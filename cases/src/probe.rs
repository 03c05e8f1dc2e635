//! Probes: checks whose answer shows how an implementation answers one question of the text.

use std::collections::BTreeSet;

use robotspec_reference::{Choice, Edition, Question, Reading, RobotsTxt};

use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;

/// A question, and the outcome of a query for each answer to it. The outcome depends on no other question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The question.
    pub question: Question,
    /// What each answer to the question leads to.
    pub outcomes: Vec<(Choice, Expected)>,
}

impl Probe {
    /// The probe that a row is. `None` where the row depends on no question, or on several.
    pub fn of_row(row: &Row) -> Option<Probe> {
        match (&row.query, &row.questions[..]) {
            (Query::Match { .. }, [_, ..]) => Probe::of_query(&row.query),
            (_, &[question]) if !row.reasons.gives.is_empty() => {
                Some(Probe { question, outcomes: row.reasons.gives.clone() })
            }
            _ => None,
        }
    }

    /// The probe that a match query is. `None` where the verdict depends on no question, on several, or on the edition.
    pub fn of_query(query: &Query) -> Option<Probe> {
        let Query::Match { robots, agent, url } = query else { return None };
        let robots = RobotsTxt::parse(robots);
        let mut questions = BTreeSet::new();
        for edition in Edition::ALL {
            questions.extend(robots.questions(edition, agent, url).ok()?);
        }
        let question = *questions.first().filter(|_| questions.len() == 1)?;
        let mut outcomes = Vec::new();
        for answer in admitted_answers(question) {
            let verdict = |edition| {
                let reading = Reading::plainest(edition).supposing(answer);
                robots.decide(&reading, agent, url).ok().map(|decision| decision.verdict)
            };
            let mut verdicts = Edition::ALL.into_iter().map(verdict);
            let first = verdicts.next()??;
            if verdicts.any(|verdict| verdict != Some(first)) {
                return None;
            }
            outcomes.push((answer, Expected::Ruling(first.into())));
        }
        let differ = outcomes.iter().any(|(_, outcome)| *outcome != outcomes[0].1);
        differ.then_some(Probe { question, outcomes })
    }
}

/// Every answer that some edition admits.
fn admitted_answers(question: Question) -> BTreeSet<Choice> {
    Edition::ALL.iter().flat_map(|&edition| question.row().answers(edition)).copied().collect()
}
