//! File format: bytes, lines, fields and values.
//!
//! *Google, "File format"; RFC 9309, 2.2.*
//!
//! A file is parsed once, without an edition. A line whose record is the same in every reading is settled then; other
//! lines are read again for each reading.

use std::borrow::Cow;
use std::mem::replace;

use crate::answer::{Acceptance, CountedSize, InvalidBytes, OddText, PartialLine, Removal};
use crate::bytes::{BOM, is_blank, trim};
use crate::edition::Edition;
use crate::question::typed::*;
use crate::question::{Choice, Question};
use crate::reading::Reader;
use crate::scan::{self, Field, RuleKind, split_lines};

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Record<'b> {
    /// Starts or continues the head of a group.
    UserAgent(Cow<'b, [u8]>),
    /// A member of a group.
    Rule(RuleKind, Cow<'b, [u8]>),
    /// Belongs to no group.
    Sitemap(Cow<'b, [u8]>),
    /// Has no effect: an unknown field, or not a valid line.
    Other,
    /// White space, a comment or both.
    Blank,
}

/// A line, read as far as possible without an edition.
#[derive(Debug, Clone)]
struct Line<'b> {
    /// The number of the line, from 1.
    number: usize,
    /// Where it starts in the file, in bytes.
    start: usize,
    text: &'b [u8],
    /// Its record, where reading it raises no question.
    settled: Option<Record<'b>>,
}

/// The lines of a file.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'b> {
    /// In their order, without the lines that have no effect in any reading: a file may have millions of them.
    lines: Vec<Line<'b>>,
    /// The size of the file, in bytes.
    size: usize,
}

/// The smaller admitted limit of [`SizeLimit`], in bytes.
const SMALLER_LIMIT: usize = 500_000;

/// The larger admitted limit of [`SizeLimit`], in bytes.
const LARGER_LIMIT: usize = 512_000;

impl<'b> Lines<'b> {
    /// Splits a file into lines, and reads the lines that raise no question.
    pub(crate) fn parse(file: &'b [u8]) -> Self {
        let mut between = LinesBetween::default();
        let lines = read_lines(file).filter(|line| between.adds(line) || line.may_be_cut()).collect();
        Lines { lines, size: file.len() }
    }

    /// Returns the lines that start before a size limit.
    pub(crate) fn before(&self, limit: usize) -> impl Iterator<Item = CountedLine<'_, 'b>> {
        self.lines.iter().take_while(move |line| line.start < limit).map(move |line| CountedLine {
            number: line.number,
            line,
            limit,
        })
    }

    /// Returns the number of bytes at the start of the file that count.
    pub(crate) fn size_limit(&self, reader: &mut impl Reader) -> usize {
        if self.size <= SMALLER_LIMIT {
            return SMALLER_LIMIT;
        }
        match reader.answer(SizeLimit) {
            CountedSize::Limit500000 => SMALLER_LIMIT,
            CountedSize::Limit512000 => LARGER_LIMIT,
            CountedSize::Unlimited => usize::MAX,
        }
    }
}

/// Returns every line of a file, read as far as possible without an edition.
fn read_lines(file: &[u8]) -> impl Iterator<Item = Line<'_>> {
    split_lines(file).map(move |scan::Line { number, start, text, .. }| {
        let has_bom = start == 0 && text.starts_with(BOM);
        let settled = if has_bom { None } else { read_without_questions(text) };
        Line { number, start, text, settled }
    })
}

/// The kinds of lines since the last line that may be a user-agent line. Lines that are blank or of other records have
/// no effect, except that a group may end where there is at least one of a kind between two user-agent lines.
#[derive(Default)]
struct LinesBetween {
    blank: bool,
    other: bool,
}

