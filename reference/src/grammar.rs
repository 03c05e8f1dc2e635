//! Formal syntax: the lines of a file that the grammar of an edition derives.
//!
//! *Google, "Formal syntax / definition"; RFC 9309, 2.2; koster-1996, 3.3.*
//!
//! The other modules evaluate the *meaning* of a line, and are lenient. This module is strict, for the author of a file.
//! Functions are named after the productions.

mod abnf;
mod bnf;
mod records;

use crate::agent::is_http_token;
use crate::bytes::{escape, is_blank, is_token_byte, trim};
use crate::edition::Edition;
use crate::field_name::CONTENT_USAGE;
use crate::scan::split_lines;
use crate::usage_line::is_usage_value;

/// Whether the grammar derives a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineStatus {
    /// This production derives it.
    Derived(Production),
    /// A line that implementors may define, with its field, such as `sitemap`.
    Additional(String),
    /// The grammar does not derive it.
    NotDerived(SyntaxError),
}

named_enum! {
    /// The productions that derive a whole line, by their names in the document.
    pub enum Production: "production" {
        StartGroupLine = "startgroupline": "A user-agent line.",
        Rule = "rule": "An allow or disallow line, in the ABNF of 2019 and later.",
        EmptyLine = "emptyline": "A blank line. In the ABNF of 2019 and later, also a line with a comment \
            alone.",
        GroupMemberLine = "groupmemberline": "An allow or disallow line, in the BNF before 2019.",
        NonGroupLine = "nongroupline": "A sitemap line, in the BNF before 2019.",
        Comment = "comment": "A line with a comment alone, in the BNF before 2019.",
        AgentLine = "agentline": "A user-agent line, in the grammar of 1996.",
        RuleLine = "ruleline": "An allow or disallow line, in the grammar of 1996.",
        Blank = "blank": "A blank line, in the grammar of 1996, which ends a record.",
        CommentLine = "commentline": "A line with a comment alone, in the grammar of 1996.",
    }
}

/// Where and why the grammar does not derive a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The column, in bytes, from 1.
    pub column: usize,
    /// The text that the grammar requires there.
    pub expected: Expected,
}

named_enum! {
    /// The text that the grammar requires where it does not derive a line.
    pub enum Expected: "symbol" {
        LineEnd = "line-end": "`NL` or `EOL`: a line end, also after the last line.",
        Colon = "colon": "A colon after the field.",
        Field = "field": "A field before the colon.",
        StartGroupLine = "startgroupline": "A user-agent line before the first rule.",
        ProductToken = "product-token": "`product-token`: `*`, or letters, `-` and `_`.",
        Slash = "slash": "A path starts with `/`.",
        PathCharacter = "path-character": "A character of a path.",
        CommentCharacter = "comment-character": "A character of a comment.",
        ValueCharacter = "value-character": "A character of a value.",
        EndOfValue = "end-of-value": "White space, a comment or a line end after the value.",
        AbsoluteUri = "absolute-uri": "`absoluteURI`.",
        KnownField = "known-field": "One of the fields of the grammar.",
        Preference = "preference": "`usage-pref`, after a path or alone.",
        HttpToken = "http-token": "`agent`: a token of HTTP.",
        Blank = "blank-line": "A blank line before the next record.",
    }
}

impl Expected {
    /// Returns what is required, as the end of a sentence.
    pub fn description(self) -> &'static str {
        match self {
            Expected::LineEnd => "a line end (CR, LF or CR LF), also after the last line",
            Expected::Colon => "a colon after the field name",
            Expected::Field => "a field name before the colon",
            Expected::StartGroupLine => "a user-agent line before the first rule",
            Expected::ProductToken => "a product token: `*`, or letters, `-` and `_` only",
            Expected::Slash => "a path that starts with `/`, or an empty path",
            Expected::PathCharacter => "a character of a path: not a control character, and valid UTF-8",
            Expected::CommentCharacter => {
                "a character of a comment: not a control character, and valid UTF-8"
            }
            Expected::ValueCharacter => "a character of a value: not a control character, and valid UTF-8",
            Expected::EndOfValue => "only white space and a comment after the value",
            Expected::AbsoluteUri => "an absolute URI",
            Expected::KnownField => "user-agent, allow, disallow or sitemap",
            Expected::Preference => {
                "a usage preference such as `train-ai=n`, perhaps after a path and a space"
            }
            Expected::HttpToken => "a token of HTTP: no white space, and no separator such as `/` or `,`",
            Expected::Blank => "a blank line between the rules of a record and the next user-agent line",
        }
    }
}

/// A line of a checked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedLine<'f> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line without its end.
    pub text: &'f [u8],
    /// Whether the grammar derives it.
    pub status: LineStatus,
}

