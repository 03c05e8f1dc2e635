//! Rows about the scope of a robots.txt.

use std::collections::BTreeMap;

use robotspec_reference::Governs;

use crate::check::Check;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::load::case::{ByEdition, CaseLoader, OneOrMany};
use crate::yaml::Loaded;

row_format! {
    /// A query about the scope: does the robots.txt govern the URL?
    #[schema("ScopeRow"), expecting("a row: `{id, url, governs}`")]
    pub struct ScopeRowFormat {
        /// An absolute URL.
        pub url: String,
        /// `yes`, `no` or `unspecified`.
        pub governs: ByEdition<Governs>,
        /// The questions that make the row `unspecified`.
        pub question: Option<OneOrMany>,
        /// The result of each answer to the question: `yes` or `no`.
        pub gives: Option<BTreeMap<String, Governs>>,
    }
}

pub(in crate::suite) fn load(
    case: &CaseLoader,
    robots_url: &str,
    rows: &[ScopeRowFormat],
) -> Loaded<Vec<Check>> {
    case.load_each("scope", rows, |part, row| {
        let stated =
            case.load_stated(part, ("governs", &row.governs), &row.question, &row.gives, Expected::Governs)?;
        case.loader.count(part, robots_url.len())?;
        case.load_row(part, Some(&row.id), &row.clauses, stated, || {
            Ok(Query::Scope { robots_url: robots_url.to_owned(), url: row.url.clone() })
        })
    })
}