impl LinesBetween {
    /// Adds the next line. Returns whether it may have an effect that the lines before it do not have.
    fn adds(&mut self, line: &Line) -> bool {
        match line.settled {
            Some(Record::Blank) => !replace(&mut self.blank, true),
            Some(Record::Other) => !replace(&mut self.other, true),
            Some(Record::Rule(..) | Record::Sitemap(_)) => true,
            Some(Record::UserAgent(_)) | None => {
                *self = LinesBetween::default();
                true
            }
        }
    }
}

/// A line that starts before the size limit.
pub(crate) struct CountedLine<'l, 'b> {
    /// The number of the line, from 1.
    pub(crate) number: usize,
    line: &'l Line<'b>,
    limit: usize,
}

impl<'l, 'b> CountedLine<'l, 'b> {
    /// Returns the meaning of the line.
    pub(crate) fn record(&self, reader: &mut impl Reader) -> Cow<'l, Record<'b>> {
        self.line.record(self.limit, reader)
    }
}

impl<'b> Line<'b> {
    /// Returns whether a size limit cuts the line in two, so that its record differs between readings.
    fn may_be_cut(&self) -> bool {
        [SMALLER_LIMIT, LARGER_LIMIT].iter().any(|&limit| self.start < limit && self.ends_after(limit))
    }

    fn ends_after(&self, limit: usize) -> bool {
        self.start + self.text.len() > limit
    }

    fn record<'l>(&'l self, limit: usize, reader: &mut impl Reader) -> Cow<'l, Record<'b>> {
        if self.ends_after(limit) {
            return Cow::Owned(self.cut_record(limit, reader));
        }
        match &self.settled {
            Some(record) => Cow::Borrowed(record),
            None => Cow::Owned(read(self.without_bom(reader), reader)),
        }
    }

    /// Returns the record of the line that the size limit cuts in two.
    fn cut_record(&self, limit: usize, reader: &mut impl Reader) -> Record<'b> {
        match reader.answer(CutLine) {
            PartialLine::Keep => read(&self.text[..limit - self.start], reader),
            PartialLine::Ignore => Record::Other,
        }
    }

    fn without_bom(&self, reader: &mut impl Reader) -> &'b [u8] {
        match self.text.strip_prefix(BOM) {
            Some(text) if self.start == 0 && reader.answer(Bom) == Removal::Drop => text,
            _ => self.text,
        }
    }
}

/// Notes whether a question is raised. Its answers are arbitrary.
struct QuestionDetector {
    has_question: bool,
}

impl Reader for QuestionDetector {
    fn choose(&mut self, question: Question, _: &[u8]) -> Choice {
        self.has_question = true;
        self.admitted(question)[0]
    }

    fn admitted(&self, question: Question) -> &[Choice] {
        question.row().answers(Edition::GooglePre2019)
    }
}

fn read_without_questions(text: &[u8]) -> Option<Record<'_>> {
    let mut detector = QuestionDetector { has_question: false };
    let record = read(text, &mut detector);
    (!detector.has_question).then_some(record)
}

/// Reads one line: `field : value # comment`.
fn read<'b>(line: &'b [u8], reader: &mut impl Reader) -> Record<'b> {
    let text = before_comment(line);
    if trim(text).is_empty() {
        return Record::Blank;
    }
    if std::str::from_utf8(text).is_ok() {
        return read_fields(text, reader);
    }
    match reader.answer_about(InvalidUtf8, text) {
        InvalidBytes::Ignore => Record::Other,
        InvalidBytes::Keep => read_fields(text, reader),
        InvalidBytes::Drop => into_owned(read_fields(&without_invalid_utf8(text), reader)),
    }
}

fn read_fields<'b>(text: &'b [u8], reader: &mut impl Reader) -> Record<'b> {
    let Some((field, value)) = field_and_value(text, reader) else { return Record::Other };
    let Some(value) = settle_value(value, reader) else { return Record::Other };
    match field {
        Field::UserAgent => Record::UserAgent(Cow::Borrowed(value)),
        Field::Sitemap => Record::Sitemap(Cow::Borrowed(value)),
        Field::Rule(kind) => match settle_path(value, reader) {
            Some(path) => Record::Rule(kind, Cow::Borrowed(path)),
            None => Record::Other,
        },
    }
}

