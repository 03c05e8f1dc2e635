//! File format: bytes, lines, fields and values.
//!
//! *Google, "File format"; RFC 9309, 2.2.*
//!
//! A file is parsed once, without an edition. A line whose record is the same in every reading is settled then; other
//! lines are read again for each reading.

use std::borrow::Cow;
use std::iter;
use std::mem::replace;

use memchr::memchr;

use crate::answer::{Acceptance, CountedSize, InvalidBytes, OddText, PartialLine, RecordKind, Removal};
use crate::bytes::{BOM, is_blank, trim};
use crate::edition::Edition;
use crate::field_name::{field, resembles_field, trim_all};
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
    /// A member of a group that is neither allow nor disallow.
    UsageRule,
    /// Has no effect: an unknown field, or not a valid line.
    Other,
    /// White space at most.
    Blank,
    /// A comment, with or without white space before it.
    Comment,
}

/// A line, read as far as possible without an edition.
#[derive(Debug, Clone)]
struct Line<'b> {
    /// The number of the line, from 1.
    number: usize,
    /// Where it starts in the file, in bytes.
    start: usize,
    text: &'b [u8],
    /// Whether it is the last line and has no line end.
    is_unended: bool,
    /// Its record, where reading it raises no question.
    settled: Option<Record<'b>>,
    /// Whether the bytes of the file are text in UTF-8, without its comments.
    is_utf_8_file: bool,
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

    /// Returns the number of bytes at the start of the file that count. Where it may be any number, only the places are
    /// tried at which a limit may change what the relevant lines mean.
    pub(crate) fn size_limit(
        &self,
        is_relevant: impl FnMut(&Record) -> bool,
        reader: &mut impl Reader,
    ) -> usize {
        if self.size <= SMALLER_LIMIT {
            return SMALLER_LIMIT;
        }
        match reader.answer(SizeLimit) {
            CountedSize::Limit500000 => SMALLER_LIMIT,
            CountedSize::Limit512000 => LARGER_LIMIT,
            CountedSize::Unlimited => usize::MAX,
            CountedSize::Larger => reader.choose_limit(&self.limits(is_relevant)),
        }
    }

    /// Returns the size limits above the largest that an edition mentions that may make a difference: the start of a
    /// relevant line, and every place in its value.
    fn limits(&self, mut is_relevant: impl FnMut(&Record) -> bool) -> Vec<usize> {
        let mut limits = Vec::new();
        for line in &self.lines {
            // Every line is shown, because the relevance of a rule depends on the lines before it.
            let is_relevant = line.settled.as_ref().is_none_or(&mut is_relevant);
            if is_relevant && line.ends_after(LARGER_LIMIT) {
                let colon = memchr(b':', line.text).unwrap_or_default();
                let in_value = (colon + 1..line.text.len()).map(|at| line.start + at);
                limits.extend(iter::once(line.start).chain(in_value).filter(|&limit| limit > LARGER_LIMIT));
            }
        }
        limits
    }
}

/// Returns every line of a file, read as far as possible without an edition.
fn read_lines(file: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    let is_utf_8_file =
        is_text(file) || split_lines(file).all(|scan::Line { text, .. }| is_text(before_comment(text)));
    split_lines(file).map(move |scan::Line { number, start, text, end }| {
        let has_bom = start == 0 && text.starts_with(BOM);
        let settled = if has_bom { None } else { read_without_questions(text, is_utf_8_file) };
        Line { number, start, text, is_unended: end.is_empty(), settled, is_utf_8_file }
    })
}

/// The kinds of lines since the last line that may be a user-agent line. Lines that are blank or of other records have
/// no effect, except that a group may end where there is at least one of a kind between two user-agent lines.
#[derive(Default)]
struct LinesBetween {
    blank: bool,
    comment: bool,
    other: bool,
}

impl LinesBetween {
    /// Adds the next line. Returns whether it may have an effect that the lines before it do not have.
    fn adds(&mut self, line: &Line) -> bool {
        match line.settled {
            Some(Record::Blank) => !replace(&mut self.blank, true),
            Some(Record::Comment) => !replace(&mut self.comment, true),
            Some(Record::Other) => !replace(&mut self.other, true),
            Some(Record::Rule(..) | Record::Sitemap(_) | Record::UsageRule) => true,
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
        if self.is_unended && reader.answer(NoFinalNewline) == Acceptance::Ignore {
            return Cow::Owned(Record::Other);
        }
        match &self.settled {
            Some(record) => Cow::Borrowed(record),
            None => Cow::Owned(read(self.without_bom(reader), self.is_utf_8_file, reader)),
        }
    }

    /// Returns the record of the line that the size limit cuts in two.
    fn cut_record(&self, limit: usize, reader: &mut impl Reader) -> Record<'b> {
        match reader.answer(CutLine) {
            PartialLine::Keep => read(&self.text[..limit - self.start], self.is_utf_8_file, reader),
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

    /// A line is read without regard to a size limit.
    fn choose_limit(&mut self, _: &[usize]) -> usize {
        usize::MAX
    }
}

/// Returns the record of a line where it is the same in every reading.
fn read_without_questions(text: &[u8], is_utf_8_file: bool) -> Option<Record<'_>> {
    let mut detector = QuestionDetector { has_question: false };
    let record = read(text, is_utf_8_file, &mut detector);
    (!detector.has_question).then_some(record)
}

/// Reads a line that consists of a known field and printable characters of ASCII without a space, as most lines do, or
/// that has no text. Any other line may raise questions.
fn read_plain(line: &[u8]) -> Option<Record<'_>> {
    let text = before_comment(line);
    let text_without_blanks = trim(text);
    if text_without_blanks.is_empty() {
        return Some(if text.len() == line.len() { Record::Blank } else { Record::Comment });
    }
    let colon = memchr(b':', text_without_blanks)?;
    let field = Field::from_name(trim(&text_without_blanks[..colon]))?;
    let value = trim(&text_without_blanks[colon + 1..]);
    // Without an early end, the compiler compares many bytes at once.
    let is_plain = value.iter().fold(true, |all, byte| all & byte.is_ascii_graphic());
    is_plain.then(|| field_record(field, value))
}

