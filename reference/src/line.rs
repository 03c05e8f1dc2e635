//! File format: octets, lines, fields and values.
//!
//! *Google, "File format"; RFC 9309, 2.2.*
//!
//! A file is read once, without an edition. A line whose record is the same
//! in every reading is settled there and then; the others are read again
//! whenever a reading is at hand.

use std::borrow::Cow;

use crate::bytes::{BOM, is_blank, trim};
use crate::question::Answer;
use crate::question::Question::*;
use crate::reading::Ask;
use crate::scan::{self, Field, RuleKind, split_lines};

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Record<'b> {
    /// Starts or continues the head of a group.
    UserAgent(Cow<'b, [u8]>),
    /// A member of a group.
    Rule(RuleKind, Cow<'b, [u8]>),
    /// Bound to no group.
    Sitemap(Cow<'b, [u8]>),
    /// Nothing that counts: an unknown field, or no valid line at all.
    Other,
    /// Nothing but white space or a comment.
    Blank,
}

/// A line, read as far as it can be without an edition.
#[derive(Debug, Clone)]
struct Line<'b> {
    /// Where it starts in the file, in octets.
    start: usize,
    text: &'b [u8],
    /// Its record, where no question arises in reading it.
    settled: Option<Record<'b>>,
}

/// The lines of a file.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'b> {
    lines: Vec<Line<'b>>,
    /// The size of the file, in octets.
    size: usize,
}

/// Every `Limit…` answer to [`SizeLimit`] is at least this many octets.
const SMALLEST_LIMIT: usize = 500_000;

impl<'b> Lines<'b> {
    /// Splits a file, and reads what can be read without a question.
    pub(crate) fn parse(file: &'b [u8]) -> Self {
        let mut lines: Vec<Line> = split_lines(file)
            .map(|scan::Line { start, text, .. }| Line { start, text, settled: read_without_questions(text) })
            .collect();
        if file.starts_with(BOM) {
            lines[0].settled = None;
        }
        Lines { lines, size: file.len() }
    }

    /// The lines that start before a size limit.
    pub(crate) fn before(&self, limit: usize) -> impl Iterator<Item = CountedLine<'_, 'b>> {
        (1..)
            .zip(&self.lines)
            .take_while(move |(_, line)| line.start < limit)
            .map(move |(number, line)| CountedLine { number, line, limit })
    }

    /// How much of the file counts in a reading, in octets.
    pub(crate) fn size_limit(&self, ask: &mut impl Ask) -> usize {
        if self.size <= SMALLEST_LIMIT {
            return SMALLEST_LIMIT;
        }
        match ask.ask(SizeLimit) {
            Answer::Limit500000 => 500_000,
            Answer::Limit512000 => 512_000,
            _ => usize::MAX,
        }
    }
}

/// A line before the size limit.
pub(crate) struct CountedLine<'l, 'b> {
    /// The number of the line, from 1.
    pub(crate) number: usize,
    line: &'l Line<'b>,
    limit: usize,
}

impl<'l, 'b> CountedLine<'l, 'b> {
    /// What the line says.
    pub(crate) fn record(&self, ask: &mut impl Ask) -> Cow<'l, Record<'b>> {
        self.line.record(self.limit, ask)
    }
}

impl<'b> Line<'b> {
    fn record<'l>(&'l self, limit: usize, ask: &mut impl Ask) -> Cow<'l, Record<'b>> {
        if self.start + self.text.len() > limit {
            return Cow::Owned(self.cut_record(limit, ask));
        }
        match &self.settled {
            Some(record) => Cow::Borrowed(record),
            None => Cow::Owned(read(self.without_bom(ask), ask)),
        }
    }

    /// The record of the line that the size limit cuts in two.
    fn cut_record(&self, limit: usize, ask: &mut impl Ask) -> Record<'b> {
        match ask.ask(CutLine) {
            Answer::Keep => read(&self.text[..limit - self.start], ask),
            _ => Record::Other,
        }
    }

    fn without_bom(&self, ask: &mut impl Ask) -> &'b [u8] {
        match self.text.strip_prefix(BOM) {
            Some(text) if self.start == 0 && ask.ask(Bom) == Answer::Drop => text,
            _ => self.text,
        }
    }
}

