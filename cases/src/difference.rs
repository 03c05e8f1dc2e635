//! The questions that two editions answer differently, and the checks that show it.

use robotspec_reference::question::Row;
use robotspec_reference::{Edition, Reading, RobotsTxt};

use crate::check::Check;
use crate::query::Query;

/// Returns whether two editions admit the same answers to a question.
pub fn same(row: &Row, a: Edition, b: Edition) -> bool {
    let sorted = |edition| {
        let mut answers = row.answers(edition).to_vec();
        answers.sort();
        answers
    };
    sorted(a) == sorted(b)
}

/// Returns whether two editions expect different results of a check because of this question: the row names the
/// question, or another answer to it leads to another verdict.
pub fn shows(check: &Check, row: &Row, a: Edition, b: Edition) -> bool {
    let (Some(in_a), Some(in_b)) = (check.expected.get(&a), check.expected.get(&b)) else { return false };
    if in_a == in_b {
        return false;
    }
    let Query::Match { robots, agent, url } = &check.query else {
        return check.questions.contains(&row.question);
    };
    let robots = RobotsTxt::parse(robots);
    let verdict = |reading: &Reading| robots.decide(reading, agent, url).map(|decision| decision.verdict);
    [(a, b), (b, a)].into_iter().any(|(edition, other)| {
        let plainest = Reading::plainest(edition);
        let verdict_here = verdict(&plainest);
        row.answers(other).iter().any(|&answer| verdict(&plainest.clone().supposing(answer)) != verdict_here)
    })
}
