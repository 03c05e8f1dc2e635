//! The questions that two editions answer differently, and the checks that show it.

use std::collections::BTreeSet;

use robotspec_reference::access::access_read;
use robotspec_reference::question::Row;
use robotspec_reference::{Edition, Reading, RobotsTxt};

use crate::check::Check;
use crate::query::Query;
use crate::timed_visit::TimedVisit;

/// Returns whether two editions admit the same answers to a question.
pub fn same(row: &Row, a: Edition, b: Edition) -> bool {
    let admitted = |edition| row.answers(edition).iter().collect::<BTreeSet<_>>();
    admitted(a) == admitted(b)
}

/// Returns whether two editions expect different results of a check because of this question: the row names the
/// question, or another answer to it leads to another outcome.
pub fn shows(check: &Check, row: &Row, a: Edition, b: Edition) -> bool {
    let (Some(in_a), Some(in_b)) = (check.expected.get(&a), check.expected.get(&b)) else { return false };
    if in_a == in_b {
        return false;
    }
    check.questions.contains(&row.question)
        || match &check.query {
            Query::Match { robots, agent, url } => {
                let robots = RobotsTxt::parse(robots);
                changes_outcome(row, [a, b], |reading| {
                    robots.decide(reading, agent, url).map(|decision| decision.verdict)
                })
            }
            Query::Access { visits, .. } => {
                let visits: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
                changes_outcome(row, [a, b], |reading| access_read(reading, &visits))
            }
            _ => false,
        }
}

/// Returns whether an answer that one of two editions admits changes the outcome of the plainest reading of the other.
fn changes_outcome<T: PartialEq>(row: &Row, [a, b]: [Edition; 2], outcome: impl Fn(&Reading) -> T) -> bool {
    [(a, b), (b, a)].into_iter().any(|(edition, other)| {
        let plainest = Reading::plainest(edition);
        let here = outcome(&plainest);
        row.answers(other).iter().any(|&answer| outcome(&plainest.clone().supposing(answer)) != here)
    })
}
