//! Passes over the URLs of scope queries.

use robotspec_cases::Query;
use robotspec_reference::UrlParts;

/// Gives the URLs plainer parts: both at once, then each alone.
pub(super) fn write_plain_urls(query: &Query) -> Vec<Query> {
    let Query::Scope { robots_url, url } = query else { return Vec::new() };
    let mut smaller = Vec::new();
    for write in [with_plain_scheme, with_plain_host, without_port, with_plain_path] {
        let write = |url: &str| write(url).unwrap_or_else(|| url.to_owned());
        let (plain_robots_url, plain_url) = (write(robots_url), write(url));
        smaller.extend(
            [(&plain_robots_url, &plain_url), (&plain_robots_url, url), (robots_url, &plain_url)]
                .map(|(robots_url, url)| Query::Scope { robots_url: robots_url.clone(), url: url.clone() }),
        );
    }
    smaller
}

fn with_plain_scheme(url: &str) -> Option<String> {
    url.split_once("://").map(|(_, rest)| format!("http://{rest}"))
}

fn with_plain_host(url: &str) -> Option<String> {
    let parts = UrlParts::split(url);
    let port = parts.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}://example.com{port}{}", parts.scheme()?, parts.from_path()))
}

fn without_port(url: &str) -> Option<String> {
    let parts = UrlParts::split(url);
    Some(format!("{}://{}{}", parts.scheme()?, parts.host()?, parts.from_path()))
}

/// The path of a robots.txt stays the path of a robots.txt.
fn with_plain_path(url: &str) -> Option<String> {
    let path = if url.contains("robots") { "/robots.txt" } else { "/" };
    let parts = UrlParts::split(url);
    Some(format!("{}://{}{path}", parts.scheme()?, parts.authority()?))
}
