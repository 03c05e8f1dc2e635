//! The part of a URL that rules are matched against: its path and query as they are written.

use std::borrow::Cow;
use std::fmt;

use memchr::memchr2;

use crate::answer::{Acceptance, Equality, UnreservedEscape, YesOrNo};
use crate::path_byte::{PathByte, PathBytes};
use crate::question::typed::{AsciiEscape, EscapedDot, EscapedRobotsTxt, RobotsUrlQuery};
use crate::reading::Reader;
use crate::url_parts::UrlParts;

/// The error of a text that is neither an absolute URL nor, where one may be used instead, a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAUrl {
    /// The text.
    pub text: String,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for NotAUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not an absolute URL such as `https://example.com/page`: {}",
            self.text, self.reason
        )
    }
}

impl std::error::Error for NotAUrl {}

/// Returns the path and query of a URL, without its fragment. An empty path is `/` (RFC 3986, 6.2.3).
///
/// # Errors
///
/// The text is neither an absolute URL with an authority nor a path.
#[inline]
pub(crate) fn path_and_query<'u>(parts: &UrlParts<'u>) -> Result<Cow<'u, str>, NotAUrl> {
    let error = |reason: &str| NotAUrl {
        text: [parts.before_path(), parts.from_path()].concat(),
        reason: reason.to_owned(),
    };
    let path_and_query = parts.path_and_query();
    match parts.scheme() {
        _ if path_and_query.starts_with('/') => Ok(Cow::Borrowed(path_and_query)),
        Some(_) => Ok(Cow::Owned(format!("/{path_and_query}"))),
        None if path_and_query.contains("://") => Err(error("the text before `://` is not a scheme")),
        None => Err(error("it has no `://`, and does not start with `/` as a path does")),
    }
}

/// Returns whether it is the path and query of a robots.txt: its path is plain or has escapes of unreserved characters.
pub(crate) fn is_robots_txt(path_and_query: &[u8], reader: &mut impl Reader) -> bool {
    const ROBOTS_TXT: &[u8] = b"/robots.txt";
    let path = path(path_and_query);
    let is_path = path == ROBOTS_TXT
        || path.starts_with(b"/")
            && !path[1..].contains(&b'/')
            && PathBytes(path).map(PathByte::value).eq(ROBOTS_TXT.iter().copied())
            && reader.answer(AsciiEscape) != UnreservedEscape::Different
            && reader.answer(EscapedRobotsTxt) == Equality::Equal;
    is_path && (path.len() == path_and_query.len() || reader.answer(RobotsUrlQuery) == Acceptance::Accept)
}

/// Whether the escape of a dot is a dot of a dot segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EscapedDots {
    /// It is.
    Count,
    /// It is a character like any other.
    AreOther,
}

/// Returns whether a path has segments that normalisation removes.
pub(crate) fn has_dot_segments(path_and_query: &[u8]) -> bool {
    let path = path(path_and_query);
    // Most paths of many segments have neither.
    memchr2(b'.', b'%', path).is_some()
        && segments(path).any(|segment| is_dot_segment(segment, EscapedDots::Count))
}

/// Returns the path and query of a URL without its dot segments. Escaped dots count where they are decoded.
pub(crate) fn without_dot_segments_in_url(path_and_query: &[u8], reader: &mut impl Reader) -> Vec<u8> {
    let is_kept = |answer| answer == UnreservedEscape::Different;
    without_dot_segments(path_and_query, escaped_dots(path_and_query, is_kept, reader))
}

/// Returns the path pattern of a rule without its dot segments.
pub(crate) fn without_dot_segments_in_rule(pattern: &[u8], reader: &mut impl Reader) -> Vec<u8> {
    let is_kept = |answer| answer != UnreservedEscape::Equal;
    without_dot_segments(pattern, escaped_dots(pattern, is_kept, reader))
}

/// Returns how a reader takes the escaped dots of a path. It keeps escapes as they are under the answers
/// for which `is_kept` holds.
fn escaped_dots(
    path_and_query: &[u8],
    is_kept: impl Fn(UnreservedEscape) -> bool,
    reader: &mut impl Reader,
) -> EscapedDots {
    let is_escaped = |segment| {
        is_dot_segment(segment, EscapedDots::Count) && !is_dot_segment(segment, EscapedDots::AreOther)
    };
    match segments(path(path_and_query)).any(is_escaped)
        && reader.outcome(AsciiEscape, is_kept)
        && reader.answer(EscapedDot) == YesOrNo::No
    {
        true => EscapedDots::AreOther,
        false => EscapedDots::Count,
    }
}

fn path(path_and_query: &[u8]) -> &[u8] {
    path_and_query.split(|&byte| byte == b'?').next().unwrap_or_default()
}

fn segments(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/')
}

fn is_dot_segment(segment: &[u8], escaped: EscapedDots) -> bool {
    matches!(dots(segment, escaped), Some(1 | 2))
}

/// Returns the number of dots in a segment that consists of dots.
fn dots(segment: &[u8], escaped: EscapedDots) -> Option<usize> {
    let mut rest = segment;
    let mut dots = 0;
    while !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] => rest,
            [b'%', b'2', b'e' | b'E', rest @ ..] if escaped == EscapedDots::Count => rest,
            _ => return None,
        };
        dots += 1;
    }
    Some(dots)
}

/// Returns the path without its dot segments (RFC 3986, 5.2.4), and the query unchanged.
fn without_dot_segments(path_and_query: &[u8], escaped: EscapedDots) -> Vec<u8> {
    let path = path(path_and_query);
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut ends_in_dots = false;
    for segment in segments(path).skip(1) {
        ends_in_dots = is_dot_segment(segment, escaped);
        match dots(segment, escaped) {
            Some(1) => {}
            Some(2) => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if ends_in_dots {
        kept.push(b"");
    }
    let mut normal = Vec::with_capacity(path_and_query.len());
    for segment in kept {
        normal.push(b'/');
        normal.extend_from_slice(segment);
    }
    if normal.is_empty() {
        normal.push(b'/');
    }
    normal.extend_from_slice(&path_and_query[path.len()..]);
    normal
}
