//! Loads rows about the scope of a robots.txt.

use super::case::CaseLoader;
use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::Reasons;
use crate::suite::format::ScopeRowFormat;
use crate::yaml::FileError;

impl CaseLoader<'_> {
    pub(super) fn load_scope_rows(
        &self,
        robots_url: &str,
        rows: &[ScopeRowFormat],
    ) -> Result<Vec<Row>, FileError> {
        self.load_each("scope", rows, |part, row| {
            let expected = self.load_expected(&format!("{part}.governs"), &row.governs, Expected::Governs)?;
            let questions = self.load_questions(part, row.question.as_ref(), &expected)?;
            let gives =
                self.load_gives(part, row.gives.as_ref(), &questions, &expected, Expected::Governs)?;
            self.loader.count(part, robots_url.len())?;
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                clauses: self.load_row_clauses(part, row.clauses.as_ref(), &expected)?,
                query: Query::Scope { robots_url: robots_url.to_owned(), url: row.url.clone() },
                questions,
                expected,
                reasons: Reasons { gives, ..Reasons::default() },
                line: self.loader.line(part),
            })
        })
    }
}
