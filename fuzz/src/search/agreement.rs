//! How the answers of an implementation agree with what is expected.

use robotspec::event::Status;
use robotspec::{Answer, Fault, status};
use robotspec_cases::Expected;
use robotspec_reference::Edition;

use crate::oracle::kind::FindingKind;

/// How the answers of an implementation agree with an edition, or with the implementation that decides which are right. Only
/// queries with a definite ruling count, and no input that is another form of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    /// The name of the implementation.
    pub implementation: String,
    /// The edition.
    pub edition: Edition,
    /// The counts.
    pub counts: Counts,
}

/// Counts of inputs and of their queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Inputs with an answer that is right or wrong.
    pub inputs: u64,
    /// Those with a wrong answer.
    pub wrong_inputs: u64,
    /// Queries with an answer that is right or wrong.
    pub queries: u64,
    /// Those with a wrong answer.
    pub wrong_queries: u64,
    /// Queries without an answer, such as those that ended in an error or were not sent.
    pub unanswered: u64,
}

impl Counts {
    /// Counts an answer. `kind` is that of the divergence, if the answer diverges in a way that the edition rules out in
    /// every detail.
    pub(crate) fn add_answer(
        &mut self,
        expected: &Expected,
        got: &Result<Answer, Fault>,
        kind: Option<FindingKind>,
    ) {
        if expected.is_unspecified() {
            return;
        }
        match (status(expected, got), kind) {
            (Status::Pass, _) => self.queries += 1,
            (Status::Fail, Some(_)) => {
                self.queries += 1;
                self.wrong_queries += 1;
            }
            // The ruling is not one that holds in every detail.
            (Status::Fail | Status::Unspecified, _) => {}
            _ => self.unanswered += 1,
        }
    }

    /// Returns the counts of answers as those of one input.
    pub(crate) fn of_one_input(self) -> Counts {
        let (inputs, wrong_inputs) = (u64::from(self.queries > 0), u64::from(self.wrong_queries > 0));
        Counts { inputs, wrong_inputs, ..self }
    }

    /// Adds the counts of other inputs.
    pub(crate) fn add(&mut self, other: Counts) {
        self.inputs += other.inputs;
        self.wrong_inputs += other.wrong_inputs;
        self.queries += other.queries;
        self.wrong_queries += other.wrong_queries;
        self.unanswered += other.unanswered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotspec::Verdict;
    use robotspec_reference::Ruling;

    #[test]
    fn only_answers_to_definite_rulings_are_right_or_wrong() {
        let count = |ruling, got: Result<Verdict, Fault>, kind| {
            let mut counts = Counts::default();
            counts.add_answer(&Expected::Ruling(ruling), &got.map(Answer::Match), kind);
            [counts.queries, counts.wrong_queries, counts.unanswered]
        };
        let violation = Some(FindingKind::Violation);
        assert_eq!(count(Ruling::Allow, Ok(Verdict::Allow), None), [1, 0, 0]);
        assert_eq!(count(Ruling::Allow, Ok(Verdict::Disallow), violation), [1, 1, 0]);
        assert_eq!(count(Ruling::Allow, Ok(Verdict::Disallow), None), [0, 0, 0]);
        assert_eq!(count(Ruling::Unspecified, Ok(Verdict::Disallow), None), [0, 0, 0]);
        assert_eq!(
            count(Ruling::Unspecified, Err(Fault::Crash("x".into())), Some(FindingKind::Crash)),
            [0, 0, 0]
        );
        for fault in [
            Fault::Crash("x".into()),
            Fault::Timeout("x".into()),
            Fault::NotRun("x".into()),
            Fault::Error("x".into()),
        ] {
            assert_eq!(count(Ruling::Allow, Err(fault), None), [0, 0, 1]);
        }
        assert_eq!(count(Ruling::Allow, Ok(Verdict::Error("x".into())), Some(FindingKind::Error)), [0, 0, 1]);
    }

    #[test]
    fn an_input_is_wrong_with_one_wrong_answer() {
        let mut counts = Counts::default();
        counts.add(Counts { queries: 3, wrong_queries: 2, ..Counts::default() }.of_one_input());
        counts.add(Counts { queries: 2, ..Counts::default() }.of_one_input());
        counts.add(Counts { unanswered: 4, ..Counts::default() }.of_one_input());
        let expected = Counts { inputs: 2, wrong_inputs: 1, queries: 5, wrong_queries: 2, unanswered: 4 };
        assert_eq!(counts, expected);
    }
}
