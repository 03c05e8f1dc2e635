//! The questions that an unspecified outcome depends on.

use crate::answer::{CountedSize, YesOrNo};
use crate::edition::Edition;
use crate::question::typed::{PartialEscape, SizeLimit};
use crate::question::{Choice, Question};
use crate::reading::Reading;

/// A question that the edition does not decide and that changes the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt<T> {
    /// The question.
    pub question: Question,
    /// The answers, other than those of the plainest reading, under which this question changes the outcome. Mostly
    /// there are none.
    pub supposing: Vec<Choice>,
    /// The numbers of the lines that raise the question and change the outcome. Empty where the URL alone raises it.
    pub lines: Vec<usize>,
    /// The spellings or characters about which another answer changes the outcome, where the question may be answered
    /// differently for each. Of many, the first ones are tried.
    pub subjects: Vec<Vec<u8>>,
    /// The admitted answers with their outcomes.
    pub answers: Vec<(Choice, T)>,
}

impl<T> Doubt<T> {
    /// Returns the reading under which this question changes the outcome.
    pub fn supposed(&self, edition: Edition) -> Reading {
        self.supposing.iter().fold(Reading::plainest(edition), |reading, &choice| reading.supposing(choice))
    }
}

/// Returns the questions that change the outcome of the plainest reading alone. If there are none, the last question of
/// the fewest answers that change it together.
pub(crate) fn doubts<T: PartialEq>(
    plainest: &Reading,
    outcomes: Vec<(Vec<Choice>, T)>,
    evaluate: impl Fn(&Reading) -> T,
) -> Vec<Doubt<T>> {
    let doubt = |question: Question, supposing: &[Choice]| -> Option<Doubt<T>> {
        let supposed = supposing.iter().fold(plainest.clone(), |reading, &choice| reading.supposing(choice));
        let admitted = question.row().answers(plainest.edition()).iter();
        let answers: Vec<(Choice, T)> =
            admitted.map(|&choice| (choice, evaluate(&supposed.clone().supposing(choice)))).collect();
        let differ = answers.iter().any(|(_, outcome)| *outcome != answers[0].1);
        differ.then(|| Doubt {
            question,
            supposing: supposing.to_vec(),
            lines: Vec::new(),
            subjects: Vec::new(),
            answers,
        })
    };
    let alone: Vec<Doubt<T>> = questions(outcomes.iter().map(|(choices, _)| choices))
        .into_iter()
        .filter_map(|q| doubt(q, &[]))
        .collect();
    if !alone.is_empty() {
        return alone;
    }
    let plain = evaluate(plainest);
    let other_answers = |(choices, _): &(Vec<Choice>, T)| -> Vec<Choice> {
        choices.iter().copied().filter(|choice| plainest.choice(choice.question) != *choice).collect()
    };
    let others = outcomes.iter().filter(|(_, outcome)| *outcome != plain).map(other_answers);
    let fewest = others.min_by_key(Vec::len).unwrap_or_default();
    let together = (0..fewest.len()).find_map(|place| doubt(fewest[place].question, &fewest[..place]));
    together.or_else(|| doubt_about_several(plain, outcomes)).into_iter().collect()
}

/// Returns the doubt about a question with an answer that is not one reading: there is a size limit at each byte between
/// the smallest and the end of the file, and each rule may match a part of an escape or not.
fn doubt_about_several<T: PartialEq>(plain: T, outcomes: Vec<(Vec<Choice>, T)>) -> Option<Doubt<T>> {
    let several = [
        [SizeLimit.choice(CountedSize::Limit512000), SizeLimit.choice(CountedSize::Larger)],
        [YesOrNo::No, YesOrNo::Yes].map(|answer| PartialEscape.choice(answer)),
    ];
    let mut others = outcomes.into_iter().filter(|(_, outcome)| *outcome != plain);
    let (choice, answer, other) = others.find_map(|(choices, outcome)| {
        let [choice, answer] = several.into_iter().find(|[_, answer]| choices.contains(answer))?;
        Some((choice, answer, outcome))
    })?;
    Some(Doubt {
        question: answer.question,
        supposing: Vec::new(),
        lines: Vec::new(),
        subjects: Vec::new(),
        answers: vec![(choice, plain), (answer, other)],
    })
}

/// Returns the questions of these choices, without duplicates, in the order of the table.
pub(crate) fn questions<'c>(choices: impl Iterator<Item = &'c Vec<Choice>>) -> Vec<Question> {
    let mut questions: Vec<Question> = choices.flatten().map(|choice| choice.question).collect();
    questions.sort();
    questions.dedup();
    questions
}
