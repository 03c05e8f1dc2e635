//! Readings: one answer to every question.
//!
//! The evaluator is written as if there were one reading: where the text
//! leaves a choice it asks, and goes on with the answer. Nothing
//! else in this crate knows of several readings. `each_reading` runs it once
//! for every combination of answers that it really asks for, so that a file
//! which raises no question costs one evaluation.

use std::ops::ControlFlow;

use crate::edition::Edition;
use crate::question::{Answer, Question, TABLE};

/// Somebody who answers the questions that an evaluation raises.
pub(crate) trait Ask {
    /// The answer to a question. Asked twice, it is the same.
    fn ask(&mut self, question: Question) -> Answer;

    /// The answer to a question about these octets, such as one misspelling. A
    /// reading answers it as it does for all others.
    fn ask_about(&mut self, question: Question, _octets: &[u8]) -> Answer {
        self.ask(question)
    }

    /// The answers that could be given.
    fn admitted(&self, question: Question) -> &[Answer];

    /// What follows from the answer to a question, asking it only where the
    /// admitted answers differ in what follows.
    fn settle<T: PartialEq>(&mut self, question: Question, outcome: impl Fn(Answer) -> T) -> T
    where
        Self: Sized,
    {
        let mut outcomes = self.admitted(question).iter().map(|&answer| outcome(answer));
        if let Some(first) = outcomes.next()
            && outcomes.all(|other| other == first)
        {
            return first;
        }
        outcome(self.ask(question))
    }
}

/// A complete reading of an edition: an answer to every question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    edition: Edition,
    answers: Vec<Answer>,
}

impl Reading {
    /// The reading that gives to each question the first admitted answer.
    pub fn plainest(edition: Edition) -> Self {
        Reading { edition, answers: TABLE.iter().map(|row| row.answers(edition)[0]).collect() }
    }

    /// This reading with another answer to one question.
    ///
    /// # Errors
    ///
    /// The edition does not admit the answer.
    pub fn with(mut self, question: Question, answer: Answer) -> Result<Self, NotAdmitted> {
        if !question.row().answers(self.edition).contains(&answer) {
            return Err(NotAdmitted { edition: self.edition, question, answer });
        }
        self.answers[question as usize] = answer;
        Ok(self)
    }

    /// This reading with another answer to one question, be it admitted or
    /// not: what the edition would say if it said that.
    pub fn supposing(mut self, question: Question, answer: Answer) -> Self {
        self.answers[question as usize] = answer;
        self
    }

    /// The edition that is read.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// The answer to a question.
    pub fn answer(&self, question: Question) -> Answer {
        self.answers[question as usize]
    }
}

impl Ask for Reading {
    fn ask(&mut self, question: Question) -> Answer {
        self.answer(question)
    }

    fn admitted(&self, question: Question) -> &[Answer] {
        std::slice::from_ref(&self.answers[question as usize])
    }
}

/// An answer that the edition does not admit to that question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAdmitted {
    /// The edition that was to be read so.
    pub edition: Edition,
    /// The question.
    pub question: Question,
    /// The answer that it does not admit.
    pub answer: Answer,
}

impl std::fmt::Display for NotAdmitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} does not admit the answer {} to {}", self.edition, self.answer, self.question)
    }
}

impl std::error::Error for NotAdmitted {}

/// The answers given so far on one way through the questions, in the order
/// in which they were asked.
pub(crate) type Choices = Vec<(Question, Answer)>;

/// Answers an evaluation along one way, and notes which choices it met.
pub(crate) struct Inquiry {
    edition: Edition,
    choices: Choices,
    /// What each choice is about, where a question is asked anew for whatever
    /// it is about.
    subjects: Option<Vec<Vec<u8>>>,
}

impl Inquiry {
    fn place(&self, question: Question, octets: &[u8]) -> Option<usize> {
        let is_about = |place: usize| match &self.subjects {
            Some(subjects) => subjects.get(place).is_some_and(|subject| subject == octets),
            None => true,
        };
        (0..self.choices.len()).find(|&place| self.choices[place].0 == question && is_about(place))
    }
}

impl Ask for Inquiry {
    fn ask(&mut self, question: Question) -> Answer {
        self.ask_about(question, &[])
    }

    fn ask_about(&mut self, question: Question, octets: &[u8]) -> Answer {
        let answers = question.row().answers(self.edition);
        if let [only] = answers {
            return *only;
        }
        if let Some(place) = self.place(question, octets) {
            return self.choices[place].1;
        }
        self.choices.push((question, answers[0]));
        if let Some(subjects) = &mut self.subjects {
            subjects.truncate(self.choices.len() - 1);
            subjects.push(octets.to_vec());
        }
        answers[0]
    }

    fn admitted(&self, question: Question) -> &[Answer] {
        match self.place(question, &[]) {
            Some(place) => std::slice::from_ref(&self.choices[place].1),
            None => question.row().answers(self.edition),
        }
    }
}

/// How many ways through the questions are followed. Each costs one
/// evaluation, so this bounds the cost of a file that is made to raise them
/// all. Beyond it a verdict is *unspecified*, which accuses nobody.
pub(crate) const MOST_READINGS: usize = 4096;

/// An evaluation that raises more questions than [`MOST_READINGS`] can follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooManyReadings;

/// Evaluates under each combination of answers that the evaluation asks for:
/// depth first, so that neighbours share the answers to what was asked first.
/// `visit` is shown each with what came out, and may break off.
pub(crate) fn each_reading<T>(
    edition: Edition,
    evaluate: impl FnMut(&mut Inquiry) -> T,
    visit: impl FnMut(&Choices, T) -> ControlFlow<()>,
) -> Result<(), TooManyReadings> {
    each_way(Inquiry { edition, choices: Vec::new(), subjects: None }, evaluate, visit)
}

/// The same with an answer for each thing that a question is about, so that one
/// misspelling may be taken for a field and another not.
pub(crate) fn each_reading_in_detail<T>(
    edition: Edition,
    evaluate: impl FnMut(&mut Inquiry) -> T,
    visit: impl FnMut(&Choices, T) -> ControlFlow<()>,
) -> Result<(), TooManyReadings> {
    each_way(Inquiry { edition, choices: Vec::new(), subjects: Some(Vec::new()) }, evaluate, visit)
}

fn each_way<T>(
    mut inquiry: Inquiry,
    mut evaluate: impl FnMut(&mut Inquiry) -> T,
    mut visit: impl FnMut(&Choices, T) -> ControlFlow<()>,
) -> Result<(), TooManyReadings> {
    for _ in 0..MOST_READINGS {
        let outcome = evaluate(&mut inquiry);
        if visit(&inquiry.choices, outcome).is_break() || !next_way(inquiry.edition, &mut inquiry.choices) {
            return Ok(());
        }
    }
    Err(TooManyReadings)
}

/// Turns to the next answer of the question asked last that has one left.
/// What was asked after it is asked anew.
fn next_way(edition: Edition, choices: &mut Choices) -> bool {
    while let Some((question, answer)) = choices.pop() {
        let answers = question.row().answers(edition);
        let next = answers.iter().skip_while(|&&other| other != answer).nth(1);
        if let Some(&next) = next {
            choices.push((question, next));
            return true;
        }
    }
    false
}
