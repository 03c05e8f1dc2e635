//! Loads rows about verdicts: for one file, and for two files that mean the same.

use std::sync::Arc;

use super::case::CaseLoader;
use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::Reasons;
use crate::suite::format::{AlikeRowFormat, BytesFormat, RowFormat};
use crate::yaml::FileError;

impl CaseLoader<'_> {
    pub(super) fn load_match_rows(
        &self,
        robots: &Arc<[u8]>,
        rows: &[RowFormat],
    ) -> Result<Vec<Row>, FileError> {
        self.load_each("rows", rows, |part, row| {
            let expected = self.load_expected(&format!("{part}.expect"), &row.expect, Expected::Ruling)?;
            let questions = self.load_questions(part, row.question.as_ref(), &expected)?;
            let reasons = Reasons {
                gives: self.load_gives(part, row.gives.as_ref(), &questions, &expected, Expected::Ruling)?,
                decided_by: self.load_decided_by(part, row.decided_by.as_ref(), &expected)?,
                ..Reasons::default()
            };
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                clauses: self.load_row_clauses(part, row.clauses.as_ref(), &expected)?,
                query: Query::Match {
                    robots: Arc::clone(robots),
                    agent: self.load_agent(part, row.agent.as_ref())?,
                    url: self.load_url(&format!("{part}.url"), &row.url)?,
                },
                questions,
                expected,
                reasons,
                line: self.loader.line(part),
            })
        })
    }

    pub(super) fn load_alike_rows(
        &self,
        robots: &Arc<[u8]>,
        twin: &BytesFormat,
        rows: &[AlikeRowFormat],
    ) -> Result<Vec<Row>, FileError> {
        let twin = self.load_file("twin", twin)?;
        self.load_each("alike", rows, |part, row| {
            let expected = self.in_each_edition(&Expected::Alike);
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                clauses: self.load_row_clauses(part, row.clauses.as_ref(), &expected)?,
                query: Query::Alike {
                    robots: Arc::clone(robots),
                    twin: Arc::clone(&twin),
                    agent: self.load_agent(part, row.agent.as_ref())?,
                    url: self.load_url(&format!("{part}.url"), &row.url)?,
                },
                expected,
                questions: Vec::new(),
                reasons: Reasons::default(),
                line: self.loader.line(part),
            })
        })
    }
}
