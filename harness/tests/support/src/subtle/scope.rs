//! Which robots.txt governs a URL.

use super::Change::{self, Authorities, Scope};

pub(super) const MISTAKES: &[(&str, Change)] = &[
    (
        "a scheme in capitals is another",
        Scope(|url| match url.starts_with("HTTP") {
            true => url.replacen("HTTP", "ftp", 1),
            false => url.to_owned(),
        }),
    ),
    (
        "an empty port is another",
        Scope(|url| match authority(url).strip_suffix(':') {
            Some(host) => url.replacen(&format!("{host}:"), &format!("{host}:81"), 1),
            None => url.to_owned(),
        }),
    ),
    (
        "ports that start alike",
        Authorities(|robots, url| starts_alike(robots, url) && robots.contains(':') && url.contains(':')),
    ),
    (
        "hosts that start alike",
        Authorities(|robots, url| {
            url.strip_prefix(robots).is_some_and(|rest| rest.starts_with('.')) && !robots.starts_with('[')
        }),
    ),
    (
        "hosts that end alike",
        Authorities(|robots, url| {
            url.len() > robots.len() && url.ends_with(robots) && !url.ends_with(&format!(".{robots}"))
        }),
    ),
    (
        "user information is the host",
        Scope(|url| match authority(url).split_once('@') {
            Some((user, host)) => url.replacen(&format!("{user}@{host}"), user, 1),
            None => url.to_owned(),
        }),
    ),
    (
        "user information is another host",
        Authorities(|robots, url| robots.contains('@') && url.split('@').next() == robots.split('@').next()),
    ),
    (
        "no path is another host",
        Scope(|url| match url.matches('/').count() {
            2 => url.replacen("://", "://x.", 1),
            _ => url.to_owned(),
        }),
    ),
    (
        "two slashes in a path start a host",
        Scope(|url| {
            match url.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.split_once("//")?))) {
                Some((scheme, (_, rest))) => format!("{scheme}://{rest}"),
                None => url.to_owned(),
            }
        }),
    ),
    ("www is no host", Scope(|url| url.replacen("://www.", "://", 1))),
    ("any default port", Scope(|url| url.replacen(":443/", "/", 1))),
    (
        "addresses start alike",
        Authorities(|robots, url| {
            robots.starts_with('[')
                && url.starts_with('[')
                && robots[..6.min(robots.len())] == url[..6.min(url.len())]
        }),
    ),
];

/// Returns the authority of a URL.
pub(super) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

fn starts_alike(a: &str, b: &str) -> bool {
    a.starts_with(b) || b.starts_with(a)
}
