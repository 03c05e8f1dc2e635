//! Paths that raise no question, so that they are compared byte by byte, in every edition alike.
//!
//! Most paths are plain. The evaluation gives the same rulings without this module, only slower.

use memchr::{memchr, memchr_iter, memmem};

use crate::bytes::is_unreserved;

/// Whether a path raises questions when a pattern is matched against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plainness {
    /// It consists of slashes and unreserved characters.
    Unreserved,
    /// It also has other characters of ASCII. Some readings percent-encode them, and then a pattern may match a part of
    /// an escape.
    Encodable,
    /// It has escapes, bytes outside ASCII, or what may be a dot segment or an empty segment.
    Questionable,
}

impl Plainness {
    /// Returns the plainness of a path.
    pub(crate) fn of(path: &[u8]) -> Self {
        let classes = path.iter().fold(0, |classes, &byte| classes | CLASSES[usize::from(byte)]);
        match classes {
            _ if has_odd_segment(path) => Plainness::Questionable,
            0 => Plainness::Unreserved,
            ENCODABLE => Plainness::Encodable,
            _ => Plainness::Questionable,
        }
    }
}

const ENCODABLE: u8 = 1;
const QUESTIONABLE: u8 = 2;

/// The class of each byte, which is 0 for a slash and for an unreserved character.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'%' | 0x80.. => QUESTIONABLE,
            b'/' => 0,
            byte if is_unreserved(byte) => 0,
            _ => ENCODABLE,
        };
        byte += 1;
    }
    classes
};

/// Returns whether a slash follows a slash, or what may be a dot.
fn has_odd_segment(path: &[u8]) -> bool {
    let is_odd = |slash: u8, next: u8| (slash == b'/') & ((next == b'/') | (next == b'.') | (next == b'%'));
    // Without an early end, the compiler compares many bytes at once.
    path.iter().zip(path.iter().skip(1)).fold(false, |any, (&slash, &next)| any | is_odd(slash, next))
}

fn is_wildcard(byte: u8) -> bool {
    matches!(byte, b'*' | b'$')
}

/// A pattern that raises no question against most plain paths.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainPattern {
    pub(crate) has_star: bool,
    pub(crate) has_dollar: bool,
    /// Whether it may match a part of an escape: it has a hexadecimal digit after a `*`.
    may_match_part: bool,
    bytes: ByteSet,
}

impl PlainPattern {
    /// Returns the pattern of a path that raises no question, except whether `*` and `$` are wildcards.
    pub(crate) fn new(path: &[u8]) -> Option<Self> {
        let is_plain = matches!(path.first(), Some(b'/' | b'*'))
            && Plainness::of(path) != Plainness::Questionable
            && memchr(b'$', path).is_none_or(|dollar| dollar + 1 == path.len());
        let is_digit = |at: usize| path.get(at).is_some_and(u8::is_ascii_hexdigit);
        is_plain.then(|| PlainPattern {
            has_star: memchr(b'*', path).is_some(),
            has_dollar: path.ends_with(b"$"),
            may_match_part: memchr_iter(b'*', path).any(|star| is_digit(star + 1)),
            bytes: ByteSet::of(path.iter().filter(|byte| !is_wildcard(**byte))),
        })
    }

    /// Returns whether matching the pattern against a path raises no question.
    pub(crate) fn is_plain_for(self, plainness: Plainness) -> bool {
        match plainness {
            Plainness::Unreserved => true,
            Plainness::Encodable => !self.may_match_part,
            Plainness::Questionable => false,
        }
    }

    /// Returns whether a path has all bytes that the pattern needs, as far as their set shows it.
    pub(crate) fn may_match(self, path: ByteSet) -> bool {
        self.bytes.is_subset(path)
    }
}

/// The bytes that occur in a text: a bit for each. Two bytes may share one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteSet(u64);

impl ByteSet {
    pub(crate) fn of<'t>(text: impl IntoIterator<Item = &'t u8>) -> Self {
        ByteSet(text.into_iter().fold(0, |set, byte| set | 1 << (byte & 63)))
    }

    fn is_subset(self, other: ByteSet) -> bool {
        self.0 & !other.0 == 0
    }
}

/// The first bytes of a path or pattern, in a form that is fast to compare: most patterns start in another way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    bytes: u64,
    /// The bits of the bytes that count.
    mask: u64,
}

impl Head {
    /// Returns the head of a plain path.
    pub(crate) fn of_path(path: &[u8]) -> Self {
        let mut bytes = [0; size_of::<u64>()];
        let length = path.len().min(bytes.len());
        bytes[..length].copy_from_slice(&path[..length]);
        Head {
            bytes: u64::from_le_bytes(bytes),
            mask: u64::MAX.checked_shr(64 - 8 * length as u32).unwrap_or(0),
        }
    }

    /// Returns the head that a plain path needs to match a pattern. An odd segment may vanish, and a character that is
    /// neither a slash nor unreserved may match in several ways.
    pub(crate) fn of_pattern(pattern: &[u8]) -> Self {
        let is_unsettled = |byte: &u8| CLASSES[usize::from(*byte)] != 0;
        let first = &pattern[..pattern.len().min(size_of::<u64>())];
        match pattern.first() {
            Some(b'/') if !has_odd_segment(pattern) => {
                Head::of_path(&first[..first.iter().position(is_unsettled).unwrap_or(first.len())])
            }
            _ => Head { bytes: 0, mask: 0 },
        }
    }

    /// Returns whether a path with this head may match a pattern with the other.
    pub(crate) fn may_match(self, pattern: Head) -> bool {
        self.bytes & pattern.mask == pattern.bytes
    }
}

/// Returns whether a plain pattern matches a plain path from its first byte on (RFC 9309, 2.2.2 and 2.2.3).
///
/// Each text between stars is matched from left to right at the earliest possible place, which leaves the most to the
/// texts after it.
pub(crate) fn matches_plain(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let Some(star) = memchr(b'*', pattern) else {
        return if is_anchored { path == pattern } else { path.starts_with(pattern) };
    };
    let Some(mut rest) = path.strip_prefix(&pattern[..star]) else { return false };
    let mut texts = pattern[star + 1..].split(|&byte| byte == b'*');
    let last = if is_anchored { texts.next_back() } else { None };
    for text in texts {
        let Some(at) = memmem::find(rest, text) else { return false };
        rest = &rest[at + text.len()..];
    }
    last.is_none_or(|last| rest.ends_with(last))
}
