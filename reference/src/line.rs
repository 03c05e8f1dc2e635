//! File format: bytes, lines, fields and values.
//!
//! *Google, "File format"; RFC 9309, 2.2.*
//!
//! A file is parsed once, without an edition. A line whose record is the same in every reading is settled then; other
//! lines are read again for each reading.

use std::borrow::Cow;
use std::iter;
use std::mem::replace;
use std::ops::Range;
use std::sync::OnceLock;

use memchr::{memchr, memchr2, memchr2_iter, memchr3};

use crate::answer::{Acceptance, CountedSize, InvalidBytes, OddText, PartialLine, RecordKind, Removal};
use crate::bytes::{BOM, is_blank, trim, trim_start};
use crate::edition::Edition;
use crate::fast::line::{Settled, read_plain};
use crate::fast::line_records::RecordsByText;
use crate::field_name::{
    field_and_value, forbidden_paths, is_space_or_mark, may_have_field, trim_all, trim_matches,
};
use crate::question::typed::*;
use crate::question::{Choice, Question};
use crate::reading::Reader;
use crate::scan::{self, Field, RuleKind, split_lines};
use crate::usage_line::{UsageName, is_usage_value, usage_line};

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record<'b> {
    /// Starts or continues the head of a group.
    UserAgent(Cow<'b, [u8]>),
    /// A member of a group.
    Rule(RuleKind, Cow<'b, [u8]>),
    /// Belongs to no group.
    Sitemap(Cow<'b, [u8]>),
    /// A member of a group that is neither allow nor disallow, with its value.
    UsageRule(Cow<'b, [u8]>),
    /// An unknown field by which others than the edition forbid these paths of a group.
    Extension(Cow<'b, [u8]>),
    /// Has no effect: a record with an unknown field, or one that the reading ignores.
    Other,
    /// Has no effect: not a record.
    Invalid,
    /// White space at most.
    Blank,
    /// A comment, with or without white space before it.
    Comment,
}

/// A line, read as far as possible without an edition. A file may have millions of lines, so that this is small.
#[derive(Debug, Clone)]
pub(crate) struct Line<'b> {
    /// The number of the line, from 1.
    pub(crate) number: u32,
    /// Where it starts in the file, in bytes.
    start: usize,
    /// Its record, where reading it raises no question.
    pub(crate) settled: Option<Settled>,
    /// The value of a settled field, or else the line.
    pub(crate) text: &'b [u8],
    /// Whether it is the last line and has no line end.
    is_unended: bool,
}

/// The lines of a file.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'b> {
    /// In their order, without the lines that have no effect in any reading.
    lines: Vec<Line<'b>>,
    file: &'b [u8],
    /// Whether the bytes of the file are text in UTF-8, without its comments.
    is_utf_8: bool,
    /// The result of [`Lines::has_other_end`], because to look at a large file for each reading takes time.
    has_other_end: OnceLock<bool>,
}

/// The usual length of a line, in bytes, and the number of lines for which there is space from the start: a large file is
/// often a page, of which hardly a line is kept.
const USUAL_LINE: usize = 24;
const USUAL_LINES: usize = 1000;

/// The smaller admitted limit of [`SizeLimit`], in bytes.
const SMALLER_LIMIT: usize = 500_000;

/// The larger admitted limit of [`SizeLimit`], in bytes.
const LARGER_LIMIT: usize = 512_000;

impl<'b> Lines<'b> {
    /// Splits a file into lines, and reads the lines that raise no question.
    pub(crate) fn parse(file: &'b [u8]) -> Self {
        // Before the first user-agent line, they have no effect.
        let mut between = LinesBetween { blank: true, comment: true, other: true, invalid: true };
        Lines::with(file, split_lines(file), |line, end| between.adds(line) || may_be_cut(line.start, end))
    }

    /// Returns whether the file has other characters that a reader takes for the end of a line by mistake.
    pub(crate) fn has_other_end(&self) -> bool {
        *self.has_other_end.get_or_init(|| other_line_end(self.file).is_some())
    }

    /// Returns every line of a file, also those that have no effect.
    pub(crate) fn all(file: &'b [u8]) -> Self {
        Lines::with(file, split_lines(file), |_, _| true)
    }

    /// Returns the lines of a reading that also ends them at these characters. They have the numbers of those that the file
    /// is split into otherwise.
    pub(crate) fn split_further(&self) -> Self {
        Lines::with(self.file, split_lines(self.file).flat_map(pieces), |_, _| true)
    }

    /// Keeps some of the lines of a file, according to the line and where it ends.
    fn with(
        file: &'b [u8],
        split: impl Iterator<Item = scan::Line<'b>>,
        mut is_kept: impl FnMut(&Line, usize) -> bool,
    ) -> Self {
        let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
        let is_utf_8 =
            is_text(file) || split_lines(file).all(|scan::Line { text, .. }| is_text(before_comment(text)));
        let mut lines = Vec::with_capacity((file.len() / USUAL_LINE + 1).min(USUAL_LINES));
        for scanned in split {
            let line = read_line(scanned, is_utf_8);
            if is_kept(&line, scanned.start + scanned.text.len()) {
                lines.push(line);
            }
        }
        Lines { lines, file, is_utf_8, has_other_end: OnceLock::new() }
    }

    /// Returns the lines, read as far as possible without an edition.
    pub(crate) fn lines(&self) -> &[Line<'b>] {
        &self.lines
    }

    /// Returns whether every reading counts all of the file.
    pub(crate) fn is_below_limits(&self) -> bool {
        self.file.len() <= SMALLER_LIMIT
    }

    /// Returns the line at this place.
    pub(crate) fn at(&self, place: usize) -> CountedLine<'_, 'b> {
        CountedLine { lines: self, line: &self.lines[place], limit: usize::MAX, records: None }
    }

    /// Returns the lines that start before a size limit.
    pub(crate) fn before(&self, limit: usize) -> impl Iterator<Item = CountedLine<'_, 'b>> {
        let lines = self.lines.iter().take_while(move |line| line.start < limit);
        lines.map(move |line| CountedLine { lines: self, line, limit, records: None })
    }

    /// Returns the number of bytes at the start of the file that count. Where it may be any number, only the places are
    /// tried at which a limit may change what the relevant lines mean.
    pub(crate) fn size_limit(
        &self,
        is_relevant: impl FnMut(&Record) -> bool,
        reader: &mut impl Reader,
    ) -> usize {
        if self.is_below_limits() {
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
            let is_relevant = line.settled_record().is_none_or(|record| is_relevant(&record));
            if is_relevant && end_of(self.file, line) > LARGER_LIMIT {
                let text = text_of(self.file, line);
                let colon = memchr(b':', text).unwrap_or_default();
                let in_value = (colon + 1..text.len()).map(|at| line.start + at);
                limits.extend(iter::once(line.start).chain(in_value).filter(|&limit| limit > LARGER_LIMIT));
            }
        }
        limits
    }
}

/// Reads a line as far as possible without an edition.
#[inline]
fn read_line(line: scan::Line<'_>, is_utf_8_file: bool) -> Line<'_> {
    let scan::Line { number, start, text, end } = line;
    let has_bom = start == 0 && text.starts_with(BOM);
    let settled = match read_plain(text) {
        _ if has_bom => None,
        None => read_without_questions(text, is_utf_8_file),
        plain => plain,
    };
    let (settled, text) = settled.map_or((None, text), |(settled, value)| (Some(settled), value));
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    Line { number, start, settled, text, is_unended: end.is_empty() }
}

/// Splits a line at the other characters that end one by mistake.
fn pieces(line: scan::Line<'_>) -> impl Iterator<Item = scan::Line<'_>> {
    let mut rest = Some(line);
    iter::from_fn(move || {
        let line = rest.take()?;
        let Some(Range { start, end }) = other_line_end(line.text) else { return Some(line) };
        rest = Some(scan::Line { start: line.start + end, text: &line.text[end..], ..line });
        Some(scan::Line { text: &line.text[..start], end: &line.text[start..end], ..line })
    })
}

/// Returns where the first character is that ends a line by mistake.
fn other_line_end(text: &[u8]) -> Option<Range<usize>> {
    let single = [memchr3(0x0B, 0x0C, 0x1C, text), memchr2(0x1D, 0x1E, text)].into_iter().flatten().min();
    let before = &text[..single.unwrap_or(text.len())];
    let longer = memchr2_iter(0xC2, 0xE2, before).find_map(|at| match before[at..] {
        [0xC2, 0x85, ..] => Some(at..at + "\u{85}".len()),
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => Some(at..at + "\u{2028}".len()),
        _ => None,
    });
    longer.or(single.map(|at| at..at + 1))
}

/// Returns a line as it is written, without its end.
fn text_of<'b>(file: &'b [u8], line: &Line) -> &'b [u8] {
    split_lines(&file[line.start..]).next().map_or(&[], |line| line.text)
}

fn end_of(file: &[u8], line: &Line) -> usize {
    line.start + text_of(file, line).len()
}

/// Returns whether a size limit cuts a line in two that starts and ends at these places, so that its record differs
/// between readings.
fn may_be_cut(start: usize, end: usize) -> bool {
    end > SMALLER_LIMIT && [SMALLER_LIMIT, LARGER_LIMIT].iter().any(|&limit| start < limit && end > limit)
}

/// The kinds of lines since the last line that may be a user-agent line. Lines that are blank or of other records have
/// no effect, except that a group may end where there is at least one of a kind between two user-agent lines.
#[derive(Default)]
struct LinesBetween {
    blank: bool,
    comment: bool,
    other: bool,
    invalid: bool,
}

impl LinesBetween {
    /// Adds the next line. Returns whether it may have an effect that the lines before it do not have.
    fn adds(&mut self, line: &Line) -> bool {
        match line.settled {
            Some(Settled::Blank) => !replace(&mut self.blank, true),
            Some(Settled::Comment) => !replace(&mut self.comment, true),
            // To look at the line takes time.
            Some(Settled::Other) if self.other && self.invalid => false,
            Some(Settled::Other) => {
                let seen = if is_record(line.text) { &mut self.other } else { &mut self.invalid };
                !replace(seen, true)
            }
            Some(Settled::Field(Field::Rule(_) | Field::Sitemap) | Settled::Extension) => true,
            Some(Settled::Field(Field::UserAgent)) | None => {
                *self = LinesBetween::default();
                true
            }
        }
    }
}

/// The records of lines in the readings so far.
pub(crate) type LineRecords<'b> = RecordsByText<'b, Record<'b>>;

/// A line that starts before the size limit.
pub(crate) struct CountedLine<'l, 'b> {
    lines: &'l Lines<'b>,
    line: &'l Line<'b>,
    limit: usize,
    /// The records of lines in the readings so far, where they are remembered.
    records: Option<&'l LineRecords<'b>>,
}

impl<'l, 'b> CountedLine<'l, 'b> {
    /// This line, whose record need not be read again.
    pub(crate) fn remembering(self, records: &'l LineRecords<'b>) -> Self {
        CountedLine { records: Some(records), ..self }
    }

    /// Returns whether it is a sitemap in some reading.
    pub(crate) fn may_be_sitemap(&self) -> bool {
        matches!(self.line.settled, None | Some(Settled::Field(Field::Sitemap)))
    }

    /// The number of the line, from 1.
    pub(crate) fn number(&self) -> u32 {
        self.line.number
    }

    /// Returns the meaning of the line.
    pub(crate) fn record(&self, reader: &mut impl Reader) -> Record<'b> {
        let Lines { file, is_utf_8, .. } = *self.lines;
        if self.limit < file.len() && end_of(file, self.line) > self.limit {
            return self.cut_record(reader);
        }
        if self.line.is_unended && reader.answer(NoFinalNewline) == Acceptance::Ignore {
            return Record::Other;
        }
        // A byte order mark starts a file alone.
        let records = self.records.filter(|_| self.line.start > 0);
        match (self.line.settled_record(), records) {
            (Some(record), _) => record,
            (None, None) => read(self.without_bom(reader), is_utf_8, reader),
            (None, Some(records)) => {
                let line = self.line.text;
                records.record(line, reader, |reader| read(line, is_utf_8, reader))
            }
        }
    }

    /// Returns the record of the line that the size limit cuts in two.
    fn cut_record(&self, reader: &mut impl Reader) -> Record<'b> {
        let Lines { file, is_utf_8, .. } = *self.lines;
        match reader.answer(CutLine) {
            PartialLine::Keep => read(&file[self.line.start..self.limit], is_utf_8, reader),
            PartialLine::Ignore => Record::Other,
        }
    }

    fn without_bom(&self, reader: &mut impl Reader) -> &'b [u8] {
        match self.line.text.strip_prefix(BOM) {
            Some(text) if self.line.start == 0 && reader.answer(Bom) == Removal::Drop => text,
            _ => self.line.text,
        }
    }
}