/// Returns the text before the first `#`.
fn before_comment(line: &[u8]) -> &[u8] {
    let length = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
    &line[..length]
}

/// Returns the text without any white space of Unicode at its ends.
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

fn field_and_value<'b>(text: &'b [u8], reader: &mut impl Reader) -> Option<(Field, &'b [u8])> {
    if let Some(colon) = text.iter().position(|&byte| byte == b':')
        && let Some(field) = field(trim(&text[..colon]), reader)
    {
        return Some((field, trim(&text[colon + 1..])));
    }
    without_colon(trim(text), reader)
}

/// `disallow /x`: a field name, white space and a value.
fn without_colon<'b>(text: &'b [u8], reader: &mut impl Reader) -> Option<(Field, &'b [u8])> {
    let gaps = text.iter().enumerate().filter(|&(_, &byte)| is_blank(byte));
    // The second gap is for a name that contains a space: `user agent *`.
    for (gap, _) in gaps.take(2) {
        let (name, value) = (&text[..gap], trim(&text[gap..]));
        if value.first() != Some(&b':') && resembles_field(name) {
            return match reader.answer_about(MissingColon, name) {
                Acceptance::Accept => Some((field(name, reader)?, value)),
                Acceptance::Ignore => None,
            };
        }
    }
    None
}

/// Returns the known field that the reading finds in this name.
fn field(name: &[u8], reader: &mut impl Reader) -> Option<Field> {
    if let Some(field) = Field::from_name(name) {
        return Some(field);
    }
    if let Some(field) = Field::from_name(trim_all(name)) {
        return (reader.answer_about(OtherWhitespace, name) == Removal::Drop).then_some(field);
    }
    let field = misspelt_field(name)?;
    // RFC 9309, 2.2.4, itself calls the record "Sitemaps".
    let question = if starts_with_field(name) && field != Field::Sitemap { FieldPrefix } else { Typo };
    (reader.answer_about(question, name) == Acceptance::Accept).then_some(field)
}

fn resembles_field(name: &[u8]) -> bool {
    Field::from_name(name).or_else(|| misspelt_field(name)).is_some()
}

fn starts_with_field(name: &[u8]) -> bool {
    let starts_with = |known: &str| {
        name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
    };
    Field::ALL.iter().any(|(known, _)| starts_with(known))
}

/// The greatest edit distance between a misspelling and the known name.
const MOST_EDITS: usize = 2;

/// The longest misspelling, in bytes: the longest field name, and insertions of up to four bytes each.
const LONGEST_MISSPELLING: usize = "user-agent".len() + 4 * MOST_EDITS;

fn misspelt_field(name: &[u8]) -> Option<Field> {
    if name.len() > LONGEST_MISSPELLING {
        return None;
    }
    let name = std::str::from_utf8(name).ok()?.to_ascii_lowercase();
    // The edit distance is at least the difference of the lengths, which is cheaper to compute.
    let is_near = |known: &str| {
        name.chars().count().abs_diff(known.len()) <= MOST_EDITS
            && strsim::levenshtein(&name, known) <= MOST_EDITS
    };
    Field::ALL.iter().find(|(known, _)| is_near(known)).map(|&(_, field)| field)
}

/// Returns the value as the reading takes it, or nothing where the reading ignores the line.
fn settle_value<'b>(value: &'b [u8], reader: &mut impl Reader) -> Option<&'b [u8]> {
    let mut value = value;
    if trim_all(value) != value && reader.answer_about(OtherWhitespace, value) == Removal::Drop {
        value = trim_all(value);
    }
    let is_control = |byte: &u8| byte.is_ascii_control() && !is_blank(*byte);
    let Some(control) = value.iter().position(is_control) else { return Some(value) };
    match reader.answer_about(ControlCharacter, &value[control..=control]) {
        OddText::Ignore => None,
        OddText::Keep => Some(value),
        OddText::Cut => Some(trim(&value[..control])),
    }
}

