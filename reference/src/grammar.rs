//! Formal syntax: which lines of a file the grammar of an edition derives.
//!
//! *Google, "Formal syntax / definition"; RFC 9309, 2.2.*
//!
//! What a line *means* is decided elsewhere, and leniently; this is the
//! strict view, for the author of a file. Functions bear the names of the
//! productions.

use std::fmt;

use crate::edition::Edition;
use crate::scan::split_lines;

/// What the grammar makes of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineStatus {
    /// It is derived by this production.
    Derived(Production),
    /// A line that the grammar leaves to implementors to define, with its
    /// field, such as `sitemap`.
    Additional(String),
    /// It is not derived.
    NotDerived(SyntaxError),
}

/// The productions that derive a whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Production {
    /// A user-agent line.
    StartGroupLine,
    /// An allow or disallow line, in the ABNF of 2019 and later.
    Rule,
    /// A line that is blank; in the ABNF of 2019 and later, also one with a
    /// comment alone.
    EmptyLine,
    /// An allow or disallow line, in the BNF before 2019.
    GroupMemberLine,
    /// A sitemap line, in the BNF before 2019.
    NonGroupLine,
    /// A line with a comment alone, in the BNF before 2019.
    Comment,
}

impl Production {
    /// Every production that derives a whole line.
    pub const ALL: [Production; 6] = [
        Production::StartGroupLine,
        Production::Rule,
        Production::EmptyLine,
        Production::GroupMemberLine,
        Production::NonGroupLine,
        Production::Comment,
    ];

    /// The name of the production in the document.
    pub fn id(self) -> &'static str {
        match self {
            Production::StartGroupLine => "startgroupline",
            Production::Rule => "rule",
            Production::EmptyLine => "emptyline",
            Production::GroupMemberLine => "groupmemberline",
            Production::NonGroupLine => "nongroupline",
            Production::Comment => "comment",
        }
    }
}

/// Where and why a line is not derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The column, in octets, from 1.
    pub column: usize,
    /// What the grammar wants there.
    pub expected: Expected,
}

/// What the grammar wants where a line departs from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expected {
    /// `NL` or `EOL`: a line end, also after the last line.
    LineEnd,
    /// A colon behind the field.
    Colon,
    /// A field before the colon.
    Field,
    /// A user-agent line before the first rule.
    StartGroupLine,
    /// `product-token`: `*`, or letters, `-` and `_`.
    ProductToken,
    /// A path starts with `/`.
    Slash,
    /// A character that may stand in a path.
    PathCharacter,
    /// A character that may stand in a comment.
    CommentCharacter,
    /// A character that may stand in a value.
    ValueCharacter,
    /// Nothing but white space and a comment behind the value.
    EndOfValue,
    /// `absoluteURI`.
    AbsoluteUri,
    /// One of the fields of the grammar.
    KnownField,
}

impl Expected {
    /// Everything that may be wanted.
    pub const ALL: [Expected; 12] = [
        Expected::LineEnd,
        Expected::Colon,
        Expected::Field,
        Expected::StartGroupLine,
        Expected::ProductToken,
        Expected::Slash,
        Expected::PathCharacter,
        Expected::CommentCharacter,
        Expected::ValueCharacter,
        Expected::EndOfValue,
        Expected::AbsoluteUri,
        Expected::KnownField,
    ];

    /// The permanent name, in kebab case.
    pub fn id(self) -> &'static str {
        match self {
            Expected::LineEnd => "line-end",
            Expected::Colon => "colon",
            Expected::Field => "field",
            Expected::StartGroupLine => "startgroupline",
            Expected::ProductToken => "product-token",
            Expected::Slash => "slash",
            Expected::PathCharacter => "path-character",
            Expected::CommentCharacter => "comment-character",
            Expected::ValueCharacter => "value-character",
            Expected::EndOfValue => "end-of-value",
            Expected::AbsoluteUri => "absolute-uri",
            Expected::KnownField => "known-field",
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::LineEnd => "a line end (CR, LF or CR LF), also after the last line",
            Expected::Colon => "a colon behind the field name",
            Expected::Field => "a field name before the colon",
            Expected::StartGroupLine => "a user-agent line before the first rule",
            Expected::ProductToken => "a product token: `*`, or letters, `-` and `_` alone",
            Expected::Slash => "a path that starts with `/`, or none",
            Expected::PathCharacter => "a character of a path: no control character, no broken UTF-8",
            Expected::CommentCharacter => "a character of a comment: no control character, no broken UTF-8",
            Expected::ValueCharacter => "a character of a value: no control character, no broken UTF-8",
            Expected::EndOfValue => "nothing but white space and a comment behind the value",
            Expected::AbsoluteUri => "an absolute URI",
            Expected::KnownField => "user-agent, allow, disallow or sitemap",
        })
    }
}

/// A line of a checked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedLine<'f> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line without its end.
    pub text: &'f [u8],
    /// What the grammar makes of it.
    pub status: LineStatus,
}

