//! What an edition expects of the answer to a query.

use robotspec::Batch;
use robotspec_cases::{Expected, ExpectedSitemaps, Query, TimedVisit};
use robotspec_reference::bytes::{is_reserved, is_unreserved};
use robotspec_reference::{Edition, Governs, RobotsTxt, Ruling, UrlParts, access, grammar, scope};

/// Returns what each edition expects of each query of a batch.
pub(crate) fn expect_batch(editions: &[Edition], batch: &Batch) -> Vec<Vec<Expected>> {
    let Query::Match { robots, .. } = batch.first() else {
        return editions.iter().map(|&edition| vec![expect(edition, batch.first())]).collect();
    };
    let (robots, queries) = (RobotsTxt::parse(robots), batch.match_queries());
    // Queries about one agent stand next to each other.
    let of_agents = || queries.chunk_by(|a, b| a.agent == b.agent);
    let expect_rulings = |&edition: &Edition| {
        let rulings = of_agents().flat_map(|queries| {
            let rules = robots.for_agent(edition, queries[0].agent);
            queries.iter().map(move |query| expect_ruling(query.url, rules.ruling(query.url)))
        });
        rulings.collect()
    };
    editions.iter().map(expect_rulings).collect()
}

/// Returns what an edition expects of a query.
pub(crate) fn expect(edition: Edition, query: &Query) -> Expected {
    match query {
        Query::Match { robots, agent, url } => {
            expect_ruling(url, RobotsTxt::parse(robots).ruling(edition, agent, url))
        }
        Query::Alike { .. } => Expected::Alike,
        Query::Sitemaps { robots } => {
            let sitemaps = RobotsTxt::parse(robots).sitemaps(edition);
            let (required, optional): (Vec<_>, Vec<_>) =
                sitemaps.into_iter().partition(|sitemap| sitemap.certain);
            let urls = |sitemaps: Vec<robotspec_reference::sitemap::Sitemap>| {
                sitemaps.into_iter().map(|sitemap| sitemap.url).collect()
            };
            Expected::Sitemaps(ExpectedSitemaps { required: urls(required), optional: urls(optional) })
        }
        Query::Usage { robots, agent, url } => {
            let usage = RobotsTxt::parse(robots).usage(edition, agent, url);
            Expected::Usage(usage.ok().and_then(|usage| usage.preferences))
        }
        // No edition specifies them, so that no answer is wrong.
        Query::Scope { robots_url, url } => {
            Expected::Governs(scope(edition, robots_url, url).unwrap_or(Governs::Unspecified))
        }
        Query::Access { visits, agent, paths } => {
            let observed: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
            let access = access(edition, &observed);
            let ruling = |path: &str| access.ruling(edition, agent, path).unwrap_or(Ruling::Unspecified);
            Expected::Access(paths.iter().map(|path| (path.clone(), ruling(path))).collect())
        }
        Query::Grammar { text } => Expected::Derived(grammar::derives(edition, text)),
    }
}

/// Returns whether a text has only characters of a URI (RFC 3986, 2), or of an IRI. No edition says what a crawler makes of
/// `[` in a path, no more than of a `%` that starts no escape.
fn is_uri(url: &str) -> bool {
    let is_allowed = |byte: u8| match byte {
        b'[' | b']' => false,
        byte => !byte.is_ascii() || is_unreserved(byte) || is_reserved(byte) || byte == b'%',
    };
    UrlParts::split(url).path_and_query().bytes().all(is_allowed)
}

/// An edition expects nothing of a URL that it cannot read.
fn expect_ruling<E>(url: &str, ruling: Result<Ruling, E>) -> Expected {
    Expected::Ruling(ruling.ok().filter(|_| is_uri(url)).unwrap_or(Ruling::Unspecified))
}