impl<'b> Line<'b> {
    fn settled_record(&self) -> Option<Record<'b>> {
        self.settled.map(|settled| settled.record(self.text))
    }
}

impl Settled {
    fn record(self, text: &[u8]) -> Record<'_> {
        match self {
            Settled::Field(field) => field_record(field, text),
            Settled::Extension => Record::Extension(Cow::Borrowed(text)),
            Settled::Other => ignored(text),
            Settled::Blank => Record::Blank,
            Settled::Comment => Record::Comment,
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

/// Returns what a line that is not plain is where that is the same in every reading, with the value of its field.
fn read_without_questions(text: &[u8], is_utf_8_file: bool) -> Option<(Settled, &[u8])> {
    if is_utf_8_file && !may_have_field(trim_start(text)) {
        return Some((Settled::Other, text));
    }
    let mut detector = QuestionDetector { has_question: false };
    let (settled, value) = match read_odd(text, is_utf_8_file, &mut detector) {
        Record::UserAgent(value) => (Settled::Field(Field::UserAgent), value),
        Record::Rule(kind, path) => (Settled::Field(Field::Rule(kind)), path),
        Record::Sitemap(value) => (Settled::Field(Field::Sitemap), value),
        Record::Other | Record::Invalid => (Settled::Other, Cow::Borrowed(text)),
        Record::Extension(paths) => (Settled::Extension, paths),
        Record::UsageRule(_) | Record::Blank | Record::Comment => return None,
    };
    match value {
        Cow::Borrowed(value) if !detector.has_question => Some((settled, value)),
        _ => None,
    }
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
    match read_plain(line) {
        Some((settled, value)) => settled.record(value),
        None => read_odd(line, is_utf_8_file, reader),
    }
}

/// Reads a line that is not plain.
fn read_odd<'b>(line: &'b [u8], is_utf_8_file: bool, reader: &mut impl Reader) -> Record<'b> {
    if !line.is_ascii() && reader.answer(NonAsciiLine) == Acceptance::Ignore {
        return ignored(line);
    }
    let text = before_comment(line);
    if has_odd_comment(line, text) && reader.answer(OddComment) == Acceptance::Ignore {
        return ignored(line);
    }
    if text.is_ascii() || is_utf_8_file {
        return read_fields(text, reader);
    }
    let is_utf_8 = std::str::from_utf8(text).is_ok();
    // A file has one encoding: bytes that are not UTF-8 in one line may be a reason to decode all lines.
    let answer = if is_utf_8 { reader.answer(InvalidUtf8) } else { reader.answer_about(InvalidUtf8, text) };
    match answer {
        InvalidBytes::Decode => into_owned(read_fields(from_latin_1(text).as_bytes(), reader)),
        _ if is_utf_8 => read_fields(text, reader),
        InvalidBytes::Ignore => ignored(text),
        InvalidBytes::Keep => read_fields(text, reader),
        InvalidBytes::Drop => into_owned(read_fields(&without_invalid_utf8(text), reader)),
        InvalidBytes::Replace => into_owned(read_fields(String::from_utf8_lossy(text).as_bytes(), reader)),
    }
}

