//! What a query shows about a question: its outcome under each answer, as long as no other question matters.

use super::{OF_MOST_PROBES, observable_answers, plausible_answers};
use robotspec_cases::{Expected, Query};
use robotspec_reference::{Choice, Governs, Question, Reading, RobotsTxt, Ruling, governs, scope};

/// A query that has an outcome in any reading. A large file is parsed only once.
pub(crate) enum Evaluated<'q> {
    Match { robots: RobotsTxt<'q>, agent: &'q str, url: &'q str },
    Scope { robots_url: &'q str, url: &'q str },
}

impl<'q> Evaluated<'q> {
    /// Returns the query, unless it has no outcome in a single reading.
    pub(crate) fn of(query: &'q Query) -> Option<Self> {
        match query {
            Query::Match { robots, agent, url } => {
                Some(Evaluated::Match { robots: RobotsTxt::parse(robots), agent, url })
            }
            Query::Scope { robots_url, url } => Some(Evaluated::Scope { robots_url, url }),
            _ => None,
        }
    }

    /// Returns the outcome in a reading. The result is `None` where the URL is none.
    pub(crate) fn outcome(&self, reading: &Reading) -> Option<Expected> {
        match self {
            Evaluated::Match { robots, agent, url } => {
                let decision = robots.decide(reading, agent, url).ok()?;
                Some(Expected::Ruling(Ruling::from(decision.verdict)))
            }
            Evaluated::Scope { robots_url, url } => {
                Some(Expected::Governs(Governs::from(governs(reading, robots_url, url).ok()?)))
            }
        }
    }

    /// Returns whether none of these answers to another question changes the outcome of a reading.
    pub(crate) fn is_settled<'a>(
        &self,
        reading: &Reading,
        expected: &Expected,
        answers: impl Fn(Question) -> &'a [Choice],
    ) -> bool {
        let asked = match self {
            Evaluated::Match { robots, agent, url } => robots.asked(reading, agent, url),
            Evaluated::Scope { robots_url, url } => scope::asked(reading, robots_url, url),
        };
        let answers = asked.unwrap_or_default().into_iter().flat_map(answers);
        let mut others = answers.filter(|other| **other != reading.choice(other.question));
        others.all(|other| self.outcome(&reading.clone().supposing(*other)).as_ref() == Some(expected))
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
    let query = Evaluated::of(query)?;
    let answers = observable_answers(question).into_iter();
    let outcomes: Option<Vec<(Choice, Expected)>> =
        answers.map(|choice| Some((choice, query.outcome(&base.clone().supposing(choice))?))).collect();
    let outcomes = outcomes?;
    let depends = outcomes.iter().any(|(_, other)| *other != outcomes[0].1);
    let apart = [apart, &[question]].concat();
    let is_isolated = |(choice, expected): &(Choice, Expected)| {
        query.is_settled(&base.clone().supposing(*choice), expected, |question| others(question, &apart))
    };
    (depends && outcomes.iter().all(is_isolated)).then_some(outcomes)
}

/// Returns the answers to a question that must not change an outcome. Questions whose answers change most outcomes are not
/// considered.
pub(super) fn others(question: Question, apart: &[Question]) -> &'static [Choice] {
    let is_considered = !apart.contains(&question) && !OF_MOST_PROBES.contains(&question);
    if is_considered { plausible_answers(question) } else { &[] }
}
