//! Passes over the URLs of scope queries, and over the visits of access queries.

use robotspec_cases::visit::Visit;
use robotspec_cases::{Query, TimedVisit, paths};
use robotspec_reference::UrlParts;

/// The parts of a URL: scheme, host, port and path.
const PARTS: usize = 4;

/// Gives the URLs plainer parts: both at once, then each alone.
pub(super) fn write_plain_urls(query: &Query) -> Vec<Query> {
    let Query::Scope { robots_url, url } = query else { return Vec::new() };
    let plainer = |part: usize| {
        let [plain_robots_url, plain_url] =
            [robots_url, url].map(|url| with_plain_part(url, part).unwrap_or_else(|| url.clone()));
        [(&plain_robots_url, &plain_url), (&plain_robots_url, url), (robots_url, &plain_url)]
            .map(|(robots_url, url)| Query::Scope { robots_url: robots_url.clone(), url: url.clone() })
    };
    (0..PARTS).flat_map(plainer).collect()
}

/// Returns the URL with one part written plainly. The path of a robots.txt stays the path of a robots.txt.
fn with_plain_part(url: &str, part: usize) -> Option<String> {
    let parts = UrlParts::split(url);
    let port = parts.port().map(|port| format!(":{port}")).unwrap_or_default();
    let mut written = [parts.scheme()?, parts.host()?, &port, parts.from_path()];
    let plain_path = if url.contains("robots") { "/robots.txt" } else { "/" };
    written[part] = ["http", "example.com", "", plain_path][part];
    let [scheme, host, port, path] = written;
    Some(format!("{scheme}://{host}{port}{path}"))
}

/// Removes visits, and makes them plainer.
pub(super) fn simplify_visits(query: &Query) -> Vec<Query> {
    let Query::Access { visits, agent, .. } = query else { return Vec::new() };
    let with = |visits: Vec<TimedVisit>| Query::Access {
        paths: paths(&visits).into(),
        visits: visits.into(),
        agent: agent.clone(),
    };
    let mut smaller = Vec::new();
    if let [first, ..] = &visits[..]
        && first.at > 0
    {
        let start = first.at;
        let earlier = |visit: &TimedVisit| TimedVisit { at: visit.at - start, ..visit.clone() };
        smaller.push(with(visits.iter().map(earlier).collect()));
    }
    for index in 0..visits.len() {
        let mut fewer = visits.to_vec();
        fewer.remove(index);
        if !fewer.is_empty() {
            smaller.push(with(fewer));
        }
    }
    let plainer: [fn(&mut TimedVisit); 7] = [
        |visit| visit.visit = Visit::default(),
        |visit| visit.visit.hops.clear(),
        |visit| visit.visit.hops.truncate(1),
        |visit| visit.visit.response.fault = None,
        |visit| visit.visit.response.headers.clear(),
        |visit| visit.visit.response.missing_pages = 404,
        |visit| visit.site_answers = true,
    ];
    for index in 0..visits.len() {
        for write in plainer {
            let mut plainer = visits.to_vec();
            write(&mut plainer[index]);
            smaller.push(with(plainer));
        }
    }
    smaller
}
