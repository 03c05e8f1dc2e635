//! Writes files of cases.

use std::collections::{BTreeMap, BTreeSet};

use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};
use serde_yaml::{Mapping, Value};

use crate::expected::Expected;
use robotspec_text::inert::inert_line;
use robotspec_text::is_invisible;

/// A line that is repeated more often than this, or a byte within a line, is written as a repetition.
const LONG_RUN: usize = 32;

/// Adds a key at the end of a mapping.
pub(super) fn put(mapping: &mut Mapping, key: &str, value: impl Into<Value>) {
    mapping.insert(Value::from(key), value.into());
}

/// Returns a file as text, where YAML can represent it as a block. Otherwise the file in the escaped form, with long
/// runs as repetitions.
pub(super) fn written_file(file: &[u8]) -> Value {
    // A person reads the cases, too.
    let is_plain = |c: char| c == '\n' || !is_invisible(c);
    if let Some(parts) = parts(file) {
        return one_key("parts", parts);
    }
    match std::str::from_utf8(file) {
        Ok(text)
            if text.chars().all(is_plain)
                && text.ends_with('\n')
                && !text.starts_with([' ', '\n'])
                && text.lines().all(is_inert) =>
        {
            Value::from(text)
        }
        _ => one_key("escaped", escape(file)),
    }
}

/// Returns a URL as text, where no CI system obeys it. Otherwise the URL in the escaped form.
pub(super) fn written_url(url: &str) -> Value {
    if is_inert(url) { Value::from(url) } else { one_key("escaped", escape(url.as_bytes())) }
}

/// Returns whether a CI system only logs a line.
pub(super) fn is_inert(line: &str) -> bool {
    inert_line(line) == line
}

fn one_key(key: &str, value: impl Into<Value>) -> Value {
    let mut mapping = Mapping::new();
    put(&mut mapping, key, value);
    Value::Mapping(mapping)
}

/// Returns the escaped form of a file.
fn escape(file: &[u8]) -> String {
    let mut text = String::with_capacity(file.len());
    for &byte in file {
        match byte {
            // `##[` is a command of some CI systems.
            b'#' if text.ends_with('#') => text.push_str("\\x23"),
            b'"' | b'\'' => text.push(char::from(byte)),
            _ => text.push_str(&byte.escape_ascii().to_string()),
        }
    }
    text
}

/// Returns the parts of a file that has a long run. The result is `None` for any other file.
fn parts(file: &[u8]) -> Option<Vec<Value>> {
    let mut parts: Vec<Value> = Vec::new();
    let mut rest = file;
    let mut plain: Vec<u8> = Vec::new();
    let flush = |plain: &mut Vec<u8>, parts: &mut Vec<Value>| {
        if !plain.is_empty() {
            parts.push(one_key("escaped", escape(plain)));
            plain.clear();
        }
    };
    while let Some(&first) = rest.first() {
        // Lines are compared only where a line starts: otherwise a long line would be read once for each of its bytes.
        let is_line_start = plain.last().is_none_or(|&byte| byte == b'\n');
        let line = rest.iter().position(|&byte| is_line_start && byte == b'\n').map_or(0, |end| end + 1);
        let unit = &rest[..line];
        let lines = rest.chunks_exact(line.max(1)).take_while(|chunk| *chunk == unit).count();
        let bytes = rest.iter().take_while(|&&byte| byte == first).count();
        let (unit, times) = if lines > LONG_RUN { (unit, lines) } else { (&rest[..1], bytes) };
        if times <= LONG_RUN {
            plain.push(first);
            rest = &rest[1..];
            continue;
        }
        flush(&mut plain, &mut parts);
        let mut form = Mapping::new();
        put(&mut form, "repeat", String::from_utf8(unit.to_vec()).ok()?);
        put(&mut form, "times", times as u64);
        parts.push(Value::Mapping(form));
        rest = &rest[unit.len() * times..];
    }
    if parts.is_empty() {
        return None;
    }
    flush(&mut plain, &mut parts);
    Some(parts)
}

/// Returns the ids of the questions that make the ruling of some edition about a query unspecified.
pub(super) fn open_questions(
    robots: &[u8],
    agent: &str,
    url: &str,
    expected: &BTreeMap<Edition, Expected>,
) -> Vec<&'static str> {
    let mut questions: BTreeSet<Question> = BTreeSet::new();
    for (&edition, expected) in expected {
        if *expected == Expected::Ruling(Ruling::Unspecified)
            && let Ok(explanation) = RobotsTxt::parse(robots).explain(edition, agent, url)
        {
            questions.extend(explanation.doubts.iter().map(|doubt| doubt.question));
        }
    }
    questions.into_iter().map(Question::id).collect()
}

/// Returns the expectation of a row: one word where all editions agree, or else one for each edition. The result is
/// `None` where the format has no word for it.
pub(super) fn written_expectation(expected: &BTreeMap<Edition, Expected>) -> Option<Value> {
    let first = expected.values().next()?;
    if expected.values().all(|other| other == first) {
        return Some(Value::from(word(first)?));
    }
    let mut words = Mapping::new();
    for (edition, expected) in expected {
        put(&mut words, edition.id(), word(expected)?);
    }
    Some(Value::Mapping(words))
}

/// Returns the word of a row for what is expected. The result is `None` where there is no word for it.
fn word(expected: &Expected) -> Option<String> {
    let Expected::Access(rulings) = expected else { return Some(expected.to_string()) };
    if expected.is_unspecified() {
        return Some(Ruling::Unspecified.to_string());
    }
    let disallowed: Vec<&String> =
        rulings.iter().filter_map(|(path, ruling)| (*ruling == Ruling::Disallow).then_some(path)).collect();
    match disallowed[..] {
        [] => Some("full-allow".to_owned()),
        _ if disallowed.len() == rulings.len() => Some("full-disallow".to_owned()),
        [path] => Some(path.clone()),
        _ => None,
    }
}
