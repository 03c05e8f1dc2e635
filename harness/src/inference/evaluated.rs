//! Queries that have an outcome in any reading.

use robotspec_cases::{Expected, Query};
use robotspec_reference::reading::Asked;
use robotspec_reference::{Choice, Governs, Question, Reading, RobotsTxt, Ruling, governs, scope};

/// A query that has an outcome in any reading. A large file is parsed only once.
pub enum Evaluated<'q> {
    /// A match query.
    Match {
        /// The file.
        robots: RobotsTxt<'q>,
        /// The agent.
        agent: &'q str,
        /// The URL.
        url: &'q str,
    },
    /// A scope query.
    Scope {
        /// The URL of the robots.txt.
        robots_url: &'q str,
        /// The other URL.
        url: &'q str,
    },
}

impl<'q> Evaluated<'q> {
    /// Returns the query, unless it has no outcome in a single reading.
    pub fn of(query: &'q Query) -> Option<Self> {
        match query {
            Query::Match { robots, agent, url } => {
                Some(Evaluated::Match { robots: RobotsTxt::parse(robots), agent, url })
            }
            Query::Scope { robots_url, url } => Some(Evaluated::Scope { robots_url, url }),
            _ => None,
        }
    }

    /// Returns the outcome in a reading. The result is `None` where the URL is none.
    pub fn outcome(&self, reading: &Reading) -> Option<Expected> {
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

    /// Returns the spellings or characters for which another answer to a question changes the outcome of a reading: one
    /// after the other, or together.
    pub fn subjects(&self, reading: &Reading, question: Question) -> Vec<Vec<u8>> {
        match self {
            Evaluated::Match { robots, agent, url } => {
                robots.subjects(reading, question, agent, url).unwrap_or_default()
            }
            Evaluated::Scope { .. } => Vec::new(),
        }
    }

    /// Returns what a reading answers on the way to the outcome.
    pub fn asked(&self, reading: &Reading) -> Asked {
        let asked = match self {
            Evaluated::Match { robots, agent, url } => robots.asked(reading, agent, url),
            Evaluated::Scope { robots_url, url } => scope::asked(reading, robots_url, url),
        };
        asked.unwrap_or_default()
    }

    /// Returns the questions to which one of these answers changes the outcome of a reading.
    pub fn unsettling<'a>(
        &self,
        reading: &Reading,
        expected: &Expected,
        answers: impl Fn(Question) -> &'a [Choice],
    ) -> impl Iterator<Item = Question> {
        let changes = move |other: &Choice| {
            *other != reading.choice(other.question)
                && self.outcome(&reading.clone().supposing(*other)).as_ref() != Some(expected)
        };
        self.asked(reading).into_keys().filter(move |question| answers(*question).iter().any(changes))
    }
}
