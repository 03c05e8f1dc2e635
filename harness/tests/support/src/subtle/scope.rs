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
