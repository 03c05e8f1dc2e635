//! The files of cases as they are written. See `cases/README.md`.

use std::collections::BTreeMap;

use robotspec_mock_server::Visit;
use robotspec_reference::{Governs, Ruling};
use serde::Deserialize;

/// A file of cases: a table of the specification.
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a file of cases: `suite`, `title`, `source` and `cases`"
)]
pub struct SuiteFormat {
    /// The first part of every id in this file. Permanent.
    pub suite: String,
    /// What the table is called.
    pub title: String,
    /// Which documents and sections it comes from.
    pub source: String,
    /// The crawler that asks, where neither case nor row names one; `FooBot` if absent.
    pub agent: Option<String>,
    /// The cases.
    pub cases: Vec<CaseFormat>,
}

/// A case. It holds one of: `rows`, `alike`, `scope`, `sitemaps`, `access`, `grammar`.
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a case: `id`, `clauses` and what is asked"
)]
pub struct CaseFormat {
    /// Unique in the suite. Permanent.
    pub id: String,
    /// The clauses it tests; a failure is reported under the first.
    pub clauses: Vec<String>,
    /// A sentence for the reader.
    pub about: Option<String>,
    /// The editions it runs in; if absent, all that have every clause.
    pub editions: Option<Vec<String>>,
    /// Whether the text marks it as one operator's own.
    #[serde(default)]
    pub google_specific: bool,
    /// The crawler that asks in these rows.
    pub agent: Option<String>,
    /// What makes a row `unspecified`.
    pub question: Option<OneOrMany>,
    /// `none`, where rewriting the file would defeat the case.
    pub variants: Option<VariantsFormat>,
    /// The robots.txt.
    pub robots: Option<BytesFormat>,
    /// May this agent fetch this URL?
    pub rows: Option<Vec<RowFormat>>,
    /// Another file that means the same as `robots`.
    pub twin: Option<BytesFormat>,
    /// Does either file give the same answer?
    pub alike: Option<Vec<AlikeRowFormat>>,
    /// The URL of a robots.txt.
    pub robots_url: Option<String>,
    /// Does the robots.txt there govern this URL?
    pub scope: Option<Vec<ScopeRowFormat>>,
    /// The sitemaps that the robots.txt names; no text speaks of their order.
    pub sitemaps: Option<Vec<String>>,
    /// Sitemaps that it names in some readings of the text only.
    pub open_sitemaps: Option<Vec<String>>,
    /// What may be fetched after asking for the robots.txt?
    pub access: Option<Vec<AccessRowFormat>>,
    /// Does the grammar derive this file?
    pub grammar: Option<Vec<GrammarRowFormat>>,
}

/// Which variants are derived.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariantsFormat {
    /// None.
    None,
}

/// May this agent fetch this URL?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url, expect}`")]
pub struct RowFormat {
    /// Unique in the case. Permanent.
    pub id: String,
    /// The crawler that asks.
    pub agent: Option<String>,
    /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
    pub url: BytesFormat,
    /// `allow`, `disallow` or `unspecified`.
    pub expect: ByEdition<Ruling>,
    /// What makes it `unspecified`.
    pub question: Option<OneOrMany>,
    /// What each answer to the question gives, `allow` or `disallow`.
    pub gives: Option<BTreeMap<String, Ruling>>,
    /// What decides, where it is definite.
    pub decided_by: Option<DecidedByFormat>,
}

/// What decides, in the plainest reading of the text.
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "what decides: `{lines, clauses, readings}`"
)]
pub struct DecidedByFormat {
    /// The numbers of the lines, in order: those that name the agent, and those of the rules.
    pub lines: Vec<usize>,
    /// The clauses that are applied. One that an edition lacks is not looked for there.
    pub clauses: Vec<String>,
    /// In how many ways the text can be read here; 1 where no question arises.
    pub readings: Option<usize>,
}

/// Does either file give the same answer, whichever it is?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url}`")]
pub struct AlikeRowFormat {
    /// Unique in the case. Permanent.
    pub id: String,
    /// The crawler that asks.
    pub agent: Option<String>,
    /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
    pub url: BytesFormat,
}

/// Does the robots.txt govern this URL?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url, governs}`")]
pub struct ScopeRowFormat {
    /// Unique in the case. Permanent.
    pub id: String,
    /// An absolute URL.
    pub url: String,
    /// `yes`, `no` or `unspecified`.
    pub governs: ByEdition<Governs>,
    /// What makes it `unspecified`.
    pub question: Option<OneOrMany>,
    /// What each answer to the question gives, `yes` or `no`.
    pub gives: Option<BTreeMap<String, Governs>>,
}

