//! Other records, whose values change how the rest is read, and comments and lists of other formats.

use super::Change::{self, File, Rules};
use super::count::lines;
use super::text::replace_bytes;
use crate::faulty::parser::Rule;

pub(super) const MISTAKES: &[(&str, Change)] = &[
    (
        "a delay that is no number ends the file",
        File(|file| until(file, "crawl-delay", |value| value.parse::<f64>().is_err())),
    ),
    ("a decimal delay ends the file", File(|file| until(file, "crawl-delay", |value| value.contains('.')))),
    (
        "a negative delay ends the file",
        File(|file| until(file, "crawl-delay", |value| value.starts_with('-'))),
    ),
    (
        "a delay above 32 bits ends the file",
        File(|file| until(file, "crawl-delay", |value| is_above(value, 32))),
    ),
    (
        "a delay above 64 bits ends the file",
        File(|file| until(file, "crawl-delay", |value| is_above(value, 64))),
    ),
    ("a delay without a value ends the file", File(|file| until(file, "crawl-delay", str::is_empty))),
    (
        "a rate without a slash ends the file",
        File(|file| until(file, "request-rate", |value| !value.contains('/'))),
    ),
    ("a rate of zero ends the file", File(|file| until(file, "request-rate", |value| value.ends_with("/0")))),
    (
        "a sitemap that is no URL ends the file",
        File(|file| until(file, "sitemap", |value| !value.contains("://"))),
    ),
    ("an unknown field without a value ends the file", File(|file| until(file, "unknown", str::is_empty))),
    ("the line after a delay is lost", File(|file| without_line_after(file, "crawl-delay"))),
    ("the line after a sitemap is lost", File(|file| without_line_after(file, "sitemap"))),
    (
        "a file for another host counts for none",
        File(|file| match value_of(file, "host") {
            Some(host) if !host.contains("example.com") => Vec::new(),
            _ => file.to_vec(),
        }),
    ),
    ("a visit time forbids visits", File(|file| as_field(file, "visit-time", "disallow: /"))),
    ("noindex is disallow", File(|file| rename(file, "noindex:", "disallow:"))),
    ("nofollow is disallow", File(|file| rename(file, "nofollow:", "disallow:"))),
    ("deny is disallow", File(|file| rename(file, "deny:", "disallow:"))),
    (
        "clean-param drops parameters of rules",
        File(|file| match value_of(file, "clean-param") {
            Some(value) => {
                let name = value.split_whitespace().next().unwrap_or_default().to_owned();
                replace_bytes(file, format!("?{name}=").as_bytes(), b"?=")
            }
            None => file.to_vec(),
        }),
    ),
    ("comments of C hide rules", File(without_c_comments)),
    ("a comma separates paths", Rules(|rules| split(rules, b','))),
    ("a semicolon separates paths", Rules(|rules| split(rules, b';'))),
    ("a bar separates paths", Rules(|rules| split(rules, b'|'))),
    (
        "a file with a byte that is not UTF-8 is Latin-1",
        File(|file| match std::str::from_utf8(file) {
            Err(_) => file.iter().copied().map(char::from).collect::<String>().into_bytes(),
            Ok(_) => file.to_vec(),
        }),
    ),
    (
        "a file with a byte that is not UTF-8 is ASCII",
        File(|file| match std::str::from_utf8(file) {
            Err(_) => file.iter().map(|byte| if byte.is_ascii() { *byte } else { b'?' }).collect(),
            Ok(_) => file.to_vec(),
        }),
    ),
    ("a last group without rules is none", File(without_last_group)),
    (
        "a rule without a path ends nothing",
        File(|file| {
            lines(file)
                .filter(|line| {
                    field_and_value(line)
                        .is_none_or(|(field, value)| field != "disallow" || !value.is_empty())
                })
                .flatten()
                .copied()
                .collect()
        }),
    ),
    ("rules are added to the first group with the name", File(merged_into_first)),
];

/// Returns the field of a line in small letters, and its value.
fn field_and_value(line: &[u8]) -> Option<(String, String)> {
    let line = String::from_utf8_lossy(line);
    let line = line.split('#').next().unwrap_or_default();
    let (field, value) = line.split_once(':')?;
    Some((field.trim().to_ascii_lowercase(), value.trim().to_owned()))
}

