//! How many answers of an implementation are right and wrong.

use robotspec::event::Status;
use robotspec_cases::Expected;

use crate::oracle::divergence::FindingKind;

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
