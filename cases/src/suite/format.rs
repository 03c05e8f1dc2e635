//! The format of files of cases; see `cases/README.md`.

use std::collections::BTreeMap;

use crate::visit::Visit;
use robotspec_reference::{Governs, Ruling, named_enum};
use serde::Deserialize;

#[cfg(feature = "schema")]
use crate::schema::{AccessOutcome, ClauseId, Id, QuestionId, by_edition, production, symbol, with_file};
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
    pub rows: Option<Vec<RowFormat>>,
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
        /// No variants.
        None = "none",
    }
}

/// A query about a file: may the agent fetch the URL?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MatchRow"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url, expect}`")]
pub struct RowFormat {
    /// Unique in the case. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub id: String,
    /// The clauses that the row tests, where they are not those of its case.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClauseId>>", length(min = 1)))]
    pub clauses: Option<Vec<String>>,
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

/// What decides, in the plainest reading.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DecidedBy"))]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "what decides: `{lines, clauses, readings}`"
)]
pub struct DecidedByFormat {
    /// The numbers of the lines that name the agent and of the lines of the deciding rules, in order.
    pub lines: Vec<usize>,
    /// The clauses that apply, where an edition has them.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ClauseId>"))]
    pub clauses: Vec<String>,
    /// The number of readings that the reference has to distinguish; 1 where no question makes a difference.
    pub readings: Option<usize>,
}

/// A query about two files: is the answer the same, whichever it is?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AlikeRow"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url}`")]
pub struct AlikeRowFormat {
    /// Unique in the case. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub id: String,
    /// The clauses that the row tests, where they are not those of its case.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClauseId>>", length(min = 1)))]
    pub clauses: Option<Vec<String>>,
    /// The agent.
    pub agent: Option<String>,
    /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
    pub url: BytesFormat,
}

/// A query about the scope: does the robots.txt govern the URL?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScopeRow"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url, governs}`")]
pub struct ScopeRowFormat {
    /// Unique in the case. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub id: String,
    /// The clauses that the row tests, where they are not those of its case.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClauseId>>", length(min = 1)))]
    pub clauses: Option<Vec<String>>,
    /// An absolute URL.
    pub url: String,
    /// `yes`, `no` or `unspecified`.
    pub governs: ByEdition<Governs>,
    /// The questions that make the row `unspecified`.
    pub question: Option<OneOrMany>,
    /// The result of each answer to the question: `yes` or `no`.
    pub gives: Option<BTreeMap<String, Governs>>,
}

/// A query about usage: which preferences does the file state for the URL?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UsageRow"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url, preferences}`")]
pub struct UsageRowFormat {
    /// Unique in the case. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub id: String,
    /// The clauses that the row tests, where they are not those of its case.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClauseId>>", length(min = 1)))]
    pub clauses: Option<Vec<String>>,
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
        /// The edition does not specify it.
        Unspecified = "unspecified",
    }
}

/// A query about visits: what may the agent fetch after them?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AccessRow"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, visits, outcome}`")]
pub struct AccessRowFormat {
    /// Unique in the case. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub id: String,
    /// The clauses that the row tests, where they are not those of its case.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClauseId>>", length(min = 1)))]
    pub clauses: Option<Vec<String>>,
    /// The agent.
    pub agent: Option<String>,
    /// What the server does at each visit, in the order of time. The query is sent at the time of the last one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub visits: Vec<VisitFormat>,
    /// `full-allow`, `full-disallow`, `conditional` (on the file that disallows `/private`), a path (on the file that
    /// disallows it), or `unspecified`.
    #[cfg_attr(feature = "schema", schemars(with = "ByEdition<AccessOutcome>"))]
    pub outcome: ByEdition<String>,
    /// The questions that make the row `unspecified`.
    pub question: Option<OneOrMany>,
    /// The outcome for each answer to the question.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, AccessOutcome>>"))]
    pub gives: Option<BTreeMap<String, String>>,
}

/// A visit.
#[derive(Debug, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "TimedVisit", deny_unknown_fields)
)]
#[serde(rename_all = "kebab-case", expecting = "a visit: `{at, hops, location, answer}`")]
pub struct VisitFormat {
    /// The time in hours (`25h`) or days (`31d`) from the start; the start if absent.
    pub at: Option<String>,
    /// Whether the other pages of the site can be fetched; `true` if absent.
    pub site_answers: Option<bool>,
    /// What the server does.
    #[serde(flatten)]
    pub visit: Visit,
}

