//! URL matching based on path values.
//!
//! *Google, "URL matching based on path values"; RFC 9309, 2.2.2 and 2.2.3.*

use std::borrow::Cow;

use crate::answer::{Dollar, EscapeSpelling, Normalisation, PathLength, PathStart, Removal, Wildcard};
use crate::bytes::{is_reserved, is_unreserved};
use crate::path_byte::{DigitCase, PathByte, PathBytes, Spelling};
use crate::question::typed::*;
use crate::reading::Reader;
use crate::target::{has_dot_segments, without_dot_segments_in_rule, without_dot_segments_in_url};

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
    /// Returns the part, where wildcards are characters like others.
    fn literal(self) -> Part {
        match self {
            Part::Byte(byte) => Part::Byte(byte),
            Part::Star => Part::Byte(PathByte::plain(b'*')),
            Part::End | Part::MidDollar => Part::Byte(PathByte::plain(b'$')),
        }
    }
}

const SLASH: Part = Part::Byte(PathByte::plain(b'/'));

/// A path pattern: the value of an allow or disallow line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// With the slash that is assumed at its start, if one is.
    parts: Vec<Part>,
    /// The path as a text, where it has dot segments.
    dotted: Option<Box<[u8]>>,
    /// Its length as written, in bytes.
    written: usize,
    /// Its length as written, in characters.
    characters: usize,
    /// Its length after percent-encoding, in bytes.
    encoded: usize,
    /// The same with characters percent-encoded that no URI contains.
    encoded_unsafe: usize,
    /// The same with reserved characters percent-encoded too.
    encoded_reserved: usize,
    /// The number of escaped unreserved characters, which are one byte if they are decoded.
    escapes: usize,
    /// The number of `*` at its end.
    trailing_stars: usize,
}

/// The path and query of a URL, prepared for matching.
pub(crate) struct Target {
    given: Path,
    /// The same as a text, where it has dot segments.
    dotted: Option<Box<[u8]>>,
    /// The same with the fragment of the URL, where it has one.
    with_fragment: Option<Box<Target>>,
}

/// The bytes of a path and query.
struct Path {
    bytes: Vec<PathByte>,
    /// Where the query starts after its question mark, if there is a query.
    query: Option<usize>,
}

impl Target {
    /// Prepares the path and query of a URL, which may have a fragment.
    pub(crate) fn new(path_and_query: &str, fragment: Option<&str>) -> Self {
        let text = path_and_query.as_bytes();
        Target {
            given: Path::new(text),
            dotted: has_dot_segments(text).then(|| text.into()),
            with_fragment: fragment
                .map(|fragment| Box::new(Target::new(&format!("{path_and_query}#{fragment}"), None))),
        }
    }
}

impl Path {
    fn new(text: &[u8]) -> Self {
        let bytes: Vec<PathByte> = PathBytes(text).collect();
        let question_mark = PathByte::plain(b'?');
        let query = bytes.iter().position(|byte| *byte == question_mark).map(|at| at + 1);
        Path { bytes, query }
    }

    /// Returns the path with a single slash in place of several.
    fn with_single_slashes(&self) -> Path {
        let mut bytes = self.bytes.clone();
        bytes.dedup_by(|a, b| a == b && Part::Byte(*a) == SLASH);
        let question_mark = PathByte::plain(b'?');
        let query = bytes.iter().position(|byte| *byte == question_mark).map(|at| at + 1);
        Path { bytes, query }
    }
}