fn read_fields<'b>(text: &'b [u8], reader: &mut impl Reader) -> Record<'b> {
    if let Some(value) = usage_rule(text, reader) {
        return Record::UsageRule(Cow::Borrowed(value));
    }
    let Some((field, value)) = field_and_value(text, reader) else {
        return forbidden_paths(text)
            .map_or_else(|| ignored(text), |paths| Record::Extension(Cow::Borrowed(paths)));
    };
    let settled = settle_value(value, reader).and_then(|value| match field {
        Field::Rule(_) => settle_path(value, reader),
        _ => Some(value),
    });
    settled.map_or_else(|| ignored(text), |value| field_record(field, value))
}

/// Returns the value of a line that none of the known fields starts, where it is a usage rule
/// (draft-ietf-aipref-attach-05, "Robots Exclusion Protocol Content-Usage Rule").
fn usage_rule<'b>(text: &'b [u8], reader: &mut impl Reader) -> Option<&'b [u8]> {
    let (name, value) = usage_line(text)?;
    let kind = match (name, value) {
        (UsageName::Exact, value) if is_usage_value(value) => reader.answer(ContentUsage),
        (UsageName::Exact, _) => reader.answer(UsageValue),
        (UsageName::Misspelt, _) => reader.answer_about(UsageTypo, text),
    };
    (kind == RecordKind::Rule).then_some(value)
}

