//! The clauses that a query can bring into play, and sets of them.

use robotspec_cases::Clause;
use robotspec_reference::Edition;

/// The clauses that a query can bring into play, the most unusual first.
pub const CLAUSES_IN_PLAY: &[&str] = &[
    "L-size",
    "L-size-minimum",
    "L-bom",
    "L-encoding",
    "L-eol",
    "L-field-case",
    "L-typo",
    "G-nongroup",
    "L-unknown",
    "L-valid-only",
    "L-comment",
    "L-trim",
    "L-record",
    "G-blank",
    "G-orphan",
    "G-run",
    "G-empty-last",
    "A-required",
    "A-suffix",
    "A-token",
    "A-adsbot",
    "G-merge",
    "A-case",
    "A-specific",
    "M-robots-txt",
    "M-no-full-url",
    "M-root",
    "M-literal",
    "M-non-ascii",
    "M-percent",
    "M-query",
    "M-case",
    "M-empty",
    "O-tie",
    "O-wildcard",
    "O-longest",
    "M-dollar",
    "M-star",
    "M-trailing-star",
    "O-duplicates",
    "G-merge-alone",
    "G-end",
    "A-one",
    "A-none",
    "M-first-octet",
    "M-default",
    "M-prefix",
    "A-star",
    "S-name",
    "S-root",
    "S-idn",
    "S-ip",
    "S-ftp",
    "S-default-port",
    "S-subdomain",
    "S-origin",
    "S-sitemap",
    "M-usage-disallowed",
    "O-usage-same",
    "O-usage",
    "M-usage-path",
    "H-failure",
    "H-html-redirect",
    "H-3xx-disallowed",
    "H-3xx-many",
    "H-3xx",
    "H-5xx-as-404",
    "C-max-age",
    "C-longer",
    "C-24h",
    "H-30-days",
    "H-503",
    "H-429",
    "H-5xx",
    "H-4xx",
    "H-2xx",
];

/// A set of clauses that a query brings into play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Features(u128);

impl Features {
    pub(super) fn add(&mut self, clause: &str) {
        if let Some(place) = CLAUSES_IN_PLAY.iter().position(|id| *id == clause) {
            self.0 |= 1 << place;
        }
    }

    /// Returns whether the other set contains every clause of this set.
    pub(crate) fn is_within(self, other: Features) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether no clause of the edition that this set adds to the other is more unusual than the clause of the other.
    pub(crate) fn adds_only_ordinary(self, other: Features, edition: Edition) -> bool {
        let added = Features(self.0 & !other.0);
        added.first(edition).is_none() || Features(self.0 | other.0).first(edition) == other.first(edition)
    }

    /// Returns the clauses, the most unusual first.
    pub(crate) fn clauses(self) -> impl Iterator<Item = &'static str> {
        CLAUSES_IN_PLAY
            .iter()
            .enumerate()
            .filter(move |(place, _)| self.0 & 1 << place != 0)
            .map(|(_, id)| *id)
    }

    /// Returns the most unusual clause that the edition contains.
    pub(crate) fn clause(self, edition: Edition) -> &'static str {
        self.first(edition).unwrap_or("M-default")
    }

    fn first(self, edition: Edition) -> Option<&'static str> {
        let has = |id: &&str| Clause::find(id).is_some_and(|clause| clause.section(edition).is_some());
        self.clauses().find(has)
    }
}
