//! URLs.

use super::Change::{self, Url};

pub(super) const MISTAKES: &[(&str, Change)] = &[
    (
        "a scheme in capitals",
        Url(|url| if url.starts_with("HTTP") { "http://example.com/".to_owned() } else { url.to_owned() }),
    ),
    (
        "user information is the host",
        Url(|url| match url.split_once('@') {
            Some((_, rest)) => format!("http://{rest}"),
            None => url.to_owned(),
        }),
    ),
    (
        "user information is the path",
        Url(|url| match url.split_once("://").filter(|(_, rest)| authority(rest).contains('@')) {
            Some((_, rest)) => format!("http://example.com/{rest}"),
            None => url.to_owned(),
        }),
    ),
    (
        "a port is a part of the path",
        Url(|url| match url.split_once("://").and_then(|(_, rest)| rest.split_once(':')) {
            Some((host, rest)) if !host.contains('/') && !host.starts_with('[') => {
                format!("http://{host}/{rest}")
            }
            _ => url.to_owned(),
        }),
    ),
    (
        "the last colon is before a port",
        Url(|url| match url.rsplit_once(':') {
            Some((start, rest)) if start.contains("://") && start[8..].contains('/') => {
                format!("{start}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()))
            }
            _ => url.to_owned(),
        }),
    ),
    (
        "an address in brackets",
        Url(|url| if url.contains("://[") { "http://example.com/".to_owned() } else { url.to_owned() }),
    ),
    (
        "an empty port",
        Url(|url| {
            if url.contains(":/")
                && url.matches(":/").count() > 1
                && authority(&url[url.find("://").map_or(0, |at| at + 3)..]).ends_with(':')
            {
                "http://example.com/".to_owned()
            } else {
                url.to_owned()
            }
        }),
    ),
    ("drops an empty query", Url(|url| url.strip_suffix('?').unwrap_or(url).to_owned())),
    ("drops an empty query before a fragment", Url(|url| url.replace("?#", "#"))),
    (
        "drops parameters",
        Url(|url| match url.split_once(';') {
            Some((path, rest)) => format!("{path}{}", rest.find('?').map_or("", |at| &rest[at..])),
            None => url.to_owned(),
        }),
    ),
    ("drops empty parameters", Url(|url| url.strip_suffix(';').unwrap_or(url).replace(";?", "?"))),
    ("an escaped backslash is a slash", Url(|url| url.replace("%5C", "/"))),
    (
        "two slashes start a host",
        Url(|url| match url.split_once("://").and_then(|(_, rest)| rest.split_once("//")) {
            Some((host, rest)) if !host.contains('/') => format!("http://{rest}"),
            _ => url.to_owned(),
        }),
    ),
    (
        "a query in a fragment",
        Url(|url| match url.split_once('#') {
            Some((start, fragment)) if fragment.contains('?') => {
                format!("{start}?{}", fragment.split_once('?').map_or("", |(_, query)| query))
            }
            _ => url.to_owned(),
        }),
    ),
    (
        "a URL in a query",
        Url(|url| match url.rsplit_once("://") {
            Some((start, rest)) if start.contains("://") => format!("http://{rest}"),
            _ => url.to_owned(),
        }),
    ),
    (
        "a second question mark",
        Url(|url| match url.rsplit_once('?') {
            Some((start, _)) if start.contains('?') => start.to_owned(),
            _ => url.to_owned(),
        }),
    ),
    ("a plus in a URL is a space", Url(|url| url.replace('+', "%20"))),
    ("a space in a URL is a plus", Url(|url| url.replace("%20", "+"))),
    (
        "no path before a query",
        Url(|url| match url.split_once('?') {
            Some((start, _)) if start.matches('/').count() == 2 => start.to_owned(),
            _ => url.to_owned(),
        }),
    ),
    (
        "a slash at the end",
        Url(|url| match url.strip_suffix('/') {
            Some(start) if start.matches('/').count() > 2 => start.to_owned(),
            _ => url.to_owned(),
        }),
    ),
    (
        "adds a slash to a folder",
        Url(|url| match url.rsplit_once('/') {
            Some((_, "b")) => format!("{url}/"),
            _ => url.to_owned(),
        }),
    ),
    ("an index page", Url(|url| url.strip_suffix("index.html").unwrap_or(url).to_owned())),
    ("an escaped tilde", Url(|url| url.replace("%7E", "%257E").replace("%7e", "%257E"))),
];

/// Returns the authority of a URL without its scheme.
fn authority(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}
