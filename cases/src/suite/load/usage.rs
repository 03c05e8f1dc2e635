//! Loads rows about usage preferences.

use std::sync::Arc;

use super::case::CaseLoader;
use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::Reasons;
use crate::suite::format::{PreferencesFormat, UsageRowFormat};
use crate::yaml::FileError;

impl CaseLoader<'_> {
    pub(super) fn load_usage_rows(
        &self,
        robots: &Arc<[u8]>,
        rows: &[UsageRowFormat],
    ) -> Result<Vec<Row>, FileError> {
        self.load_each("usage", rows, |part, row| {
            let expected = self.in_each_edition(&preferences(row.preferences.clone()));
            let questions = self.load_questions(part, row.question.as_ref(), &expected)?;
            let gives = self.load_gives(part, row.gives.as_ref(), &questions, &expected, preferences)?;
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                clauses: self.load_row_clauses(part, row.clauses.as_ref(), &expected)?,
                query: Query::Usage {
                    robots: Arc::clone(robots),
                    agent: self.load_agent(part, row.agent.as_ref())?,
                    url: self.load_url(&format!("{part}.url"), &row.url)?,
                },
                questions,
                expected,
                reasons: Reasons { gives, ..Reasons::default() },
                line: self.loader.line(part),
            })
        })
    }
}

fn preferences(written: PreferencesFormat) -> Expected {
    Expected::Usage(match written {
        PreferencesFormat::Stated(preferences) => Some(preferences.into_iter().collect()),
        PreferencesFormat::Unspecified(_) => None,
    })
}
