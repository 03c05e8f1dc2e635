//! A reading, and the enumeration of all readings that differ.

use robotspec_reference::Edition;

use super::questions::{Answer, Question};

/// The answers of one reading. It gives its answers as the evaluation asks for them, and notes what was asked.
#[derive(Debug, Clone)]
pub struct Reading {
    pub edition: Edition,
    source: Source,
    /// What was asked so far, with the answers.
    asked: Vec<(Question, Answer)>,
}

#[derive(Debug, Clone)]
enum Source {
    /// The place of the answer to each question, in the order in which they are asked; 0 beyond its end. The number of
    /// answers to each is noted.
    Places { places: Vec<usize>, counts: Vec<usize> },
    /// One answer for each question that differs from the plainest.
    Fixed(Vec<(Question, Answer)>),
}

impl Reading {
    /// A reading with these answers, and the plainest answer to all other questions.
    pub fn fixed(edition: Edition, answers: &[(Question, Answer)]) -> Reading {
        Reading { edition, source: Source::Fixed(answers.to_vec()), asked: Vec::new() }
    }

    /// Returns the answer to a question.
    pub fn ask(&mut self, question: Question) -> Answer {
        self.ask_among(question, question.admitted(self.edition))
    }

    /// Returns the answer to a question whose answers depend on the file.
    pub fn ask_among(&mut self, question: Question, admitted: &[Answer]) -> Answer {
        if let Some((_, answer)) = self.asked.iter().find(|(asked, _)| *asked == question) {
            return *answer;
        }
        let answer = match &mut self.source {
            Source::Fixed(answers) => {
                let fixed = answers.iter().find(|(other, _)| *other == question);
                fixed.map_or(admitted[0], |(_, answer)| *answer)
            }
            _ if admitted.len() == 1 => return admitted[0],
            Source::Places { places, counts } => {
                if places.len() == counts.len() {
                    places.push(0);
                }
                counts.push(admitted.len());
                admitted[places[counts.len() - 1]]
            }
        };
        self.asked.push((question, answer));
        answer
    }

    /// Returns what was asked, with the answers.
    pub fn asked(&self) -> &[(Question, Answer)] {
        &self.asked
    }
}

/// Evaluates in every reading, until the function returns `false`. Two readings that answer all questions alike that
/// the evaluation asks are one.
///
/// Returns `false` where there are more readings than `most`.
pub fn for_each_reading(
    edition: Edition,
    most: usize,
    mut evaluate: impl FnMut(&mut Reading) -> bool,
) -> bool {
    let mut places = Vec::new();
    for _ in 0..most {
        let source = Source::Places { places, counts: Vec::new() };
        let mut reading = Reading { edition, source, asked: Vec::new() };
        let goes_on = evaluate(&mut reading);
        let Source::Places { places: used, counts } = reading.source else { unreachable!("made above") };
        places = used;
        // Counts up: the last question that has a further answer takes it.
        while let Some(last) = places.pop() {
            if last + 1 < counts[places.len()] {
                places.push(last + 1);
                break;
            }
        }
        if !goes_on || places.is_empty() {
            return true;
        }
    }
    false
}
