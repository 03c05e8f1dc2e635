//! Loads the row of a case about sitemaps.

use std::sync::Arc;

use super::case::CaseLoader;
use crate::check::Row;
use crate::expected::{Expected, ExpectedSitemaps};
use crate::query::Query;
use crate::suite::Reasons;
use crate::yaml::FileError;

impl CaseLoader<'_> {
    pub(super) fn load_sitemaps_row(
        &self,
        robots: &Arc<[u8]>,
        required: &[String],
    ) -> Result<Vec<Row>, FileError> {
        let optional = self.case.open_sitemaps.clone().unwrap_or_default();
        let questions = match &self.case.question {
            _ if optional.is_empty() => Vec::new(),
            Some(written) => self.find_questions(&format!("{}.question", self.part), written)?,
            None => {
                let message = "name the `question` on which these sitemaps depend";
                return Err(self.error("open-sitemaps", message));
            }
        };
        let expected = Expected::Sitemaps(ExpectedSitemaps { required: required.to_vec(), optional });
        let expected = self.in_each_edition(&expected);
        Ok(vec![Row {
            id: self.id(None),
            clauses: self.load_row_clauses(self.part, None, &expected)?,
            query: Query::Sitemaps { robots: Arc::clone(robots) },
            expected,
            questions,
            reasons: Reasons::default(),
            line: self.loader.line(self.part),
        }])
    }
}
