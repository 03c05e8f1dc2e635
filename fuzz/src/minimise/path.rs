//! Passes over the paths of rules and the URL.

use robotspec_cases::Query;
use robotspec_reference::bytes::{escape, is_unreserved};
use robotspec_reference::scan::Field;

use super::draft::{Draft, is_agent, is_rule, path_of, ranges, value_of, with_value, without};

const PLAIN_ORIGIN: &str = "http://example.com";

/// Shortens the URL.
pub(super) fn shorten_url(draft: &Draft) -> Vec<Query> {
    let Some((agent, url)) = &draft.query else { return Vec::new() };
    let path = path_of(url);
    let mut urls = Vec::new();
    if !path.starts_with('/') {
        urls.push(format!("{PLAIN_ORIGIN}/{path}"));
    }
    urls.push(format!("{PLAIN_ORIGIN}{path}"));
    urls.extend(url.split_once('#').map(|(before, _)| before.to_owned()));
    urls.extend(url.split_once('?').map(|(before, _)| before.to_owned()));
    urls.extend(shorten_path(path.as_bytes()).map(|path| format!("{PLAIN_ORIGIN}{path}")));
    urls.into_iter().take_while(|_| !draft.is_exhausted()).map(|url| draft.with_query(agent, url)).collect()
}

/// Returns the path without a part. Its first slash, characters and escapes stay whole.
fn shorten_path(path: &[u8]) -> impl Iterator<Item = String> {
    ranges(path.len().saturating_sub(1)).filter_map(|range| {
        let shorter = without(path, range.start + 1..range.end + 1);
        let is_whole = |at: usize| shorter[at] != b'%' || escape(&shorter[at..]).is_some();
        let is_url = (0..shorter.len()).all(is_whole);
        String::from_utf8(shorter).ok().filter(|_| is_url)
    })
}

/// Shortens the values of rules and sitemaps.
pub(super) fn shorten_paths(draft: &Draft) -> Vec<Query> {
    shorten_values(draft, |field| !is_agent(field))
}

/// Shortens the values of some fields.
pub(super) fn shorten_values(draft: &Draft, is_shortened: fn(Option<Field>) -> bool) -> Vec<Query> {
    const MAX_LINES: usize = 100;
    let mut smaller = Vec::new();
    for (index, line) in draft.lines.iter().enumerate().take(MAX_LINES) {
        let Some(value) = value_of(line, is_shortened) else { continue };
        if value_of(line, is_rule).is_some() && value != b"/" {
            smaller.push(draft.with_line(index, with_value(line, b"/")));
        }
        let ranges = ranges(value.len()).take_while(|_| !draft.is_exhausted());
        let shorter = ranges.map(|range| with_value(line, &without(value, range)));
        smaller.extend(shorter.map(|line| draft.with_line(index, line)));
    }
    smaller
}

/// Removes a text that the URL and rules have in common.
pub(super) fn remove_common_text(draft: &Draft) -> Vec<Query> {
    const MAX_STARTS: usize = 200;
    let Some((agent, url)) = &draft.query else { return Vec::new() };
    let path = path_of(url).as_bytes();
    let mut smaller = Vec::new();
    for length in [1000, 100, 32, 8, 5, 3, 2, 1] {
        for start in 1..path.len().saturating_sub(length - 1).min(MAX_STARTS) {
            let text = &path[start..start + length];
            let lines = draft.rewrite_values(is_rule, |value| {
                let at = value.windows(length).position(|window| window == text);
                at.map_or_else(|| value.to_vec(), |at| without(value, at..at + length))
            });
            let Ok(shorter) = String::from_utf8(without(path, start..start + length)) else { continue };
            if lines != draft.lines {
                let url = format!("{PLAIN_ORIGIN}{shorter}");
                smaller.push(draft.with_all(lines, agent, url));
            }
            if draft.is_exhausted() {
                return smaller;
            }
        }
    }
    smaller
}

/// Replaces one letter by `a`, in rules and the URL alike.
pub(super) fn write_plain_letters(draft: &Draft) -> Vec<Query> {
    let Some((agent, url)) = &draft.query else { return Vec::new() };
    let path = path_of(url);
    // The digits of escapes must not be replaced.
    if path.contains('%') || draft.lines.iter().any(|line| line.contains(&b'%')) {
        return Vec::new();
    }
    let mut letters: Vec<u8> = path.bytes().filter(|byte| is_unreserved(*byte)).collect();
    let values = draft.lines.iter().filter_map(|line| value_of(line, is_rule)).flatten();
    letters.extend(values.copied().filter(u8::is_ascii_alphanumeric));
    letters.sort();
    letters.dedup();
    letters.retain(|&letter| letter != b'a');
    letters
        .into_iter()
        .take_while(|_| !draft.is_exhausted())
        .map(|letter| {
            let replace = |text: &[u8]| -> Vec<u8> {
                text.iter().map(|&byte| if byte == letter { b'a' } else { byte }).collect()
            };
            let lines = draft.rewrite_values(is_rule, replace);
            let path = path.replace(char::from(letter), "a");
            draft.with_all(lines, agent, format!("{PLAIN_ORIGIN}{path}"))
        })
        .collect()
}
