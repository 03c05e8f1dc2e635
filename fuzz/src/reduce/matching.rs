//! Files, agents and URLs, made smaller.

use std::sync::Arc;

use robotspec_reference::split_lines;

use crate::feature::path_of;
use robotspec_cases::Query;

/// What a request for matching, or for sitemaps, is made of.
#[derive(Clone)]
struct Parts {
    lines: Vec<Vec<u8>>,
    /// Nothing where it is about sitemaps.
    query: Option<(String, String)>,
}

impl Parts {
    fn of(request: &Query) -> Option<Self> {
        let (robots, query) = match request {
            Query::Match { robots, agent, url } => (robots, Some((agent.clone(), url.clone()))),
            Query::Sitemaps { robots } => (robots, None),
            _ => return None,
        };
        let starts: Vec<usize> = split_lines(robots).map(|line| line.start).collect();
        let ends = starts.iter().skip(1).copied().chain([robots.len()]);
        let lines = starts.iter().zip(ends).map(|(&start, end)| robots[start..end].to_vec()).collect();
        Some(Parts { lines, query })
    }

    fn query(self) -> Query {
        let robots = Arc::from(self.lines.concat());
        match self.query {
            Some((agent, url)) => Query::Match { robots, agent, url },
            None => Query::Sitemaps { robots },
        }
    }

    fn with_lines(&self, lines: Vec<Vec<u8>>) -> Query {
        Parts { lines, query: self.query.clone() }.query()
    }

    fn with_line(&self, index: usize, line: Vec<u8>) -> Query {
        let mut parts = self.clone();
        parts.lines[index] = line;
        parts.query()
    }

    fn with_url(&self, url: String) -> Option<Query> {
        let (agent, _) = self.query.clone()?;
        Some(Parts { lines: self.lines.clone(), query: Some((agent, url)) }.query())
    }
}

/// Into how many pieces a long text is cut at most; each is tried without.
const MOST_PIECES: usize = 64;

/// The ranges of a text that could go: halves, quarters, and so on down to single things.
fn ranges(length: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let sizes =
        std::iter::successors((length > 0).then_some(length), |size| (*size > 1).then(|| size.div_ceil(2)));
    sizes
        .filter(move |size| *size * MOST_PIECES >= length)
        .flat_map(move |size| (0..length).step_by(size).map(move |start| start..(start + size).min(length)))
}

fn without(text: &[u8], range: std::ops::Range<usize>) -> Vec<u8> {
    [&text[..range.start], &text[range.end..]].concat()
}

/// Without some lines.
pub(super) fn without_lines(request: &Query) -> Vec<Query> {
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    ranges(parts.lines.len())
        .map(|range| parts.with_lines([&parts.lines[..range.start], &parts.lines[range.end..]].concat()))
        .collect()
}

/// Without two lines that stand apart, such as a user-agent line and the rule that goes with it.
pub(super) fn without_pairs_of_lines(request: &Query) -> Vec<Query> {
    const MOST_LINES: usize = 16;
    let Some(parts) = Parts::of(request).filter(|parts| parts.lines.len() <= MOST_LINES) else {
        return Vec::new();
    };
    let count = parts.lines.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let mut lines = parts.lines.clone();
            lines.remove(b);
            lines.remove(a);
            parts.with_lines(lines)
        })
        .collect()
}

/// A line as its field and value, where it has a colon.
fn field_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = line.split(|&octet| octet == b'#').next().unwrap_or_default();
    let colon = text.iter().position(|&octet| octet == b':')?;
    Some((text[..colon].trim_ascii(), text[colon + 1..].trim_ascii()))
}

fn written(field: &[u8], value: &[u8]) -> Vec<u8> {
    let space: &[u8] = if value.is_empty() { b"" } else { b" " };
    [field, b":", space, value, b"\n"].concat()
}