fn parts(pattern: &[u8]) -> Vec<Part> {
    let mut parts: Vec<Part> = PathBytes(pattern)
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

impl Pattern {
    /// Parses the value of a rule, which is not empty.
    pub(crate) fn parse(value: &[u8], start: PathStart) -> Self {
        let path = match start {
            PathStart::AssumeSlash if value.first() != Some(&b'/') => Cow::Owned([b"/", value].concat()),
            _ => Cow::Borrowed(value),
        };
        let parts_of_path = parts(&path);
        let encoded_unsafe = encoded_length(&parts_of_path) + 2 * unsafe_count(&parts_of_path);
        let is_absolute = path.first() == Some(&b'/');
        Pattern {
            characters: value
                .utf8_chunks()
                .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
                .sum(),
            encoded: encoded_length(&parts_of_path),
            encoded_unsafe,
            encoded_reserved: encoded_unsafe + 2 * reserved_count(&parts_of_path),
            escapes: escape_count(&parts_of_path),
            parts: parts_of_path,
            dotted: (is_absolute && has_dot_segments(&path)).then(|| path.into()),
            written: value.len(),
            trailing_stars: value.iter().rev().take_while(|&&byte| byte == b'*').count(),
        }
    }

    /// Returns whether it ends with a wildcard, which does not change what it matches.
    pub(crate) fn has_trailing_star(&self) -> bool {
        self.trailing_stars > 0
    }

    /// Returns whether it has a wildcard. Wildcards at its end may count or not.
    pub(crate) fn has_star(&self, trailing_too: bool) -> bool {
        let end = if trailing_too { self.parts.len() } else { self.parts.len() - self.trailing_stars };
        self.parts[..end].contains(&Part::Star)
    }

    /// Its length in bytes for the order of precedence. Escaped unreserved characters may be decoded before it is
    /// percent-encoded, or not.
    pub(crate) fn length(&self, of: PathLength, trailing_too: bool, decodes: bool) -> usize {
        let escapes = if decodes { 0 } else { 2 * self.escapes };
        let whole = match of {
            PathLength::Written => self.written,
            PathLength::Encoded => self.encoded + escapes,
            PathLength::EncodedUnsafe => self.encoded_unsafe + escapes,
            PathLength::EncodedReserved => self.encoded_reserved + escapes,
            PathLength::Characters => self.characters,
        };
        if trailing_too { whole } else { whole - self.trailing_stars }
    }

    /// Returns whether two ways to count its length differ.
    pub(crate) fn has_two_lengths(&self) -> bool {
        self.has_escapes()
            || [self.encoded, self.encoded_unsafe, self.encoded_reserved, self.characters]
                .iter()
                .any(|length| *length != self.written)
    }

    /// Returns whether it has escaped unreserved characters.
    pub(crate) fn has_escapes(&self) -> bool {
        self.escapes > 0
    }

    /// Returns whether it names this path and nothing below it, other than by wildcards at its end.
    pub(crate) fn is_path(&self, path: &[u8]) -> bool {
        let end = self.parts.len()
            - self.parts.iter().rev().take_while(|part| !matches!(part, Part::Byte(_))).count();
        let named = &self.parts[..end];
        let named = named.strip_prefix(&[SLASH]).unwrap_or(named);
        let path = path.strip_prefix(b"/").unwrap_or(path);
        let is_byte = |(part, byte): (&Part, &u8)| matches!(part, Part::Byte(part) if part.value() == *byte);
        named.len() == path.len() && named.iter().zip(path).all(is_byte)
    }

    /// Returns the path after percent-encoding (RFC 9309, 2.2.2): two rules are equivalent if it is the same. Wildcards at
    /// its end may count or not.
    pub(crate) fn percent_encoded(&self, trailing_too: bool) -> Vec<Part> {
        let end = self.parts.len() - if trailing_too { 0 } else { self.trailing_stars };
        let encoded = |part: &Part| match part {
            Part::Byte(byte) => Part::Byte(byte.percent_encoded()),
            other => *other,
        };
        self.parts[..end].iter().map(encoded).collect()
    }

    /// Returns whether the pattern matches the target from its first byte on.
    pub(crate) fn matches(&self, target: &Target, reader: &mut impl Reader) -> bool {
        if self.parts.is_empty() {
            return true;
        }
        let target = match &target.with_fragment {
            Some(with_fragment) if reader.answer(Fragment) == Removal::Keep => with_fragment,
            _ => target,
        };
        if self.dotted.is_none() && target.dotted.is_none() {
            return matches_with_wildcards(&self.parts, &target.given, reader);
        }
        let answer = reader.answer(DotSegments);
        if answer == Normalisation::Keep {
            return matches_with_wildcards(&self.parts, &target.given, reader);
        }
        let parts = match self.without_dot_segments(answer, reader) {
            Some(path) => Cow::Owned(parts(&path)),
            None => Cow::Borrowed(&self.parts),
        };
        match &target.dotted {
            Some(path) => {
                let path = Path::new(&without_dot_segments_in_url(path, reader));
                matches_with_wildcards(&parts, &path, reader)
            }
            None => matches_with_wildcards(&parts, &target.given, reader),
        }
    }

    /// Returns the pattern without the dot segments that a normalisation removes, if there are any.
    fn without_dot_segments(
        &self,
        normalisation: Normalisation,
        reader: &mut impl Reader,
    ) -> Option<Vec<u8>> {
        let path = self.dotted.as_deref()?;
        match normalisation {
            Normalisation::Keep | Normalisation::NormaliseUrl => None,
            Normalisation::NormaliseWhole => Some(without_dot_segments_in_rule(path, reader)),
            // The last segment is a prefix, not a whole segment: `/.` matches `/.git`.
            Normalisation::NormaliseBoth => {
                let (directory, last) = path.split_at(path.iter().rposition(|&byte| byte == b'/')? + 1);
                Some([&without_dot_segments_in_rule(directory, reader), last].concat())
            }
        }
    }
}

/// Matches a pattern, in which `*` and `$` may be literal and slashes may be merged.
fn matches_with_wildcards(parts: &[Part], path: &Path, reader: &mut impl Reader) -> bool {
    let is_special = |part: &Part| !matches!(part, Part::Byte(_));
    if parts.iter().any(is_special) && reader.answer(Wildcards) == Wildcard::Literal {
        let literal: Vec<Part> = parts.iter().map(|part| part.literal()).collect();
        return matches_with_wildcards(&literal, path, reader);
    }
    let is_double = |pair: &[PathByte]| Part::Byte(pair[0]) == SLASH && pair[0] == pair[1];
    if reader.admits(DoubleSlash, Removal::Drop)
        && (path.bytes.windows(2).any(is_double) || parts.windows(2).any(|pair| pair == [SLASH, SLASH]))
        && reader.answer(DoubleSlash) == Removal::Drop
    {
        let mut single = parts.to_vec();
        single.dedup_by(|a, b| a == b && *a == SLASH);
        return matches_bytes_or_text(&single, &path.with_single_slashes(), reader);
    }
    matches_bytes_or_text(parts, path, reader)
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

/// Returns the number of escaped unreserved characters.
fn escape_count(parts: &[Part]) -> usize {
    let is_escape = |part: &&Part| matches!(part, Part::Byte(byte) if byte.as_plain().is_none() && is_unreserved(byte.value()));
    parts.iter().filter(is_escape).count()
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

/// Returns whether the pattern matches the bytes of the path, or else the text that they are written as, where an
/// escape consists of three characters.
fn matches_bytes_or_text(parts: &[Part], path: &Path, reader: &mut impl Reader) -> bool {
    // As it is written, any other pattern matches no path.
    if !matches!(parts.first(), Some(&SLASH | Part::Star)) {
        return false;
    }
    if matches_from_start(parts, path, reader) {
        return true;
    }
    if !may_end_within_escape(parts, path) {
        return false;
    }
    let mut matches_in = |digits: DigitCase| {
        Spelling::all(digits).any(|spelling| {
            let bytes = path.bytes.iter().flat_map(|byte| byte.spelled_in_url(spelling)).collect();
            matches_from_start(&spelled(parts, spelling), &Path { bytes, query: None }, reader)
        })
    };
    let matches = DigitCase::ALL.map(&mut matches_in);
    if matches == [false; DigitCase::ALL.len()] {
        return false;
    }
    let [written, capital, small] = matches;
    match reader.answer_about(PartialEscape, &written_as(parts)) {
        EscapeSpelling::No => false,
        EscapeSpelling::Written => written,
        EscapeSpelling::Capitals => capital,
        EscapeSpelling::SmallLetters => small,
    }
}

/// Returns whether a pattern contains a `%` that starts no escape, or a hexadecimal digit after a `*` that could match
/// the start of an escape.
fn may_end_within_escape(parts: &[Part], path: &Path) -> bool {
    let is_percent = |part: &Part| matches!(part, Part::Byte(byte) if byte.as_plain() == Some(b'%'));
    let is_digit = |part: &Part| matches!(part, Part::Byte(byte) if byte.value().is_ascii_hexdigit());
    let has_digit_after_star = parts.windows(2).any(|pair| pair[0] == Part::Star && is_digit(&pair[1]));
    (has_digit_after_star || parts.iter().any(is_percent))
        && path.bytes.iter().any(|byte| byte.may_be_escape())
}

fn spelled(parts: &[Part], spelling: Spelling) -> Vec<Part> {
    let mut text = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Byte(byte) => text.extend(byte.spelled_in_rule(spelling).map(Part::Byte)),
            other => text.push(*other),
        }
    }
    text
}

/// Returns the bytes of a pattern, without their spelling.
fn written_as(parts: &[Part]) -> Vec<u8> {
    let byte = |part: &Part| match part {
        Part::Byte(byte) => byte.value(),
        Part::Star => b'*',
        Part::End | Part::MidDollar => b'$',
    };
    parts.iter().map(byte).collect()
}

/// Returns whether the pattern matches from the first byte of the path on (RFC 9309, 2.2.2).
///
/// Each text between stars is matched from left to right at the earliest possible place, which leaves the most to the
/// texts after it. So the cost is at most the product of the two lengths.
fn matches_from_start(parts: &[Part], path: &Path, reader: &mut impl Reader) -> bool {
    let mut texts = parts.split(|part| *part == Part::Star);
    let first = texts.next().unwrap_or_default();
    let Some(mut matched) = end_of_match(first, path, 0, reader) else { return false };
    for text in texts {
        let mut starts = matched..=path.bytes.len();
        let Some(end) = starts.find_map(|start| end_of_match(text, path, start, reader)) else {
            return false;
        };
        matched = end;
    }
    true
}

/// Where a match of a text without stars ends that starts at this place of the path.
fn end_of_match(text: &[Part], path: &Path, start: usize, reader: &mut impl Reader) -> Option<usize> {
    let mut at = start;
    for part in text {
        let byte = path.bytes.get(at);
        let in_query = path.query.is_some_and(|query| at >= query);
        at += match part {
            Part::Byte(rule) => {
                byte.is_some_and(|&byte| rule.matches(byte, in_query, reader)).then_some(1)?
            }
            Part::MidDollar => length_of_mid_dollar(byte, in_query, reader)?,
            Part::End | Part::Star => byte.is_none().then_some(0)?,
        };
    }
    Some(at)
}

/// Returns the length of the match of a `$` before the end of the pattern: the character, or the end of the URL.
fn length_of_mid_dollar(byte: Option<&PathByte>, in_query: bool, reader: &mut impl Reader) -> Option<usize> {
    let dollar = PathByte::plain(b'$');
    if byte.is_some_and(|byte| byte.value() != b'$') {
        return None;
    }
    match (reader.answer(MidDollar), byte) {
        (Dollar::End, None) => Some(0),
        (Dollar::Keep, Some(byte)) => dollar.matches(*byte, in_query, reader).then_some(1),
        (Dollar::End, Some(_)) | (Dollar::Keep, None) => None,
    }
}
