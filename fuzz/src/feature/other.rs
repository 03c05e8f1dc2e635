//! What pairs of URLs and visits bring into play.

use super::Features;
use robotspec_cases::TimedVisit;

pub(super) fn of_scope(features: &mut Features, robots_url: &str, url: &str) {
    features.add("S-origin");
    let (robots, page) = (parts(robots_url), parts(url));
    let file = robots.path;
    if !file.ends_with("/robots.txt") {
        features.add("S-name");
    } else if file != "/robots.txt" {
        features.add("S-root");
    }
    for parts in [&robots, &page] {
        if !parts.host.is_ascii() || parts.host.contains("xn--") {
            features.add("S-idn");
        }
        if parts.host.starts_with('[') || parts.host.starts_with(|c: char| c.is_ascii_digit()) {
            features.add("S-ip");
        }
        if parts.scheme == "ftp" {
            features.add("S-ftp");
        }
    }
    if robots.port.is_some() != page.port.is_some() {
        features.add("S-default-port");
    }
    if robots.host.ends_with(page.host) != page.host.ends_with(robots.host) {
        features.add("S-subdomain");
    }
}

struct Parts<'u> {
    scheme: &'u str,
    host: &'u str,
    port: Option<&'u str>,
    path: &'u str,
}

fn parts(url: &str) -> Parts<'_> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let port = authority.rfind(':').filter(|&colon| !authority[colon..].contains(']'));
    let (host, port) = match port {
        Some(colon) => (&authority[..colon], Some(&authority[colon + 1..])),
        None => (authority, None),
    };
    Parts { scheme, host, port, path }
}

pub(super) fn of_visits(features: &mut Features, visits: &[TimedVisit]) {
    use robotspec_mock_server::{Body, Location};
    const DAY: u64 = 24 * 60 * 60;
    for visit in visits {
        let response = &visit.visit.response;
        if response.fault.is_some() {
            features.add("H-failure");
        }
        if matches!(response.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            features.add("H-html-redirect");
        }
        if visit.visit.location == Location::Disallowed && !visit.visit.hops.is_empty() {
            features.add("H-3xx-disallowed");
        }
        match visit.visit.hops.len() {
            0 => {}
            1..=5 => features.add("H-3xx"),
            _ => features.add("H-3xx-many"),
        }
        if response.missing_pages >= 500 {
            features.add("H-5xx-as-404");
        }
        if response.headers.keys().any(|name| name.eq_ignore_ascii_case("cache-control")) {
            features.add("C-max-age");
        }
        // One of a class too, where an edition does not set it apart.
        match response.status {
            503 => features.add("H-503"),
            429 => features.add("H-429"),
            _ => {}
        }
        match response.status {
            500..=599 => features.add("H-5xx"),
            400..=499 => features.add("H-4xx"),
            _ => features.add("H-2xx"),
        }
    }
    if let [first, .., last] = visits {
        features.add("C-24h");
        if last.at - first.at > DAY {
            features.add("C-longer");
        }
        if last.at - first.at > 30 * DAY {
            features.add("H-30-days");
        }
    }
}
