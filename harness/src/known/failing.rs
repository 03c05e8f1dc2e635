//! The checks that an entry of a list of known failures is about.

use robotspec_cases::{BadCheckId, CheckId, Variant};

/// The checks that an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failing {
    /// A row, with all its variants.
    Row(CheckId),
    /// The rows that match a glob, fail and have no entry of their own, with all their variants.
    Rows(String),
    /// A variant of every row that does not fail as it is written.
    Variant(Variant),
}

impl Failing {
    /// Returns a row, or the rows that match a glob. No id contains one of these characters.
    pub(super) fn read_row(written: &str) -> Result<Self, BadCheckId> {
        match written.contains(['*', '?', '[', '{']) {
            true => Ok(Failing::Rows(written.to_owned())),
            false => written.parse().map(Failing::Row),
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            Failing::Row(row) => row.to_string(),
            Failing::Rows(glob) => glob.clone(),
            Failing::Variant(variant) => variant.to_string(),
        }
    }

    /// Returns the reason why an entry does not hold.
    pub(super) fn describe_stale(&self, was_judged: bool) -> String {
        match self {
            Failing::Row(row) if was_judged => format!("{row} no longer fails"),
            Failing::Row(row) => format!("{row} is not a row of these editions"),
            Failing::Rows(glob) if was_judged => format!("{glob} matches no row that still fails"),
            Failing::Rows(glob) => format!("{glob} matches no row of these editions"),
            Failing::Variant(variant) => {
                format!("{variant}: every row that fails in this variant also fails as it is written")
            }
        }
    }
}
