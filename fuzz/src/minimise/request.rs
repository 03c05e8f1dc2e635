//! Passes over the agent and the URL of a query, together with the names and paths of the file.

use std::collections::BTreeSet;

use robotspec_cases::Query;
use robotspec_reference::UrlParts;
use robotspec_reference::bytes::{escape, is_token_byte, is_unreserved};

use super::draft::{Draft, is_agent, is_rule, ranges, value_of, with_value, without};

const PLAIN_ORIGIN: &str = "http://example.com";

/// Returns the path of a URL and what follows it.
fn path_of(url: &str) -> &str {
    UrlParts::split(url).from_path()
}

/// Gives the agents short names, the same name everywhere.
pub(super) fn write_plain_names(draft: &Draft) -> Vec<Query> {
    let Some((agent, url)) = &draft.query else { return Vec::new() };
    let agent_lines = || {
        let lines = draft.lines.iter().enumerate();
        lines.filter_map(|(index, line)| Some((index, line, value_of(line, is_agent)?)))
    };
    let token = |value: &[u8]| value.iter().copied().take_while(|byte| is_token_byte(*byte)).collect();
    let mut names: Vec<Vec<u8>> = vec![agent.clone().into_bytes()];
    names.extend(agent_lines().map(|(_, _, value)| token(value)));
    names.sort_by_key(|name| name.to_ascii_lowercase());
    names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    let mut smaller = Vec::new();
    let names = names.iter().filter(|name| name.len() > 1);
    for name in names.take_while(|_| !draft.is_exhausted()) {
        // The same name in every letter case, and one that keeps the difference in case.
        for [same_case, other_case] in [["a", "a"], ["a", "A"], ["b", "b"]] {
            let rename = |text: &[u8]| match text.get(..name.len()) {
                Some(start) if start == &name[..] => [same_case.as_bytes(), &text[name.len()..]].concat(),
                Some(start) if start.eq_ignore_ascii_case(name) => {
                    [other_case.as_bytes(), &text[name.len()..]].concat()
                }
                _ => text.to_vec(),
            };
            let agent = String::from_utf8_lossy(&rename(agent.as_bytes())).into_owned();
            let lines = draft.rewrite_values(|field, value| is_agent(field).then(|| rename(value)));
            smaller.push(draft.with_all(&lines, agent, url));
        }
    }
    if agent != "a" {
        smaller.push(draft.with_all(&draft.lines, "a", url));
    }
    let other_lines = agent_lines().filter(|(_, _, value)| *value != b"*");
    let other_lines = other_lines.take_while(|_| !draft.is_exhausted());
    smaller.extend(other_lines.map(|(index, line, _)| draft.with_line(index, with_value(line, b"*"))));
    smaller
}

/// Shortens the URL and the agent.
pub(super) fn shorten_query(draft: &Draft) -> Vec<Query> {
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
    let agents = ranges(agent.len()).map(|range| without(agent.as_bytes(), range));
    // White space alone names no crawler.
    let agents = agents.filter(|agent| agent.iter().any(|byte| is_token_byte(*byte)));
    let agents = agents.map(|agent| (String::from_utf8_lossy(&agent).into_owned(), url.clone()));
    let queries = urls.into_iter().map(|url| (agent.clone(), url)).chain(agents);
    queries
        .take_while(|_| !draft.is_exhausted())
        .map(|(agent, url)| draft.with_all(&draft.lines, agent, url))
        .collect()
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

/// Removes a text that the URL and rules have in common.
pub(super) fn remove_common_text(draft: &Draft) -> Vec<Query> {
    const MAX_STARTS: usize = 200;
    // Several lengths are multiples of 6: escaped characters outside ASCII often have two escapes.
    const LENGTHS: [usize; 8] = [996, 102, 36, 12, 6, 3, 2, 1];
    let Some((agent, url)) = &draft.query else { return Vec::new() };
    let path = path_of(url).as_bytes();
    let mut smaller = Vec::new();
    for length in LENGTHS {
        for start in 1..path.len().saturating_sub(length - 1).min(MAX_STARTS) {
            let text = &path[start..start + length];
            let lines = draft.rewrite_values(|field, value| {
                let at = value.windows(length).position(|window| window == text && is_rule(field))?;
                Some(without(value, at..at + length))
            });
            let Ok(shorter) = String::from_utf8(without(path, start..start + length)) else { continue };
            if lines != draft.lines {
                let url = format!("{PLAIN_ORIGIN}{shorter}");
                smaller.push(draft.with_all(&lines, agent, url));
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
    let mut letters: BTreeSet<u8> = path.bytes().filter(|byte| is_unreserved(*byte)).collect();
    let values = draft.lines.iter().filter_map(|line| value_of(line, is_rule)).flatten();
    letters.extend(values.copied().filter(u8::is_ascii_alphanumeric));
    letters.remove(&b'a');
    letters
        .into_iter()
        .take_while(|_| !draft.is_exhausted())
        .map(|letter| {
            let replace = |text: &[u8]| -> Vec<u8> {
                text.iter().map(|&byte| if byte == letter { b'a' } else { byte }).collect()
            };
            let lines = draft.rewrite_values(|field, value| is_rule(field).then(|| replace(value)));
            let path = path.replace(char::from(letter), "a");
            draft.with_all(&lines, agent, format!("{PLAIN_ORIGIN}{path}"))
        })
        .collect()
}
