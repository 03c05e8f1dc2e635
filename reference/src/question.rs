//! The questions that an edition does not answer alike, and the answers that each edition admits.
//!
//! One admitted answer means that the edition decides the question. Several admitted answers mean that the edition is
//! silent, is ambiguous or contradicts itself. A ruling is then definite only where every admitted answer leads to the
//! same verdict.
//!
//! The table of questions, in the file `table.rs`, defines the editions: the evaluator does not know which edition it
//! evaluates, only the answers of the reading that it is given. The answers are defined in [`answer`](crate::answer).
//!
//! A *mistake* is an answer that the edition does not admit. The evaluator gives a reading with such an answer, too, the
//! obvious behaviour, so that a parser can be compared with it. Mistakes that parsers often make are a part of the table.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::answer::*;
use crate::edition::Edition;

/// An answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    /// The question.
    pub question: Question,
    /// The place of the answer among [`Answers::ALL`] of its type.
    answer: u8,
}

impl Choice {
    /// Returns the permanent name of the answer, in kebab case. It is unique among the answers to its question.
    pub fn id(self) -> &'static str {
        self.question.row().ids[usize::from(self.answer)]
    }

    /// Returns the permanent name of the question and its answer: `FirstRule=last`.
    pub fn name(self) -> String {
        format!("{}={self}", self.question)
    }

    /// Returns the choice with this [name](Choice::name).
    pub fn from_name(name: &str) -> Option<Choice> {
        let (question, answer) = name.split_once('=')?;
        Question::from_id(question)?.choice(answer)
    }

    /// Returns what the answer means: a sentence.
    pub fn meaning(self) -> &'static str {
        self.question.row().meanings[usize::from(self.answer)].trim()
    }

    /// Returns what is observed of a parser that gives this answer by mistake, without a full stop. `None` where it is not
    /// a mistake that parsers often make.
    pub fn observation(self) -> Option<&'static str> {
        let mistakes = self.question.row().mistakes.iter();
        mistakes.into_iter().find(|(mistake, _)| *mistake == self).map(|(_, observation)| *observation)
    }

    /// Returns the choices of a parser that makes this mistake: the same answer to the questions that it answers alike.
    pub(crate) fn as_mistake(self) -> impl Iterator<Item = Choice> {
        let alike = self.question.row().alike.map(|question| Choice { question, ..self });
        [self].into_iter().chain(alike)
    }

    /// Returns the mistakes that parsers often make, in the order of the table.
    pub fn mistakes() -> impl Iterator<Item = Choice> {
        TABLE.iter().flat_map(|row| row.mistakes).map(|(mistake, _)| *mistake)
    }
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Choice::from_name(&name).ok_or_else(|| D::Error::custom(format!("`{name}` is not `QUESTION=ANSWER`")))
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A question with the type of its answers. There is one for each question, in [`typed`].
#[derive(Debug)]
pub struct TypedQuestion<A> {
    question: Question,
    answers: PhantomData<A>,
}

impl<A> Clone for TypedQuestion<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for TypedQuestion<A> {}

impl<A: Answers> TypedQuestion<A> {
    const fn new(question: Question) -> Self {
        TypedQuestion { question, answers: PhantomData }
    }

    /// Returns the question.
    pub fn question(self) -> Question {
        self.question
    }

    /// Returns the answer as a choice.
    pub fn choice(self, answer: A) -> Choice
    where
        A: PartialEq,
    {
        let place = A::ALL.iter().take_while(|other| **other != answer).count();
        Choice { question: self.question, answer: place as u8 }
    }

    /// Returns the choice as an answer, where it is a choice of this question.
    pub(crate) fn answer(self, choice: Choice) -> A {
        assert_eq!(choice.question, self.question);
        A::ALL[usize::from(choice.answer)]
    }
}

/// A row of the table of questions.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The question of this row.
    pub question: Question,
    /// What the question is about.
    pub asks: &'static str,
    /// The permanent names of the answers of its type.
    ids: &'static [&'static str],
    /// What these answers mean.
    meanings: &'static [&'static str],
    /// The admitted answers, a column for each of [`Edition::ALL`].
    answers: [&'static [Choice]; Edition::ALL.len()],
    /// The places in the text that the admitted answers rest on.
    pub because: &'static str,
    /// The ids of the clauses that the question is about, the most specific first. An edition need not contain all of them.
    pub clauses: &'static [&'static str],
    /// The answers that parsers often give by mistake, with what is observed.
    mistakes: &'static [(Choice, &'static str)],
    /// What a parser with such a mistake should do: a sentence. Empty without mistakes.
    pub advice: &'static str,
    /// The question that a parser with such a mistake answers in the same way.
    alike: Option<Question>,
}

