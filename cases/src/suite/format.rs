//! The format of files of cases; see `cases/README.md`.

use robotspec_reference::named_enum;
use serde::Deserialize;

#[cfg(feature = "schema")]
use crate::schema::{ClauseId, Id, with_file};
use crate::suite::bytes::BytesFormat;
use crate::suite::kind::access::AccessRowFormat;
use crate::suite::kind::alike::AlikeRowFormat;
use crate::suite::kind::grammar::GrammarRowFormat;
use crate::suite::kind::matching::MatchRowFormat;
use crate::suite::kind::scope::ScopeRowFormat;
use crate::suite::kind::usage::UsageRowFormat;
use crate::suite::load::case::OneOrMany;
#[cfg(feature = "schema")]
use robotspec_reference::Edition;

/// A file of cases: a table of the specification, or expectations of one's own.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Suite"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a file of cases: `suite` and `cases`")]
pub struct SuiteFormat {
    /// The first part of every id in this file. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub suite: String,
    /// The title of the table; the id if absent. The suites of robotspec have one.
    pub title: Option<String>,
    /// The documents and sections that the table comes from; this file if absent. The suites of robotspec have one.
    pub source: Option<String>,
    /// The agent of rows for which neither the row nor its case names one; `FooBot` if absent.
    pub agent: Option<String>,
    /// The cases.
    pub cases: Vec<CaseFormat>,
}

/// A case. It has one of `rows`, `alike`, `scope`, `sitemaps`, `usage`, `access` and `grammar`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Case"))]
#[cfg_attr(feature = "schema", schemars(extend("oneOf" = [
    with_file(&["rows"]),
    with_file(&["twin", "alike"]),
    { "required": ["robots-url", "scope"] },
    with_file(&["sitemaps"]),
    with_file(&["usage"]),
    { "required": ["access"] },
    { "required": ["grammar"] },
])))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a case: `id` and its content")]
pub struct CaseFormat {
    /// Unique in the suite. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub id: String,
    /// The clauses that the rows test, where a row names none. A failure is reported under the first, or else under the
    /// case. The cases of robotspec cite some.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClauseId>>", length(min = 1)))]
    pub clauses: Option<Vec<String>>,
    /// A sentence for the reader.
    pub about: Option<String>,
    /// The editions that the case runs in; if absent, all that have every clause.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Edition>>"))]
    pub editions: Option<Vec<String>>,
    /// Whether the text marks the case as specific to Google.
    #[serde(default)]
    pub google_specific: bool,
    /// The agent of rows that name none.
    pub agent: Option<String>,
    /// The questions that make rows `unspecified`, where a row names none.
    pub question: Option<OneOrMany>,
    /// `none` where a rewritten file would no longer test the same thing.
    pub variants: Option<VariantsFormat>,
    /// The robots.txt.
    pub robots: Option<BytesFormat>,
    /// The path of the robots.txt, in place of `robots`: relative to this file, and not outside its folder.
    pub robots_file: Option<String>,
    /// Queries about the file: may the agent fetch the URL?
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rows: Option<Vec<MatchRowFormat>>,
    /// Another file that means the same as `robots`.
    pub twin: Option<BytesFormat>,
    /// Queries about both files: is the answer the same?
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub alike: Option<Vec<AlikeRowFormat>>,
    /// The URL of a robots.txt.
    pub robots_url: Option<String>,
    /// Queries about this robots.txt: does it govern the URL?
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub scope: Option<Vec<ScopeRowFormat>>,
    /// The sitemaps that the file names, in any order, because no text specifies an order.
    pub sitemaps: Option<Vec<String>>,
    /// The sitemaps that only some readings find.
    pub open_sitemaps: Option<Vec<String>>,
    /// Queries about the file: which usage preferences does it state for the URL?
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub usage: Option<Vec<UsageRowFormat>>,
    /// Queries about visits: what may the agent fetch after them?
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub access: Option<Vec<AccessRowFormat>>,
    /// Queries about the grammar: does it derive the file?
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub grammar: Option<Vec<GrammarRowFormat>>,
}

named_enum! {
    /// The variants that are derived.
    pub enum VariantsFormat: "value of `variants`" {
        None = "none": "No variants.",
    }
}
