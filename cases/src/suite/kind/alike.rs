//! Rows about two files that mean the same.

use std::sync::Arc;

use crate::check::Check;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::bytes::BytesFormat;
use crate::suite::load::case::{CaseLoader, Stated};
use crate::yaml::Loaded;

row_format! {
    /// A query about two files: is the answer the same, whichever it is?
    #[schema("AlikeRow"), expecting("a row: `{id, url}`")]
    pub struct AlikeRowFormat {
        /// The agent.
        pub agent: Option<String>,
        /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
        pub url: BytesFormat,
    }
}

pub(in crate::suite) fn load(
    case: &CaseLoader,
    robots: &Arc<[u8]>,
    twin: &BytesFormat,
    rows: &[AlikeRowFormat],
) -> Loaded<Vec<Check>> {
    let twin = case.load_file("twin", twin)?;
    case.load_each("alike", rows, |part, row| {
        let stated = Stated { expected: case.in_each_edition(&Expected::Alike), ..Stated::default() };
        case.load_row(part, Some(&row.id), &row.clauses, stated, || {
            Ok(Query::Alike {
                robots: Arc::clone(robots),
                twin: Arc::clone(&twin),
                agent: case.load_agent(part, &row.agent)?,
                url: case.load_url(part, &row.url)?,
            })
        })
    })
}