/// Checks every line of a file against the grammar of an edition. Google's
/// documentation of 2026 refers to that of RFC 9309.
pub fn check_lines(edition: Edition, file: &[u8]) -> Vec<CheckedLine<'_>> {
    let mut in_group = false;
    let mut lines = Vec::new();
    for written in split_lines(file) {
        let mut line = Cursor { text: written.text, at: 0, has_end: !written.end.is_empty() };
        let parsed = match edition {
            Edition::GooglePre2019 => bnf::line(&mut line),
            _ => abnf::line(&mut line),
        };
        let status = match parsed {
            Ok(LineStatus::Derived(Production::Rule | Production::GroupMemberLine)) if !in_group => {
                LineStatus::NotDerived(SyntaxError { column: 1, expected: Expected::StartGroupLine })
            }
            Ok(status) => status,
            Err(error) => LineStatus::NotDerived(error),
        };
        in_group |= status == LineStatus::Derived(Production::StartGroupLine);
        lines.push(CheckedLine { line: written.number, text: written.text, status });
    }
    lines
}

/// Whether the grammar of an edition derives the file.
pub fn derives(edition: Edition, file: &[u8]) -> bool {
    check_lines(edition, file).iter().all(|line| matches!(line.status, LineStatus::Derived(_)))
}

type Parsed<T> = Result<T, SyntaxError>;

/// A place in a line.
struct Cursor<'l> {
    text: &'l [u8],
    at: usize,
    has_end: bool,
}

impl<'l> Cursor<'l> {
    fn error(&self, expected: Expected) -> SyntaxError {
        SyntaxError { column: self.at + 1, expected }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// `*WS`, with the space and tab of RFC 5234.
    fn skip_white_space(&mut self) {
        self.skip_while(|octet| matches!(octet, b' ' | b'\t'));
    }

    fn skip_while(&mut self, may: impl Fn(u8) -> bool) {
        self.at += self.text[self.at..].iter().take_while(|&&octet| may(octet)).count();
    }

    /// Takes characters of UTF-8 (RFC 3629) for as long as they may be taken.
    fn skip_characters(&mut self, may: impl Fn(char) -> bool) {
        let rest = self.text[self.at..].utf8_chunks().next().map_or("", |chunk| chunk.valid());
        self.at += rest.chars().take_while(|&c| may(c)).map(char::len_utf8).sum::<usize>();
    }

    /// The field before the colon, which is taken too; nothing where there
    /// is no colon before a comment.
    fn field(&mut self) -> Option<&'l [u8]> {
        let rest = &self.text[self.at..];
        let colon =
            rest.iter().position(|octet| matches!(octet, b':' | b'#')).filter(|&at| rest[at] == b':')?;
        self.at += colon + 1;
        Some(rest[..colon].trim_ascii_end())
    }

    fn line_end(&self) -> Parsed<()> {
        match self.peek() {
            None if self.has_end => Ok(()),
            None => Err(self.error(Expected::LineEnd)),
            Some(_) => Err(self.error(Expected::EndOfValue)),
        }
    }
}

/// `UTF8-char-noctl` and `#`: everything that is no control and no space.
fn is_utf8_char_noctl(c: char) -> bool {
    c > ' ' && c != '#'
}

/// The ABNF of 2019, 2021 and RFC 9309, which derive the same lines.
mod abnf {
    use super::*;

    /// `startgroupline / rule / emptyline`
    pub(super) fn line(line: &mut Cursor) -> Parsed<LineStatus> {
        line.skip_white_space();
        if matches!(line.peek(), None | Some(b'#')) {
            end_of_line(line)?;
            return Ok(LineStatus::Derived(Production::EmptyLine));
        }
        let start = line.at;
        let Some(field) = line.field() else { return Err(line.error(Expected::Colon)) };
        if field.is_empty() {
            line.at = start;
            return Err(line.error(Expected::Field));
        }
        line.skip_white_space();
        if field.eq_ignore_ascii_case(b"user-agent") {
            product_token(line)?;
            end_of_line(line)?;
            return Ok(LineStatus::Derived(Production::StartGroupLine));
        }
        if field.eq_ignore_ascii_case(b"allow") || field.eq_ignore_ascii_case(b"disallow") {
            path_pattern_or_empty(line)?;
            end_of_line(line)?;
            return Ok(LineStatus::Derived(Production::Rule));
        }
        Ok(LineStatus::Additional(String::from_utf8_lossy(field).into_owned()))
    }

    /// `EOL = *WS [comment] NL`
    fn end_of_line(line: &mut Cursor) -> Parsed<()> {
        line.skip_white_space();
        if line.peek() == Some(b'#') {
            line.skip_characters(|c| is_utf8_char_noctl(c) || matches!(c, ' ' | '\t' | '#'));
            if line.peek().is_some() {
                return Err(line.error(Expected::CommentCharacter));
            }
        }
        line.line_end()
    }

