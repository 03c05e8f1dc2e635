//! The octets of a path, and how they are written.
//!
//! *RFC 9309, 2.2.2 and 2.2.3; RFC 3986, 2.1 to 2.3.*

use crate::question::Answer;
use crate::question::Question::*;
use crate::reading::Ask;

/// An octet of a path, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Octet {
    octet: u8,
    /// The two hexadecimal digits, where it is percent-encoded.
    escape: Option<[u8; 2]>,
}

/// Reads octets, plain or percent-encoded.
pub(crate) struct Octets<'t>(pub(crate) &'t [u8]);

impl Iterator for Octets<'_> {
    type Item = Octet;

    fn next(&mut self) -> Option<Octet> {
        let (octet, rest) = match *self.0 {
            [b'%', high, low, ref rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                (Octet { octet: 16 * hex(high) + hex(low), escape: Some([high, low]) }, rest)
            }
            [octet, ref rest @ ..] => (Octet { octet, escape: None }, rest),
            [] => return None,
        };
        self.0 = rest;
        Some(octet)
    }
}

fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

impl Octet {
    /// The octet itself, not percent-encoded.
    pub(crate) const fn plain(octet: u8) -> Self {
        Octet { octet, escape: None }
    }

    /// The octet, where it is not percent-encoded.
    pub(crate) fn as_plain(self) -> Option<u8> {
        self.escape.is_none().then_some(self.octet)
    }

    /// Which octet it is, however it is written.
    pub(crate) fn value(self) -> u8 {
        self.octet
    }

    fn is_unreserved(self) -> bool {
        self.octet.is_ascii_alphanumeric() || b"-._~".contains(&self.octet)
    }

    pub(crate) fn encoded_length(self) -> usize {
        match self.escape {
            Some(_) if self.is_unreserved() => 1,
            Some(_) => 3,
            // An encoder may take a `%` that starts no escape for one to write as `%25`.
            None if self.octet.is_ascii() && self.octet != b'%' => 1,
            None => 3,
        }
    }

    /// Whether this octet of a rule and that octet of a URL are the same,
    /// however they are written.
    pub(crate) fn same(self, url: Octet, in_query: bool, ask: &mut impl Ask) -> bool {
        if self.octet != url.octet {
            return false;
        }
        if !self.octet.is_ascii() || self.escape.is_none() && url.escape.is_none() {
            return true;
        }
        if self.is_unreserved() {
            let both_escaped = self.escape.is_some() && url.escape.is_some();
            return match ask.ask_about(AsciiEscape, &[self.octet]) {
                Answer::Equal => true,
                Answer::EqualInUrl => self.escape.is_none(),
                _ => both_escaped && self.same_hex_digits(url, ask),
            };
        }
        if self.escape == url.escape {
            return true;
        }
        match (self.escape, url.escape, self.octet) {
            (Some(_), _, b'*' | b'$') if ask.ask_about(EscapedSpecial, &[self.octet]) == Answer::Equal => {
                true
            }
            (Some(_), None, b'*' | b'$') => false,
            (Some(_), Some(_), _) => self.same_hex_digits(url, ask),
            (_, _, b'/') if !in_query => false,
            _ => ask.ask_about(ReservedEscape, &[self.octet]) == Answer::Equal,
        }
    }

    fn same_hex_digits(self, url: Octet, ask: &mut impl Ask) -> bool {
        self.escape == url.escape || ask.ask(HexCase) == Answer::Equal
    }
}

/// How a text spells the octets that may be percent-encoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelling {
    /// Whether the URL's escaped unreserved characters are decoded (RFC 9309, 2.2.2).
    decodes_url: bool,
    /// Whether those of the rule are.
    decodes_rule: bool,
    /// Whether `*` and `$` in the URL are percent-encoded, as RFC 9309, 2.2.3 writes them in a rule.
    encodes_special: bool,
    digits: Digits,
}

/// In which case a text spells the hexadecimal digits of escapes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Digits {
    AsWritten,
    Capital,
    Small,
}

impl Digits {
    pub(crate) const ALL: [Digits; 3] = [Digits::AsWritten, Digits::Capital, Digits::Small];
}

impl Spelling {
    /// Every way to spell a URL and a rule with such digits.
    pub(crate) fn all(digits: Digits) -> impl Iterator<Item = Spelling> {
        let decoded = [(false, false), (true, false), (true, true)];
        decoded.into_iter().flat_map(move |(decodes_url, decodes_rule)| {
            [false, true].map(|encodes_special| Spelling {
                decodes_url,
                decodes_rule,
                encodes_special,
                digits,
            })
        })
    }
}

impl Octet {
    /// Whether more than one character may stand for it.
    pub(crate) fn may_be_escape(self) -> bool {
        self.escape.is_some() || !self.octet.is_ascii() || b"*$".contains(&self.octet)
    }

    /// The characters that stand for it in a URL.
    pub(crate) fn in_url(self, spelling: Spelling) -> impl Iterator<Item = Octet> {
        self.characters(spelling.decodes_url, spelling.encodes_special, spelling.digits)
    }

    /// The characters that stand for it in a rule.
    pub(crate) fn in_rule(self, spelling: Spelling) -> impl Iterator<Item = Octet> {
        self.characters(spelling.decodes_rule, false, spelling.digits)
    }

    fn characters(self, decodes: bool, encodes_special: bool, digits: Digits) -> impl Iterator<Item = Octet> {
        let written = match self.escape {
            Some(_) if decodes && self.is_unreserved() => None,
            None if self.octet.is_ascii() && !(encodes_special && b"*$".contains(&self.octet)) => None,
            escape => Some(escape.unwrap_or([self.octet >> 4, self.octet & 15].map(digit))),
        };
        let characters = match written {
            None => [Some(self.octet), None, None],
            Some([high, low]) => {
                let in_case = |digit: u8| match digits {
                    Digits::AsWritten => digit,
                    Digits::Capital => digit.to_ascii_uppercase(),
                    Digits::Small => digit.to_ascii_lowercase(),
                };
                [Some(b'%'), Some(in_case(high)), Some(in_case(low))]
            }
        };
        characters.into_iter().flatten().map(Octet::plain)
    }
}

fn digit(value: u8) -> u8 {
    b"0123456789ABCDEF"[usize::from(value)]
}