/// Returns the path of a rule as the reading takes it, or nothing where the reading ignores the line.
fn settle_path<'b>(path: &'b [u8], reader: &mut impl Reader) -> Option<&'b [u8]> {
    let Some(gap) = path.iter().position(|&byte| is_blank(byte)) else { return Some(path) };
    match reader.answer_about(InnerSpace, &path[gap..=gap]) {
        OddText::Ignore => None,
        OddText::Keep => Some(path),
        OddText::Cut => Some(&path[..gap]),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::group::{Followed, followed};
    use crate::reading::{Explorer, explore};

    /// Returns what an agent follows in each reading.
    fn outcomes<'l>(lines: &'l Lines<'_>, edition: Edition) -> Vec<(Vec<Choice>, Followed<'l>)> {
        let mut outcomes = Vec::new();
        let explored = explore(
            Explorer::new(edition),
            |explorer| followed(lines, "a", explorer),
            |choices, followed| {
                outcomes.push((choices.to_vec(), followed));
                ControlFlow::Continue(())
            },
        );
        explored.expect("few readings");
        outcomes
    }

    /// Asserts that the lines without an effect have none.
    fn assert_same_as_all_lines(file: &[u8]) {
        let all = Lines { lines: read_lines(file).collect(), size: file.len() };
        let parsed = Lines::parse(file);
        for edition in [Edition::GooglePre2019, Edition::Rfc9309] {
            assert_eq!(outcomes(&parsed, edition), outcomes(&all, edition), "{}", file.escape_ascii());
        }
    }

    /// Returns every file of this number of lines.
    fn files(lines: usize) -> impl Iterator<Item = Vec<u8>> {
        const LINES: [&[u8]; 8] = [
            b"user-agent: a\n",
            b"user-agent: b\n",
            b"useragent: a\n",
            b"\n",
            b"#\n",
            b"x: y\n",
            b"sitemap: /\n",
            b"allow: /\n",
        ];
        let count = LINES.len();
        (0..count.pow(lines as u32)).map(move |index| {
            (0..lines).flat_map(|line| LINES[index / count.pow(line as u32) % count]).copied().collect()
        })
    }

    #[test]
    fn lines_without_an_effect_are_not_kept() {
        for (line, kept) in [("\n", 1), ("# a comment\n", 1), ("a:b\n", 1), ("\na: b\n#\n", 2)] {
            let file = format!("{}user-agent: a\n{}", line.repeat(1000), line.repeat(1000));
            assert_eq!(Lines::parse(file.as_bytes()).lines.len(), 2 * kept + 1, "{line}");
        }
    }

    #[test]
    fn lines_that_are_not_kept_have_no_effect() {
        (1..=4).flat_map(files).for_each(|file| assert_same_as_all_lines(&file));
    }

    #[test]
    fn lines_that_are_not_kept_have_no_effect_at_a_size_limit() {
        for limit in [SMALLER_LIMIT, LARGER_LIMIT] {
            for before in [0, 1, 2, 7, 15, 20] {
                for file in files(2) {
                    let comment = [&b"#".repeat(limit - before - 1)[..], b"\n"].concat();
                    assert_same_as_all_lines(&[&comment[..], &file, &comment].concat());
                }
            }
        }
    }

    #[test]
    fn an_edit_changes_one_character_of_any_number_of_bytes() {
        assert_eq!(misspelt_field("sitemap€€".as_bytes()), Some(Field::Sitemap));
        assert_eq!(misspelt_field("€iteMa€".as_bytes()), Some(Field::Sitemap));
        assert_eq!(misspelt_field("sitemap€€€".as_bytes()), None);
    }
}
