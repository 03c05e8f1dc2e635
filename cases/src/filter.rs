//! Filters that select checks: `id:GLOB`, `clause:GLOB`, `kind:LETTER`, `minimal`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use globset::{Glob, GlobMatcher};

use crate::check::Check;
use crate::clause::ClauseKind;

/// A condition on checks.
#[derive(Debug, Clone)]
pub enum Filter {
    /// On the id of the check or of its row.
    Id(GlobMatcher),
    /// On a clause that the check tests.
    Clause(GlobMatcher),
    /// On the kind of a clause that the check tests.
    Kind(ClauseKind),
    /// That the check is a row of the [minimal set](minimal_rows).
    Minimal,
}

/// The length of the longest glob, in bytes. The matcher of a far longer one would be too large.
const LONGEST_GLOB: usize = 4096;

/// A text that is not a filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; write `id:GLOB`, `clause:GLOB`, `kind:LETTER` or `minimal`")]
pub struct BadFilter(String);

impl FromStr for Filter {
    type Err = BadFilter;

    fn from_str(text: &str) -> Result<Self, BadFilter> {
        if text == "minimal" {
            return Ok(Filter::Minimal);
        }
        let (key, value) = text.split_once(':').ok_or_else(|| BadFilter(format!("`{text}` has no colon")))?;
        let glob = || match value.len() {
            ..=LONGEST_GLOB => Glob::new(value).map_err(|error| BadFilter(error.to_string())),
            _ => Err(BadFilter(format!("the filter has more than {LONGEST_GLOB} bytes"))),
        };
        match key {
            "id" => Ok(Filter::Id(glob()?.compile_matcher())),
            "clause" => Ok(Filter::Clause(glob()?.compile_matcher())),
            "kind" => {
                let kind = value.parse::<ClauseKind>();
                kind.map(Filter::Kind)
                    .map_err(|error| BadFilter(format!("{error} (the first letter of clause ids)")))
            }
            _ => Err(BadFilter(format!("unknown filter `{key}`"))),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Filter::Id(glob) => write!(f, "id:{}", glob.glob()),
            Filter::Clause(glob) => write!(f, "clause:{}", glob.glob()),
            Filter::Kind(kind) => write!(f, "kind:{kind}"),
            Filter::Minimal => f.write_str("minimal"),
        }
    }
}

impl Filter {
    /// Returns whether the filter selects a check.
    pub fn holds(&self, check: &Check) -> bool {
        match self {
            Filter::Id(glob) => {
                glob.is_match(check.id.to_string()) || glob.is_match(check.id.as_written().to_string())
            }
            Filter::Clause(glob) => check.clauses.iter().any(|clause| glob.is_match(&clause.id)),
            Filter::Kind(kind) => check.clauses.iter().any(|clause| clause.kind == *kind),
            Filter::Minimal => check.id.variant.is_none() && minimal_rows().contains(&*check.id.to_string()),
        }
    }
}

/// The list. Tests keep it up to date.
const LIST: &str = include_str!("../minimal.txt");

/// Returns the ids of the rows of the minimal set.
pub fn minimal_rows() -> &'static BTreeSet<&'static str> {
    static ROWS: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| LIST.lines().filter(|line| !line.starts_with("# ")).collect());
    &ROWS
}