    /// `product-token = identifier / "*"`
    fn product_token(line: &mut Cursor) -> Parsed<()> {
        let start = line.at;
        if line.peek() == Some(b'*') {
            line.at += 1;
        } else {
            line.skip_while(|octet| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_'));
        }
        let ends = matches!(line.peek(), None | Some(b' ' | b'\t' | b'#'));
        if line.at == start || !ends { Err(line.error(Expected::ProductToken)) } else { Ok(()) }
    }

    /// `path-pattern / empty-pattern`
    fn path_pattern_or_empty(line: &mut Cursor) -> Parsed<()> {
        match line.peek() {
            None | Some(b'#') => return Ok(()),
            Some(b'/') => {}
            Some(_) => return Err(line.error(Expected::Slash)),
        }
        line.skip_characters(is_utf8_char_noctl);
        match line.peek() {
            None | Some(b' ' | b'\t' | b'#') => Ok(()),
            Some(_) => Err(line.error(Expected::PathCharacter)),
        }
    }
}

/// The BNF before 2019, in the style of RFC 822.
///
/// As printed it derives hardly any file, not even the document's own
/// examples. It is read here with what the prose and the examples add: a
/// blank line may stand anywhere, a comment ends with its line, white space
/// at the end of a line is ignored, a rule may have no path, and a path may
/// be `/` alone or hold UTF-8. Lines are not folded.
mod bnf {
    use super::*;

    /// `startgroupline | groupmemberline | nongroupline | comment`
    pub(super) fn line(line: &mut Cursor) -> Parsed<LineStatus> {
        line.skip_white_space();
        if matches!(line.peek(), None | Some(b'#')) {
            let is_comment = line.peek().is_some();
            comment(line)?;
            return Ok(LineStatus::Derived(if is_comment {
                Production::Comment
            } else {
                Production::EmptyLine
            }));
        }
        let start = line.at;
        let Some(field) = line.field() else { return Err(line.error(Expected::Colon)) };
        line.skip_white_space();
        let production = if field.eq_ignore_ascii_case(b"user-agent") {
            // textvalue = *(valuechar | SP)
            line.skip_characters(|c| c != '#' && !c.is_ascii_control());
            Production::StartGroupLine
        } else if field.eq_ignore_ascii_case(b"allow") || field.eq_ignore_ascii_case(b"disallow") {
            path_value(line)?;
            Production::GroupMemberLine
        } else if field.eq_ignore_ascii_case(b"sitemap") {
            absolute_uri(line)?;
            Production::NonGroupLine
        } else {
            line.at = start;
            return Err(line.error(Expected::KnownField));
        };
        let ends = matches!(line.peek(), None | Some(b' ' | b'\t' | b'#'));
        if !ends {
            return Err(line.error(Expected::ValueCharacter));
        }
        line.skip_white_space();
        comment(line)?;
        if line.has_end { Ok(LineStatus::Derived(production)) } else { Err(line.error(Expected::LineEnd)) }
    }

    /// `[comment]`, where `comment = [LWS] "#" *anychar`
    fn comment(line: &mut Cursor) -> Parsed<()> {
        match line.peek() {
            None => return Ok(()),
            Some(b'#') => line.skip_characters(|c| !c.is_ascii_control()),
            Some(_) => return Err(line.error(Expected::EndOfValue)),
        }
        if line.peek().is_some() { Err(line.error(Expected::CommentCharacter)) } else { Ok(()) }
    }

    /// `pathvalue = "/" path`, with `path` of RFC 1808: segments of `pchar`,
    /// the first of which is not empty.
    fn path_value(line: &mut Cursor) -> Parsed<()> {
        match line.peek() {
            None | Some(b'#') => return Ok(()),
            Some(b'/') => line.at += 1,
            Some(_) => return Err(line.error(Expected::Slash)),
        }
        if line.peek() == Some(b'/') {
            return Err(line.error(Expected::PathCharacter));
        }
        skip_with_escapes(line, |c| is_pchar(c) || c == '/');
        match line.peek() {
            None | Some(b' ' | b'\t' | b'#') => Ok(()),
            Some(_) => Err(line.error(Expected::PathCharacter)),
        }
    }

    /// `pchar` of RFC 1808 without its escapes, and UTF-8.
    fn is_pchar(c: char) -> bool {
        c.is_ascii_alphanumeric() || "$-_.+!*'(),:@&=".contains(c) || !c.is_ascii()
    }

    /// `absoluteURI` of RFC 1945.
    fn absolute_uri(line: &mut Cursor) -> Parsed<()> {
        let start = line.at;
        line.skip_while(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet));
        if line.at == start || line.peek() != Some(b':') {
            line.at = start;
            return Err(line.error(Expected::AbsoluteUri));
        }
        skip_with_escapes(line, |c| c > ' ' && !c.is_ascii_control() && !"\"#%<>".contains(c));
        match line.peek() {
            None | Some(b' ' | b'\t' | b'#') => Ok(()),
            Some(_) => Err(line.error(Expected::AbsoluteUri)),
        }
    }

    fn skip_with_escapes(line: &mut Cursor, may: impl Fn(char) -> bool) {
        // Each escape takes octets, so there are not more of them than octets.
        for _ in line.text {
            line.skip_characters(&may);
            match line.text[line.at..] {
                [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => line.at += 3,
                _ => return,
            }
        }
    }
}
