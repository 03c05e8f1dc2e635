//! The recorded profiles of parsers: how they answer the questions.

use std::collections::BTreeMap;
use std::fmt;

use robotspec_built_in::PROFILES;
use robotspec_reference::{Choice, Question};
use serde::Deserialize;
use serde_json::{Value, json};

/// The profiles of parsers at one time.
#[derive(Deserialize)]
pub(crate) struct Profiles {
    date: String,
    /// The parsers that give each answer to a question. A parser that gives no single answer, or does not support the
    /// operation, is not listed.
    questions: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Profiles {
    /// Reads the embedded record.
    ///
    /// # Errors
    ///
    /// It is not a record.
    pub(crate) fn read() -> serde_json::Result<Profiles> {
        serde_json::from_str(PROFILES)
    }

    /// Returns the answers to a question, if a parser gives one.
    pub(crate) fn answers(&self, question: Question) -> Option<RecordedAnswers<'_>> {
        let of_question = self.questions.get(question.id())?;
        let count =
            |(answer, parsers): (&String, &Vec<String>)| Some((question.choice(answer)?, parsers.len()));
        let mut counts: Vec<(Choice, usize)> = of_question.iter().filter_map(count).collect();
        counts.sort_by_key(|(choice, count)| (usize::MAX - count, *choice));
        (!counts.is_empty()).then_some(RecordedAnswers { date: &self.date, question, counts })
    }
}

/// How many parsers give each answer to a question, the most frequent answer first.
pub(crate) struct RecordedAnswers<'r> {
    date: &'r str,
    question: Question,
    counts: Vec<(Choice, usize)>,
}

impl RecordedAnswers<'_> {
    fn parsers(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Returns the counts for programs.
    pub(crate) fn as_json(&self) -> Value {
        let answers: BTreeMap<&str, usize> =
            self.counts.iter().map(|(choice, count)| (choice.id(), *count)).collect();
        json!({ "date": self.date, "parsers": self.parsers(), "answers": answers })
    }
}

impl fmt::Display for RecordedAnswers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parsers = self.parsers();
        for (place, (choice, count)) in self.counts.iter().enumerate() {
            match place {
                0 => write!(
                    f,
                    "{count} of {parsers} recorded parsers answer {} with `{choice}`",
                    self.question
                )?,
                _ => write!(f, ", {count} with `{choice}`")?,
            }
        }
        write!(f, " ({})", self.date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_answer_is_one_of_its_question() {
        let recorded = Profiles::read().expect("a record");
        assert!(recorded.questions.len() > 40);
        for (question, answers) in &recorded.questions {
            let known = Question::from_id(question).unwrap_or_else(|| panic!("{question} is unknown"));
            let mut seen = Vec::new();
            for (answer, of_answer) in answers {
                assert!(known.choice(answer).is_some(), "{question}={answer} is unknown");
                seen.extend(of_answer);
            }
            let count = seen.len();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), count, "{question}: a parser has two answers");
            let sum = recorded.answers(known).map(|answers| answers.parsers());
            assert_eq!(sum, Some(count), "{question}");
        }
    }

    #[test]
    fn the_most_frequent_answer_is_first() {
        let recorded: Profiles = serde_json::from_value(json!({
            "date": "2026-01-02",
            "questions": { "AgentSuffix": { "cut": ["a"], "keep": ["b", "c"] } },
        }))
        .expect("a record");
        let suffix = Question::from_id("AgentSuffix").expect("a question");
        let answers = recorded.answers(suffix).expect("answers");
        assert_eq!(
            answers.to_string(),
            "2 of 3 recorded parsers answer AgentSuffix with `keep`, 1 with `cut` (2026-01-02)"
        );
        let text = Question::from_id("AgentText").expect("a question");
        assert!(recorded.answers(text).is_none());
    }
}
