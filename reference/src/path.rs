//! URL matching based on path values, for paths that may raise questions.
//!
//! *Google, "URL matching based on path values"; RFC 9309, 2.2.2 and 2.2.3.*

use std::borrow::Cow;
use std::cell::OnceCell;

use memchr::{memchr_iter, memmem};

use crate::answer::{
    Dollar, EndAnchor, MatchStart, RuleText, Slashes, SpecialEscape, UrlPortion, Wildcard, YesOrNo,
};
use crate::bytes::{escape, is_unreserved};
use crate::fast::path::{Plainness, Sieve, settled_start};
use crate::part::{Part, SLASH, decode_wildcards};
use crate::path_byte::{PathByte, PathBytes, Spelling};
use crate::question::typed::*;
use crate::reading::Reader;
use crate::stretch::{as_expression, literally, longest_match};
use crate::target::{NotAUrl, has_dot_segments, path_and_query, without_dot_segments_in_url};
use crate::url_parts::UrlParts;

/// The number of bytes that are searched or copied in about the time of a step.
const BYTES_PER_STEP: usize = 8;

/// The number of bytes that are looked at, one by one, in about this time.
const LOOKED_AT_PER_STEP: usize = 256;

/// The path and query of a URL, prepared for matching.
pub(crate) struct Target<'u> {
    text: Cow<'u, str>,
    plainness: Plainness,
    sieve: Sieve,
    /// The same with the fragment of the URL, where it has one.
    with_fragment: Option<Box<Target<'static>>>,
    /// The same without parameters and query, and without its query, where it has them, once it is needed.
    portions: [OnceCell<Option<Box<Target<'static>>>>; 2],
    has_dot_segments: OnceCell<bool>,
    /// Its bytes, once they are needed.
    path: OnceCell<Path>,
}

/// The bytes of a path and query.
pub(crate) struct Path {
    bytes: Vec<PathByte>,
    /// The values of the bytes, whether or not they are percent-encoded.
    values: Vec<u8>,
    /// The values that occur: a bit for each. Several share one.
    occurring: u64,
    /// Whether a byte may be written as an escape, and whether each is a plain byte of ASCII.
    may_be_escaped: bool,
    is_plain_ascii: bool,
    /// Where the query starts after its question mark, if there is a query.
    query: Option<usize>,
    /// Its spellings, once they are needed.
    spellings: OnceCell<Vec<Path>>,
}

impl<'u> Target<'u> {
    /// Prepares the path and query of a URL.
    ///
    /// # Errors
    ///
    /// The text is neither an absolute URL nor a path.
    #[inline]
    pub(crate) fn of(url: &'u str) -> Result<Self, NotAUrl> {
        let parts = UrlParts::split(url);
        let text = path_and_query(&parts)?;
        Ok(match parts.fragment() {
            None => Target::new(text),
            Some(fragment) => {
                let with_fragment = Target::new(Cow::Owned(format!("{text}#{fragment}")));
                let target = Target::new(text);
                let sieve = target.sieve.with_any_end(target.text());
                Target { sieve, with_fragment: Some(Box::new(with_fragment)), ..target }
            }
        })
    }

    /// Prepares a text that is matched in place of a path and query.
    #[inline]
    pub(crate) fn new(text: Cow<'u, str>) -> Self {
        let (sieve, plainness) = Sieve::of_path(text.as_bytes());
        Target {
            text,
            plainness,
            sieve,
            with_fragment: None,
            portions: Default::default(),
            has_dot_segments: OnceCell::new(),
            path: OnceCell::new(),
        }
    }

    /// The path and query as they are written.
    pub(crate) fn text(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Returns whether the URL has no path before its query, so that `/` stands for it.
    pub(crate) fn is_without_path(&self) -> bool {
        matches!(self.text, Cow::Owned(_))
    }

    pub(crate) fn plainness(&self) -> Plainness {
        self.plainness
    }

    pub(crate) fn sieve(&self) -> Sieve {
        self.sieve
    }

    /// Returns its start that no reading changes, and whether there is more in some reading.
    pub(crate) fn settled_start(&self) -> (&[u8], bool) {
        settled_start(self.text(), self.plainness, self.with_fragment.is_some())
    }

    /// Returns whether a `%` starts no escape, so that the text is neither a URL nor a URI (RFC 1738, 2.2; RFC 3986, 2.1).
    pub(crate) fn has_broken_escape(&self) -> bool {
        self.plainness == Plainness::Questionable
            && memchr_iter(b'%', self.text()).any(|at| escape(&self.text()[at..]).is_none())
    }

    pub(crate) fn with_fragment(&self) -> Option<&Target<'static>> {
        self.with_fragment.as_deref()
    }