/// What may be fetched after asking for the robots.txt?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, visits, outcome}`")]
pub struct AccessRowFormat {
    /// Unique in the case. Permanent.
    pub id: String,
    /// The crawler that asks.
    pub agent: Option<String>,
    /// What it meets, in the order of time. At the time of the last it is asked what it would fetch.
    pub visits: Vec<VisitFormat>,
    /// `full-allow`, `full-disallow`, `conditional` (on the file that disallows `/private`), a path (on the file
    /// that disallows it), or `unspecified`.
    pub outcome: ByEdition<String>,
    /// What makes it `unspecified`.
    pub question: Option<OneOrMany>,
    /// What each answer to the question gives.
    pub gives: Option<BTreeMap<String, String>>,
}

/// A visit, and what the server does.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", expecting = "a visit: `{at, hops, location, answer}`")]
pub struct VisitFormat {
    /// When: a number of hours (`25h`) or days (`31d`) from the start; at the start if absent.
    pub at: Option<String>,
    /// Whether the site answers for other pages; `true` if absent.
    pub site_answers: Option<bool>,
    /// What the server does.
    #[serde(flatten)]
    pub visit: Visit,
}

/// Does the grammar derive this file?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, text, valid}`")]
pub struct GrammarRowFormat {
    /// Unique in the case. Permanent.
    pub id: String,
    /// The whole file, escaped.
    pub text: String,
    /// `yes` or `no`.
    pub valid: ByEdition<ValidFormat>,
    /// What becomes of each line.
    pub lines: Option<Vec<LineFormat>>,
}

/// What the grammar makes of a line: the name of a production, or one of `additional` and
/// `column` with `expected`.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a production, `additional` with a field, or `column` with `expected`"
)]
pub enum LineFormat {
    /// It is derived by this production.
    Derived(String),
    /// It is left to implementors to define.
    Additional(AdditionalFormat),
    /// It is not derived.
    NotDerived(NotDerivedFormat),
}

/// A line that is left to implementors to define.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdditionalFormat {
    /// Its field.
    pub additional: String,
}

/// A line that is not derived.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotDerivedFormat {
    /// Where it departs from the grammar, in octets from 1.
    pub column: usize,
    /// What the grammar wants there.
    pub expected: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValidFormat {
    Yes,
    No,
}

/// A file: plain text, or one of the forms for what YAML cannot hold.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected `robots` or `url` as a text, or as one of `escaped`, `base64` and `parts`"
)]
pub enum BytesFormat {
    /// The text itself.
    Text(String),
    /// Another form.
    Form(BytesForm),
}

/// One of `escaped`, `base64`, `parts`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BytesForm {
    /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
    pub escaped: Option<String>,
    /// The octets in Base64.
    pub base64: Option<String>,
    /// Parts, one after the other.
    pub parts: Option<Vec<PartFormat>>,
}

/// A part of a file: plain text, or one of the other forms.
#[derive(Debug, Deserialize)]
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

/// One of `escaped`, `base64`, `repeat` with `times`, `fill` with `to`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PartForm {
    /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
    pub escaped: Option<String>,
    /// The octets in Base64.
    pub base64: Option<String>,
    /// A text to repeat.
    pub repeat: Option<String>,
    /// How often.
    pub times: Option<usize>,
    /// A text to repeat up to a size.
    pub fill: Option<String>,
    /// The size of the whole so far, in octets.
    pub to: Option<usize>,
}

/// An expectation: one for all editions, or one for each.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected `allow`, `disallow` or `unspecified` (`yes` or `no` for scope and grammar), or a map with one of them for each edition and `otherwise`"
)]
pub enum ByEdition<T> {
    /// In every edition of the case.
    Same(T),
    /// Edition by edition, with `otherwise` for the rest.
    Each(BTreeMap<String, T>),
}

/// A name, or a list of names.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a name or a list of names")]
pub enum OneOrMany {
    /// A name.
    One(String),
    /// A list of names.
    Many(Vec<String>),
}

impl OneOrMany {
    pub fn names(&self) -> &[String] {
        match self {
            OneOrMany::One(name) => std::slice::from_ref(name),
            OneOrMany::Many(names) => names,
        }
    }
}
