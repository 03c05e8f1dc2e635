//! Reads rows about access.

use super::{Context, DEFAULT_AGENT};
use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::Reasons;
use crate::suite::format::{AccessRowFormat, ByEdition};
use crate::visit::{TimedVisit, paths, read_outcome};
use crate::yaml::FileError;

impl Context<'_> {
    pub(super) fn access_rows(&self, rows: &[AccessRowFormat]) -> Result<Vec<Row>, FileError> {
        let agent_of_case = self.case.agent.as_ref().or(self.loader.suite.agent.as_ref());
        self.each_row("access", rows, |part, row| {
            let mut visits: Vec<TimedVisit> = Vec::new();
            for (index, written) in row.visits.iter().enumerate() {
                let part = format!("{part}.visits[{index}]");
                let visit = TimedVisit::read(written)
                    .map_err(|message| self.loader.error(&format!("{part}.at"), message))?;
                if visits.last().is_some_and(|earlier| earlier.at > visit.at) {
                    return Err(self.loader.error(&part, "visits stand in the order of their times"));
                }
                visits.push(visit);
            }
            if visits.is_empty() {
                return Err(self.loader.error(&format!("{part}.visits"), "give at least one visit"));
            }
            let paths = paths(&visits);
            self.outcomes(&format!("{part}.outcome"), &row.outcome, &paths)?;
            let outcome = |word: String| Expected::Access(read_outcome(&word, &paths).unwrap_or_default());
            let expected = self.by_edition(&format!("{part}.outcome"), &row.outcome, outcome)?;
            let questions = self.questions(part, row.question.as_ref(), &expected)?;
            let gives = self.gives(part, row.gives.as_ref(), &questions, &expected, outcome)?;
            let agent = row.agent.as_ref().or(agent_of_case);
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                query: Query::Access {
                    visits: visits.into(),
                    agent: agent.map_or(DEFAULT_AGENT, String::as_str).to_owned(),
                    paths: paths.clone().into(),
                },
                expected,
                questions,
                reasons: Reasons { gives, ..Reasons::default() },
            })
        })
    }

    /// Every outcome is one, and a path in it is one that is asked for.
    fn outcomes(&self, part: &str, written: &ByEdition<String>, paths: &[String]) -> Result<(), FileError> {
        let words: Vec<&String> = match written {
            ByEdition::Same(word) => vec![word],
            ByEdition::Each(words) => words.values().collect(),
        };
        for word in words {
            if read_outcome(word, paths).is_none() {
                let message = format!(
                    "`{word}` is no outcome here: write `full-allow`, `full-disallow`, `conditional`, `unspecified`, or a path that a file of these visits disallows"
                );
                return Err(self.loader.error(part, message));
            }
        }
        Ok(())
    }
}