    /// Returns whether rules are compared with a part of the target in some reading.
    pub(crate) fn may_be_shortened(&self, reader: &impl Reader) -> bool {
        !reader.always(PathPortion, UrlPortion::Whole) && self.portion(&[';', '?']).is_some()
    }

    /// Returns the part before the first of these delimiters: `?`, or `;` as well.
    fn portion(&self, delimiters: &[char]) -> Option<&Target<'static>> {
        let portion = self.portions[delimiters.len() - 1].get_or_init(|| {
            let end = self.text.find(delimiters)?;
            Some(Box::new(Target::new(Cow::Owned(self.text[..end].to_owned()))))
        });
        portion.as_deref()
    }

    /// Returns the part of the target that rules are compared with: in some readings, its path alone (RFC 1808, 2.1).
    pub(crate) fn compared(&self, reader: &mut impl Reader) -> &Target<'u> {
        if !self.may_be_shortened(reader) {
            return self;
        }
        let portion = match reader.answer(PathPortion) {
            UrlPortion::WithoutQuery => self.portion(&['?']),
            UrlPortion::WithoutEmptyQuery if self.text.find('?') == Some(self.text.len() - 1) => {
                self.portion(&['?'])
            }
            UrlPortion::WithoutEmptyParts
                if self.text.find([';', '?']) == Some(self.text.trim_end_matches([';', '?']).len()) =>
            {
                self.portion(&[';', '?'])
            }
            UrlPortion::Path => self.portion(&[';', '?']),
            UrlPortion::Whole | UrlPortion::WithoutEmptyQuery | UrlPortion::WithoutEmptyParts => None,
        };
        portion.unwrap_or(self)
    }

    pub(crate) fn has_dot_segments(&self) -> bool {
        *self.has_dot_segments.get_or_init(|| has_dot_segments(self.text()))
    }

    pub(crate) fn path(&self) -> &Path {
        self.path.get_or_init(|| Path::of(self.text()))
    }

    /// Returns the path without the dot segments that a normalisation removes, if there are any.
    pub(crate) fn without_dot_segments(&self, reader: &mut impl Reader) -> Option<Path> {
        self.has_dot_segments().then(|| Path::of(&without_dot_segments_in_url(self.text(), reader)))
    }
}

impl Path {
    /// Returns the path and query with this text.
    pub(crate) fn of(text: &[u8]) -> Path {
        Path::new(PathBytes(text).collect())
    }

    /// Returns the path whose escapes are characters like others.
    pub(crate) fn as_written(text: &[u8]) -> Path {
        Path::new(text.iter().copied().map(PathByte::plain).collect())
    }

    fn new(bytes: Vec<PathByte>) -> Self {
        let question_mark = PathByte::plain(b'?');
        let query = bytes.iter().position(|byte| *byte == question_mark).map(|at| at + 1);
        let values: Vec<u8> = bytes.iter().map(|byte| byte.value()).collect();
        let occurring = values.iter().fold(0, |occurring, value| occurring | 1 << (value % 64));
        Path {
            values,
            occurring,
            may_be_escaped: bytes.iter().any(|byte| byte.may_be_escape()),
            is_plain_ascii: bytes.iter().all(|byte| byte.is_plain_ascii()),
            bytes,
            query,
            spellings: OnceCell::new(),
        }
    }

    /// Returns the length of the longest stretch at its start that a pattern matches.
    pub(crate) fn longest_match(&self, parts: &[Part]) -> Option<usize> {
        longest_match(&literally(parts), self.bytes.len(), |rule, at| rule.value() == self.values[at])
    }

    fn is_in_query(&self, at: usize) -> bool {
        self.query.is_some_and(|query| at >= query)
    }

    /// Returns the path as a text, in which an escape is three bytes, in each spelling.
    fn spellings(&self) -> &[Path] {
        self.spellings.get_or_init(|| {
            let bytes = |spelling| self.bytes.iter().flat_map(move |byte| byte.spelled(spelling)).collect();
            Spelling::all().map(|spelling| Path { query: None, ..Path::new(bytes(spelling)) }).collect()
        })
    }

    /// Returns whether a byte of a pattern does not occur in it.
    fn lacks(&self, part: &Part) -> bool {
        matches!(part, Part::Byte(byte) if self.occurring & 1 << (byte.value() % 64) == 0)
    }
}

