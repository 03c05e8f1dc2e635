//! What a run has reached: a generator that never gets to a clause or a question does not test it.

use std::collections::BTreeMap;

use robotspec_reference::{DecidedBy, Edition, Prevails, Question, Reading, RobotsTxt};

use crate::feature::features;
use crate::judge;
use robotspec::implementation::BatchRequest;

/// Counts over checks that were looked at more closely.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Checks that were looked at.
    pub sampled: u64,
    /// On which a rule matched.
    pub matched: u64,
    /// On which rules of both kinds matched.
    pub in_conflict: u64,
    /// That the edition leaves open.
    pub open: u64,
    /// How many brought a clause into play.
    pub clauses: BTreeMap<&'static str, u64>,
    /// How many raised a question that the edition leaves open.
    pub questions: BTreeMap<Question, u64>,
}

impl Tally {
    /// Counts the checks of a request.
    pub(crate) fn add(&mut self, edition: Edition, request: &BatchRequest) {
        for place in 0..judge::queries(request) {
            self.sampled += 1;
            let single = judge::single(request, place);
            for clause in features(edition, &single).clauses() {
                *self.clauses.entry(clause).or_default() += 1;
            }
            let BatchRequest::Match { robots, queries } = request else { continue };
            let (robots, query) = (RobotsTxt::parse(robots), &queries[place]);
            let plainest = Reading::plainest(edition);
            if let Ok(decision) = robots.decide(&plainest, &query.agent, &query.url) {
                self.matched += u64::from(decision.by != DecidedBy::Default);
                let conflicts =
                    matches!(&decision.by, DecidedBy::Rule { why, .. } if *why != Prevails::Alone);
                self.in_conflict += u64::from(conflicts);
            }
            if let Ok(questions) = robots.questions(edition, &query.agent, &query.url) {
                self.open += u64::from(!questions.is_empty());
                for question in questions {
                    *self.questions.entry(question).or_default() += 1;
                }
            }
        }
    }

    /// Counts those of another.
    pub(crate) fn extend(&mut self, other: &Tally) {
        self.sampled += other.sampled;
        self.matched += other.matched;
        self.in_conflict += other.in_conflict;
        self.open += other.open;
        for (clause, count) in &other.clauses {
            *self.clauses.entry(clause).or_default() += count;
        }
        for (question, count) in &other.questions {
            *self.questions.entry(*question).or_default() += count;
        }
    }
}
