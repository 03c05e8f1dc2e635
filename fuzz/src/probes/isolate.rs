//! What a query shows about a question: its outcome under each answer, as long as no other question matters.

use super::{OF_MOST_PROBES, observable_answers, plausible_answers};
use robotspec_cases::{Expected, Query};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Governs, Question, Reading, RobotsTxt, Ruling, governs};

/// Calls `then` with the outcome of the query in any reading. A large file is parsed only once. The result is `None` where
/// there is no outcome in a single reading.
pub(crate) fn with_outcomes<T>(
    query: &Query,
    then: impl FnOnce(&dyn Fn(&Reading) -> Option<Expected>) -> Option<T>,
) -> Option<T> {
    match query {
        Query::Match { robots, agent, url } => {
            let robots = RobotsTxt::parse(robots);
            then(&|reading| {
                let decision = robots.decide(reading, agent, url).ok()?;
                Some(Expected::Ruling(Ruling::from(decision.verdict)))
            })
        }
        Query::Scope { robots_url, url } => then(&|reading| {
            let governs = governs(reading, robots_url, url).ok()?;
            Some(Expected::Governs(Governs::from(governs)))
        }),
        _ => None,
    }
}

/// Returns the outcome of the query under each answer to the question. The result is `None` where all answers have the
/// same outcome, or where another answer to another question changes an outcome: then other differences between
/// implementations would show, too. The questions `apart` are not considered.
pub(super) fn isolated_outcomes(
    base: &Reading,
    question: Question,
    query: &Query,
    apart: &[Question],
) -> Option<Vec<(Choice, Expected)>> {
    with_outcomes(query, |outcome| {
        let answers = observable_answers(question).into_iter();
        let outcomes: Option<Vec<(Choice, Expected)>> =
            answers.map(|choice| Some((choice, outcome(&base.clone().supposing(choice))?))).collect();
        let outcomes = outcomes?;
        let depends = outcomes.iter().any(|(_, other)| *other != outcomes[0].1);
        let is_isolated = |(choice, expected): &(Choice, Expected)| {
            is_settled(&base.clone().supposing(*choice), &[apart, &[question]].concat(), expected, outcome)
        };
        (depends && outcomes.iter().all(is_isolated)).then_some(outcomes)
    })
}

/// Returns whether no other answer to a single other question changes the outcome. Questions whose answers change most
/// outcomes are not considered.
pub(super) fn is_settled(
    reading: &Reading,
    apart: &[Question],
    expected: &Expected,
    outcome: &dyn Fn(&Reading) -> Option<Expected>,
) -> bool {
    let others = TABLE.iter().map(|row| row.question);
    let mut others =
        others.filter(|question| !apart.contains(question) && !OF_MOST_PROBES.contains(question));
    others.all(|question| {
        let mut answers =
            plausible_answers(question).iter().filter(|other| **other != reading.choice(question));
        answers.all(|other| outcome(&reading.clone().supposing(*other)).as_ref() == Some(expected))
    })
}