/// Matches a pattern, in which `*` and `$` may be literal and slashes may be merged.
pub(crate) fn matches_with_wildcards(parts: &[Part], path: &Path, reader: &mut impl Reader) -> bool {
    let mut parts = Cow::Borrowed(parts);
    if parts.contains(&Part::Star) && reader.answer(StarInPath) == Wildcard::Literal {
        parts = parts.iter().map(|part| if *part == Part::Star { part.literal() } else { *part }).collect();
    }
    if reader.admits(EscapedSpecial, SpecialEscape::Wildcard) {
        parts = decode_wildcards(&parts).into();
    }
    if parts.iter().any(|part| part.is_dollar()) {
        let answer = reader.answer(DollarInPath);
        let literal: Vec<Part> =
            parts.iter().map(|part| if part.is_dollar() { part.literal() } else { *part }).collect();
        if answer == EndAnchor::Either && matches_with_slashes(&literal, path, reader) {
            return true;
        }
        if answer == EndAnchor::Literal {
            parts = literal.into();
        }
    }
    matches_with_slashes(&parts, path, reader)
}

/// Matches a pattern, in which slashes may be merged, or two at its start may mark a host.
fn matches_with_slashes(parts: &[Part], path: &Path, reader: &mut impl Reader) -> bool {
    if let [SLASH, SLASH, rest @ ..] = parts
        && reader.admits(DoubleSlash, Slashes::Host)
    {
        let host = rest.iter().take_while(|part| **part != SLASH).count();
        return matches_bytes_or_text(&rest[host..], path, reader);
    }
    let is_merged_in_rule = reader.admits(DoubleSlash, Slashes::Drop);
    if is_merged_in_rule || reader.admits(DoubleSlash, Slashes::DropInUrl) {
        let (mut parts, mut bytes) = (parts.to_vec(), path.bytes.clone());
        bytes.dedup_by(|a, b| a == b && Part::Byte(*a) == SLASH);
        parts.dedup_by(|a, b| is_merged_in_rule && a == b && *a == SLASH);
        return matches_bytes_or_text(&parts, &Path::new(bytes), reader);
    }
    matches_bytes_or_text(parts, path, reader)
}

/// Returns whether the pattern matches the bytes of the path, or else the text that they are written as, where an
/// escape consists of three characters.
fn matches_bytes_or_text(parts: &[Part], path: &Path, reader: &mut impl Reader) -> bool {
    let matches_anywhere = match reader.answer(MatchAnywhere) {
        MatchStart::First => false,
        MatchStart::Any => true,
        MatchStart::AnyWithWildcard => parts.iter().any(|part| !matches!(part, Part::Byte(_))),
    };
    if matches_anywhere && parts.first() != Some(&Part::Star) {
        return matches_bytes_or_text(&[&[Part::Star], parts].concat(), path, reader);
    }
    if reader.answer(RuleCharacters) == RuleText::Expression {
        let equals = |rule: PathByte, at| rule.matches(path.bytes[at], path.is_in_query(at), reader);
        return longest_match(&as_expression(parts), path.bytes.len(), equals).is_some();
    }
    // As it is written, any other pattern matches no path.
    if !matches!(parts.first(), Some(&SLASH | Part::Star)) {
        return false;
    }
    if matches_from_start(parts, path, reader) {
        return true;
    }
    if !may_end_within_escape(parts, path, reader) {
        return false;
    }
    let matches = |(spelling, text): (Spelling, &Path)| {
        reader.spend((parts.len() + path.bytes.len()) / BYTES_PER_STEP) && {
            let parts = spelled(parts, spelling, reader);
            !parts.iter().any(|part| text.lacks(part)) && matches_from_start(&parts, text, reader)
        }
    };
    Spelling::all().zip(path.spellings()).any(matches)
        && reader.answer_about(PartialEscape, &written_as(parts)) == YesOrNo::Yes
}

/// Returns whether a pattern could match a path that contains an escape so that it starts or ends within the escape: it
/// contains a `%` that starts no escape, or a hexadecimal digit after a `*`.
fn may_end_within_escape(parts: &[Part], path: &Path, reader: &mut impl Reader) -> bool {
    // A byte of the path is written as three characters at most, and each of a pattern as one at least.
    let least = parts.iter().filter(|part| matches!(part, Part::Byte(_))).count();
    least <= 3 * path.bytes.len()
        && starts_like(parts, path)
        && has_part_of_escape(parts)
        && path.may_be_escaped
        && (has_escape(parts, path)
            || parts.contains(&Part::MidDollar)
            || reader.spend(path.bytes.len() / LOOKED_AT_PER_STEP) && may_start_within_escape(parts, path))
}

