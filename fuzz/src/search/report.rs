//! The result of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use robotspec::Verdict;
use robotspec::event::Status;
use robotspec_cases::{Expected, Query};
use robotspec_reference::{Edition, Question};

use crate::explain::finding::{Class, Finding};
use crate::oracle::divergence::FindingKind;
use crate::search::tally::{Tally, add_counts};

/// What a run reports while it goes on.
#[derive(Debug)]
pub enum Progress<'r> {
    /// The first finding of its class.
    Found(&'r Finding),
    /// The report so far, after each block of checks.
    Checked(&'r Report),
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of checks, including those of relations. Each implementation answers each.
    pub checks: u64,
    /// The number of inputs that were sent. Other forms of an input do not count.
    pub inputs: u64,
    /// How many answers of each implementation are right and wrong in each edition.
    pub accuracy: BTreeMap<(Edition, String), Accuracy>,
    /// The versions of the implementations that state one.
    pub versions: BTreeMap<String, String>,
    /// The number of divergences of each class.
    pub divergences: BTreeMap<Class, u64>,
    /// The number of further divergences that look different and were not minimised: the run was over, or minimising took
    /// too long.
    pub unexamined: u64,
    /// Whether the run was stopped before its limit.
    pub is_interrupted: bool,
    /// The divergences that depend on earlier queries, for each implementation.
    pub dependent: BTreeMap<String, Unrepeated>,
    /// The divergences that did not occur again in any way, for each implementation.
    pub flaky: BTreeMap<String, Unrepeated>,
    /// The findings, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// What the inputs reached.
    pub tally: Tally,
    /// The questions that the edition does not specify and that the implementations answer differently.
    pub differing_answers: BTreeMap<Question, DifferingAnswers>,
    /// Implementations that did not answer until the end, each with the reason.
    pub incomplete: BTreeMap<String, String>,
    /// For each implementation, the number of queries that it did not receive, because they resemble others that took too
    /// long.
    pub skipped: BTreeMap<String, u64>,
    /// How long the run took.
    pub elapsed: Duration,
}

impl Report {
    /// Adds what a block adds to the report.
    pub(crate) fn add(&mut self, block: Report) {
        self.checks += block.checks;
        self.inputs += block.inputs;
        for (judged_by, accuracy) in block.accuracy {
            self.accuracy.entry(judged_by).or_default().add(accuracy);
        }
        self.versions.extend(block.versions);
        self.tally.add(&block.tally);
        self.incomplete.extend(block.incomplete);
        add_counts(&mut self.skipped, &block.skipped);
        for (question, differing) in block.differing_answers {
            let entry = self.differing_answers.entry(question);
            entry.and_modify(|known| known.count += 1).or_insert(differing);
        }
    }
}

/// Divergences that did not occur again when their queries were sent once more, alone.
#[derive(Debug, Clone, Default)]
pub struct Unrepeated {
    /// How many there were.
    pub count: u64,
    /// The shortest sequence of queries that shows one of them, with the query that diverges as the last. Where none
    /// is known, that query alone.
    pub queries: Vec<Query>,
}

/// Different answers of implementations to a question that the edition does not specify.
#[derive(Debug, Clone)]
pub struct DifferingAnswers {
    /// How often they were seen. Only a part of all checks is compared.
    pub count: u64,
    /// A query that shows the difference.
    pub query: Query,
    /// The name of each implementation and its verdict.
    pub verdicts: Vec<(String, Verdict)>,
}

/// Counts of the right and wrong answers of an implementation. An answer to a query without a definite ruling is neither, and
/// other forms of an input do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accuracy {
    /// Inputs with an answer that is right or wrong.
    pub inputs: u64,
    /// Inputs with a wrong answer.
    pub wrong_inputs: u64,
    /// Queries with an answer that is right or wrong.
    pub queries: u64,
    /// Queries with a wrong answer.
    pub wrong_queries: u64,
    /// Queries without an answer: a crash, a time-out, an error, or a query that was not sent.
    pub unanswered: u64,
}

impl Accuracy {
    /// Counts an answer with this status. `kind` is that of its divergence, which a wrong answer lacks where the edition does not require the
    /// ruling in every detail.
    pub(crate) fn add_answer(&mut self, expected: &Expected, status: Status, kind: Option<FindingKind>) {
        match status {
            Status::Pass if !expected.is_unspecified() => self.queries += 1,
            Status::Fail if kind.is_some() => {
                self.queries += 1;
                self.wrong_queries += 1;
            }
            Status::Pass | Status::Fail | Status::Unspecified => {}
            _ => self.unanswered += 1,
        }
    }

    /// Adds the counts of the answers about another input.
    pub(crate) fn add_input(&mut self, answers: Accuracy) {
        let (inputs, wrong_inputs) = (answers.queries.min(1), answers.wrong_queries.min(1));
        self.add(Accuracy { inputs, wrong_inputs, ..answers });
    }

    /// Adds the counts of other inputs.
    pub(crate) fn add(&mut self, other: Accuracy) {
        self.inputs += other.inputs;
        self.wrong_inputs += other.wrong_inputs;
        self.queries += other.queries;
        self.wrong_queries += other.wrong_queries;
        self.unanswered += other.unanswered;
    }
}
