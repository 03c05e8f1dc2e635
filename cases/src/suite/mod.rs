//! Suites: the tables of the specification as checks.

pub mod access;
pub mod bytes;
pub mod format;
mod load;
mod reasons;
mod variant;
pub mod write;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use robotspec_reference::{Edition, Governs, Question, Ruling};

use crate::clause::Clause;
pub use access::{ExpectedAccess, OPEN, TimedVisit};
pub use load::{built_in, load};
pub use reasons::{Deciding, Reasons};
pub use variant::Variant;
pub use variant::row_and_variant;

/// A table of the specification.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The first part of every id in it.
    pub id: String,
    /// What the table is called.
    pub title: String,
    /// Which documents and sections it comes from.
    pub source: String,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// A file or a URL, and what is asked about it.
#[derive(Debug, Clone)]
pub struct Case {
    /// `suite/case`.
    pub id: String,
    /// The clauses it tests; a failure is reported under the first.
    pub clauses: Vec<&'static Clause>,
    /// A sentence for the reader.
    pub about: Option<String>,
    /// The editions it runs in.
    pub editions: Vec<Edition>,
    /// Whether the text marks it as one operator's own.
    pub google_specific: bool,
    /// What is asked.
    pub rows: Vec<Row>,
    /// Whether variants of its file are derived.
    pub has_variants: bool,
}

/// A row of a table: a request and what each edition expects.
#[derive(Debug, Clone)]
pub struct Row {
    /// `suite/case#row`. Permanent.
    pub id: String,
    /// What is asked.
    pub request: Request,
    /// What each edition of the case expects.
    pub expected: BTreeMap<Edition, Expected>,
    /// What makes it unspecified, where it is.
    pub questions: Vec<Question>,
    /// How an edition comes to its answer.
    pub reasons: Reasons,
}

/// What an implementation is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// May this agent fetch this URL, given this robots.txt?
    Match {
        /// The file.
        robots: Arc<[u8]>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// Do these two files, which mean the same, give the same answer?
    Alike {
        /// The file.
        robots: Arc<[u8]>,
        /// The other file.
        twin: Arc<[u8]>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// Is the robots.txt at this URL the one that governs that URL?
    Scope {
        /// Where the robots.txt is.
        robots_url: String,
        /// The URL to be fetched.
        url: String,
    },
    /// Which sitemaps does this file name?
    Sitemaps {
        /// The file.
        robots: Arc<[u8]>,
    },
    /// May this agent fetch these paths, once it has asked for the robots.txt?
    Access {
        /// What it met, in the order of time.
        visits: Arc<[TimedVisit]>,
        /// A product token.
        agent: String,
        /// Paths on the site.
        paths: Arc<[String]>,
    },
    /// Does the grammar derive this file?
    Grammar {
        /// The file.
        text: Arc<[u8]>,
    },
}

/// What an edition expects as the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// To a match request.
    Ruling(Ruling),
    /// To a request about two files: one answer for both, whichever it is.
    Alike,
    /// To a scope request.
    Governs(Governs),
    /// To a sitemaps request: the URLs, in any order.
    Sitemaps {
        /// Those that every reading finds.
        certain: Vec<String>,
        /// Those that some readings find.
        open: Vec<String>,
    },
    /// To an access request.
    Access(ExpectedAccess),
    /// To a grammar request.
    Derived(bool),
}

impl Expected {
    /// Whether the edition leaves the answer open.
    pub fn is_unspecified(&self) -> bool {
        matches!(
            self,
            Expected::Ruling(Ruling::Unspecified)
                | Expected::Governs(Governs::Unspecified)
                | Expected::Access(ExpectedAccess::Unspecified)
        )
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Ruling(ruling) => f.write_str(ruling.id()),
            Expected::Alike => f.write_str("the same for both"),
            Expected::Governs(governs) => f.write_str(governs.id()),
            Expected::Sitemaps { certain, open } if open.is_empty() => write!(f, "{certain:?}"),
            Expected::Sitemaps { certain, open } => write!(f, "{certain:?}, perhaps with {open:?}"),
            Expected::Access(access) => access.fmt(f),
            Expected::Derived(true) => f.write_str("valid"),
            Expected::Derived(false) => f.write_str("not valid"),
        }
    }
}

/// A single check: a row, or a variant of it.
#[derive(Debug, Clone)]
pub struct Check {
    /// `suite/case#row`, and `~variant` where it is derived.
    pub id: String,
    /// The id of the row.
    pub row: String,
    /// How the file was rewritten, if it was.
    pub variant: Option<Variant>,
    /// The clauses it tests.
    pub clauses: Vec<&'static Clause>,
    /// Whether the text marks it as one operator's own.
    pub google_specific: bool,
    /// What is asked.
    pub request: Request,
    /// What each edition expects.
    pub expected: BTreeMap<Edition, Expected>,
    /// What makes it unspecified, where it is.
    pub questions: Vec<Question>,
}

/// Every check of the suites, those that share a file next to each other.
pub fn checks(suites: &[Suite], with_variants: bool) -> Vec<Check> {
    suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| case.checks(with_variants)).collect()
}

impl Case {
    pub fn checks(&self, with_variants: bool) -> Vec<Check> {
        let mut checks: Vec<Check> = self.rows.iter().map(|row| self.check(row, None)).collect();
        if with_variants && self.has_variants {
            for variant in Variant::ALL {
                checks.extend(
                    self.rows.iter().filter_map(|row| variant.derive(&self.check(row, Some(variant)))),
                );
            }
        }
        checks
    }

    fn check(&self, row: &Row, variant: Option<Variant>) -> Check {
        let suffix = variant.map(|variant| format!("~{}", variant.id())).unwrap_or_default();
        Check {
            id: format!("{}{suffix}", row.id),
            row: row.id.clone(),
            variant,
            clauses: self.clauses.clone(),
            google_specific: self.google_specific,
            request: row.request.clone(),
            expected: row.expected.clone(),
            questions: row.questions.clone(),
        }
    }
}
