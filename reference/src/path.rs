//! URL matching based on path values.
//!
//! *Google, "URL matching based on path values"; RFC 9309, 2.2.2 and 2.2.3.*

use crate::question::Answer;
use crate::question::Question::*;
use crate::reading::Ask;
use crate::target::{has_dot_segments, without_dot_segments};

/// An octet of a path, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Octet {
    octet: u8,
    /// The two hexadecimal digits, where it is percent-encoded.
    escape: Option<[u8; 2]>,
}

/// A part of a path pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// This octet.
    Octet(Octet),
    /// `*`: any octets, or none.
    Star,
    /// `$` as the last character: the end of the URL.
    End,
    /// `$` before the last character.
    MidDollar,
}

/// A path pattern: what stands behind `allow` or `disallow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    parts: Vec<Part>,
    /// The pattern without its dot segments, where it has any.
    normal: Option<Vec<Part>>,
    /// Its length as written, in octets.
    written: usize,
    /// Its length once percent-encoded, in octets.
    encoded: usize,
    /// How many `*` it ends with.
    trailing_stars: usize,
}

/// The path and query of a URL, ready to be matched.
pub(crate) struct Target {
    given: Path,
    /// The same without its dot segments, where it has any.
    normal: Option<Path>,
}

/// A path and query in octets.
struct Path {
    octets: Vec<Octet>,
    /// Where the query starts, behind its question mark; none if there is none.
    query: Option<usize>,
}

impl Target {
    pub(crate) fn new(path_and_query: &str) -> Self {
        let text = path_and_query.as_bytes();
        Target {
            given: Path::new(text),
            normal: has_dot_segments(text).then(|| Path::new(&without_dot_segments(text))),
        }
    }
}

impl Path {
    fn new(text: &[u8]) -> Self {
        let octets: Vec<Octet> = Octets(text).collect();
        let question_mark = Octet { octet: b'?', escape: None };
        let query = octets.iter().position(|octet| *octet == question_mark).map(|at| at + 1);
        Path { octets, query }
    }
}

/// Reads octets, plain or percent-encoded.
struct Octets<'t>(&'t [u8]);

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

fn parts(pattern: &[u8]) -> Vec<Part> {
    let mut parts: Vec<Part> = Octets(pattern)
        .map(|octet| match octet {
            Octet { octet: b'*', escape: None } => Part::Star,
            Octet { octet: b'$', escape: None } => Part::MidDollar,
            _ => Part::Octet(octet),
        })
        .collect();
    if let Some(last @ Part::MidDollar) = parts.last_mut() {
        *last = Part::End;
    }
    parts
}

impl Pattern {
    /// Reads the value of a rule, which is not empty.
    pub(crate) fn parse(value: &[u8]) -> Self {
        let parts_of_value = parts(value);
        Pattern {
            encoded: encoded_length(&parts_of_value),
            parts: parts_of_value,
            // The last segment is a prefix, not a whole segment: `/.` matches `/.git`.
            normal: value.iter().rposition(|&octet| octet == b'/').and_then(|slash| {
                let (directory, rest) = value.split_at(slash + 1);
                has_dot_segments(directory).then(|| {
                    let mut normal = without_dot_segments(directory);
                    normal.extend_from_slice(rest);
                    parts(&normal)
                })
            }),
            written: value.len(),
            trailing_stars: value.iter().rev().take_while(|&&octet| octet == b'*').count(),
        }
    }

    /// Whether it ends with a wildcard, which changes nothing in matching.
    pub(crate) fn has_trailing_star(&self) -> bool {
        self.trailing_stars > 0
    }

    /// Whether it has a wildcard, with those at its end or without.
    pub(crate) fn has_star(&self, trailing_too: bool) -> bool {
        let end = if trailing_too { self.parts.len() } else { self.parts.len() - self.trailing_stars };
        self.parts[..end].contains(&Part::Star)
    }

    /// Its length in octets, as the most specific match counts it.
    pub(crate) fn length(&self, of: Answer, trailing_too: bool) -> usize {
        let whole = if of == Answer::Encoded { self.encoded } else { self.written };
        if trailing_too { whole } else { whole - self.trailing_stars }
    }

    /// Whether the two ways to count its length differ.
    pub(crate) fn has_two_lengths(&self) -> bool {
        self.encoded != self.written
    }

