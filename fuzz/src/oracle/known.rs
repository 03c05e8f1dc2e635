//! What is known of an implementation: its proven mistakes.

use robotspec::event::Status;
use robotspec::inference::Evaluated;
use robotspec::{Answer, Fault, Verdict, status};
use robotspec_cases::Query;
use robotspec_reference::{Choice, Edition, Question, Reading};

use crate::oracle::divergence::{Divergence, FindingKind, twin};

/// What is known of an implementation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// The proven mistakes, in the order in which they were found.
    pub(crate) mistakes: Vec<(Edition, Choice)>,
}

impl Known {
    /// Returns the plainest reading with what is known of the implementation about all questions but this one.
    pub(crate) fn reading(&self, edition: Edition, except: Option<Question>) -> Reading {
        let mistakes = self.of(edition).filter(|mistake| Some(mistake.question) != except);
        mistakes.fold(Reading::plainest(edition), Reading::with_mistake)
    }

    fn of(&self, edition: Edition) -> impl Iterator<Item = Choice> {
        self.mistakes.iter().filter(move |(of, _)| *of == edition).map(|(_, mistake)| *mistake)
    }

    /// Returns the mistake that explains a violation, or why two files that mean the same have different answers: without
    /// it, the reading of the implementation does not give what the implementation gives. `None` where this reading gives
    /// something else.
    pub(crate) fn explains(&self, divergence: &Divergence) -> Option<Choice> {
        self.explains_with(divergence, &[])
    }

    /// Returns the same where one or two answers to questions that the edition leaves open may take part: then its mistakes
    /// leave open what the implementation gives.
    pub(crate) fn explains_openly(&self, divergence: &Divergence) -> Option<Choice> {
        let edition = divergence.edition;
        self.of(edition).next()?;
        let query = Evaluated::of(&divergence.query)?;
        let others = |reading: &Reading| -> Vec<Choice> {
            let is_known =
                |question: &Question| self.of(edition).any(|mistake| mistake.question == *question);
            let questions = query.asked(reading).into_keys().filter(|question| !is_known(question));
            let open =
                questions.map(|question| question.row().answers(edition)).filter(|open| open.len() > 1);
            open.flatten().copied().collect()
        };
        let reading = self.reading(edition, None);
        others(&reading).into_iter().find_map(|one| {
            let pairs = others(&reading.clone().supposing(one)).into_iter().map(|other| [one, other]);
            [[one, one]].into_iter().chain(pairs).find_map(|open| self.explains_with(divergence, &open))
        })
    }

    fn explains_with(&self, divergence: &Divergence, open: &[Choice]) -> Option<Choice> {
        let edition = divergence.edition;
        let first = self.of(edition).next()?;
        let gives = |except| {
            let reading = self.reading(edition, except);
            gives(&open.iter().copied().fold(reading, Reading::supposing), divergence)
        };
        // Each of two may suffice.
        gives(None)?.then(|| {
            self.of(edition).find(|mistake| gives(Some(mistake.question)) == Some(false)).unwrap_or(first)
        })
    }
}

/// Returns whether a reading gives what the implementation gives. The result is `None` where a reading gives no such answer.
fn gives(reading: &Reading, divergence: &Divergence) -> Option<bool> {
    let gives = |query: &Query, got: &Result<Answer, Fault>| {
        Some(status(&Evaluated::of(query)?.outcome(reading)?, got) == Status::Pass)
    };
    match (divergence.kind, divergence.relation, &divergence.got) {
        (FindingKind::Violation, _, got) => gives(&divergence.query, got),
        (FindingKind::Relation, Some(relation), Ok(Answer::Alike { file, twin: other })) => {
            let answers = [(divergence.query.clone(), file), (twin(relation, &divergence.query)?, other)];
            let gives = |(query, got): &(Query, &Verdict)| gives(query, &Ok(Answer::Match((*got).clone())));
            Some(answers.iter().map(gives).collect::<Option<Vec<_>>>()?.into_iter().all(|gives| gives))
        }
        _ => None,
    }
}
