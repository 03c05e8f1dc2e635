//! Loads rows about the grammar.

use robotspec_reference::grammar::{Expected as Symbol, LineStatus, Production, SyntaxError};

use super::case::CaseLoader;
use crate::check::Row;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::Reasons;
use crate::suite::bytes::unescape;
use crate::suite::format::{GrammarRowFormat, LineFormat, ValidFormat};
use crate::yaml::FileError;

impl CaseLoader<'_> {
    pub(super) fn load_grammar_rows(&self, rows: &[GrammarRowFormat]) -> Result<Vec<Row>, FileError> {
        self.load_each("grammar", rows, |part, row| {
            let text =
                unescape(&row.text).map_err(|error| self.loader.error(&format!("{part}.text"), error))?;
            let expected = self.load_expected(&format!("{part}.valid"), &row.valid, |valid| {
                Expected::Derived(valid == ValidFormat::Yes)
            })?;
            let load = |(index, line)| self.load_line(&format!("{part}.lines[{index}]"), line);
            let lines = row.lines.as_ref().map(|lines| lines.iter().enumerate().map(load).collect());
            Ok(Row {
                id: self.row_id(part, &row.id)?,
                clauses: self.load_row_clauses(part, row.clauses.as_ref(), &expected)?,
                query: Query::Grammar { text: text.into() },
                expected,
                questions: Vec::new(),
                reasons: Reasons { lines: lines.transpose()?, ..Reasons::default() },
                line: self.loader.line(part),
            })
        })
    }

    /// Returns the status of a line in the grammar.
    fn load_line(&self, part: &str, written: &LineFormat) -> Result<LineStatus, FileError> {
        Ok(match written {
            LineFormat::Derived(name) => {
                let production = Production::ALL.into_iter().find(|production| production.id() == name);
                LineStatus::Derived(production.ok_or_else(|| {
                    let known = Production::ALL.map(Production::id).join(", ");
                    self.loader.error(part, format!("unknown production `{name}`; available: {known}"))
                })?)
            }
            LineFormat::Additional(line) => LineStatus::Additional(line.additional.clone()),
            LineFormat::NotDerived(line) => {
                let expected = Symbol::ALL.into_iter().find(|symbol| symbol.id() == line.expected);
                let expected = expected.ok_or_else(|| {
                    let known = Symbol::ALL.map(Symbol::id).join(", ");
                    let message = format!("unknown symbol `{}`; available: {known}", line.expected);
                    self.loader.error(&format!("{part}.expected"), message)
                })?;
                LineStatus::NotDerived(SyntaxError { column: line.column, expected })
            }
        })
    }
}
