//! Encodings and characters.

use super::Change::{self, Agent, File, Rules};
use super::count::lines;
use crate::faulty::parser::Rule;

pub(super) const MISTAKES: &[(&str, Change)] = &[
    ("characters of four bytes", Rules(|rules| replace(rules, "🐟", "?"))),
    (
        "any character of four bytes",
        Rules(|rules| {
            let three =
                |path: Vec<u8>| path.into_iter().map(|byte| if byte >= 0xF0 { b'?' } else { byte }).collect();
            rules.into_iter().map(|(is_allow, path)| (is_allow, three(path))).collect()
        }),
    ),
    ("composes characters", Rules(|rules| replace(rules, "e\u{301}", "é"))),
    ("decomposes characters", Rules(|rules| replace(rules, "é", "e\u{301}"))),
    ("the Kelvin sign is a K", File(|file| replace_bytes(file, "\u{212A}".as_bytes(), b"K"))),
    ("the long s is an s", File(|file| replace_bytes(file, "\u{17F}".as_bytes(), b"s"))),
    ("decodes %u escapes", Rules(|rules| replace(rules, "%u00e9", "%C3%A9"))),
    ("decodes overlong forms", Rules(|rules| replace(rules, "%C0%AF", "/"))),
    (
        "drops a percent sign at the end",
        Rules(|rules| {
            let cut = |path: Vec<u8>| path.strip_suffix(b"%").map(<[u8]>::to_vec).unwrap_or(path);
            rules.into_iter().map(|(is_allow, path)| (is_allow, cut(path))).collect()
        }),
    ),
    ("a plus is a space", Rules(|rules| replace(rules, "+", "%20"))),
    ("decodes escapes twice", Rules(|rules| replace(rules, "%25", "%"))),
    (
        "drops a percent sign that starts no escape",
        Rules(|rules| {
            let keep = |path: &[u8], at: usize| {
                path[at] != b'%'
                    || path.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            };
            let clean =
                |path: Vec<u8>| (0..path.len()).filter(|&at| keep(&path, at)).map(|at| path[at]).collect();
            rules.into_iter().map(|(is_allow, path)| (is_allow, clean(path))).collect()
        }),
    ),
    ("decodes escaped control characters to nothing", Rules(|rules| replace(rules, "%00", ""))),
    ("a tilde is encoded", Rules(|rules| replace(rules, "~", "%257E"))),
    (
        "a comment starts in the lower-cased line",
        File(|file| lines(file).flat_map(comment_in_lower_case).collect()),
    ),
    (
        "an agent named like a field",
        File(|file| {
            let is_confused = |line: &&[u8]| {
                let line = line.to_ascii_lowercase();
                line.starts_with(b"user-agent:") && (contains(&line, b"allow") || contains(&line, b"sitemap"))
            };
            lines(file).filter(|line| !is_confused(line)).flatten().copied().collect()
        }),
    ),
    (
        "a path named like a field",
        File(|file| {
            let is_confused = |line: &&[u8]| {
                let line = line.to_ascii_lowercase();
                line.starts_with(b"disallow:") && contains(&line[9..], b"allow:")
            };
            lines(file).filter(|line| !is_confused(line)).flatten().copied().collect()
        }),
    ),
    ("comments of HTML hide rules", File(without_html_comments)),
    ("NEL ends a line", File(|file| replace_bytes(file, "\u{85}".as_bytes(), b"\n"))),
    ("a line separator ends a line", File(|file| replace_bytes(file, "\u{2028}".as_bytes(), b"\n"))),
    ("a form feed ends a line", File(|file| replace_bytes(file, b"\x0C", b"\n"))),
    ("agents in Turkish small letters", Agent(|agent| agent.replace('I', "ı"))),
    ("agents without underscores", Agent(|agent| agent.replace('_', "-"))),
    ("agents without a hyphen at the end", Agent(|agent| agent.trim_end_matches('-').to_owned())),
    ("a backslash in a path is a slash", Rules(|rules| replace(rules, "\\", "/"))),
    ("a quotation mark is dropped", Rules(|rules| replace(rules, "\"", ""))),
    ("a dot is any character", Rules(|rules| replace(rules, ".", "*"))),
    ("a question mark is any character", Rules(|rules| replace(rules, "?", "*"))),
    ("brackets are classes", Rules(|rules| replace(rules, "[a]", "a"))),
];

fn without_html_comments(file: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(file);
    let mut parts = text.split("<!--");
    let outside = parts.next().unwrap_or_default().to_owned();
    // A comment without an end hides nothing.
    let after = |part: &str| match part.split_once("-->") {
        Some((_, rest)) => rest.to_owned(),
        None => format!("<!--{part}"),
    };
    parts.fold(outside, |text, part| text + &after(part)).into_bytes()
}

fn replace(rules: Vec<Rule>, from: &str, to: &str) -> Vec<Rule> {
    let path = |path: Vec<u8>| replace_bytes(&path, from.as_bytes(), to.as_bytes());
    rules.into_iter().map(|(is_allow, text)| (is_allow, path(text))).collect()
}

pub(super) fn replace_bytes(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        match rest.strip_prefix(from) {
            Some(after) => {
                replaced.extend_from_slice(to);
                rest = after;
            }
            None => {
                replaced.push(rest[0]);
                rest = &rest[1..];
            }
        }
    }
    replaced
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Cuts a comment where it starts in the lower-cased line, in which some letters are shorter.
fn comment_in_lower_case(line: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(line) else { return line.to_vec() };
    match (text.find('#'), text.to_lowercase().find('#')) {
        (Some(at), Some(lower)) if lower < at => [&line[..lower], b"\n"].concat(),
        _ => line.to_vec(),
    }
}
