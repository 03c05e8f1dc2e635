//! The URLs that a rule seems to be about.

use std::iter;

use robotspec_reference::bytes::{escape, unescape};

/// What a URL is to the path of a rule.
pub(super) enum Form {
    /// Its plain form.
    Plain,
    /// A part of this path, which may be a list, is a whole URL or has no slash at its start.
    PartOf(String),
    /// The path in small letters.
    SmallLetters,
    /// The path without escapes of letters.
    Unescaped,
}

/// The number of paths in one rule that are evaluated.
const MOST_PIECES: usize = 8;

/// Returns the URLs that the path of a rule seems to be about.
pub(super) fn urls_of(path: &[u8]) -> Vec<(String, Form)> {
    let Ok(text) = std::str::from_utf8(path) else { return Vec::new() };
    let is_path = |text: &str| text.starts_with(['/', '*']);
    let pieces = text.split([',', ' ', '\t']).filter(|piece| is_path(piece) || piece.contains("://"));
    let pieces: Vec<&str> = pieces.take(MOST_PIECES).collect();
    match &pieces[..] {
        _ if text.is_empty() => Vec::new(),
        [_, _, ..] => pieces.iter().map(|piece| (url_of(piece), Form::PartOf(text.to_owned()))).collect(),
        _ if !is_path(text) => vec![(url_of(text), Form::PartOf(text.to_owned()))],
        _ => {
            let url = url_of(text);
            let unescaped = without_escapes_of_letters(&url);
            let small = if unescaped == url { url.to_ascii_lowercase() } else { url.clone() };
            let others = [(small, Form::SmallLetters), (unescaped, Form::Unescaped)];
            let others = others.into_iter().filter(|(other, _)| *other != url);
            iter::once((url.clone(), Form::Plain)).chain(others).collect()
        }
    }
}

fn without_escapes_of_letters(url: &str) -> String {
    let mut parts = url.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match escape(format!("%{part}").as_bytes()).map(unescape) {
            Some(letter) if letter.is_ascii_alphabetic() => {
                plain.push(char::from(letter));
                plain.push_str(&part[2..]);
            }
            _ => {
                plain.push('%');
                plain.push_str(part);
            }
        }
    }
    plain
}

/// Returns a URL that a path seems to match.
fn url_of(path: &str) -> String {
    let path =
        path.split_once("://").map_or(path, |(_, rest)| rest.find('/').map_or("", |slash| &rest[slash..]));
    // A star at the start stands for more than the slash.
    let path = path.strip_prefix('*').map_or(path.into(), |rest| format!("/a{rest}"));
    let path = path.strip_suffix('$').unwrap_or(&path).replace('*', "");
    if path.starts_with('/') { path } else { format!("/{path}") }
}