/// Returns whether an edition has a grammar. The text of 1994 has none.
pub fn has_grammar(edition: Edition) -> bool {
    edition != Edition::Koster1994
}

/// Checks every line of a file against the grammar of an edition. Google's documentation of 2026 refers to the grammar of
/// RFC 9309.
pub fn check_lines(edition: Edition, file: &[u8]) -> impl Iterator<Item = CheckedLine<'_>> {
    let (mut in_group, mut has_rule) = (false, false);
    split_lines(file).map(move |written| {
        let mut line = Cursor { text: written.text, at: 0, has_end: !written.end.is_empty() };
        let parsed = match edition {
            Edition::GooglePre2019 => bnf::line(&mut line),
            Edition::Koster1996 => records::line(&mut line),
            _ => abnf::line(&mut line, edition == Edition::Rfc9309Aipref),
        };
        let at_start = |expected| LineStatus::NotDerived(SyntaxError { column: 1, expected });
        let status = match parsed {
            Ok(LineStatus::Derived(
                Production::Rule | Production::GroupMemberLine | Production::RuleLine,
            )) if !in_group => at_start(Expected::StartGroupLine),
            Ok(LineStatus::Derived(Production::AgentLine)) if has_rule => at_start(Expected::Blank),
            Ok(status) => status,
            Err(error) => LineStatus::NotDerived(error),
        };
        match status {
            LineStatus::Derived(Production::StartGroupLine | Production::AgentLine) => in_group = true,
            LineStatus::Derived(Production::RuleLine) => has_rule = true,
            LineStatus::Derived(Production::Blank) => (in_group, has_rule) = (false, false),
            _ => {}
        }
        CheckedLine { line: written.number, text: written.text, status }
    })
}

/// Returns whether the grammar of an edition derives the file, with the lines that it lets implementors define: by RFC 9309,
/// 2.2.4, other records are no error, also where their field resembles one of the grammar. A name of two words is no field.
pub fn derives(edition: Edition, file: &[u8]) -> bool {
    check_lines(edition, file).all(|line| line.status.is_valid())
}

impl LineStatus {
    /// Returns whether the line is derived, or is another record.
    pub fn is_valid(&self) -> bool {
        match self {
            LineStatus::Derived(_) => true,
            LineStatus::Additional(field) => field.bytes().all(|byte| byte.is_ascii_graphic()),
            LineStatus::NotDerived(_) => false,
        }
    }
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
        self.skip_while(is_blank);
    }

    fn skip_while(&mut self, may: impl Fn(u8) -> bool) {
        self.at += self.text[self.at..].iter().take_while(|&&byte| may(byte)).count();
    }

    /// Skips characters of this class, in UTF-8 (RFC 3629).
    fn skip_characters(&mut self, may: impl Fn(char) -> bool) {
        let rest = self.text[self.at..].utf8_chunks().next().map_or("", |chunk| chunk.valid());
        self.at += rest.chars().take_while(|&c| may(c)).map(char::len_utf8).sum::<usize>();
    }

    /// Skips the field and its colon, and returns the field. Nothing where there is no colon before a comment.
    fn field(&mut self) -> Option<&'l [u8]> {
        let rest = &self.text[self.at..];
        let colon =
            rest.iter().position(|byte| matches!(byte, b':' | b'#')).filter(|&at| rest[at] == b':')?;
        self.at += colon + 1;
        Some(trim(&rest[..colon]))
    }

    fn line_end(&self) -> Parsed<()> {
        match self.peek() {
            None if self.has_end => Ok(()),
            None => Err(self.error(Expected::LineEnd)),
            Some(_) => Err(self.error(Expected::EndOfValue)),
        }
    }
}

/// `UTF8-char-noctl`: every character except controls, space and `#`.
fn is_utf8_char_noctl(c: char) -> bool {
    c > ' ' && c != '#'
}

/// `pchar` of RFC 1808 without its escapes, and UTF-8.
fn is_pchar(c: char) -> bool {
    c.is_ascii_alphanumeric() || "$-_.+!*'(),:@&=".contains(c) || !c.is_ascii()
}

/// Reads a path that starts with a slash, whose characters are skipped, or nothing.
fn path_or_nothing(line: &mut Cursor, skip: impl FnOnce(&mut Cursor)) -> Parsed<()> {
    match line.peek() {
        None | Some(b'#') => return Ok(()),
        Some(b'/') => skip(line),
        Some(_) => return Err(line.error(Expected::Slash)),
    }
    match line.peek() {
        None | Some(b' ' | b'\t' | b'#') => Ok(()),
        Some(_) => Err(line.error(Expected::PathCharacter)),
    }
}

fn skip_with_escapes(line: &mut Cursor, may: impl Fn(char) -> bool) {
    line.skip_characters(&may);
    while escape(&line.text[line.at..]).is_some() {
        line.at += 3;
        line.skip_characters(&may);
    }
}
