//! Loads rows about access.

use super::case::CaseLoader;
use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::Reasons;
use crate::suite::format::{AccessRowFormat, ByEdition, VisitFormat};
use crate::timed_visit::{TimedVisit, paths, read_outcome};
use crate::yaml::FileError;

impl CaseLoader<'_> {
    pub(super) fn load_access_rows(&self, rows: &[AccessRowFormat]) -> Result<Vec<Row>, FileError> {
        self.load_each("access", rows, |part, row| {
            let visits = self.load_visits(part, &row.visits)?;
            let paths = paths(&visits);
            self.check_outcomes(&format!("{part}.outcome"), &row.outcome, &paths)?;
            let outcome = |word: String| Expected::Access(read_outcome(&word, &paths).unwrap_or_default());
            let expected = self.load_expected(&format!("{part}.outcome"), &row.outcome, outcome)?;
            let questions = self.load_questions(part, row.question.as_ref(), &expected)?;
            let gives = self.load_gives(part, row.gives.as_ref(), &questions, &expected, outcome)?;
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                clauses: self.load_row_clauses(part, row.clauses.as_ref(), &expected)?,
                query: Query::Access {
                    visits: visits.into(),
                    agent: self.load_agent(part, row.agent.as_ref())?,
                    paths: paths.clone().into(),
                },
                expected,
                questions,
                reasons: Reasons { gives, ..Reasons::default() },
                line: self.loader.line(part),
            })
        })
    }

    fn load_visits(&self, part: &str, written: &[VisitFormat]) -> Result<Vec<TimedVisit>, FileError> {
        let mut visits: Vec<TimedVisit> = Vec::new();
        for (index, written) in written.iter().enumerate() {
            let part = format!("{part}.visits[{index}]");
            let visit =
                TimedVisit::read(written).map_err(|error| self.loader.error(&format!("{part}.at"), error))?;
            if visits.last().is_some_and(|earlier| earlier.at > visit.at) {
                return Err(self
                    .loader
                    .error(&part, "the visit is before the one above it; sort the visits"));
            }
            visits.push(visit);
        }
        if visits.is_empty() {
            return Err(self.loader.error(&format!("{part}.visits"), "give at least one visit"));
        }
        Ok(visits)
    }

    /// Checks that each word is an outcome, and that a path is one that the files of the visits disallow.
    fn check_outcomes(
        &self,
        part: &str,
        written: &ByEdition<String>,
        paths: &[String],
    ) -> Result<(), FileError> {
        let words: Vec<&String> = match written {
            ByEdition::Same(word) => vec![word],
            ByEdition::Each(words) => words.values().collect(),
        };
        match words.into_iter().find(|word| read_outcome(word, paths).is_none()) {
            None => Ok(()),
            Some(word) => {
                let message = format!(
                    "`{word}` is not an outcome; write `full-allow`, `full-disallow`, `conditional`, `unspecified`, or a path that a file of these visits disallows"
                );
                Err(self.loader.error(part, message))
            }
        }
    }
}