fn has_part_of_escape(parts: &[Part]) -> bool {
    let is_percent = |part: &Part| matches!(part, Part::Byte(byte) if byte.as_plain() == Some(b'%'));
    let is_digit = |part: &Part| matches!(part, Part::Byte(byte) if byte.value().is_ascii_hexdigit());
    let has_digit_after_star = parts.windows(2).any(|pair| pair[0] == Part::Star && is_digit(&pair[1]));
    has_digit_after_star || parts.iter().any(is_percent)
}

/// Returns whether a pattern or a path has an escape, or what is written as one in every spelling.
fn has_escape(parts: &[Part], path: &Path) -> bool {
    let is_escape = |part: &Part| matches!(part, Part::Byte(byte) if !byte.is_plain_ascii());
    parts.iter().any(is_escape) || !path.is_plain_ascii
}

/// Returns whether a text after a `*` could match from within the escape of a character on.
fn may_start_within_escape(parts: &[Part], path: &Path) -> bool {
    let may_start_within = |text: &[Part]| {
        let mut escapes = path.bytes.iter().enumerate().filter(|(_, byte)| byte.may_be_escape());
        escapes.any(|(at, byte)| may_follow_star(text, byte.digits(), path.bytes.get(at + 1)))
    };
    parts.split(|part| *part == Part::Star).skip(1).any(may_start_within)
}

/// Returns whether a text after a `*` could match from within an escape with these digits on, before this byte of the path.
fn may_follow_star(text: &[Part], [high, low]: [u8; 2], next: Option<&PathByte>) -> bool {
    let is_digit = |part: Option<&Part>, digit: u8| {
        part.is_some_and(|part| matches!(part, Part::Byte(byte) if byte.value().eq_ignore_ascii_case(&digit)))
    };
    let may_end = |rest: &[Part]| match (rest.first(), next) {
        (Some(Part::Byte(rule)), next) => next.is_some_and(|next| rule.value() == next.value()),
        _ => true,
    };
    let is_low = |text: &[Part]| is_digit(text.first(), low) && may_end(&text[1..]);
    is_low(text) || is_digit(text.first(), high) && (text.len() == 1 || is_low(&text[1..]))
}

/// Returns whether a pattern and a path do not differ before the first of their characters that may be written in another
/// way.
fn starts_like(parts: &[Part], path: &Path) -> bool {
    let is_settled =
        |byte: &PathByte| byte.as_plain().is_some_and(|byte| is_unreserved(byte) || byte == b'/');
    let mut pairs = parts.iter().zip(&path.bytes).map_while(|(part, url)| match part {
        Part::Byte(rule) if is_settled(rule) && is_settled(url) => Some((rule, url)),
        _ => None,
    });
    pairs.all(|(rule, url)| rule == url)
}

fn spelled(parts: &[Part], spelling: Spelling, reader: &mut impl Reader) -> Vec<Part> {
    let dollar = PathByte::plain(b'$');
    let mut text = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Byte(byte) => text.extend(byte.spelled(spelling).map(Part::Byte)),
            Part::MidDollar if reader.answer(MidDollar) == Dollar::Keep => {
                text.extend(dollar.spelled(spelling).map(Part::Byte));
            }
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
        let Some(end) = end_of_earliest_match(text, path, matched, reader) else { return false };
        matched = end;
    }
    true
}

/// Where the earliest match of a text without stars ends that starts at this place of the path or after it.
fn end_of_earliest_match(
    text: &[Part],
    path: &Path,
    start: usize,
    reader: &mut impl Reader,
) -> Option<usize> {
    // Bytes that match have the same value. So other places need no comparison.
    let value = |part: &Part| if let Part::Byte(byte) = part { Some(byte.value()) } else { None };
    let values: Vec<u8> = text.iter().map_while(value).collect();
    let is_at_end = text.last() == Some(&Part::End) && text.len() == values.len() + 1;
    let mut start = if is_at_end { start.max(path.values.len().saturating_sub(values.len())) } else { start };
    let finder = memmem::Finder::new(&values);
    while let Some(at) = path.values.get(start..).and_then(|rest| finder.find(rest)) {
        if !reader.spend(1 + (at + values.len()) / BYTES_PER_STEP) {
            return None;
        }
        if let Some(end) = end_of_match(text, path, start + at, reader) {
            return Some(end);
        }
        start += at + 1;
    }
    None
}

/// Where a match of a text without stars ends that starts at this place of the path.
fn end_of_match(text: &[Part], path: &Path, start: usize, reader: &mut impl Reader) -> Option<usize> {
    let mut at = start;
    for part in text {
        if !reader.spend(1) {
            return None;
        }
        let byte = path.bytes.get(at);
        let in_query = path.is_in_query(at);
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
