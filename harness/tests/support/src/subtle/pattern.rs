//! Wildcards and precedence.

use super::Change::{self, Later, Length, Match, Rules};
use super::is_match;
use crate::faulty::parser::Rule;

pub(super) const MISTAKES: &[(&str, Change)] = &[
    (
        "texts of two stars overlap",
        Match(|pattern, path| match_texts(pattern, path, |at, text| at - text.len().min(1), find)),
    ),
    (
        "a star takes one place only",
        Match(|pattern, path| match_texts(pattern, path, |at, _| at, find_first_byte)),
    ),
    (
        "a search goes on after what it compared",
        Match(|pattern, path| match_texts(pattern, path, |at, _| at, find_skipping)),
    ),
    (
        "a text after a star is searched twice at most",
        Match(|pattern, path| match_texts(pattern, path, |at, _| at, find_in_two)),
    ),
    (
        "an anchor matches before a line feed",
        Match(|pattern, path| {
            is_match(pattern, path)
                || pattern.ends_with(b"$")
                    && path.strip_suffix(b"%0A").is_some_and(|path| is_match(pattern, path))
        }),
    ),
    (
        "an anchor matches before a query",
        Match(|pattern, path| {
            let before = path.split(|byte| *byte == b'?').next().unwrap_or_default();
            is_match(pattern, path) || pattern.ends_with(b"$") && is_match(pattern, before)
        }),
    ),
    (
        "an anchor matches before a slash",
        Match(|pattern, path| {
            is_match(pattern, path)
                || pattern.ends_with(b"$")
                    && path.strip_suffix(b"/").is_some_and(|path| is_match(pattern, path))
        }),
    ),
    (
        "an anchor takes the first place of its text",
        Match(|pattern, path| match pattern.strip_suffix(b"$") {
            Some(start) if start.contains(&b'*') => match_texts(pattern, path, |at, _| at, find),
            _ => is_match(pattern, path),
        }),
    ),
    (
        "an anchor after a star is a character",
        Match(|pattern, path| !pattern.ends_with(b"*$") && is_match(pattern, path)),
    ),
    (
        "two stars are a star and a character",
        Match(|pattern, path| !pattern.windows(2).any(|pair| pair == b"**") && is_match(pattern, path)),
    ),
    (
        "a star before a slash takes a byte",
        Match(|pattern, path| match pattern.windows(2).position(|pair| pair == b"*/") {
            Some(at) if at > 0 && path.get(at).is_none_or(|byte| *byte == b'/') => false,
            _ => is_match(pattern, path),
        }),
    ),
    (
        "a star stops at a hundredth byte",
        Match(|pattern, path| match pattern.iter().position(|byte| *byte == b'*') {
            Some(star) if !pattern.ends_with(b"*") => {
                is_match(pattern, &path[..path.len().min(star + 100 + pattern.len())])
            }
            _ => is_match(pattern, path),
        }),
    ),
    (
        "a pattern longer than the path matches nothing",
        Match(|pattern, path| pattern.len() <= path.len() + 1 && is_match(pattern, path)),
    ),
    (
        "an escape after a star in small letters",
        Rules(|rules| rules.into_iter().filter(|rule| !has_small_escape(&rule.1)).collect()),
    ),
    (
        "an anchor matches before an empty query",
        Match(|pattern, path| {
            is_match(pattern, path)
                || pattern.ends_with(b"$")
                    && path.strip_suffix(b"?").is_some_and(|path| is_match(pattern, path))
        }),
    ),
    (
        "an anchor after an escape is a character",
        Match(|pattern, path| match pattern.strip_suffix(b"$") {
            Some([.., b'%', _, _]) => false,
            _ => is_match(pattern, path),
        }),
    ),
    (
        "an anchor after an escape is nothing",
        Match(|pattern, path| match pattern.strip_suffix(b"$") {
            Some(start @ [.., b'%', _, _]) => is_match(start, path),
            _ => is_match(pattern, path),
        }),
    ),
    (
        "a star does not end before an escape",
        Match(|pattern, path| !pattern.windows(2).any(|pair| pair == b"*%") && is_match(pattern, path)),
    ),
    (
        "a star does not start after an escape",
        Match(|pattern, path| {
            !pattern.windows(4).any(|four| four[0] == b'%' && four[3] == b'*') && is_match(pattern, path)
        }),
    ),
    (
        "a star takes no escape",
        Match(|pattern, path| match pattern.iter().position(|byte| *byte == b'*') {
            Some(star)
                if path.get(star..).is_some_and(|rest| rest.starts_with(b"%"))
                    && !pattern.ends_with(b"*") =>
            {
                false
            }
            _ => is_match(pattern, path),
        }),
    ),
    (
        "a disallow rule with a star prevails over an allow rule of its length with one",
        Rules(|rules| {
            let has_star = |rule: &Rule| rule.1.contains(&b'*');
            let is_beaten = |rule: &Rule| {
                rule.0
                    && has_star(rule)
                    && rules.iter().any(|other| !other.0 && has_star(other) && other.1.len() == rule.1.len())
            };
            rules.iter().filter(|rule| !is_beaten(rule)).cloned().collect()
        }),
    ),
    (
        "a rule with two stars is longer than one with one star",
        Rules(|rules| {
            let stars = |rule: &Rule| rule.1.iter().filter(|byte| **byte == b'*').count();
            let is_beaten = |rule: &Rule| {
                stars(rule) == 1 && rules.iter().any(|other| other.0 != rule.0 && stars(other) == 2)
            };
            rules.iter().filter(|rule| !is_beaten(rule)).cloned().collect()
        }),
    ),
    ("the later of two rules of one length", Later(true)),
    ("the earlier of two rules of one length", Later(false)),
    (
        "the later of two rules with one path",
        Rules(|rules| {
            let is_last = |at: usize| rules[at + 1..].iter().all(|other| other.1 != rules[at].1);
            (0..rules.len()).filter(|&at| is_last(at)).map(|at| rules[at].clone()).collect()
        }),
    ),
    (
        "the earlier of two rules with one path",
        Rules(|rules| {
            let is_first = |at: usize| rules[..at].iter().all(|other| other.1 != rules[at].1);
            (0..rules.len()).filter(|&at| is_first(at)).map(|at| rules[at].clone()).collect()
        }),
    ),
    ("lengths to the next multiple of four", Length(|length| length.next_multiple_of(4))),
    ("a rule of one byte is longest", Length(|length| if length == 1 { usize::MAX } else { length })),
];