fn field_record(field: Field, value: &[u8]) -> Record<'_> {
    let value = Cow::Borrowed(value);
    match field {
        Field::UserAgent => Record::UserAgent(value),
        Field::Sitemap => Record::Sitemap(value),
        Field::Rule(kind) => Record::Rule(kind, value),
    }
}

/// Reads one line: `field : value # comment`.
fn read<'b>(line: &'b [u8], is_utf_8_file: bool, reader: &mut impl Reader) -> Record<'b> {
    if let Some(record) = read_plain(line) {
        return record;
    }
    let text = before_comment(line);
    if text.is_ascii() || is_utf_8_file {
        return read_fields(text, reader);
    }
    let is_utf_8 = std::str::from_utf8(text).is_ok();
    // A file has one encoding: bytes that are not UTF-8 in one line may be a reason to decode all lines.
    let answer = if is_utf_8 { reader.answer(InvalidUtf8) } else { reader.answer_about(InvalidUtf8, text) };
    match answer {
        InvalidBytes::Decode => into_owned(read_fields(from_latin_1(text).as_bytes(), reader)),
        _ if is_utf_8 => read_fields(text, reader),
        InvalidBytes::Ignore => Record::Other,
        InvalidBytes::Keep => read_fields(text, reader),
        InvalidBytes::Drop => into_owned(read_fields(&without_invalid_utf8(text), reader)),
        InvalidBytes::Replace => into_owned(read_fields(String::from_utf8_lossy(text).as_bytes(), reader)),
    }
}

fn read_fields<'b>(text: &'b [u8], reader: &mut impl Reader) -> Record<'b> {
    if is_usage_rule(text, reader) {
        return Record::UsageRule;
    }
    let Some((field, value)) = field_and_value(text, reader) else { return Record::Other };
    let Some(value) = settle_value(value, reader) else { return Record::Other };
    match field {
        Field::Rule(_) => match settle_path(value, reader) {
            Some(path) => field_record(field, path),
            None => Record::Other,
        },
        _ => field_record(field, value),
    }
}

/// Returns whether a line that none of the known fields starts is a usage rule
/// (draft-ietf-aipref-attach-05, "Robots Exclusion Protocol Content-Usage Rule").
fn is_usage_rule(text: &[u8], reader: &mut impl Reader) -> bool {
    let Some(colon) = memchr(b':', text) else { return false };
    trim(&text[..colon]).eq_ignore_ascii_case(b"content-usage")
        && reader.answer(ContentUsage) == RecordKind::Rule
}

/// Returns the text before the first `#`.
fn before_comment(line: &[u8]) -> &[u8] {
    &line[..memchr(b'#', line).unwrap_or(line.len())]
}

fn without_invalid_utf8(text: &[u8]) -> Vec<u8> {
    text.utf8_chunks().flat_map(|chunk| chunk.valid().bytes()).collect()
}

fn from_latin_1(text: &[u8]) -> String {
    text.iter().copied().map(char::from).collect()
}

fn into_owned(record: Record<'_>) -> Record<'static> {
    match record {
        Record::UserAgent(value) => Record::UserAgent(Cow::Owned(value.into_owned())),
        Record::Rule(kind, path) => Record::Rule(kind, Cow::Owned(path.into_owned())),
        Record::Sitemap(value) => Record::Sitemap(Cow::Owned(value.into_owned())),
        Record::UsageRule => Record::UsageRule,
        Record::Other => Record::Other,
        Record::Blank => Record::Blank,
        Record::Comment => Record::Comment,
    }
}

fn field_and_value<'b>(text: &'b [u8], reader: &mut impl Reader) -> Option<(Field, &'b [u8])> {
    if let Some(colon) = memchr(b':', text)
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

/// Returns the value as the reading takes it, or nothing where the reading ignores the line.
fn settle_value<'b>(value: &'b [u8], reader: &mut impl Reader) -> Option<&'b [u8]> {
    let value = trim_all(value, reader);
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
            &mut Explorer::new(edition),
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
        for (line, kept) in [("\n", 1), ("# a comment\n", 1), ("a:b\n", 1), ("\na: b\n#\n", 3)] {
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
}
