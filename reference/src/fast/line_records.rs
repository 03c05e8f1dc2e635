//! The records of lines in the readings so far: to read lines with misspelt names again for each of thousands of readings
//! takes most of the time of a file with many such lines.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::question::{Choice, Question};
use crate::reading::Reader;

/// A choice, and its subject.
type Noted = (Choice, Vec<u8>);

/// The records of a line, each with the choices that lead to it.
type Known<T> = Vec<(Vec<Noted>, T)>;

/// The records of lines of a file by their text.
pub(crate) struct RecordsByText<'b, T>(RefCell<BTreeMap<&'b [u8], Known<T>>>);

impl<T> Default for RecordsByText<'_, T> {
    fn default() -> Self {
        RecordsByText(RefCell::default())
    }
}

impl<'b, T: Clone> RecordsByText<'b, T> {
    /// Returns the record of a line in the reading, which is read where it is not known.
    pub(crate) fn record<R: Reader>(
        &self,
        line: &'b [u8],
        reader: &mut R,
        read: impl FnOnce(&mut Noting<R>) -> T,
    ) -> T {
        let mut lines = self.0.borrow_mut();
        let known = lines.entry(line).or_default();
        // The first question is raised in every reading, and each further one where the choices before it are the same.
        let mut is_so = |(choice, subject): &Noted| reader.choose(choice.question, subject) == *choice;
        if let Some((_, record)) = known.iter().find(|(choices, _)| choices.iter().all(&mut is_so)) {
            return record.clone();
        }
        let mut noting = Noting { reader, noted: Vec::new() };
        let record = read(&mut noting);
        known.push((noting.noted, record.clone()));
        record
    }
}

/// Notes the choices of another reader.
pub(crate) struct Noting<'r, R> {
    reader: &'r mut R,
    noted: Vec<Noted>,
}

impl<R: Reader> Reader for Noting<'_, R> {
    fn choose(&mut self, question: Question, subject: &[u8]) -> Choice {
        let choice = self.reader.choose(question, subject);
        self.noted.push((choice, subject.to_vec()));
        choice
    }

    fn admitted(&self, question: Question) -> &[Choice] {
        self.reader.admitted(question)
    }

    fn choose_limit(&mut self, limits: &[usize]) -> usize {
        self.reader.choose_limit(limits)
    }
}
