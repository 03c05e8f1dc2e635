//! The clauses that a query brings into play.
//!
//! Every part of a minimised query is necessary, so its most unusual feature is what the implementation gets wrong. The
//! minimiser never adds a more unusual feature, so it does not slide from one divergence to another.

mod access;
mod file;
mod matching;
mod path;
mod scope;
mod set;

use robotspec_cases::Query;
use robotspec_reference::{Edition, Reading, RobotsTxt};

pub use set::CLAUSES_IN_PLAY;
pub(crate) use set::Features;

/// Returns the clause that a query is about in an edition: the most unusual one that it brings into play.
pub fn clause_in_play(edition: Edition, query: &Query) -> &'static str {
    features(edition, query).clause(edition)
}

/// Returns the clauses that a query brings into play in an edition, the most unusual first.
pub fn clauses_in_play(edition: Edition, query: &Query) -> Vec<&'static str> {
    features(edition, query).clauses().collect()
}

/// Returns the clauses that a query brings into play in an edition.
pub(crate) fn features(edition: Edition, query: &Query) -> Features {
    let mut features = Features::default();
    match query {
        Query::Match { robots, agent, url } => {
            let paths = file::add_file(&mut features, robots);
            matching::add_agents(&mut features, robots, agent);
            matching::add_url(&mut features, url, &paths);
            if let Ok(decision) = RobotsTxt::parse(robots).decide(&Reading::plainest(edition), agent, url) {
                matching::add_decision(&mut features, &decision);
            }
        }
        Query::Sitemaps { robots } => {
            file::add_file(&mut features, robots);
            features.add("S-sitemap");
        }
        Query::Usage { robots, agent, url } => {
            let paths = file::add_file(&mut features, robots);
            matching::add_agents(&mut features, robots, agent);
            matching::add_url(&mut features, url, &paths);
            features.add("M-usage-path");
        }
        Query::Scope { robots_url, url } => scope::add_urls(&mut features, robots_url, url),
        Query::Access { visits, .. } => access::add_visits(&mut features, visits),
        Query::Alike { .. } | Query::Grammar { .. } => {}
    }
    features
}
