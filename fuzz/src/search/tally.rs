//! What a run reached: a generator that never reaches a clause or a question does not test it.

use std::collections::BTreeMap;

use robotspec::Batch;
use robotspec_cases::Query;
use robotspec_reference::{DecidedBy, Decision, Edition, Prevails, Question, Reading, RobotsTxt};

use crate::feature::features;

/// Counts of a sample of the checks.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Checks in the sample.
    pub sampled: u64,
    /// Checks on which a rule matched.
    pub matched: u64,
    /// Checks on which rules of both kinds matched.
    pub in_conflict: u64,
    /// Checks that raise a question.
    pub unspecified: u64,
    /// The number of checks that brought each clause into play.
    pub clauses: BTreeMap<&'static str, u64>,
    /// The number of checks that raised each question that the edition does not specify.
    pub questions: BTreeMap<Question, u64>,
}

impl Tally {
    /// Counts the checks of a batch.
    pub(crate) fn add_batch(&mut self, edition: Edition, batch: &Batch) {
        for query in batch.queries() {
            self.sampled += 1;
            for clause in features(edition, query).clauses() {
                *self.clauses.entry(clause).or_default() += 1;
            }
        }
        let Query::Match { robots, .. } = batch.first() else { return };
        let (robots, plainest) = (RobotsTxt::parse(robots), Reading::plainest(edition));
        // Queries about one agent stand next to each other.
        for queries in batch.match_queries().chunk_by(|a, b| a.agent == b.agent) {
            let rules = robots.for_agent(edition, queries[0].agent);
            for query in queries {
                if let Ok(Decision { by, .. }) = robots.decide(&plainest, query.agent, query.url) {
                    self.matched += u64::from(by != DecidedBy::Default);
                    let conflicts = matches!(&by, DecidedBy::Rule { why, .. } if *why != Prevails::Alone);
                    self.in_conflict += u64::from(conflicts);
                }
                let questions = rules.questions(query.url).unwrap_or_default();
                self.unspecified += u64::from(!questions.is_empty());
                for question in questions {
                    *self.questions.entry(question).or_default() += 1;
                }
            }
        }
    }

    /// Adds the counts of another sample.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.sampled += other.sampled;
        self.matched += other.matched;
        self.in_conflict += other.in_conflict;
        self.unspecified += other.unspecified;
        add_counts(&mut self.clauses, &other.clauses);
        add_counts(&mut self.questions, &other.questions);
    }
}

/// Adds counts of the same things.
pub(crate) fn add_counts<K: Ord + Clone>(counts: &mut BTreeMap<K, u64>, others: &BTreeMap<K, u64>) {
    for (counted, count) in others {
        *counts.entry(counted.clone()).or_default() += count;
    }
}
