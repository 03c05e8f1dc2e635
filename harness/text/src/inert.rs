//! Lines that a CI system only logs.
//!
//! A CI system reads what a job prints, and obeys some lines: GitHub those that begin with `::`, possibly after spaces,
//! and those that contain `##[`; Azure Pipelines and TeamCity those with `##vso[` and `##teamcity[`. A foreign text must
//! not become such a line.

use std::borrow::Cow;

/// `#`, as an escape for people.
pub(crate) const HASH: &str = r"\u{23}";

/// Returns a line that no CI system obeys: one character of a command is an escape such as `\u{3a}`.
pub fn inert_line(line: &str) -> Cow<'_, str> {
    let text = line.trim_start();
    match text.strip_prefix("::") {
        Some(rest) => {
            let indentation = &line[..line.len() - text.len()];
            Cow::Owned(format!("{indentation}\\u{{3a}}:{}", escape_hash(rest, HASH)))
        }
        None => escape_hash(line, HASH),
    }
}

/// Returns a JSON text with the same value that no CI system obeys. No line of JSON begins with `::`.
pub fn inert_json(json: &str) -> Cow<'_, str> {
    escape_hash(json, r"\u0023")
}

/// Returns a text in which the second `#` of `##[` and of `##name[` is an escape.
pub(crate) fn escape_hash<'t>(text: &'t str, escape: &str) -> Cow<'t, str> {
    let mut escaped = String::new();
    let mut done = 0;
    for (bracket, _) in text.match_indices('[') {
        let before = text[..bracket].trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if before.ends_with("##") {
            escaped += &text[done..before.len() - 1];
            escaped += escape;
            done = before.len();
        }
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(escaped + &text[done..]) }
}
