//! Rows about the grammar.

use robotspec_reference::grammar::{LineStatus, SyntaxError};
use robotspec_reference::named::UnknownName;
use robotspec_reference::named_enum;
use serde::Deserialize;

use crate::check::Check;
use crate::expected::Expected;
use crate::query::Query;
#[cfg(feature = "schema")]
use crate::schema::{production, symbol};
use crate::suite::bytes::unescape;
use crate::suite::load::case::{ByEdition, CaseLoader};
use crate::yaml::Loaded;

row_format! {
    /// A query about the grammar: does it derive the file?
    #[schema("GrammarRow"), expecting("a row: `{id, text, valid}`")]
    pub struct GrammarRowFormat {
        /// The whole file, in the escaped form.
        pub text: String,
        /// `yes` or `no`.
        pub valid: ByEdition<ValidFormat>,
        /// The status of each line.
        pub lines: Option<Vec<LineFormat>>,
    }
}

/// The status of a line: the name of a production, `additional` with a field, or `column` with `expected`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GrammarLine"))]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected the name of a production, `additional` with a field, or `column` with `expected`"
)]
pub enum LineFormat {
    /// This production derives the line.
    Derived(#[cfg_attr(feature = "schema", schemars(schema_with = "production"))] String),
    /// The grammar lets implementors define the line.
    Additional {
        /// The name of its field.
        additional: String,
    },
    /// The grammar does not derive the line.
    NotDerived {
        /// The column at which derivation fails, in bytes from 1.
        column: usize,
        /// The symbol that the grammar expects there.
        #[cfg_attr(feature = "schema", schemars(schema_with = "symbol"))]
        expected: String,
    },
}

named_enum! {
    /// Whether the grammar derives a file.
    pub enum ValidFormat: "value of `valid`" {
        Yes = "yes": "The grammar derives the file.",
        No = "no": "The grammar does not derive the file.",
    }
}

pub(in crate::suite) fn load(case: &CaseLoader, rows: &[GrammarRowFormat]) -> Loaded<Vec<Check>> {
    case.load_each("grammar", rows, |part, row| {
        let text = unescape(&row.text).map_err(|error| case.loader.error(&format!("{part}.text"), error))?;
        let derived = |valid| Expected::Derived(valid == ValidFormat::Yes);
        let mut stated = case.load_stated(part, ("valid", &row.valid), &None, &None, derived)?;
        let load = |(index, line)| load_line(case, &format!("{part}.lines[{index}]"), line);
        let lines = row.lines.as_ref().map(|lines| lines.iter().enumerate().map(load).collect());
        stated.reasons.lines = lines.transpose()?;
        let query = Query::Grammar { text: text.into() };
        case.load_row(part, Some(&row.id), &row.clauses, stated, || Ok(query))
    })
}

/// Returns the status of a line in the grammar.
fn load_line(case: &CaseLoader, part: &str, written: &LineFormat) -> Loaded<LineStatus> {
    let unknown = |part: &str, error: UnknownName| case.loader.error(part, error.to_string());
    Ok(match written {
        LineFormat::Derived(name) => LineStatus::Derived(name.parse().map_err(|error| unknown(part, error))?),
        LineFormat::Additional { additional } => LineStatus::Additional(additional.clone()),
        LineFormat::NotDerived { column, expected } => {
            let expected = expected.parse();
            let expected = expected.map_err(|error| unknown(&format!("{part}.expected"), error))?;
            LineStatus::NotDerived(SyntaxError { column: *column, expected })
        }
    })
}
