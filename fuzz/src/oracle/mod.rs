//! The oracle: decides which answers are right.

pub(crate) mod divergence;
pub(crate) mod expectation;
pub(crate) mod known;

use robotspec::event::Status;
use robotspec::{Answer, Batch, BatchAnswer, Endpoint, Fault, Verdict, fault_status, status};
use robotspec_cases::{Expected, ExpectedSitemaps, Query};
use robotspec_reference::{Edition, RobotsTxt, Ruling};

use crate::oracle::divergence::FindingKind;
use crate::oracle::expectation::expect_batch;
use crate::send::{answer_at, judged_parts};

/// What decides which answers are right.
pub(crate) enum Oracle {
    /// The editions.
    Editions,
    /// Another implementation, and its last answers.
    Implementation(Box<dyn Endpoint + Send>, Vec<BatchAnswer>),
}

impl Oracle {
    /// Returns the oracle that asks this implementation, or else the editions.
    pub(crate) fn new(against: Option<Box<dyn Endpoint + Send>>) -> Oracle {
        against.map_or(Oracle::Editions, |endpoint| Oracle::Implementation(endpoint, Vec::new()))
    }

    /// Returns the name of the implementation that decides; `None` where the editions do.
    pub(crate) fn implementation(&self) -> Option<String> {
        match self {
            Oracle::Editions => None,
            Oracle::Implementation(endpoint, _) => Some(endpoint.info().name),
        }
    }

    /// Returns what is expected in each edition of each query of each batch.
    pub(crate) fn expect(&mut self, editions: &[Edition], batches: &[Batch]) -> Vec<Vec<Vec<Expected>>> {
        let Oracle::Implementation(other, answers) = self else {
            let mut expected = vec![Vec::with_capacity(batches.len()); editions.len()];
            for batch in batches {
                for (of_edition, of_batch) in expected.iter_mut().zip(expect_batch(editions, batch)) {
                    of_edition.push(of_batch);
                }
            }
            return expected;
        };
        *answers = robotspec::send(other.as_mut(), batches).into_iter().map(judged_parts).collect();
        let expected = batches.iter().zip(&*answers).map(|(batch, answer)| {
            (0..batch.queries().len()).map(|place| expect_answer(answer_at(answer, place))).collect()
        });
        vec![expected.collect(); editions.len()]
    }

    /// Returns the status of an answer, and how it diverges from what is expected, if it does, and the edition requires this in
    /// every detail.
    pub(crate) fn judge(
        &self,
        edition: Edition,
        query: &Query,
        expected: &Expected,
        got: &Result<Answer, Fault>,
    ) -> (Status, Option<FindingKind>) {
        let (status, kind) = judge(expected, got);
        let kind = kind.and_then(|kind| match (kind, self) {
            (FindingKind::Error, _) if query.has_other_scheme() => None,
            (FindingKind::Violation, Oracle::Implementation(..)) => Some(FindingKind::Disagreement),
            (FindingKind::Violation, Oracle::Editions) => {
                let is_required = !query.is_optional_in(edition) && is_certain(edition, query, expected);
                is_required.then_some(FindingKind::Violation)
            }
            (kind, _) => Some(kind),
        });
        (status, kind)
    }
}

/// Returns the answer of the other implementation as what is expected. Without an answer, nothing is.
fn expect_answer(got: Result<Answer, Fault>) -> Expected {
    match got {
        Ok(Answer::Match(Verdict::Allow)) => Expected::Ruling(Ruling::Allow),
        Ok(Answer::Match(Verdict::Disallow)) => Expected::Ruling(Ruling::Disallow),
        Ok(Answer::Sitemaps(required)) => {
            Expected::Sitemaps(ExpectedSitemaps { required, optional: Vec::new() })
        }
        Ok(Answer::Scope(governs)) => Expected::Governs(governs),
        _ => Expected::Ruling(Ruling::Unspecified),
    }
}

/// Returns the status of an answer, and how it diverges from what is expected, if it does.
pub(crate) fn judge(expected: &Expected, got: &Result<Answer, Fault>) -> (Status, Option<FindingKind>) {
    let status = status(expected, got);
    let kind = FindingKind::from_status(match (status, got) {
        // Whoever fuzzes wants to know where a parser dies, also where an edition leaves the answer open.
        (Status::Unanswered, Err(fault)) => fault_status(fault),
        (status, _) => status,
    });
    (status, kind)
}

/// Returns whether the edition requires its ruling even of an implementation that answers a question differently from
/// one line to the next: an implementation may accept one misspelling of a field and not another.
///
/// This costs more than all other steps of judging, so it is done last.
pub(crate) fn is_certain(edition: Edition, query: &Query, expected: &Expected) -> bool {
    match (query, expected) {
        (Query::Match { robots, agent, url }, Expected::Ruling(ruling)) => {
            RobotsTxt::parse(robots).ruling_in_detail(edition, agent, url) == Ok(*ruling)
        }
        (Query::Usage { robots, agent, url }, Expected::Usage(preferences)) => {
            RobotsTxt::parse(robots).usage_in_detail(edition, agent, url).as_ref() == Ok(preferences)
        }
        _ => true,
    }
}
