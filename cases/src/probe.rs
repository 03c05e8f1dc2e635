//! Probes: queries whose answer shows how an implementation answers one question of the texts.

use std::collections::BTreeSet;

use robotspec_reference::{Choice, Edition, Question, Reading, RobotsTxt};

use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;

/// A query whose answer depends on one question alone, and so shows the answer of an implementation to the question.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    /// The question.
    pub(crate) question: Question,
    /// What is expected under each answer to the question.
    pub(crate) outcomes: Vec<(Choice, Expected)>,
}

impl Probe {
    /// Returns the row as a probe. The result is `None` where the row depends on no question, or on several.
    pub(crate) fn of_row(row: &Row) -> Option<Probe> {
        match (&row.query, &row.questions[..]) {
            (Query::Match { .. }, [_, ..]) => Probe::of_query(&row.query),
            (_, &[question]) if !row.reasons.gives.is_empty() => {
                Some(Probe { question, outcomes: row.reasons.gives.clone() })
            }
            _ => None,
        }
    }

    /// Returns the match query as a probe, where its verdict depends on one question alone in every edition: then other
    /// differences between implementations do not matter.
    fn of_query(query: &Query) -> Option<Probe> {
        let Query::Match { robots, agent, url } = query else { return None };
        let robots = RobotsTxt::parse(robots);
        let mut questions = BTreeSet::new();
        for edition in Edition::USUAL {
            questions.extend(robots.questions(edition, agent, url).ok()?);
        }
        let question = *questions.first().filter(|_| questions.len() == 1)?;
        let mut outcomes = Vec::new();
        for answer in answers_to(question) {
            let verdict = |edition| {
                let reading = Reading::plainest(edition).supposing(answer);
                robots.decide(&reading, agent, url).ok().map(|decision| decision.verdict)
            };
            let mut verdicts = Edition::USUAL.into_iter().map(verdict);
            let first = verdicts.next()??;
            if verdicts.any(|verdict| verdict != Some(first)) {
                return None;
            }
            outcomes.push((answer, Expected::Ruling(first.into())));
        }
        let depends = outcomes.iter().any(|(_, outcome)| *outcome != outcomes[0].1);
        depends.then_some(Probe { question, outcomes })
    }
}

/// Returns every answer to a question that some edition admits.
fn answers_to(question: Question) -> Vec<Choice> {
    let row = question.row();
    let mut answers: Vec<Choice> =
        Edition::ALL.iter().flat_map(|&edition| row.answers(edition)).copied().collect();
    answers.sort();
    answers.dedup();
    answers
}