/// A query about the grammar: does it derive the file?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GrammarRow"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, text, valid}`")]
pub struct GrammarRowFormat {
    /// Unique in the case. Permanent.
    #[cfg_attr(feature = "schema", schemars(with = "Id"))]
    pub id: String,
    /// The clauses that the row tests, where they are not those of its case.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClauseId>>", length(min = 1)))]
    pub clauses: Option<Vec<String>>,
    /// The whole file, in the escaped form.
    pub text: String,
    /// `yes` or `no`.
    pub valid: ByEdition<ValidFormat>,
    /// The status of each line.
    pub lines: Option<Vec<LineFormat>>,
}

/// The status of a line: the name of a production, `additional` with a field, or `column` with `expected`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GrammarLine"))]
#[serde(
    untagged,
    expecting = "expected the name of a production, `additional` with a field, or `column` with `expected`"
)]
pub enum LineFormat {
    /// This production derives the line.
    Derived(#[cfg_attr(feature = "schema", schemars(schema_with = "production"))] String),
    /// The grammar lets implementors define the line.
    Additional(AdditionalFormat),
    /// The grammar does not derive the line.
    NotDerived(NotDerivedFormat),
}

/// A line that the grammar lets implementors define.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields)]
pub struct AdditionalFormat {
    /// The name of its field.
    pub additional: String,
}

/// A line that the grammar does not derive.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields)]
pub struct NotDerivedFormat {
    /// The column at which derivation fails, in bytes from 1.
    pub column: usize,
    /// The symbol that the grammar expects there.
    #[cfg_attr(feature = "schema", schemars(schema_with = "symbol"))]
    pub expected: String,
}

named_enum! {
    /// Whether the grammar derives a file.
    pub enum ValidFormat: "value of `valid`" {
        /// The grammar derives the file.
        Yes = "yes",
        /// The grammar does not derive the file.
        No = "no",
    }
}

/// Bytes: plain text, or one of the forms for bytes that YAML cannot represent.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Bytes"))]
#[serde(
    untagged,
    expecting = "expected a file or URL as a text, or as one of `escaped`, `base64` and `parts`"
)]
pub enum BytesFormat {
    /// The text itself.
    Text(String),
    /// Another form.
    Form(BytesForm),
}

/// One of `escaped`, `base64` and `parts`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline, extend("minProperties" = 1, "maxProperties" = 1)))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BytesForm {
    /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
    pub escaped: Option<String>,
    /// The bytes in Base64.
    pub base64: Option<String>,
    /// Parts that are concatenated.
    pub parts: Option<Vec<PartFormat>>,
}

/// A part of a file: plain text, or one of the other forms.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Part"))]
#[serde(
    untagged,
    expecting = "expected a text, or one of `escaped`, `base64`, `repeat` with `times`, and `fill` with `to`"
)]
pub enum PartFormat {
    /// The text itself.
    Text(String),
    /// Another form.
    Form(PartForm),
}

/// One of `escaped`, `base64`, `repeat` with `times`, and `fill` with `to`.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[cfg_attr(feature = "schema", schemars(extend("oneOf" = [
    { "required": ["escaped"] },
    { "required": ["base64"] },
    { "required": ["repeat", "times"] },
    { "required": ["fill", "to"] },
], "dependentRequired" = { "repeat": ["times"], "times": ["repeat"], "fill": ["to"], "to": ["fill"] })))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PartForm {
    /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
    pub escaped: Option<String>,
    /// The bytes in Base64.
    pub base64: Option<String>,
    /// A text to repeat.
    pub repeat: Option<String>,
    /// The number of repetitions.
    pub times: Option<usize>,
    /// A text to repeat until the file has a size.
    pub fill: Option<String>,
    /// The size of the file up to here, in bytes.
    pub to: Option<usize>,
}

/// An expectation: one for all editions, or one for each edition.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(
    untagged,
    expecting = "expected `allow`, `disallow` or `unspecified` (`yes` or `no` for scope and grammar), or a map with one of them for each edition and `otherwise`"
)]
pub enum ByEdition<T> {
    /// In every edition of the case.
    Same(T),
    /// By edition, with `otherwise` for all editions that have none.
    #[cfg_attr(feature = "schema", schemars(schema_with = "by_edition::<T>"))]
    Each(BTreeMap<String, T>),
}

/// A name, or a list of names.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "QuestionIds"))]
#[serde(untagged, expecting = "expected a name or a list of names")]
pub enum OneOrMany {
    /// A name.
    One(#[cfg_attr(feature = "schema", schemars(with = "QuestionId"))] String),
    /// A list of names.
    Many(#[cfg_attr(feature = "schema", schemars(with = "Vec<QuestionId>"))] Vec<String>),
}

impl OneOrMany {
    /// Returns the names.
    pub fn names(&self) -> &[String] {
        match self {
            OneOrMany::One(name) => std::slice::from_ref(name),
            OneOrMany::Many(names) => names,
        }
    }
}
