//! Variations of a match query: other names, other paths, other lines around its own.

use robotspec_cases::Query;
use robotspec_reference::UrlParts;
use robotspec_reference::bytes::escape;
use robotspec_reference::scan::Field;

use crate::minimise::draft::Draft;

/// Lines before and after a file. They change no verdict about the agents that the file names, unless its first or its last
/// byte matters.
const AROUND: [(&str, &str); 7] = [
    ("", ""),
    ("", "\nuser-agent: lanternfish\ndisallow: /ruins\n"),
    ("user-agent: lanternfish\ndisallow: /ruins\n\n", ""),
    ("", "\n# ruins\n"),
    ("# ruins and lanternfish\n", ""),
    ("", "\nUser-Agent: lanternfish\nDisallow: /ruins/\nAllow: /ruins/moss\n"),
    ("User-Agent: lanternfish\nDisallow: /ruins\nAllow: /ruins/moss\n\n# moss\n", ""),
];

/// The name in the hosts of scope queries.
const DOMAIN: &str = "example";

/// Returns the query with other letters in its names and paths, with another directory, and with other lines around its own.
/// A scope query gets another host. The meaning may change: the caller has to check it. The result is `None` for other kinds
/// of queries.
pub(crate) fn vary(query: &Query, number: usize) -> Option<Query> {
    if let Query::Scope { robots_url, url } = query {
        let varied = |url: &str| {
            let name = replace_letters(DOMAIN.as_bytes(), number);
            Some(url.replacen(DOMAIN, str::from_utf8(&name).ok()?, 1)).filter(|varied| varied != url)
        };
        return Some(Query::Scope { robots_url: varied(robots_url)?, url: varied(url)? });
    }
    let Query::Match { agent, url, .. } = query else { return None };
    let path = UrlParts::split(url).from_path();
    let origin = &url[..url.len() - path.len()];
    let draft = Draft::new(query)?;
    let (before, after) = AROUND[number % AROUND.len()];
    let mut lines = vec![before.as_bytes().to_vec()];
    lines.extend(draft.rewrite_values(|field, value| match field {
        Some(Field::UserAgent) => Some(replace_letters(value, number)),
        Some(Field::Rule(_)) => Some(vary_path(value, number)),
        _ => None,
    }));
    lines.push(after.as_bytes().to_vec());
    let agent = String::from_utf8(replace_letters(agent.as_bytes(), number)).ok()?;
    let path = String::from_utf8(vary_path(path.as_bytes(), number)).ok()?;
    Some(draft.with_all(&lines, agent, format!("{origin}{path}")))
}

/// Adds a directory in front of the path for each second number, and replaces the letters.
fn vary_path(path: &[u8], number: usize) -> Vec<u8> {
    let replaced = replace_letters(path, number);
    let has_directory = number.is_multiple_of(2) && path.starts_with(b"/") && path != b"/robots.txt";
    if has_directory { [b"/soil", &replaced[..]].concat() } else { replaced }
}

/// Replaces the letters outside escapes, the same letter always by the same one. What has a meaning of its own stays.
fn replace_letters(text: &[u8], number: usize) -> Vec<u8> {
    let mut replaced = text.to_vec();
    if text == b"/robots.txt" || text.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"adsbot")) {
        return replaced;
    }
    let shift = (1 + number % 25) as u8;
    let mut at = 0;
    while at < text.len() {
        if escape(&text[at..]).is_some() {
            at += 3;
            continue;
        }
        let start = if text[at].is_ascii_uppercase() { b'A' } else { b'a' };
        if text[at].is_ascii_alphabetic() {
            replaced[at] = start + (text[at] - start + shift) % 26;
        }
        at += 1;
    }
    replaced
}

#[cfg(test)]
#[path = "../../tests/unit/vary.rs"]
mod tests;
