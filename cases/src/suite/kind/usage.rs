//! Rows about usage preferences.

use std::collections::BTreeMap;
use std::sync::Arc;

use robotspec_reference::named_enum;
use serde::Deserialize;

use crate::check::Check;
use crate::expected::Expected;
use crate::query::Query;
use crate::suite::bytes::BytesFormat;
use crate::suite::load::case::{ByEdition, CaseLoader, OneOrMany};
use crate::yaml::Loaded;

row_format! {
    /// A query about usage: which preferences does the file state for the URL?
    #[schema("UsageRow"), expecting("a row: `{id, url, preferences}`")]
    pub struct UsageRowFormat {
        /// The agent.
        pub agent: Option<String>,
        /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
        pub url: BytesFormat,
        /// The preferences, such as `train-ai=n`, in any order, or `unspecified`.
        pub preferences: PreferencesFormat,
        /// The questions that make the row `unspecified`.
        pub question: Option<OneOrMany>,
        /// The preferences for each answer to the question.
        pub gives: Option<BTreeMap<String, PreferencesFormat>>,
    }
}

/// Usage preferences.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Preferences"))]
#[serde(untagged, expecting = "expected a list of preferences such as `train-ai=n`, or `unspecified`")]
pub enum PreferencesFormat {
    /// These, in any order.
    Stated(Vec<String>),
    /// The edition does not specify them.
    Unspecified(UnspecifiedFormat),
}

named_enum! {
    /// An answer that an edition does not specify.
    pub enum UnspecifiedFormat: "value of `preferences`" {
        Unspecified = "unspecified": "The edition does not specify it.",
    }
}

pub(in crate::suite) fn load(
    case: &CaseLoader,
    robots: &Arc<[u8]>,
    rows: &[UsageRowFormat],
) -> Loaded<Vec<Check>> {
    case.load_each("usage", rows, |part, row| {
        let written = ByEdition::Same(row.preferences.clone());
        let stated =
            case.load_stated(part, ("preferences", &written), &row.question, &row.gives, preferences)?;
        case.load_row(part, Some(&row.id), &row.clauses, stated, || {
            Ok(Query::Usage {
                robots: Arc::clone(robots),
                agent: case.load_agent(part, &row.agent)?,
                url: case.load_url(part, &row.url)?,
            })
        })
    })
}

fn preferences(written: PreferencesFormat) -> Expected {
    Expected::Usage(match written {
        PreferencesFormat::Stated(preferences) => Some(preferences.into_iter().collect()),
        PreferencesFormat::Unspecified(_) => None,
    })
}
