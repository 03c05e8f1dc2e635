//! The bytes of a path, plain or percent-encoded.
//!
//! *RFC 9309, 2.2.2 and 2.2.3; RFC 3986, 2.1 to 2.3.*

use std::borrow::Cow;

use crate::answer::{
    Equality, EscapeMeaning, HexDigits, RawByte, ReservedCharacter, SpecialEscape, UnreservedEscape,
};
use crate::bytes::{escape, hex_digits, is_unreserved, unescape};
use crate::question::typed::*;
use crate::reading::Reader;

/// A byte of a path, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PathByte {
    byte: u8,
    /// The two hexadecimal digits, where it is percent-encoded.
    escape: Option<[u8; 2]>,
}

/// Splits a text into bytes, plain or percent-encoded.
pub(crate) struct PathBytes<'t>(pub(crate) &'t [u8]);

impl Iterator for PathBytes<'_> {
    type Item = PathByte;

    fn next(&mut self) -> Option<PathByte> {
        let (byte, length) = match escape(self.0) {
            Some(digits) => (PathByte { byte: unescape(digits), escape: Some(digits) }, 3),
            None => (PathByte::plain(*self.0.first()?), 1),
        };
        self.0 = &self.0[length..];
        Some(byte)
    }
}

impl PathByte {
    /// Returns the byte, not percent-encoded.
    pub(crate) const fn plain(byte: u8) -> Self {
        PathByte { byte, escape: None }
    }

    /// Returns the byte, where it is not percent-encoded.
    pub(crate) fn as_plain(self) -> Option<u8> {
        self.escape.is_none().then_some(self.byte)
    }

    /// Returns the byte, percent-encoded or not.
    pub(crate) fn value(self) -> u8 {
        self.byte
    }

    /// Returns the number of bytes after percent-encoding (RFC 9309, 2.2.2).
    pub(crate) fn encoded_length(self) -> usize {
        match self.escape {
            Some(_) if is_unreserved(self.byte) => 1,
            Some(_) => 3,
            // An encoder may write a `%` that starts no escape as `%25`.
            None if self.byte.is_ascii() && self.byte != b'%' => 1,
            None => 3,
        }
    }

    /// Returns whether this byte of a rule matches that byte of a URL.
    pub(crate) fn matches(self, url: PathByte, in_query: bool, reader: &mut impl Reader) -> bool {
        if self.byte != url.byte {
            return false;
        }
        if in_query && reader.admits(Escapes, EscapeMeaning::WrittenInQuery) {
            return self == url;
        }
        if !self.byte.is_ascii() {
            return self.matches_beyond_ascii(url, reader);
        }
        if self.escape.is_none() && url.escape.is_none() {
            return self.is_itself(in_query, reader);
        }
        if is_unreserved(self.byte) {
            let both_escaped = self.escape.is_some() && url.escape.is_some();
            return match reader.answer_about(AsciiEscape, &[self.byte]) {
                UnreservedEscape::Equal => true,
                UnreservedEscape::EqualInUrl => self.escape.is_none(),
                UnreservedEscape::Different => both_escaped && self.has_same_digits(url, reader),
            };
        }
        if self.escape == url.escape {
            return self.has_same_digits(url, reader);
        }
        if in_query && b":/".contains(&self.byte) {
            let are_escaped = self.escape.is_some() && url.escape.is_some();
            return (are_escaped || reader.answer(QueryEscape) == Equality::Equal)
                && self.has_same_digits(url, reader);
        }
        match (self.escape, url.escape, self.byte) {
            (Some(_), _, b'*' | b'$')
                if reader.answer_about(EscapedSpecial, &[self.byte]) != SpecialEscape::Different =>
            {
                true
            }
            (Some(_), None, b'*' | b'$') => false,
            (Some(_), Some(_), b'/') => self.has_same_digits(url, reader),
            // The digits do not matter either where both escapes are the character.
            (Some(_), Some(_), b'*' | b'$') => self.has_same_digits(url, reader),
            (Some(_), Some(_), _) => {
                self.has_same_digits(url, reader)
                    || reader.answer_about(ReservedEscape, &[self.byte]) == Equality::Equal
            }
            (_, _, b'/') => reader.answer(EscapedSlash) == Equality::Equal,
            _ => reader.answer_about(ReservedEscape, &[self.byte]) == Equality::Equal,
        }
    }

    /// Returns whether a character of a rule is the same character of a URL.
    fn is_itself(self, in_query: bool, reader: &mut impl Reader) -> bool {
        let is_kept = is_unreserved(self.byte) || b"/*$%?".contains(&self.byte);
        let may_differ = |answer| !is_kept && reader.admits(ReservedByte, answer);
        let mistake = match in_query {
            true => ReservedCharacter::DifferentInQuery,
            false => ReservedCharacter::DifferentInPath,
        };
        !may_differ(mistake) || reader.answer_about(ReservedByte, &[self.byte]) != mistake
    }