/// Lines written the plain way: all of them, or one; in every respect, or in one.
pub(super) fn plain_lines(request: &Query) -> Vec<Query> {
    const MOST_LINES: usize = 200;
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    let mut smaller = Vec::new();
    if let Some(rest) = parts.lines.first().and_then(|line| line.strip_prefix(b"\xEF\xBB\xBF")) {
        smaller.push(parts.with_line(0, rest.to_vec()));
    }
    for write in PLAIN {
        let lines = parts.lines.iter().map(|line| write(line).unwrap_or_else(|| line.clone())).collect();
        smaller.push(parts.with_lines(lines));
    }
    for (index, line) in parts.lines.iter().enumerate().take(MOST_LINES) {
        smaller.extend(PLAIN.iter().filter_map(|write| Some(parts.with_line(index, write(line)?))));
    }
    smaller
}

/// A way to write a line, where it is not written so.
type Write = fn(&[u8]) -> Option<Vec<u8>>;

/// The ways to write a line plainly.
const PLAIN: &[Write] = &[
    |line| {
        let (field, value) = field_and_value(line)?;
        Some(written(&field.to_ascii_lowercase(), value))
    },
    |line| {
        let end = line.iter().position(|octet| matches!(octet, b'\r' | b'\n')).unwrap_or(line.len());
        (&line[end..] != b"\n").then(|| [&line[..end], b"\n"].concat())
    },
    |line| {
        let comment = line.iter().position(|&octet| octet == b'#')?;
        Some([line[..comment].trim_ascii_end(), b"\n"].concat())
    },
    |line| {
        let end = line.iter().position(|octet| matches!(octet, b'\r' | b'\n')).unwrap_or(line.len());
        let (text, end) = line.split_at(end);
        Some([text.trim_ascii(), end].concat())
    },
    |line| {
        let (field, _) = field_and_value(line)?;
        let mut line = line.to_vec();
        let at = line.windows(field.len().max(1)).position(|window| window == field)?;
        line[at..at + field.len()].make_ascii_lowercase();
        Some(line)
    },
    |line| {
        let colon = line.iter().position(|&octet| octet == b':')?;
        let rest = &line[colon + 1..];
        let rest = &rest[rest.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count()..];
        let space: &[u8] =
            if rest.first().is_none_or(|octet| matches!(octet, b'\r' | b'\n')) { b"" } else { b" " };
        Some([line[..colon].trim_ascii(), b":", space, rest].concat())
    },
];

/// Is it a line whose value names an agent?
fn names_agent(line: &[u8]) -> bool {
    field_and_value(line).is_some_and(|(field, _)| field.eq_ignore_ascii_case(b"user-agent"))
}