type Find = fn(&[u8], &[u8]) -> Option<usize>;

/// Matches the texts between stars, one after the other. `next` is where the search for a text starts.
fn match_texts(pattern: &[u8], path: &[u8], next: fn(usize, &[u8]) -> usize, find: Find) -> bool {
    let (pattern, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(start) => (start, true),
        None => (pattern, false),
    };
    let texts: Vec<&[u8]> = pattern.split(|byte| *byte == b'*').collect();
    if !path.starts_with(texts[0]) {
        return false;
    }
    let mut at = texts[0].len();
    for (place, text) in texts.iter().enumerate().skip(1) {
        let from = if place > 1 { next(at, texts[place - 1]) } else { at };
        let Some(found) = find(&path[from..], text) else { return false };
        at = from + found + text.len();
    }
    !is_anchored || at == path.len() || texts.len() > 1 && texts.last().is_some_and(|text| text.is_empty())
}

fn find(path: &[u8], text: &[u8]) -> Option<usize> {
    (0..=path.len().checked_sub(text.len())?).find(|&at| path[at..].starts_with(text))
}

/// Finds a text only where its first byte occurs first.
fn find_first_byte(path: &[u8], text: &[u8]) -> Option<usize> {
    let Some(first) = text.first() else { return Some(0) };
    path.iter().position(|byte| byte == first).filter(|&at| path[at..].starts_with(text))
}

/// Finds a text, but goes on after the bytes that were like its start.
fn find_skipping(path: &[u8], text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at + text.len() <= path.len() {
        let alike = path[at..].iter().zip(text).take_while(|(a, b)| a == b).count();
        if alike == text.len() {
            return Some(at);
        }
        at += alike.max(1);
    }
    None
}

/// Finds a text at one of the first two places of its first byte.
fn find_in_two(path: &[u8], text: &[u8]) -> Option<usize> {
    let Some(first) = text.first() else { return Some(0) };
    let mut places = path.iter().enumerate().filter(|(_, byte)| *byte == first).map(|(at, _)| at).take(2);
    places.find(|&at| path[at..].starts_with(text))
}

fn has_small_escape(path: &[u8]) -> bool {
    path.windows(4).any(|four| {
        four.starts_with(b"*%")
            && four[2..].iter().all(u8::is_ascii_hexdigit)
            && four[2..].iter().any(u8::is_ascii_lowercase)
            && four[2] >= b'8'
    })
}
