//! Passes over the names of agents.

use robotspec_cases::Query;
use robotspec_reference::bytes::is_token_byte;

use super::draft::{Draft, is_agent, ranges, value_of, with_value, without};
use super::path::shorten_values;

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
            let lines = draft.rewrite_values(is_agent, rename);
            smaller.push(draft.with_all(lines, agent, url));
        }
    }
    if agent != "a" {
        smaller.push(draft.with_query("a", url));
    }
    let other_lines = agent_lines().filter(|(_, _, value)| *value != b"*");
    let other_lines = other_lines.take_while(|_| !draft.is_exhausted());
    smaller.extend(other_lines.map(|(index, line, _)| draft.with_line(index, with_value(line, b"*"))));
    smaller
}

/// Shortens the values of user-agent lines, and the agent of the query.
pub(super) fn shorten_names(draft: &Draft) -> Vec<Query> {
    let mut smaller = shorten_values(draft, is_agent);
    if let Some((agent, url)) = &draft.query {
        let ranges = ranges(agent.len()).take_while(|_| !draft.is_exhausted());
        let shorter = ranges.map(|range| without(agent.as_bytes(), range));
        // White space alone names no crawler.
        let shorter = shorter.filter(|agent| agent.iter().any(|byte| is_token_byte(*byte)));
        smaller.extend(shorter.map(|agent| draft.with_query(String::from_utf8_lossy(&agent), url)));
    }
    smaller
}
