//! The parts of a path pattern: bytes and wildcards.
//!
//! *Google, "URL matching based on path values"; RFC 9309, 2.2.3.*

use crate::bytes::{is_reserved, is_unreserved};
use crate::path_byte::{PathByte, PathBytes};

/// A part of a path pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// A byte.
    Byte(PathByte),
    /// `*`: any number of bytes.
    Star,
    /// `$` as the last character: the end of the URL.
    End,
    /// `$` before the last character.
    MidDollar,
}

impl Part {
    /// Returns the part, where `*` or `$` is a character like others.
    pub(crate) fn literal(self) -> Part {
        Part::Byte(PathByte::plain(if self.is_dollar() { b'$' } else { b'*' }))
    }

    pub(crate) fn is_dollar(self) -> bool {
        matches!(self, Part::End | Part::MidDollar)
    }
}

/// A slash that is not percent-encoded.
pub(crate) const SLASH: Part = Part::Byte(PathByte::plain(b'/'));

/// Returns the parts, where an escaped `*` or `$` is the wildcard.
pub(crate) fn decode_wildcards(parts: &[Part]) -> Vec<Part> {
    let decoded = |(place, part): (usize, &Part)| match part {
        Part::Byte(byte) if byte.as_plain().is_none() && byte.value() == b'*' => Part::Star,
        Part::Byte(byte) if byte.as_plain().is_none() && byte.value() == b'$' && place + 1 == parts.len() => {
            Part::End
        }
        other => *other,
    };
    parts.iter().enumerate().map(decoded).collect()
}

/// Splits a path pattern into its parts.
pub(crate) fn parts(pattern: &[u8]) -> Vec<Part> {
    parts_of(PathBytes(pattern))
}

/// Returns the parts of a path pattern whose escapes are characters like others.
pub(crate) fn parts_as_written(pattern: &[u8]) -> Vec<Part> {
    parts_of(pattern.iter().copied().map(PathByte::plain))
}

fn parts_of(bytes: impl Iterator<Item = PathByte>) -> Vec<Part> {
    let mut parts: Vec<Part> = bytes
        .map(|byte| match byte.as_plain() {
            Some(b'*') => Part::Star,
            Some(b'$') => Part::MidDollar,
            _ => Part::Byte(byte),
        })
        .collect();
    if let Some(last @ Part::MidDollar) = parts.last_mut() {
        *last = Part::End;
    }
    parts
}

/// The lengths of a path pattern that a reading may compare, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EncodedLengths {
    /// After percent-encoding.
    pub(crate) encoded: usize,
    /// The same with characters percent-encoded that no URI contains.
    pub(crate) encoded_unsafe: usize,
    /// The same with reserved characters percent-encoded too.
    pub(crate) encoded_reserved: usize,
    /// The number of escaped unreserved characters, which are one byte if they are decoded.
    pub(crate) escapes: usize,
}

impl EncodedLengths {
    pub(crate) fn of(parts: &[Part]) -> Self {
        let is_escape = |part: &&Part| matches!(part, Part::Byte(byte) if byte.as_plain().is_none() && is_unreserved(byte.value()));
        let encoded = encoded_length(parts);
        let encoded_unsafe = encoded + 2 * unsafe_count(parts);
        EncodedLengths {
            encoded,
            encoded_unsafe,
            encoded_reserved: encoded_unsafe + 2 * reserved_count(parts),
            escapes: parts.iter().filter(is_escape).count(),
        }
    }
}

/// Returns the length after bytes outside ASCII are percent-encoded and escaped unreserved characters are decoded (RFC
/// 9309, 2.2.2).
fn encoded_length(parts: &[Part]) -> usize {
    let length = |part: &Part| match part {
        Part::Byte(byte) => byte.encoded_length(),
        Part::Star | Part::End | Part::MidDollar => 1,
    };
    parts.iter().map(length).sum()
}

/// Returns the number of characters that no URI contains and that are not percent-encoded (RFC 3986, 2). A `%` that
/// starts no escape has been counted.
fn unsafe_count(parts: &[Part]) -> usize {
    let is_unsafe = |byte: u8| byte.is_ascii() && !is_unreserved(byte) && !is_reserved(byte) && byte != b'%';
    let plain = |part: &Part| if let Part::Byte(byte) = part { byte.as_plain() } else { None };
    parts.iter().filter_map(plain).filter(|byte| is_unsafe(*byte)).count()
}

/// Returns the number of reserved characters that are data, and not delimiters of the path and query (RFC 3986, 2.2): in
/// the table of RFC 9309, 2.2.2, `:` and `/` in a query are percent-encoded, and `=` is not.
fn reserved_count(parts: &[Part]) -> usize {
    let mut in_query = false;
    let mut count = 0;
    for part in parts {
        let Part::Byte(byte) = part else { continue };
        match byte.as_plain() {
            Some(b'?') if !in_query => in_query = true,
            Some(b'/') if !in_query => {}
            Some(b'=' | b'&') if in_query => {}
            Some(byte) if is_reserved(byte) => count += 1,
            _ => {}
        }
    }
    count
}
