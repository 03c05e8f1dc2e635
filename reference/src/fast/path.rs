//! Paths that raise no question, so that they are compared byte by byte, in every edition alike.
//!
//! Most paths are plain. The evaluation gives the same rulings without this module, only slower.

use memchr::{memchr, memchr_iter, memmem};

use crate::answer::{EndAnchor, Wildcard};
use crate::bytes::is_unreserved;
use crate::question::typed::{DollarInPath, StarInPath};
use crate::reading::Reader;
use crate::target::has_dot_segments;

/// Whether a path raises questions when a pattern is matched against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plainness {
    /// It consists of slashes and unreserved characters.
    Unreserved,
    /// It also has other characters of ASCII. Some readings percent-encode them, and then a pattern may match a part of
    /// an escape.
    Encodable,
    /// It has escapes, bytes outside ASCII, dot segments or empty segments.
    Questionable,
}

const ENCODABLE: u8 = 1;
const QUESTIONABLE: u8 = 2;
const WILDCARD: u8 = 4;

/// The class of each byte, which is 0 for a slash and for an unreserved character.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'%' | 0x80.. => QUESTIONABLE,
            b'/' => 0,
            b'*' | b'$' => ENCODABLE | WILDCARD,
            byte if is_unreserved(byte) => 0,
            _ => ENCODABLE,
        };
        byte += 1;
    }
    classes
};

/// Returns the classes of the bytes of a text, and the bytes that occur: a bit for each. Two bytes may share one.
fn survey(text: &[u8]) -> (u8, u64) {
    text.iter().fold((0, 0), |(classes, bytes), &byte| {
        (classes | CLASSES[usize::from(byte)], bytes | 1 << (byte & 63))
    })
}

fn plainness(path: &[u8], classes: u8) -> Plainness {
    let has_odd_segment =
        may_have_odd_segment(path) && (has_dot_segments(path) || memmem::find(path, b"//").is_some());
    match classes & !WILDCARD {
        _ if has_odd_segment => Plainness::Questionable,
        0 => Plainness::Unreserved,
        ENCODABLE => Plainness::Encodable,
        _ => Plainness::Questionable,
    }
}

/// Returns whether a slash follows a slash, or what may be a dot.
fn may_have_odd_segment(path: &[u8]) -> bool {
    let is_odd = |slash: u8, next: u8| (slash == b'/') & ((next == b'/') | (next == b'.') | (next == b'%'));
    // Without an early end, the compiler compares many bytes at once.
    path.iter().zip(path.iter().skip(1)).fold(false, |any, (&slash, &next)| any | is_odd(slash, next))
}

/// A pattern that raises no question against most plain paths.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainPattern {
    pub(crate) has_star: bool,
    pub(crate) has_dollar: bool,
    /// Whether it may match a part of an escape: it has a hexadecimal digit after a `*`.
    may_match_part: bool,
}

impl PlainPattern {
    /// Returns the pattern of a path that raises no question, except whether `*` and `$` are wildcards.
    pub(crate) fn new(path: &[u8]) -> Option<Self> {
        PlainPattern::with_classes(path, survey(path).0)
    }

    fn with_classes(path: &[u8], classes: u8) -> Option<Self> {
        let starts_plain = matches!(path.first(), Some(b'/' | b'*'));
        if !starts_plain || plainness(path, classes) == Plainness::Questionable {
            return None;
        }
        if classes & WILDCARD == 0 {
            return Some(PlainPattern { has_star: false, has_dollar: false, may_match_part: false });
        }
        let is_digit = |at: usize| path.get(at).is_some_and(u8::is_ascii_hexdigit);
        let pattern = PlainPattern {
            has_star: memchr(b'*', path).is_some(),
            has_dollar: path.ends_with(b"$"),
            may_match_part: memchr_iter(b'*', path).any(|star| is_digit(star + 1)),
        };
        // What a `$` before the end stands for is a question.
        memchr(b'$', path).is_none_or(|dollar| dollar + 1 == path.len()).then_some(pattern)
    }

    /// Returns whether matching the pattern against a path raises no question.
    pub(crate) fn is_plain_for(self, plainness: Plainness, reader: &impl Reader) -> bool {
        let is_plain = match plainness {
            Plainness::Unreserved => true,
            Plainness::Encodable => !self.may_match_part,
            Plainness::Questionable => false,
        };
        is_plain
            && !(self.has_star && reader.admits(StarInPath, Wildcard::Literal))
            && (!self.has_dollar || reader.always(DollarInPath, EndAnchor::Special))
    }

    /// Returns whether this pattern of a path matches a plain path from its first byte on.
    pub(crate) fn matches(self, pattern: &[u8], path: &[u8], reader: &mut impl Reader) -> bool {
        // Each text between stars is looked for. Eight take the time of a step.
        let may_go_on = !self.has_star || reader.spend(memchr_iter(b'*', pattern).count() / 8);
        may_go_on && matches_plain(pattern, path)
    }
}

/// What a pattern needs of a path, and what a path has, in a form that is fast to compare: most patterns need something
/// that a path does not have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sieve {
    /// The first bytes.
    head: u64,
    /// The bits of the first bytes that count: those that no reading changes.
    mask: u64,
    /// The bytes that occur: a bit for each. Two bytes may share one.
    bytes: u64,
}

