//! Rows about the verdict for one file.

use std::collections::BTreeMap;
use std::sync::Arc;

use robotspec_reference::Ruling;

use crate::check::Check;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::bytes::BytesFormat;
use crate::suite::load::case::{ByEdition, CaseLoader, OneOrMany};
use crate::suite::load::reasons::DecidedByFormat;
use crate::yaml::Loaded;

row_format! {
    /// A query about a file: may the agent fetch the URL?
    #[schema("MatchRow"), expecting("a row: `{id, url, expect}`")]
    pub struct MatchRowFormat {
        /// The agent.
        pub agent: Option<String>,
        /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
        pub url: BytesFormat,
        /// `allow`, `disallow` or `unspecified`.
        pub expect: ByEdition<Ruling>,
        /// The questions that make the row `unspecified`.
        pub question: Option<OneOrMany>,
        /// The result of each answer to the question: `allow` or `disallow`.
        pub gives: Option<BTreeMap<String, Ruling>>,
        /// What decides, where the row is definite.
        pub decided_by: Option<DecidedByFormat>,
    }
}

pub(in crate::suite) fn load(
    case: &CaseLoader,
    robots: &Arc<[u8]>,
    rows: &[MatchRowFormat],
) -> Loaded<Vec<Check>> {
    case.load_each("rows", rows, |part, row| {
        let mut stated =
            case.load_stated(part, ("expect", &row.expect), &row.question, &row.gives, Expected::Ruling)?;
        stated.reasons.decided_by = case.load_decided_by(part, row.decided_by.as_ref(), &stated.expected)?;
        case.load_row(part, Some(&row.id), &row.clauses, stated, || {
            Ok(Query::Match {
                robots: Arc::clone(robots),
                agent: case.load_agent(part, &row.agent)?,
                url: case.load_url(part, &row.url)?,
            })
        })
    })
}