/// Answers nothing, and remembers that it was asked.
struct Unasked {
    was_asked: bool,
}

impl Ask for Unasked {
    fn ask(&mut self, question: crate::question::Question) -> Answer {
        self.was_asked = true;
        self.admitted(question)[0]
    }

    fn admitted(&self, question: crate::question::Question) -> &[Answer] {
        question.row().answers(crate::Edition::GooglePre2019)
    }
}

fn read_without_questions(text: &[u8]) -> Option<Record<'_>> {
    let mut unasked = Unasked { was_asked: false };
    let record = read(text, &mut unasked);
    (!unasked.was_asked).then_some(record)
}

/// Reads one line: `field : value # comment`.
fn read<'b>(line: &'b [u8], ask: &mut impl Ask) -> Record<'b> {
    let text = before_comment(line);
    if trim(text).is_empty() {
        return Record::Blank;
    }
    let dropped;
    let text = match std::str::from_utf8(text) {
        Ok(_) => text,
        Err(_) => match ask.ask_about(InvalidUtf8, text) {
            Answer::Ignore => return Record::Other,
            Answer::Drop => {
                dropped = without_invalid_utf8(text);
                return into_owned(read_fields(&dropped, ask));
            }
            _ => text,
        },
    };
    read_fields(text, ask)
}

fn read_fields<'b>(text: &'b [u8], ask: &mut impl Ask) -> Record<'b> {
    let Some((field, value)) = field_and_value(text, ask) else { return Record::Other };
    let Some(value) = settle_value(value, ask) else { return Record::Other };
    match field {
        Field::UserAgent => Record::UserAgent(Cow::Borrowed(value)),
        Field::Sitemap => Record::Sitemap(Cow::Borrowed(value)),
        Field::Rule(kind) => match settle_path(value, ask) {
            Some(path) => Record::Rule(kind, Cow::Borrowed(path)),
            None => Record::Other,
        },
    }
}

/// The text before the first `#`.
fn before_comment(line: &[u8]) -> &[u8] {
    let length = line.iter().position(|&octet| octet == b'#').unwrap_or(line.len());
    &line[..length]
}

/// The text without any white space of Unicode at its ends.
fn trim_all(text: &[u8]) -> &[u8] {
    let is_space = |c: char| c.is_whitespace() || c == '\u{FEFF}';
    if let Ok(text) = std::str::from_utf8(text) {
        return text.trim_matches(is_space).as_bytes();
    }
    let Some(first) = text.utf8_chunks().next() else { return text };
    let start = first.valid().len() - first.valid().trim_start_matches(is_space).len();
    let last = text.utf8_chunks().last().filter(|last| last.invalid().is_empty());
    let end = last.map_or(0, |last| last.valid().len() - last.valid().trim_end_matches(is_space).len());
    &text[start..text.len() - end]
}

fn without_invalid_utf8(text: &[u8]) -> Vec<u8> {
    text.utf8_chunks().flat_map(|chunk| chunk.valid().bytes()).collect()
}

fn into_owned(record: Record<'_>) -> Record<'static> {
    match record {
        Record::UserAgent(value) => Record::UserAgent(Cow::Owned(value.into_owned())),
        Record::Rule(kind, path) => Record::Rule(kind, Cow::Owned(path.into_owned())),
        Record::Sitemap(value) => Record::Sitemap(Cow::Owned(value.into_owned())),
        Record::Other => Record::Other,
        Record::Blank => Record::Blank,
    }
}

fn field_and_value<'b>(text: &'b [u8], ask: &mut impl Ask) -> Option<(Field, &'b [u8])> {
    if let Some(colon) = text.iter().position(|&octet| octet == b':')
        && let Some(field) = field(trim(&text[..colon]), ask)
    {
        return Some((field, trim(&text[colon + 1..])));
    }
    without_colon(trim(text), ask)
}