/// Short names for the agents, the same everywhere.
pub(super) fn plain_names(request: &Query) -> Vec<Query> {
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    let Some((agent, url)) = parts.query.clone() else { return Vec::new() };
    let token = |value: &[u8]| -> Vec<u8> {
        value
            .iter()
            .copied()
            .take_while(|octet| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_'))
            .collect()
    };
    let mut names: Vec<Vec<u8>> = vec![agent.clone().into_bytes()];
    names.extend(
        parts
            .lines
            .iter()
            .filter(|line| names_agent(line))
            .filter_map(|line| Some(token(field_and_value(line)?.1))),
    );
    names.sort_by_key(|name| name.to_ascii_lowercase());
    names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    let mut smaller = Vec::new();
    for name in names.iter().filter(|name| name.len() > 1) {
        // In whichever case it is written; or so that the cases stay apart.
        for [same_case, other_case] in [[&b"a"[..], b"a"], [b"a", b"A"], [b"b", b"b"]] {
            let renamed = |text: &[u8]| match text.get(..name.len()) {
                Some(start) if start == &name[..] => [same_case, &text[name.len()..]].concat(),
                Some(start) if start.eq_ignore_ascii_case(name) => [other_case, &text[name.len()..]].concat(),
                _ => text.to_vec(),
            };
            let lines = parts.lines.iter().map(|line| match field_and_value(line) {
                Some((_, value)) if names_agent(line) => with_value(line, value, &renamed(value)),
                _ => line.clone(),
            });
            let agent = String::from_utf8_lossy(&renamed(agent.as_bytes())).into_owned();
            smaller.push(Parts { lines: lines.collect(), query: Some((agent, url.clone())) }.query());
        }
    }
    if agent != "a" {
        smaller.push(Parts { query: Some(("a".to_owned(), url)), ..parts.clone() }.query());
    }
    for (index, line) in parts.lines.iter().enumerate().filter(|(_, line)| names_agent(line)) {
        let value = field_and_value(line).map_or(&b""[..], |(_, value)| value);
        if value != b"*" {
            smaller.push(parts.with_line(index, with_value(line, value, b"*")));
        }
    }
    smaller
}

/// The line with another value in the place of this one, which is a part of it.
fn with_value(line: &[u8], value: &[u8], other: &[u8]) -> Vec<u8> {
    let colon = line.iter().position(|&octet| octet == b':').unwrap_or(0);
    let found = line[colon..].windows(value.len().max(1)).position(|window| window == value);
    let Some(at) = found.map(|at| colon + at) else { return line.to_vec() };
    [&line[..at], other, &line[at + value.len()..]].concat()
}

const PLAIN_ORIGIN: &str = "http://example.com";

/// A shorter URL.
pub(super) fn short_url(request: &Query) -> Vec<Query> {
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    let Some((_, url)) = &parts.query else { return Vec::new() };
    let path = path_of(url);
    let mut urls = Vec::new();
    if !path.starts_with('/') {
        urls.push(format!("{PLAIN_ORIGIN}/{path}"));
    }
    urls.push(format!("{PLAIN_ORIGIN}{path}"));
    urls.extend(url.split_once('#').map(|(before, _)| before.to_owned()));
    urls.extend(url.split_once('?').map(|(before, _)| before.to_owned()));
    urls.extend(shorter(path.as_bytes()).map(|path| format!("{PLAIN_ORIGIN}{path}")));
    urls.into_iter().filter_map(|url| parts.with_url(url)).collect()
}

/// A path with a part left out, never its first slash, nor a part of an escape or a character.
fn shorter(path: &[u8]) -> impl Iterator<Item = String> {
    ranges(path.len().saturating_sub(1)).filter_map(|range| {
        let shorter = without(path, range.start + 1..range.end + 1);
        let is_url = !shorter
            .windows(3)
            .any(|w| w[0] == b'%' && !(w[1].is_ascii_hexdigit() && w[2].is_ascii_hexdigit()))
            && !shorter[shorter.len().saturating_sub(2)..].contains(&b'%');
        String::from_utf8(shorter).ok().filter(|_| is_url)
    })
}

fn is_rule(line: &[u8]) -> bool {
    field_and_value(line).is_some_and(|(field, _)| {
        field.eq_ignore_ascii_case(b"allow") || field.eq_ignore_ascii_case(b"disallow")
    })
}

/// Shorter values of rules and sitemaps.
pub(super) fn short_paths(request: &Query) -> Vec<Query> {
    short_values(request, |line| !names_agent(line))
}

/// Shorter values of user-agent lines, and a shorter name of the agent that asks.
pub(super) fn short_names(request: &Query) -> Vec<Query> {
    let mut smaller = short_values(request, names_agent);
    if let Some(parts) = Parts::of(request)
        && let Some((agent, url)) = &parts.query
    {
        smaller.extend(ranges(agent.len()).filter(|range| range.len() < agent.len()).map(|range| {
            let agent = String::from_utf8_lossy(&without(agent.as_bytes(), range)).into_owned();
            Parts { lines: parts.lines.clone(), query: Some((agent, url.clone())) }.query()
        }));
    }
    smaller
}

fn short_values(request: &Query, which: fn(&[u8]) -> bool) -> Vec<Query> {
    const MOST_LINES: usize = 100;
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    let mut smaller = Vec::new();
    for (index, line) in parts.lines.iter().enumerate().take(MOST_LINES) {
        let Some((_, value)) = field_and_value(line).filter(|_| which(line)) else { continue };
        if is_rule(line) && value != b"/" {
            smaller.push(parts.with_line(index, with_value(line, value, b"/")));
        }
        smaller.extend(
            ranges(value.len())
                .map(|range| parts.with_line(index, with_value(line, value, &without(value, range)))),
        );
    }
    smaller
}

/// Without a text that the URL and rules have in common.
pub(super) fn without_common_text(request: &Query) -> Vec<Query> {
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    let Some((agent, url)) = parts.query.clone() else { return Vec::new() };
    let path = path_of(&url).as_bytes().to_vec();
    let mut smaller = Vec::new();
    for length in [1000, 100, 32, 8, 5, 3, 2, 1] {
        for start in 1..path.len().saturating_sub(length - 1).min(200) {
            let text = &path[start..start + length];
            let lines: Vec<Vec<u8>> = parts
                .lines
                .iter()
                .map(|line| match field_and_value(line) {
                    Some((_, value)) if is_rule(line) => {
                        let at = value.windows(length).position(|window| window == text);
                        at.map_or_else(
                            || line.clone(),
                            |at| with_value(line, value, &without(value, at..at + length)),
                        )
                    }
                    _ => line.clone(),
                })
                .collect();
            let Ok(shorter) = String::from_utf8(without(&path, start..start + length)) else { continue };
            if lines != parts.lines {
                let url = format!("{PLAIN_ORIGIN}{shorter}");
                smaller.push(Parts { lines, query: Some((agent.clone(), url)) }.query());
            }
        }
    }
    smaller
}

/// One letter in the place of another, in rules and URL alike.
pub(super) fn plain_letters(request: &Query) -> Vec<Query> {
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    let Some((agent, url)) = parts.query.clone() else { return Vec::new() };
    let path = path_of(&url);
    // Two hexadecimal digits are no letters; an escape has to stay what it is.
    if path.contains('%') || parts.lines.iter().any(|line| line.contains(&b'%')) {
        return Vec::new();
    }
    let mut letters: Vec<u8> =
        path.bytes().filter(|octet| octet.is_ascii_alphanumeric() || b"-~._".contains(octet)).collect();
    letters.extend(
        parts
            .lines
            .iter()
            .filter(|line| is_rule(line))
            .filter_map(|line| field_and_value(line))
            .flat_map(|(_, value)| value.iter().copied().filter(u8::is_ascii_alphanumeric)),
    );
    letters.sort();
    letters.dedup();
    letters
        .into_iter()
        .filter(|&letter| letter != b'a')
        .map(|letter| {
            let plain = |text: &[u8]| -> Vec<u8> {
                text.iter().map(|&octet| if octet == letter { b'a' } else { octet }).collect()
            };
            let lines = parts.lines.iter().map(|line| match field_and_value(line) {
                Some((_, value)) if is_rule(line) => with_value(line, value, &plain(value)),
                _ => line.clone(),
            });
            let path = String::from_utf8_lossy(&plain(path.as_bytes())).into_owned();
            Parts { lines: lines.collect(), query: Some((agent.clone(), format!("{PLAIN_ORIGIN}{path}"))) }
                .query()
        })
        .collect()
}

/// Lines that are no records, with less in them.
pub(super) fn short_noise(request: &Query) -> Vec<Query> {
    const MOST_LINES: usize = 100;
    let Some(parts) = Parts::of(request) else { return Vec::new() };
    let mut smaller = Vec::new();
    for (index, line) in parts.lines.iter().enumerate().take(MOST_LINES) {
        let text = line.len() - usize::from(line.ends_with(b"\n"));
        let is_record = field_and_value(line).is_some_and(|(field, _)| {
            is_rule(line) || names_agent(line) || field.eq_ignore_ascii_case(b"sitemap")
        });
        let from = match line.iter().position(|&octet| octet == b'#') {
            Some(comment) => comment + 1,
            None if is_record => continue,
            None => 0,
        };
        smaller.extend(
            ranges(text.saturating_sub(from))
                .map(|range| parts.with_line(index, without(line, from + range.start..from + range.end))),
        );
    }
    smaller
}
