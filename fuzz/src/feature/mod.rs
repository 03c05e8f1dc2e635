//! Which clauses an input brings into play.
//!
//! In a minimised input everything is needed, so that what sets it apart from the plainest robots.txt is what
//! the implementation gets wrong. A reducer that never adds to this list never slides from one divergence to
//! another.

mod file;
mod other;
mod query;

use robotspec_reference::{Edition, Reading, RobotsTxt};

use file::of_file;
use other::{of_scope, of_visits};
pub(crate) use query::path_of;
use query::{of_agents, of_decision, of_url};
use robotspec_cases::Clause;
use robotspec_cases::Query;

/// The clauses that an input can be seen to bring into play, those that are out of the ordinary first.
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

/// The clauses that a request brings into play, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Features(u128);

impl Features {
    fn add(&mut self, clause: &str) {
        if let Some(place) = CLAUSES_IN_PLAY.iter().position(|id| *id == clause) {
            self.0 |= 1 << place;
        }
    }

    /// Whether there is nothing here that the other has not.
    pub(crate) fn is_within(self, other: Features) -> bool {
        self.0 & !other.0 == 0
    }

    /// The clauses, those that are out of the ordinary first.
    pub(crate) fn clauses(self) -> impl Iterator<Item = &'static str> {
        CLAUSES_IN_PLAY
            .iter()
            .enumerate()
            .filter(move |(place, _)| self.0 & 1 << place != 0)
            .map(|(_, id)| *id)
    }

    /// The clause that it is about: the first that the edition has.
    pub(crate) fn clause(self, edition: Edition) -> &'static str {
        let has = |id: &&str| Clause::find(id).is_some_and(|clause| clause.section(edition).is_some());
        self.clauses().find(has).unwrap_or("M-default")
    }
}

/// The clause that a request is about in an edition: of those that it brings into play, the one that is most out of
/// the ordinary.
pub fn clause_in_play(edition: Edition, request: &Query) -> &'static str {
    features(edition, request).clause(edition)
}

/// The clauses that a request brings into play in an edition, those first that are most out of the ordinary.
pub fn clauses_in_play(edition: Edition, request: &Query) -> Vec<&'static str> {
    features(edition, request).clauses().collect()
}

/// What a request brings into play in an edition.
pub(crate) fn features(edition: Edition, request: &Query) -> Features {
    let mut features = Features::default();
    match request {
        Query::Match { robots, agent, url } => {
            let paths = of_file(&mut features, robots);
            of_agents(&mut features, robots, agent);
            of_url(&mut features, url, &paths);
            if let Ok(decision) = RobotsTxt::parse(robots).decide(&Reading::plainest(edition), agent, url) {
                of_decision(&mut features, &decision);
            }
        }
        Query::Sitemaps { robots } => {
            of_file(&mut features, robots);
            features.add("S-sitemap");
        }
        Query::Scope { robots_url, url } => of_scope(&mut features, robots_url, url),
        Query::Access { visits, .. } => of_visits(&mut features, visits),
        Query::Alike { .. } | Query::Grammar { .. } => {}
    }
    features
}