/// `disallow /x`: a field name, white space and a value.
fn without_colon<'b>(text: &'b [u8], ask: &mut impl Ask) -> Option<(Field, &'b [u8])> {
    let gaps = text.iter().enumerate().filter(|&(_, &octet)| is_blank(octet));
    // The second gap is for a name with a space in it: `user agent *`.
    for (gap, _) in gaps.take(2) {
        let (name, value) = (&text[..gap], trim(&text[gap..]));
        if value.first() != Some(&b':') && resembles_field(name) {
            return match ask.ask_about(MissingColon, name) {
                Answer::Accept => Some((field(name, ask)?, value)),
                _ => None,
            };
        }
    }
    None
}

/// The known field of this name, where the reading takes it for one.
fn field(name: &[u8], ask: &mut impl Ask) -> Option<Field> {
    if let Some(field) = Field::from_name(name) {
        return Some(field);
    }
    if let Some(field) = Field::from_name(trim_all(name)) {
        return (ask.ask_about(OtherWhitespace, name) == Answer::Drop).then_some(field);
    }
    let field = misspelt_field(name)?;
    // RFC 9309, 2.2.4, itself calls the record "Sitemaps".
    let question = if goes_on(name) && field != Field::Sitemap { FieldPrefix } else { Typo };
    (ask.ask_about(question, name) == Answer::Accept).then_some(field)
}

fn resembles_field(name: &[u8]) -> bool {
    Field::from_name(name).or_else(|| misspelt_field(name)).is_some()
}

/// Whether the name is a known one and more.
fn goes_on(name: &[u8]) -> bool {
    let starts = |known: &str| {
        name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
    };
    Field::ALL.iter().any(|(known, _)| starts(known))
}

/// The most edits that make a misspelling of a known name.
const MOST_EDITS: usize = 2;

/// The longest field name, and the edits that a misspelling may add, each an octet of up to four.
const LONGEST_MISSPELLING: usize = "user-agent".len() + 4 * MOST_EDITS;

fn misspelt_field(name: &[u8]) -> Option<Field> {
    if name.len() > LONGEST_MISSPELLING {
        return None;
    }
    let name = std::str::from_utf8(name).ok()?.to_ascii_lowercase();
    // Two texts are at least as far apart as their lengths.
    let is_near = |known: &str| {
        name.chars().count().abs_diff(known.len()) <= MOST_EDITS
            && strsim::levenshtein(&name, known) <= MOST_EDITS
    };
    Field::ALL.iter().find(|(known, _)| is_near(known)).map(|&(_, field)| field)
}

/// The value without what the reading takes off its ends, or nothing where
/// the reading drops the line.
fn settle_value<'b>(value: &'b [u8], ask: &mut impl Ask) -> Option<&'b [u8]> {
    let mut value = value;
    if trim_all(value) != value && ask.ask_about(OtherWhitespace, value) == Answer::Drop {
        value = trim_all(value);
    }
    let is_control = |octet: &u8| octet.is_ascii_control() && !is_blank(*octet);
    let Some(control) = value.iter().position(is_control) else { return Some(value) };
    match ask.ask_about(ControlCharacter, &value[control..=control]) {
        Answer::Ignore => None,
        Answer::Cut => Some(trim(&value[..control])),
        _ => Some(value),
    }
}

/// The path of a rule, or nothing where the reading drops the line.
fn settle_path<'b>(path: &'b [u8], ask: &mut impl Ask) -> Option<&'b [u8]> {
    let Some(gap) = path.iter().position(|&octet| is_blank(octet)) else { return Some(path) };
    match ask.ask_about(InnerSpace, &path[gap..=gap]) {
        Answer::Ignore => None,
        Answer::Cut => Some(&path[..gap]),
        _ => Some(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_of_a_character_however_many_octets_it_has() {
        assert_eq!(misspelt_field("sitemap€€".as_bytes()), Some(Field::Sitemap));
        assert_eq!(misspelt_field("€iteMa€".as_bytes()), Some(Field::Sitemap));
        assert_eq!(misspelt_field("sitemap€€€".as_bytes()), None);
    }
}
