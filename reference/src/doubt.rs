//! The questions that an unspecified outcome depends on.

use crate::answer::CountedSize;
use crate::question::typed::SizeLimit;
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
    /// The admitted answers with their outcomes.
    pub answers: Vec<(Choice, T)>,
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
        differ.then(|| Doubt { question, supposing: supposing.to_vec(), answers })
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
    together.or_else(|| doubt_about_limits(plain, outcomes)).into_iter().collect()
}

/// Returns the doubt about a size limit between the smallest and the end of the file, which is not one reading, but one
/// for each limit.
fn doubt_about_limits<T: PartialEq>(plain: T, outcomes: Vec<(Vec<Choice>, T)>) -> Option<Doubt<T>> {
    let larger = SizeLimit.choice(CountedSize::Larger);
    let (_, other) =
        outcomes.into_iter().find(|(choices, outcome)| choices.contains(&larger) && *outcome != plain)?;
    let smallest = SizeLimit.choice(CountedSize::Limit512000);
    Some(Doubt {
        question: Question::SizeLimit,
        supposing: Vec::new(),
        answers: vec![(smallest, plain), (larger, other)],
    })
}

/// Returns the questions of these choices, without duplicates, in the order of the table.
pub(crate) fn questions<'c>(choices: impl Iterator<Item = &'c Vec<Choice>>) -> Vec<Question> {
    let mut questions: Vec<Question> = choices.flatten().map(|choice| choice.question).collect();
    questions.sort();
    questions.dedup();
    questions
}