/// Returns the file up to the first line with a field whose value is wrong.
fn until(file: &[u8], field: &str, is_wrong: impl Fn(&str) -> bool) -> Vec<u8> {
    let goes_on =
        |line: &&[u8]| !field_and_value(line).is_some_and(|(name, value)| name == field && is_wrong(&value));
    lines(file).take_while(goes_on).flatten().copied().collect()
}

fn is_above(value: &str, bits: u32) -> bool {
    value.parse::<f64>().is_ok_and(|value| value >= 2f64.powi(bits as i32))
}

fn value_of(file: &[u8], field: &str) -> Option<String> {
    lines(file).filter_map(field_and_value).find(|(name, _)| name == field).map(|(_, value)| value)
}

fn without_line_after(file: &[u8], field: &str) -> Vec<u8> {
    let mut is_after = false;
    let mut is_kept = |line: &&[u8]| {
        let is_lost = is_after;
        is_after = field_and_value(line).is_some_and(|(name, _)| name == field);
        !is_lost
    };
    lines(file).filter(|line| is_kept(line)).flatten().copied().collect()
}

/// Replaces each line with a field.
fn as_field(file: &[u8], field: &str, line: &str) -> Vec<u8> {
    let replaced = |old: &[u8]| match field_and_value(old) {
        Some((name, _)) if name == field => format!("{line}\n").into_bytes(),
        _ => old.to_vec(),
    };
    lines(file).flat_map(replaced).collect()
}

fn rename(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let renamed = |line: &[u8]| match line.get(..from.len()) {
        Some(start) if start.eq_ignore_ascii_case(from.as_bytes()) => {
            [to.as_bytes(), &line[from.len()..]].concat()
        }
        _ => line.to_vec(),
    };
    lines(file).flat_map(renamed).collect()
}

fn without_c_comments(file: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(file);
    let mut parts = text.split("/*");
    let outside = parts.next().unwrap_or_default().to_owned();
    // A comment without an end hides nothing.
    let after = |part: &str| match part.split_once("*/") {
        Some((_, rest)) => rest.to_owned(),
        None => format!("/*{part}"),
    };
    parts.fold(outside, |text, part| text + &after(part)).into_bytes()
}

fn split(rules: Vec<Rule>, separator: u8) -> Vec<Rule> {
    let of_rule = |(is_allow, path): Rule| -> Vec<Rule> {
        path.split(|byte| *byte == separator)
            .filter(|path| !path.is_empty())
            .map(|path| (is_allow, path.to_vec()))
            .collect()
    };
    rules.into_iter().flat_map(of_rule).collect()
}

fn is_agent(line: &[u8]) -> bool {
    field_and_value(line).is_some_and(|(field, _)| field == "user-agent")
}

fn is_rule(line: &[u8]) -> bool {
    field_and_value(line).is_some_and(|(field, _)| field == "allow" || field == "disallow")
}

fn without_last_group(file: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = lines(file).collect();
    let end = lines.iter().rposition(|line| is_rule(line)).map_or(0, |at| at + 1);
    let is_kept = |(at, line): &(usize, &&[u8])| *at < end || !is_agent(line);
    lines.iter().enumerate().filter(is_kept).flat_map(|(_, line)| line.iter().copied()).collect()
}

/// Adds the rules of a later group to the first group that shares a name with it, for all crawlers of that group.
fn merged_into_first(file: &[u8]) -> Vec<u8> {
    let mut groups: Vec<(Vec<String>, Vec<&[u8]>)> = Vec::new();
    for line in lines(file) {
        match field_and_value(line) {
            Some((field, name)) if field == "user-agent" => match groups.last_mut() {
                Some((names, rules)) if rules.is_empty() => names.push(name.to_ascii_lowercase()),
                _ => groups.push((vec![name.to_ascii_lowercase()], Vec::new())),
            },
            _ if is_rule(line) => groups.last_mut().into_iter().for_each(|(_, rules)| rules.push(line)),
            _ => {}
        }
    }
    let mut merged: Vec<(Vec<String>, Vec<&[u8]>)> = Vec::new();
    for (names, rules) in groups {
        match merged.iter_mut().find(|(others, _)| names.iter().any(|name| others.contains(name))) {
            Some((others, of_first)) => {
                of_first.extend(rules);
                others.extend(names);
            }
            None => merged.push((names, rules)),
        }
    }
    let mut text = Vec::new();
    for (names, rules) in merged {
        for name in names {
            text.extend_from_slice(format!("user-agent: {name}\n").as_bytes());
        }
        for rule in rules {
            text.extend_from_slice(rule.trim_ascii_end());
            text.push(b'\n');
        }
    }
    text
}