    /// The same for a byte outside ASCII, which is percent-encoded before it is compared (RFC 9309, 2.2.2).
    fn matches_beyond_ascii(self, url: PathByte, reader: &mut impl Reader) -> bool {
        if url.escape.is_none() {
            let raw = reader.outcome(RawUrl, |answer| match answer {
                RawByte::Equal => true,
                RawByte::Written => self.escape.is_none(),
                RawByte::Different => false,
            });
            if !raw || self.escape.is_none() {
                return raw;
            }
        }
        let is_alike = self.escape.is_some() == url.escape.is_some();
        if !is_alike && reader.answer(NonAscii) == Equality::Different {
            return false;
        }
        // The digits of an encoder are capitals (RFC 3986, 2.1).
        self.has_same_digits(url, reader)
    }

    /// Returns the byte as percent-encoding writes it: an unreserved character plain, a byte outside ASCII as an escape
    /// (RFC 9309, 2.2.2), with capitals as digits (RFC 3986, 2.1).
    pub(crate) fn percent_encoded(self) -> Self {
        let is_escaped = !self.byte.is_ascii() || self.escape.is_some() && !is_unreserved(self.byte);
        PathByte { byte: self.byte, escape: is_escaped.then(|| hex_digits(self.byte)) }
    }

    /// Returns whether the digits of the escape in a rule are those in the URL.
    fn has_same_digits(self, url: PathByte, reader: &mut impl Reader) -> bool {
        let question = if self.byte == b'/' { SlashDigits } else { HexCase };
        let (rule, url) = (self.digits(), url.digits());
        // Where the same digits are capitals already, no reading tells them apart.
        let are_capitals = url == hex_digits(self.byte);
        if rule == url && (are_capitals || !reader.admits(question, HexDigits::RuleInCapitals)) {
            return true;
        }
        match reader.answer(question) {
            HexDigits::Equal => true,
            HexDigits::Different => rule == url,
            HexDigits::RuleInCapitals => are_capitals,
        }
    }

    /// Returns whether it may be written as more than one character.
    pub(crate) fn may_be_escape(self) -> bool {
        self.escape.is_some() || !is_unreserved(self.byte) && !b"/%".contains(&self.byte)
    }

    /// Returns whether it is a byte of ASCII, not percent-encoded, other than a `%` that starts no escape.
    pub(crate) fn is_plain_ascii(self) -> bool {
        self.escape.is_none() && self.byte.is_ascii() && self.byte != b'%'
    }

    /// Returns the two hexadecimal digits that it is escaped with, or would be.
    pub(crate) fn digits(self) -> [u8; 2] {
        self.escape.unwrap_or(hex_digits(self.byte))
    }

    /// Returns the characters that it is written as.
    pub(crate) fn spelled(self, spelling: Spelling) -> impl Iterator<Item = PathByte> {
        let is_escaped = match self.escape {
            Some(_) => !(spelling.decodes_unreserved && is_unreserved(self.byte)),
            None => !self.byte.is_ascii() || spelling.encodes_reserved && self.may_be_escape(),
        };
        let characters = match self.digits().map(|digit| spelling.digits.apply(digit)) {
            _ if !is_escaped => [Some(self.byte), None, None],
            [high, low] => [Some(b'%'), Some(high), Some(low)],
        };
        characters.into_iter().flatten().map(PathByte::plain)
    }
}

/// Returns the text with U+FFFD in place of bytes that are not UTF-8, percent-encoded, if there are any.
pub(crate) fn with_replaced_bytes(text: &[u8]) -> Cow<'_, [u8]> {
    let written = |PathByte { byte, escape }| match escape {
        Some([high, low]) if byte.is_ascii() => vec![b'%', high, low],
        _ => vec![byte],
    };
    let bytes: Vec<u8> = PathBytes(text).flat_map(written).collect();
    let Cow::Owned(replaced) = String::from_utf8_lossy(&bytes) else { return Cow::Borrowed(text) };
    let encoded = |byte: u8| match (byte, hex_digits(byte)) {
        (0x80.., [high, low]) => vec![b'%', high, low],
        _ => vec![byte],
    };
    replaced.bytes().flat_map(encoded).collect()
}

/// How a text spells the bytes that may be percent-encoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelling {
    /// Whether escaped unreserved characters are decoded (RFC 9309, 2.2.2).
    decodes_unreserved: bool,
    /// Whether reserved characters are percent-encoded, as in the query of the table of RFC 9309, 2.2.2, and characters
    /// that no URI contains.
    encodes_reserved: bool,
    digits: DigitCase,
}

impl Spelling {
    /// Returns every spelling.
    pub(crate) fn all() -> impl Iterator<Item = Spelling> {
        let digits = [DigitCase::AsWritten, DigitCase::Capital, DigitCase::Small].into_iter();
        digits.flat_map(|digits| {
            [(false, false), (false, true), (true, false), (true, true)].map(
                |(decodes_unreserved, encodes_reserved)| Spelling {
                    decodes_unreserved,
                    encodes_reserved,
                    digits,
                },
            )
        })
    }
}

/// The letter case of the hexadecimal digits of escapes.
#[derive(Debug, Clone, Copy)]
enum DigitCase {
    AsWritten,
    Capital,
    Small,
}

impl DigitCase {
    fn apply(self, digit: u8) -> u8 {
        match self {
            DigitCase::AsWritten => digit,
            DigitCase::Capital => digit.to_ascii_uppercase(),
            DigitCase::Small => digit.to_ascii_lowercase(),
        }
    }
}
