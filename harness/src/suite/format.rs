//! The files of cases as they are written. See `cases/README.md`.

use std::collections::BTreeMap;

use robotspec_mock_server::Visit;
use serde::Deserialize;

/// A file of cases: a table of the specification.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a file of cases: `suite`, `title`, `source` and `cases`"
)]
pub(crate) struct SuiteFormat {
    /// The first part of every id in this file. Permanent.
    pub(crate) suite: String,
    /// What the table is called.
    pub(crate) title: String,
    /// Which documents and sections it comes from.
    pub(crate) source: String,
    /// The crawler that asks, where neither case nor row names one; `FooBot` if absent.
    pub(crate) agent: Option<String>,
    /// The cases.
    pub(crate) cases: Vec<CaseFormat>,
}

/// A case. It holds one of: `rows`, `alike`, `scope`, `sitemaps`, `access`, `grammar`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a case: `id`, `clauses` and what is asked"
)]
pub(crate) struct CaseFormat {
    /// Unique in the suite. Permanent.
    pub(crate) id: String,
    /// The clauses it tests; a failure is reported under the first.
    pub(crate) clauses: Vec<String>,
    /// A sentence for the reader.
    pub(crate) about: Option<String>,
    /// The editions it runs in; if absent, all that have every clause.
    pub(crate) editions: Option<Vec<String>>,
    /// Whether the text marks it as one operator's own.
    #[serde(default)]
    pub(crate) google_specific: bool,
    /// The crawler that asks in these rows.
    pub(crate) agent: Option<String>,
    /// What makes a row `unspecified`.
    pub(crate) question: Option<OneOrMany>,
    /// `none`, where rewriting the file would defeat the case.
    pub(crate) variants: Option<VariantsFormat>,
    /// The robots.txt.
    pub(crate) robots: Option<BytesFormat>,
    /// May this agent fetch this URL?
    pub(crate) rows: Option<Vec<RowFormat>>,
    /// Another file that means the same as `robots`.
    pub(crate) twin: Option<BytesFormat>,
    /// Does either file give the same answer?
    pub(crate) alike: Option<Vec<AlikeRowFormat>>,
    /// The URL of a robots.txt.
    pub(crate) robots_url: Option<String>,
    /// Does the robots.txt there govern this URL?
    pub(crate) scope: Option<Vec<ScopeRowFormat>>,
    /// The sitemaps that the robots.txt names; no text speaks of their order.
    pub(crate) sitemaps: Option<Vec<String>>,
    /// Sitemaps that it names in some readings of the text only.
    pub(crate) open_sitemaps: Option<Vec<String>>,
    /// What may be fetched after asking for the robots.txt?
    pub(crate) access: Option<Vec<AccessRowFormat>>,
    /// Does the grammar derive this file?
    pub(crate) grammar: Option<Vec<GrammarRowFormat>>,
}

/// Which variants are derived.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VariantsFormat {
    /// None.
    None,
}

/// May this agent fetch this URL?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url, expect}`")]
pub(crate) struct RowFormat {
    /// Unique in the case. Permanent.
    pub(crate) id: String,
    /// The crawler that asks.
    pub(crate) agent: Option<String>,
    /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
    pub(crate) url: BytesFormat,
    /// `allow`, `disallow` or `unspecified`.
    pub(crate) expect: ByEdition<RulingFormat>,
    /// What makes it `unspecified`.
    pub(crate) question: Option<OneOrMany>,
    /// What each answer to the question gives, `allow` or `disallow`.
    pub(crate) gives: Option<BTreeMap<String, RulingFormat>>,
    /// What decides, where it is definite.
    pub(crate) decided_by: Option<DecidedByFormat>,
}

/// What decides, in the plainest reading of the text.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "what decides: `{lines, clauses, readings}`"
)]
pub(crate) struct DecidedByFormat {
    /// The numbers of the lines, in order: those that name the agent, and those of the rules.
    pub(crate) lines: Vec<usize>,
    /// The clauses that are applied. One that an edition lacks is not looked for there.
    pub(crate) clauses: Vec<String>,
    /// In how many ways the text can be read here; 1 where no question arises.
    pub(crate) readings: Option<usize>,
}

/// Does either file give the same answer, whichever it is?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url}`")]
pub(crate) struct AlikeRowFormat {
    /// Unique in the case. Permanent.
    pub(crate) id: String,
    /// The crawler that asks.
    pub(crate) agent: Option<String>,
    /// An absolute URL, or a path on `http://example.com`, as text or in a form for long ones.
    pub(crate) url: BytesFormat,
}

/// Does the robots.txt govern this URL?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, url, governs}`")]
pub(crate) struct ScopeRowFormat {
    /// Unique in the case. Permanent.
    pub(crate) id: String,
    /// An absolute URL.
    pub(crate) url: String,
    /// `yes`, `no` or `unspecified`.
    pub(crate) governs: ByEdition<GovernsFormat>,
    /// What makes it `unspecified`.
    pub(crate) question: Option<OneOrMany>,
    /// What each answer to the question gives, `yes` or `no`.
    pub(crate) gives: Option<BTreeMap<String, GovernsFormat>>,
}

