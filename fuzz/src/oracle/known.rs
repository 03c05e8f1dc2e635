//! What is known of an implementation: its proven mistakes.

use std::iter;

use robotspec::event::Status;
use robotspec::inference::Evaluated;
use robotspec::{Answer, Fault, status};
use robotspec_cases::{Expected, Query};
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

    /// Returns the admitted answers to questions that a reading of a query asks and that the edition leaves open, without
    /// those in which the implementation is mistaken.
    pub(crate) fn open(&self, query: &Evaluated, reading: &Reading) -> impl Iterator<Item = Choice> {
        let edition = reading.edition();
        let is_mistaken =
            move |question: Question| self.of(edition).any(|mistake| mistake.question == question);
        let asked = query.asked(reading).into_keys().filter(move |question| !is_mistaken(*question));
        asked
            .map(move |question| question.row().answers(edition))
            .filter(|open| open.len() > 1)
            .flatten()
            .copied()
    }

    /// Returns the mistake that explains a violation, or why two files that mean the same have different answers: without
    /// it, the reading of the implementation does not give what the implementation gives. `None` where this reading gives
    /// something else. If `openly`, one or two answers to questions that the edition leaves open may take part: then the
    /// mistakes leave open what the implementation gives.
    pub(crate) fn explains(&self, divergence: &Divergence, openly: bool) -> Option<Choice> {
        let edition = divergence.edition;
        let first = self.of(edition).next()?;
        let answered = answered(divergence)?;
        let forms = answered.iter().map(|(query, got)| Some((Evaluated::of(query)?, got)));
        let forms: Vec<(Evaluated, &Result<Answer, Fault>)> = forms.collect::<Option<_>>()?;
        let explains_with = |open: &[Choice]| {
            let gives = |except| {
                let reading = open.iter().copied().fold(self.reading(edition, except), Reading::supposing);
                let gives = |read: Expected, got| status(&read, got) == Status::Pass;
                forms.iter().all(|(query, got)| query.outcome(&reading).is_some_and(|read| gives(read, got)))
            };
            // Each of two may suffice.
            gives(None)
                .then(|| self.of(edition).find(|mistake| !gives(Some(mistake.question))).unwrap_or(first))
        };
        if !openly {
            return explains_with(&[]);
        }
        let (query, reading) = (&forms[0].0, self.reading(edition, None));
        self.open(query, &reading).find_map(|one| {
            let with_one = reading.clone().supposing(one);
            let pairs = self.open(query, &with_one).map(|other| [one, other]);
            iter::once([one, one]).chain(pairs).find_map(|open| explains_with(&open))
        })
    }
}

/// Returns the queries of a divergence with the answers of the implementation. The result is `None` where a reading gives no
/// such answers.
fn answered(divergence: &Divergence) -> Option<Vec<(Query, Result<Answer, Fault>)>> {
    let Divergence { kind, relation, query, got, .. } = divergence;
    match (kind, relation, got) {
        (FindingKind::Violation, ..) => Some(vec![(query.clone(), got.clone())]),
        (FindingKind::Relation, Some(relation), Ok(Answer::Alike { file, twin: other })) => {
            let forms = [(query.clone(), file), (twin(*relation, query)?, other)];
            Some(forms.map(|(query, verdict)| (query, Ok(Answer::Match(verdict.clone())))).into())
        }
        _ => None,
    }
}