/// Returns what a line is that the reading ignores.
fn ignored(line: &[u8]) -> Record<'_> {
    if is_record(line) { Record::Other } else { Record::Invalid }
}

/// Returns whether a line has a word before a colon, whatever it is.
pub(crate) fn is_record(line: &[u8]) -> bool {
    let text = before_comment(line);
    let name = memchr(b':', text).map_or(&[][..], |colon| trim_matches(&text[..colon], is_space_or_mark));
    !name.is_empty() && !name.iter().copied().any(is_blank)
}

/// Returns whether a line has a text and a comment with bytes that no grammar derives.
fn has_odd_comment(line: &[u8], text: &[u8]) -> bool {
    let is_odd = |c: char| c.is_ascii_control() && c != '\t';
    !trim(text).is_empty()
        && std::str::from_utf8(&line[text.len()..]).map_or(true, |comment| comment.contains(is_odd))
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
        Record::UsageRule(value) => Record::UsageRule(Cow::Owned(value.into_owned())),
        Record::Extension(paths) => Record::Extension(Cow::Owned(paths.into_owned())),
        Record::Other => Record::Other,
        Record::Invalid => Record::Invalid,
        Record::Blank => Record::Blank,
        Record::Comment => Record::Comment,
    }
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
        let all = Lines::all(file);
        let parsed = Lines::parse(file);
        for edition in [Edition::GooglePre2019, Edition::Rfc9309] {
            assert_eq!(outcomes(&parsed, edition), outcomes(&all, edition), "{}", file.escape_ascii());
        }
    }

    /// Returns every file of this number of lines.
    fn files(lines: usize) -> impl Iterator<Item = Vec<u8>> {
        const LINES: [&[u8]; 9] = [
            b"user-agent: a\n",
            b"user-agent: b\n",
            b"useragent: a\n",
            b"\n",
            b"#\n",
            b"x: y\n",
            b"x y\n",
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
        for (line, kept) in
            [("\n", 1), ("# a comment\n", 1), ("a:b\n", 1), ("a b:c\n", 1), ("\na: b\n#\n", 3)]
        {
            let file = format!("{}user-agent: a\n{}", line.repeat(1000), line.repeat(1000));
            assert_eq!(Lines::parse(file.as_bytes()).lines.len(), kept + 1, "{line}");
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