/// What may be fetched after asking for the robots.txt?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, visits, outcome}`")]
pub(crate) struct AccessRowFormat {
    /// Unique in the case. Permanent.
    pub(crate) id: String,
    /// The crawler that asks.
    pub(crate) agent: Option<String>,
    /// What it meets, in the order of time. At the time of the last it is asked what it would fetch.
    pub(crate) visits: Vec<VisitFormat>,
    /// `full-allow`, `full-disallow`, `conditional` (on the file that disallows `/private`), a path (on the file
    /// that disallows it), or `unspecified`.
    pub(crate) outcome: ByEdition<String>,
    /// What makes it `unspecified`.
    pub(crate) question: Option<OneOrMany>,
    /// What each answer to the question gives.
    pub(crate) gives: Option<BTreeMap<String, String>>,
}

/// A visit, and what the server does.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", expecting = "a visit: `{at, hops, location, answer}`")]
pub(crate) struct VisitFormat {
    /// When: a number of hours (`25h`) or days (`31d`) from the start; at the start if absent.
    pub(crate) at: Option<String>,
    /// Whether the site answers for other pages; `true` if absent.
    pub(crate) site_answers: Option<bool>,
    /// What the server does.
    #[serde(flatten)]
    pub(crate) visit: Visit,
}

/// Does the grammar derive this file?
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a row: `{id, text, valid}`")]
pub(crate) struct GrammarRowFormat {
    /// Unique in the case. Permanent.
    pub(crate) id: String,
    /// The whole file, escaped.
    pub(crate) text: String,
    /// `yes` or `no`.
    pub(crate) valid: ByEdition<ValidFormat>,
    /// What becomes of each line.
    pub(crate) lines: Option<Vec<LineFormat>>,
}

/// What the grammar makes of a line: the name of a production, or one of `additional` and
/// `column` with `expected`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected the name of a production, `additional` with a field, or `column` with `expected`"
)]
pub(crate) enum LineFormat {
    /// It is derived by this production.
    Derived(String),
    /// It is left to implementors to define.
    Additional(AdditionalFormat),
    /// It is not derived.
    NotDerived(NotDerivedFormat),
}

/// A line that is left to implementors to define.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct AdditionalFormat {
    /// Its field.
    pub(crate) additional: String,
}

/// A line that is not derived.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NotDerivedFormat {
    /// Where it departs from the grammar, in octets from 1.
    pub(crate) column: usize,
    /// What the grammar wants there.
    pub(crate) expected: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RulingFormat {
    Allow,
    Disallow,
    Unspecified,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GovernsFormat {
    Yes,
    No,
    Unspecified,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ValidFormat {
    Yes,
    No,
}

/// A file: plain text, or one of the forms for what YAML cannot hold.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected `robots` or `url` as a text, or as one of `escaped`, `base64` and `parts`"
)]
pub(crate) enum BytesFormat {
    /// The text itself.
    Text(String),
    /// Another form.
    Form(BytesForm),
}

/// One of `escaped`, `base64`, `parts`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct BytesForm {
    /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
    pub(crate) escaped: Option<String>,
    /// The octets in Base64.
    pub(crate) base64: Option<String>,
    /// Parts, one after the other.
    pub(crate) parts: Option<Vec<PartFormat>>,
}

/// A part of a file: plain text, or one of the other forms.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected a text, or one of `escaped`, `base64`, `repeat` with `times`, and `fill` with `to`"
)]
pub(crate) enum PartFormat {
    /// The text itself.
    Text(String),
    /// Another form.
    Form(PartForm),
}

/// One of `escaped`, `base64`, `repeat` with `times`, `fill` with `to`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PartForm {
    /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
    pub(crate) escaped: Option<String>,
    /// The octets in Base64.
    pub(crate) base64: Option<String>,
    /// A text to repeat.
    pub(crate) repeat: Option<String>,
    /// How often.
    pub(crate) times: Option<usize>,
    /// A text to repeat up to a size.
    pub(crate) fill: Option<String>,
    /// The size of the whole so far, in octets.
    pub(crate) to: Option<usize>,
}

/// An expectation: one for all editions, or one for each.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected `allow`, `disallow` or `unspecified` (`yes` or `no` for scope and grammar), or a map with one of them for each edition and `otherwise`"
)]
pub(crate) enum ByEdition<T> {
    /// In every edition of the case.
    Same(T),
    /// Edition by edition, with `otherwise` for the rest.
    Each(BTreeMap<String, T>),
}

/// A name, or a list of names.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a name or a list of names")]
pub(crate) enum OneOrMany {
    /// A name.
    One(String),
    /// A list of names.
    Many(Vec<String>),
}

impl OneOrMany {
    pub(crate) fn names(&self) -> &[String] {
        match self {
            OneOrMany::One(name) => std::slice::from_ref(name),
            OneOrMany::Many(names) => names,
        }
    }
}
