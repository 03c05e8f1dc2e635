//! The octets of a path, and how they are written.
//!
//! *RFC 9309, 2.2.2 and 2.2.3; RFC 3986, 2.1 to 2.3.*

use crate::bytes::{escape, hex_digits, is_unreserved, unescape};
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
        let octet = match escape(self.0) {
            Some(digits) => Octet { octet: unescape(digits), escape: Some(digits) },
            None => Octet { octet: *self.0.first()?, escape: None },
        };
        self.0 = &self.0[if octet.escape.is_some() { 3 } else { 1 }..];
        Some(octet)
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
        is_unreserved(self.octet)
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
            escape => Some(escape.unwrap_or(hex_digits(self.octet))),
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
