//! Variations of a match query: other names, other paths, other lines around its own.

use robotspec_cases::Query;
use robotspec_reference::bytes::{escape, is_token_byte};
use robotspec_reference::scan::Field;
use robotspec_reference::{UrlParts, split_lines};

use super::layout::{Room, surround};
use super::words;

/// Returns the query with other names and paths, and with other lines around its own. Queries with different numbers
/// differ. The meaning may change: the caller has to check it. The result is `None` for other kinds of queries, and for
/// files that cannot be varied.
pub(crate) fn vary(query: &Query, number: usize) -> Option<Query> {
    let Query::Match { robots, agent, url } = query else { return None };
    let names = Names::of(robots, agent);
    let path = UrlParts::split(url).from_path();
    let origin = &url[..url.len() - path.len()];
    let mut file = Vec::with_capacity(robots.len() + 200);
    for line in split_lines(robots) {
        let parts = line.parts();
        let value = parts.value.text;
        let varied = match parts.known_field() {
            Some(Field::UserAgent) => names.rename(value, number),
            Some(Field::Rule(_)) => vary_path(value, number),
            _ => value.to_vec(),
        };
        file.extend_from_slice(&robots[line.start..parts.value.start]);
        file.extend(varied);
        file.extend_from_slice(&robots[parts.value.span().end..line.span().end]);
    }
    let frame = surround("\0", Room::Everywhere, number);
    let frame = frame.replace("{c}", words::agent(number + 17)).replace("{r}", words::path(number + 19));
    let (before, after) = frame.split_once('\0')?;
    let agent = String::from_utf8(names.rename(agent.as_bytes(), number)).ok()?;
    let path = String::from_utf8(vary_path(path.as_bytes(), number)).ok()?;
    Some(Query::Match {
        robots: [before.as_bytes(), &file, after.as_bytes()].concat().into(),
        agent,
        url: format!("{origin}{path}"),
    })
}

/// The names of agents in a query, in small letters. None is the start of another one.
struct Names(Vec<Vec<u8>>);

impl Names {
    fn of(robots: &[u8], agent: &str) -> Names {
        let parts = split_lines(robots).map(|line| line.parts());
        let values = parts.filter(|parts| parts.known_field() == Some(Field::UserAgent));
        let values = values.map(|parts| parts.value.text).chain([agent.as_bytes()]);
        let token = |value: &[u8]| -> Vec<u8> {
            value.iter().take_while(|byte| is_token_byte(**byte)).map(u8::to_ascii_lowercase).collect()
        };
        let mut names: Vec<Vec<u8>> = values.map(token).filter(|name| !name.is_empty()).collect();
        names.sort();
        // After sorting, a name stands behind the names that it starts with.
        names.dedup_by(|name, start| name.starts_with(start));
        Names(names)
    }

    /// Replaces the name at the start of a value, in its letter case. An AdsBot crawler keeps its name.
    fn rename(&self, value: &[u8], number: usize) -> Vec<u8> {
        let lower = value.to_ascii_lowercase();
        let place = self.0.iter().position(|name| lower.starts_with(name));
        let Some(place) = place.filter(|_| !lower.starts_with(b"adsbot")) else { return value.to_vec() };
        let (name, rest) = value.split_at(self.0[place].len());
        let word = words::agent(number + place);
        let word = match name.first() {
            Some(byte) if byte.is_ascii_uppercase() => words::capitalised(word),
            _ => word.to_owned(),
        };
        [word.as_bytes(), rest].concat()
    }
}

/// Adds a directory in front of the path, or replaces its letters.
fn vary_path(path: &[u8], number: usize) -> Vec<u8> {
    if number.is_multiple_of(2) && path.starts_with(b"/") && path != b"/robots.txt" {
        return [b"/", words::path(number).as_bytes(), path].concat();
    }
    if path == b"/robots.txt" { path.to_vec() } else { replace_letters(path, number) }
}

/// Replaces the letters outside escapes, the same letter always by the same one.
fn replace_letters(path: &[u8], number: usize) -> Vec<u8> {
    let shift = (1 + number % 25) as u8;
    let mut replaced = path.to_vec();
    let mut at = 0;
    while at < path.len() {
        if escape(&path[at..]).is_some() {
            at += 3;
            continue;
        }
        let start = if path[at].is_ascii_uppercase() { b'A' } else { b'a' };
        if path[at].is_ascii_alphabetic() {
            replaced[at] = start + (path[at] - start + shift) % 26;
        }
        at += 1;
    }
    replaced
}
