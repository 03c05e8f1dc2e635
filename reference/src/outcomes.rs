//! The outcomes of an evaluation in each reading, so that larger evaluations need not repeat it.

use std::ops::ControlFlow;

use crate::question::Choice;
use crate::reading::{Explorer, Reader, TooManyReadings, explore};

/// The different outcomes of an evaluation, and the choices that lead to each.
pub(crate) struct Outcomes<T> {
    outcomes: Vec<T>,
    /// In the order of [`explore`]: combinations with the same first choices follow each other. An evaluation with one
    /// outcome has one combination, of no choices.
    combinations: Vec<Combination>,
}

struct Combination {
    /// The choices with their subjects, in the order in which the evaluation raised them.
    choices: Vec<(Choice, Vec<u8>)>,
    /// The place of the outcome that they lead to.
    outcome: usize,
}

impl<T: PartialEq> Outcomes<T> {
    /// Evaluates once for each combination of answers.
    pub(crate) fn of(
        explorer: &mut Explorer,
        mut evaluate: impl FnMut(&mut Explorer) -> T,
    ) -> Result<Self, TooManyReadings> {
        let (mut outcomes, mut combinations) = (Vec::new(), Vec::new());
        explore(
            explorer,
            |explorer| {
                let outcome = evaluate(explorer);
                (outcome, explorer.choices_with_subjects())
            },
            |_, (outcome, choices)| {
                let known = outcomes.iter().position(|other| *other == outcome);
                combinations.push(Combination { choices, outcome: known.unwrap_or(outcomes.len()) });
                outcomes.extend(known.is_none().then_some(outcome));
                ControlFlow::Continue(())
            },
        )?;
        if let [_] = outcomes[..] {
            combinations = vec![Combination { choices: Vec::new(), outcome: 0 }];
        }
        Ok(Outcomes { outcomes, combinations })
    }

    /// Returns every different outcome.
    pub(crate) fn all(&self) -> &[T] {
        &self.outcomes
    }

    /// Returns every different outcome.
    pub(crate) fn into_all(self) -> Vec<T> {
        self.outcomes
    }

    /// Returns the outcome in a reading.
    pub(crate) fn outcome(&self, reader: &mut impl Reader) -> &T {
        &self.outcomes[self.read(reader)]
    }

    /// Returns the place of the outcome in a reading.
    pub(crate) fn read(&self, reader: &mut impl Reader) -> usize {
        let mut combinations = &self.combinations[..];
        let mut depth = 0;
        while let Some((choice, subject)) = combinations[0].choices.get(depth) {
            let answer = reader.choose(choice.question, subject);
            let has_answer = |combination: &Combination| combination.choices[depth].0 == answer;
            let start = combinations.iter().position(has_answer).unwrap_or_default();
            let length = combinations[start..].iter().take_while(|other| has_answer(other)).count();
            combinations = &combinations[start..start + length.max(1)];
            depth += 1;
        }
        combinations[0].outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{OddText, StarName};
    use crate::edition::Edition;
    use crate::question::typed::{AgentSuffix, AgentText, StarText};
    use crate::reading::Reading;

    /// An evaluation that raises a second question only under some answers to the first.
    fn evaluate(reader: &mut impl Reader) -> (StarName, Option<OddText>) {
        let star = reader.answer(StarText);
        (star, (star == StarName::Keep).then(|| reader.answer(AgentText)))
    }

    #[test]
    fn reading_the_outcomes_is_evaluating() {
        let edition = Edition::Rfc9309;
        let outcomes = Outcomes::of(&mut Explorer::new(edition), evaluate).unwrap();
        let (stars, texts) = (StarText.question().row(), AgentText.question().row());
        assert!(stars.answers(edition).len() > 1 && texts.answers(edition).len() > 1);
        for (star, text) in stars
            .answers(edition)
            .iter()
            .flat_map(|star| texts.answers(edition).iter().map(move |text| (*star, *text)))
        {
            let mut reading = Reading::plainest(edition).with(star).unwrap().with(text).unwrap();
            let outcome = outcomes.outcome(&mut reading);
            assert_eq!(*outcome, evaluate(&mut reading), "{star} {text}");
        }
    }

    #[test]
    fn an_evaluation_with_one_outcome_raises_no_question_again() {
        let outcomes = Outcomes::of(&mut Explorer::new(Edition::Rfc9309), |explorer| {
            explorer.answer(AgentSuffix);
        });
        let outcomes = outcomes.unwrap();
        let again = Explorer::new(Edition::Rfc9309).settled_outcome(|explorer| outcomes.read(explorer));
        assert_eq!(again, Some(0));
    }
}