impl Sieve {
    /// Returns the sieve of a path and query, and its plainness.
    pub(crate) fn of_path(path: &[u8]) -> (Self, Plainness) {
        let (classes, bytes) = survey(path);
        let plainness = plainness(path, classes);
        let settled = if plainness == Plainness::Questionable { settled_length(path) } else { usize::MAX };
        let bytes = if plainness == Plainness::Questionable { u64::MAX } else { bytes };
        let sieve = Sieve { head: head(path), mask: mask(settled), bytes };
        (sieve, plainness)
    }

    /// Returns the sieve of a path with or without some text after it.
    pub(crate) fn with_any_end(self, path: &[u8]) -> Self {
        Sieve { mask: self.mask & mask(settled_length(path)), bytes: u64::MAX, ..self }
    }

    /// Returns the sieve of the path of a rule, which may have a slash before it, and the pattern if it is plain.
    pub(crate) fn of_pattern(path: &[u8]) -> (Self, Option<PlainPattern>) {
        let (classes, bytes) = survey(path);
        let plain = PlainPattern::with_classes(path, classes);
        let bytes = match plain {
            Some(PlainPattern { may_match_part: false, .. }) => bytes & !WILDCARDS,
            Some(_) => bytes & !WILDCARDS & !HEX_DIGITS,
            None => 0,
        };
        let first = path.first().copied().unwrap_or(b'*');
        // Without its slash, a path matches nothing.
        let has_slash = matches!(first, b'/' | b'*');
        let is_unsettled = matches!(first, b'.' | b'%') || path.contains(&b'$');
        if plain.is_none() && !has_slash && is_unsettled {
            return (Sieve { head: 0, mask: 0, bytes: 0 }, None);
        }
        let settled = if plain.is_some() && classes == 0 { path.len() } else { settled_length(path) };
        let head = if has_slash { head(path) } else { head(path) << 8 | u64::from(b'/') };
        let mask = mask(settled + usize::from(!has_slash));
        (Sieve { head: head & mask, mask, bytes }, plain)
    }

    /// Returns whether the path of a rule, which needs no preparation, certainly starts otherwise than a path that it
    /// matches.
    pub(crate) fn starts_otherwise(self, path: &[u8]) -> bool {
        let difference = (self.head ^ head(path)) & self.mask;
        let start = path.get(..=difference.trailing_zeros() as usize / 8);
        difference != 0 && start.is_some_and(|start| settled_length(path) >= start.len() && start[0] == b'/')
    }

    /// Returns whether a path may match a pattern in some reading.
    pub(crate) fn may_match(self, pattern: Sieve) -> bool {
        ((self.head ^ pattern.head) & self.mask & pattern.mask) | (pattern.bytes & !self.bytes) == 0
    }
}

/// The bits of the bytes that a path need not have to match a pattern with them, or that share one with such a byte.
const WILDCARDS: u64 = bits_of(b"*$");
const HEX_DIGITS: u64 = bits_of(b"0123456789ABCDEFabcdef");

const fn bits_of(bytes: &[u8]) -> u64 {
    let mut set = 0;
    let mut place = 0;
    while place < bytes.len() {
        set |= 1 << (bytes[place] & 63);
        place += 1;
    }
    set
}

/// Returns the number of bytes at the start of a path that no reading changes, as far as a sieve has them: slashes and
/// unreserved characters, up to a second slash in a row. A dot segment removes what is before it.
fn settled_length(path: &[u8]) -> usize {
    if may_have_odd_segment(path) && has_dot_segments(path) {
        return 0;
    }
    let start = &path[..path.len().min(size_of::<u64>())];
    let is_settled = |(place, &byte): (usize, &u8)| {
        CLASSES[usize::from(byte)] == 0 && !(byte == b'/' && place > 0 && start[place - 1] == b'/')
    };
    start.iter().enumerate().position(|at| !is_settled(at)).unwrap_or(start.len())
}

/// Returns the start of a path and query that each rule which matches it in some reading has, as far as its own start is
/// settled, and whether such a rule may have more.
pub(crate) fn settled_start(path: &[u8], plainness: Plainness, has_fragment: bool) -> (&[u8], bool) {
    let is_open = plainness == Plainness::Questionable || has_fragment;
    (if is_open { &path[..settled_length(path)] } else { path }, is_open)
}

/// Returns the start of the path of a rule that each path which it matches in some reading has, as far as that is settled.
pub(crate) fn settled_start_of_rule(path: &[u8]) -> &[u8] {
    match path {
        [b'/', ..] if PlainPattern::new(path).is_some() => {
            let is_settled = |byte: &u8| CLASSES[usize::from(*byte)] == 0;
            &path[..path.iter().position(|byte| !is_settled(byte)).unwrap_or(path.len())]
        }
        [b'/', ..] => &path[..settled_length(path)],
        _ => &[],
    }
}

/// Returns the first bytes of a text.
fn head(text: &[u8]) -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    let length = text.len().min(bytes.len());
    bytes[..length].copy_from_slice(&text[..length]);
    u64::from_le_bytes(bytes)
}

/// Returns the bits of this number of first bytes.
fn mask(length: usize) -> u64 {
    let others = size_of::<u64>().saturating_sub(length);
    u64::MAX.checked_shr(8 * others as u32).unwrap_or(0)
}

/// Returns the same for a text (RFC 9309, 2.2.2 and 2.2.3).
///
/// Each text between stars is matched from left to right at the earliest possible place, which leaves the most to the
/// texts after it.
fn matches_plain(pattern: &[u8], path: &[u8]) -> bool {
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

#[cfg(test)]
#[path = "../../tests/unit/fast_path.rs"]
mod tests;
