//! URL matching based on path values.
//!
//! *Google, "URL matching based on path values"; RFC 9309, 2.2.2 and 2.2.3.*

use crate::octet::{Digits, Octet, Octets, Spelling};
use crate::question::Answer;
use crate::question::Question::*;
use crate::reading::Ask;
use crate::target::{has_dot_segments, without_dot_segments};

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
        let question_mark = Octet::plain(b'?');
        let query = octets.iter().position(|octet| *octet == question_mark).map(|at| at + 1);
        Path { octets, query }
    }
}

fn parts(pattern: &[u8]) -> Vec<Part> {
    let mut parts: Vec<Part> = Octets(pattern)
        .map(|octet| match octet.as_plain() {
            Some(b'*') => Part::Star,
            Some(b'$') => Part::MidDollar,
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
        let slash = Part::Octet(Octet::plain(b'/'));
        let with_slash = || [&[slash], parts].concat();
        match parts.first() {
            Some(first) if *first == slash => matches_octets_or_text(parts, path, ask),
            Some(Part::Star) => match ask.ask(LeadingStar) {
                Answer::Ignore => false,
                Answer::AssumeSlash => matches_octets_or_text(&with_slash(), path, ask),
                _ => matches_octets_or_text(parts, path, ask),
            },
            // Taken as written it matches no path, as though it were ignored.
            _ => {
                ask.settle(LeadingSlash, |answer| answer == Answer::AssumeSlash)
                    && matches_octets_or_text(&with_slash(), path, ask)
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
    let slash = Part::Octet(Octet::plain(b'/'));
    parts.iter().map(length).sum::<usize>() + usize::from(parts.first() != Some(&slash))
}

/// Whether the pattern matches the octets of the path, or else the text that
/// they are written in, where an escape is three characters.
fn matches_octets_or_text(parts: &[Part], path: &Path, ask: &mut impl Ask) -> bool {
    if matches_from_start(parts, path, ask) {
        return true;
    }
    if !may_end_within_escape(parts, path) {
        return false;
    }
    let mut matches_in = |digits: Digits| {
        Spelling::all(digits).any(|spelling| {
            let octets = path.octets.iter().flat_map(|octet| octet.in_url(spelling)).collect();
            matches_from_start(&spelled(parts, spelling), &Path { octets, query: None }, ask)
        })
    };
    let matches = Digits::ALL.map(&mut matches_in);
    if matches == [false; Digits::ALL.len()] {
        return false;
    }
    let [written, capital, small] = matches;
    match ask.ask_about(PartialEscape, &written_as(parts)) {
        Answer::Written => written,
        Answer::Capitals => capital,
        Answer::SmallLetters => small,
        _ => false,
    }
}

/// Whether a pattern has a `%` that starts no escape, or digits behind a `*`,
/// which could take up the start of one.
fn may_end_within_escape(parts: &[Part], path: &Path) -> bool {
    let is_percent = |part: &Part| matches!(part, Part::Octet(octet) if octet.as_plain() == Some(b'%'));
    let is_digit = |part: &Part| matches!(part, Part::Octet(octet) if octet.value().is_ascii_hexdigit());
    let has_digit_behind_star = parts.windows(2).any(|pair| pair[0] == Part::Star && is_digit(&pair[1]));
    (has_digit_behind_star || parts.iter().any(is_percent))
        && path.octets.iter().any(|octet| octet.may_be_escape())
}

fn spelled(parts: &[Part], spelling: Spelling) -> Vec<Part> {
    let mut text = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Octet(octet) => text.extend(octet.in_rule(spelling).map(Part::Octet)),
            other => text.push(*other),
        }
    }
    text
}

/// The octets that a pattern is written in.
fn written_as(parts: &[Part]) -> Vec<u8> {
    let octet = |part: &Part| match part {
        Part::Octet(octet) => octet.value(),
        Part::Star => b'*',
        Part::End | Part::MidDollar => b'$',
    };
    parts.iter().map(octet).collect()
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
    let dollar = Octet::plain(b'$');
    let as_end = octet.is_none();
    let as_octet = octet.is_some_and(|octet| octet.value() == b'$');
    if !as_end && !as_octet {
        return None;
    }
    match (ask.ask(MidDollar), octet) {
        (Answer::End, None) => Some(0),
        (Answer::Keep, Some(octet)) => dollar.same(*octet, in_query, ask).then_some(1),
        _ => None,
    }
}