    /// Whether the pattern matches the target, from its first octet on.
    pub(crate) fn matches(&self, target: &Target, ask: &mut impl Ask) -> bool {
        if self.normal.is_none() && target.normal.is_none() {
            return self.starts_and_matches(&self.parts, &target.given, ask);
        }
        let normal_path = target.normal.as_ref().unwrap_or(&target.given);
        let normal_parts = self.normal.as_ref().unwrap_or(&self.parts);
        match ask.ask(DotSegments) {
            Answer::NormaliseBoth => self.starts_and_matches(normal_parts, normal_path, ask),
            Answer::NormaliseUrl => self.starts_and_matches(&self.parts, normal_path, ask),
            _ => self.starts_and_matches(&self.parts, &target.given, ask),
        }
    }

    /// What a pattern that does not start with `/` stands for.
    fn starts_and_matches(&self, parts: &[Part], path: &Path, ask: &mut impl Ask) -> bool {
        let slash = Part::Octet(Octet { octet: b'/', escape: None });
        let with_slash = || [&[slash], parts].concat();
        match parts.first() {
            Some(first) if *first == slash => matches_from_start(parts, path, ask),
            Some(Part::Star) => match ask.ask(LeadingStar) {
                Answer::Ignore => false,
                Answer::AssumeSlash => matches_from_start(&with_slash(), path, ask),
                _ => matches_from_start(parts, path, ask),
            },
            // Taken as written it matches no path, as though it were ignored.
            _ => {
                ask.settle(LeadingSlash, |answer| answer == Answer::AssumeSlash)
                    && matches_from_start(&with_slash(), path, ask)
            }
        }
    }
}

/// The length once octets outside ASCII are percent-encoded and escaped
/// unreserved characters are decoded (RFC 9309, 2.2.2), with the slash that
/// the path must start with.
fn encoded_length(parts: &[Part]) -> usize {
    let length = |part: &Part| match part {
        Part::Octet(octet) => octet.encoded_length(),
        Part::Star | Part::End | Part::MidDollar => 1,
    };
    let slash = Part::Octet(Octet { octet: b'/', escape: None });
    parts.iter().map(length).sum::<usize>() + usize::from(parts.first() != Some(&slash))
}

/// Whether the pattern matches from the first octet of the path on (RFC 9309,
/// 2.2.2).
///
/// Text between stars is looked for from left to right, as early as may be:
/// what that leaves to the rest is the most there can be. So the cost is at
/// most the product of the two lengths.
fn matches_from_start(parts: &[Part], path: &Path, ask: &mut impl Ask) -> bool {
    let mut texts = parts.split(|part| *part == Part::Star);
    let first = texts.next().unwrap_or_default();
    let Some(mut taken) = end_of_match(first, path, 0, ask) else { return false };
    for text in texts {
        let mut starts = taken..=path.octets.len();
        let Some(end) = starts.find_map(|start| end_of_match(text, path, start, ask)) else { return false };
        taken = end;
    }
    true
}

/// Where a text without stars ends that starts here in the path, if it does.
fn end_of_match(text: &[Part], path: &Path, start: usize, ask: &mut impl Ask) -> Option<usize> {
    let mut taken = start;
    for part in text {
        let octet = path.octets.get(taken);
        let in_query = path.query.is_some_and(|query| taken >= query);
        taken += match part {
            Part::Octet(rule) => octet.is_some_and(|&octet| rule.same(octet, in_query, ask)).then_some(1)?,
            Part::MidDollar => matches_mid_dollar(octet, in_query, ask)?,
            Part::End | Part::Star => octet.is_none().then_some(0)?,
        };
    }
    Some(taken)
}

/// A `$` before the end of the pattern: the character, or the end of the URL.
fn matches_mid_dollar(octet: Option<&Octet>, in_query: bool, ask: &mut impl Ask) -> Option<usize> {
    let dollar = Octet { octet: b'$', escape: None };
    let as_end = octet.is_none();
    let as_octet = octet.is_some_and(|octet| octet.octet == b'$');
    if !as_end && !as_octet {
        return None;
    }
    match (ask.ask(MidDollar), octet) {
        (Answer::End, None) => Some(0),
        (Answer::Keep, Some(octet)) => dollar.same(*octet, in_query, ask).then_some(1),
        _ => None,
    }
}

impl Octet {
    fn is_unreserved(self) -> bool {
        self.octet.is_ascii_alphanumeric() || b"-._~".contains(&self.octet)
    }

    fn encoded_length(self) -> usize {
        match self.escape {
            Some(_) if self.is_unreserved() => 1,
            Some(_) => 3,
            None if self.octet.is_ascii() => 1,
            None => 3,
        }
    }

    /// Whether this octet of a rule and that octet of a URL are the same,
    /// however they are written.
    fn same(self, url: Octet, in_query: bool, ask: &mut impl Ask) -> bool {
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
