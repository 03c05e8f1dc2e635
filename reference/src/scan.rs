//! A purely syntactic reader of a robots.txt, for code that rewrites or shows files.
//!
//! It splits a file into lines and a line into field, value and comment, with their places in the file. It makes no
//! judgement: it corrects no misspelling, ignores no byte order mark and applies no size limit. What a line *means* is
//! what [`RobotsTxt`](crate::RobotsTxt) evaluates for an edition.
//!
//! ```
//! use robotspec_reference::RuleKind;
//! use robotspec_reference::scan::{Field, LineKind, split_lines};
//!
//! let file = b"User-Agent : *\r\nDisallow: /fish # a comment\n";
//! let line = split_lines(file).nth(1).unwrap();
//! assert_eq!((line.number, line.start, line.end), (2, 16, &b"\n"[..]));
//!
//! let parts = line.parts();
//! assert_eq!(parts.kind(), LineKind::Known(Field::Rule(RuleKind::Disallow)));
//! assert_eq!((parts.value.text, parts.value.span()), (&b"/fish"[..], 26..31));
//! ```

use std::ops::{Deref, Range};

use memchr::{memchr, memchr2};

use crate::bytes::{is_blank, trim};

/// The two kinds of rules (RFC 9309, 2.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// `allow`
    Allow,
    /// `disallow`
    Disallow,
}

impl RuleKind {
    /// Returns the name of the field.
    pub fn field(self) -> &'static str {
        match self {
            RuleKind::Allow => "allow",
            RuleKind::Disallow => "disallow",
        }
    }
}

/// The fields that the specification defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// `user-agent`
    UserAgent,
    /// `allow` or `disallow`
    Rule(RuleKind),
    /// `sitemap`
    Sitemap,
}

impl Field {
    /// Every field with its name.
    pub const ALL: [(&'static str, Field); 4] = [
        ("user-agent", Field::UserAgent),
        ("disallow", Field::Rule(RuleKind::Disallow)),
        ("allow", Field::Rule(RuleKind::Allow)),
        ("sitemap", Field::Sitemap),
    ];

    /// Returns the field of this name, in any letter case.
    pub fn from_name(name: &[u8]) -> Option<Field> {
        // The names have different lengths.
        let (known, field) = Field::ALL.into_iter().find(|(known, _)| known.len() == name.len())?;
        name.eq_ignore_ascii_case(known.as_bytes()).then_some(field)
    }
}

/// A line as it is written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'f> {
    /// The number of the line, from 1.
    pub number: usize,
    /// Where the line starts in the file, in bytes.
    pub start: usize,
    /// The line without its end.
    pub text: &'f [u8],
    /// LF, CR LF or CR; empty where the last line has no end.
    pub end: &'f [u8],
}

/// Splits a file into lines, which end with CR, LF or CR LF (RFC 9309, 2.2, `EOL`).
///
/// The texts and ends of all lines together are the file. An empty file has no line.
pub fn split_lines(file: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = file;
    let mut number = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let start = file.len() - rest.len();
        number += 1;
        let length = memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
        let (text, end_and_rest) = rest.split_at(length);
        let end_length = if end_and_rest.starts_with(b"\r\n") { 2 } else { end_and_rest.len().min(1) };
        let (end, after) = end_and_rest.split_at(end_length);
        rest = after;
        Some(Line { number, start, text, end })
    })
}

impl<'f> Line<'f> {
    /// Where the line is in the file, with its end.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len() + self.end.len()
    }

    /// Splits the line into its parts.
    pub fn parts(&self) -> Parts<'f> {
        let comment = memchr(b'#', self.text).unwrap_or(self.text.len());
        let content = &self.text[..comment];
        let colon = memchr(b':', content);
        let part = |range: Range<usize>| Part { start: self.start + range.start, text: &self.text[range] };
        Parts {
            field: part(0..colon.unwrap_or(comment)).trimmed(),
            colon: colon.map(|colon| self.start + colon),
            value: part(colon.map_or(comment, |colon| colon + 1)..comment).trimmed(),
            comment: (comment < self.text.len()).then(|| part(comment..self.text.len())),
        }
    }
}

/// A piece of a file and its place there. It dereferences to its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'f> {
    /// Where it starts in the file, in bytes.
    pub start: usize,
    /// The bytes.
    pub text: &'f [u8],
}

impl Part<'_> {
    /// Where it is in the file.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Without spaces and tabs at its ends. A blank part is empty at its end.
    fn trimmed(self) -> Self {
        let before = self.text.iter().take_while(|&&byte| is_blank(byte)).count();
        Part { start: self.start + before, text: trim(self.text) }
    }
}

impl Deref for Part<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.text
    }
}

/// The parts of a line: `field ":" value "#" comment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'f> {
    /// The text before the colon, without spaces and tabs at its ends. Where there is no colon, all text before the
    /// comment.
    pub field: Part<'f>,
    /// Where the first colon before the comment is in the file.
    pub colon: Option<usize>,
    /// The text between the colon and the comment, without spaces and tabs at its ends. Empty where there is no colon.
    pub value: Part<'f>,
    /// The text from the first `#` to the line end.
    pub comment: Option<Part<'f>>,
}

/// What a line is by its syntax alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineKind {
    /// A field of the specification, in any letter case, and a colon.
    Known(Field),
    /// Other text before the comment: another field, or no colon.
    Other,
    /// Spaces and tabs, or nothing.
    Blank,
    /// A comment alone.
    Comment,
}

impl Parts<'_> {
    /// Returns the field, where it is a known one, in any letter case, and has a colon.
    pub fn known_field(&self) -> Option<Field> {
        self.colon.and_then(|_| Field::from_name(&self.field))
    }

    /// Returns what the line is.
    pub fn kind(&self) -> LineKind {
        match self.known_field() {
            Some(field) => LineKind::Known(field),
            None if self.colon.is_some() || !self.field.is_empty() => LineKind::Other,
            None if self.comment.is_some() => LineKind::Comment,
            None => LineKind::Blank,
        }
    }
}