impl Row {
    /// Returns the answers that the edition admits, the plainest reading first.
    pub fn answers(&self, edition: Edition) -> &'static [Choice] {
        self.answers[edition.column()]
    }
}

impl Question {
    /// Returns the row of this question.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Returns the question with this [id](Question::id).
    pub fn from_id(id: &str) -> Option<Question> {
        TABLE.iter().map(|row| row.question).find(|question| question.id() == id)
    }

    /// Returns every answer of the type of this question, whether or not an edition admits it.
    pub fn choices(self) -> impl Iterator<Item = Choice> {
        (0..self.row().ids.len()).map(move |place| Choice { question: self, answer: place as u8 })
    }

    /// Returns the answer to this question with this [id](Choice::id).
    pub fn choice(self, id: &str) -> Option<Choice> {
        let place = self.row().ids.iter().position(|other| *other == id)?;
        Some(Choice { question: self, answer: place as u8 })
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Declares the questions. A row has the form
///
/// ```text
/// Question: TypeOfAnswers = "what the question is about" {
///     Edition | Edition => [Answer, Answer],
///     Edition => [Answer],
/// } because "the places in the text"
/// about ["clause", "less specific clause"]
/// mistakes {
///     Answer: "what is observed of a parser that gives this answer",
/// } advice "what such a parser should do" alike OtherQuestion;
/// ```
///
/// `_` stands for every edition. A row need not be about clauses, nor have mistakes.
macro_rules! questions {
    ($(
        $question:ident: $answers:ident = $asks:literal { $($editions:pat => [$($answer:ident),+],)+ }
        because $because:literal
        $(about [$($clause:literal),+])?
        $(mistakes { $($mistake:ident: $observation:literal,)+ } advice $advice:literal $(alike $alike:ident)?)?;
    )+) => {
        /// A point on which readings of the text may differ.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Question {
            $(#[doc = concat!("Subject: ", $asks, ".")] $question,)+
        }

        impl Question {
            /// Returns the permanent name of the question.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Question::$question => stringify!($question),)+
                }
            }
        }

        /// The questions with the types of their answers.
        #[allow(non_upper_case_globals)] // named like their variants
        pub mod typed {
            use super::*;

            $(#[doc = concat!("Subject: ", $asks, ".")]
            pub const $question: TypedQuestion<$answers> = TypedQuestion::new(Question::$question);)+
        }

        /// The table of questions, in the order of [`Question`].
        pub const TABLE: &[Row] = {
            use Edition::*;
            &[$({
                const fn answers(edition: Edition) -> &'static [Choice] {
                    match edition {
                        $($editions => {
                            &[$(Choice { question: Question::$question, answer: $answers::$answer as u8 }),+]
                        })+
                        #[allow(unreachable_patterns)]
                        _ => panic!(concat!("the question `", stringify!($question), "` leaves out an edition")),
                    }
                }
                // Each constant is evaluated, so that each question that leaves out an edition is an error.
                const COLUMNS: [&[Choice]; Edition::ALL.len()] = {
                    let mut columns: [&[Choice]; Edition::ALL.len()] = [&[]; Edition::ALL.len()];
                    let mut column = 0;
                    while column < columns.len() {
                        columns[column] = answers(Edition::ALL[column]);
                        column += 1;
                    }
                    columns
                };
                Row {
                    question: Question::$question,
                    asks: $asks,
                    ids: <$answers as Answers>::IDS,
                    meanings: <$answers as Answers>::MEANINGS,
                    answers: COLUMNS,
                    because: $because,
                    clauses: &[$($($clause),+)?],
                    mistakes: &[$($((
                        Choice { question: Question::$question, answer: $answers::$mistake as u8 },
                        $observation,
                    )),+)?],
                    advice: concat!($($advice)?),
                    alike: alike::<$answers>(&[$($(typed::$alike)?)?]),
                }
            }),+]
        };
    };
}

/// Returns the question, if there is one. It has answers of this type.
const fn alike<A: Answers>(question: &[TypedQuestion<A>]) -> Option<Question> {
    match question {
        [alike, ..] => Some(alike.question),
        [] => None,
    }
}

mod table;

pub use table::{Question, TABLE, typed};

#[cfg(test)]
#[path = "../tests/unit/question.rs"]
mod tests;
