//! The lines of a file: where they start and end, and which of them have an effect.
//!
//! *Google, "File format"; RFC 9309, 2.2 and 2.5.*
//!
//! A file is parsed once, without an edition. A line whose record is the same in every reading is settled then; other
//! lines are read again for each reading.

use std::iter;
use std::mem::replace;
use std::ops::Range;
use std::sync::OnceLock;

use memchr::{memchr, memchr2, memchr2_iter, memchr3};

use crate::answer::{Acceptance, CountedSize, PartialLine, Removal};
use crate::bytes::{BOM, trim};
use crate::fast::line::{Settled, read_plain};
use crate::fast::line_records::RecordsByText;
use crate::line::{Record, before_comment, is_record, read, read_without_questions};
use crate::question::typed::*;
use crate::reading::Reader;
use crate::scan::{self, Field, split_lines};

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
    /// Whether the bytes of the file are text in UTF-8, with its comments.
    pub(crate) is_text: bool,
    /// The same without them.
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

    /// Returns the lines of a reading that ends none at a CR alone. They have the numbers of their starts.
    pub(crate) fn split_less(&self) -> Self {
        let mut joined: Vec<scan::Line> = Vec::new();
        for line in split_lines(self.file) {
            match joined.last_mut().filter(|before| before.end == b"\r") {
                Some(before) => {
                    let text = &self.file[before.start..line.start + line.text.len()];
                    *before = scan::Line { text, end: line.end, ..*before };
                }
                None => joined.push(line),
            }
        }
        Lines::with(self.file, joined.into_iter(), |_, _| true)
    }

    /// Returns the lines of a reading in which a comment after a value is a part of it.
    pub(crate) fn with_comments(&self) -> Self {
        let mut lines = Lines::all(self.file);
        for line in &mut lines.lines {
            let whole = text_of(self.file, line);
            let parts = scan::Line { number: 0, start: 0, text: whole, end: &[] }.parts();
            if let (Some(Settled::Field(_)), Some(comment)) = (line.settled, parts.comment) {
                line.text = trim(&whole[parts.value.start.min(comment.start)..]);
            }
        }
        lines
    }

    /// Keeps some of the lines of a file, according to the line and where it ends.
    fn with(
        file: &'b [u8],
        split: impl Iterator<Item = scan::Line<'b>>,
        mut is_kept: impl FnMut(&Line, usize) -> bool,
    ) -> Self {
        let is_valid = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
        let is_text = is_valid(file);
        let is_utf_8 =
            is_text || split_lines(file).all(|scan::Line { text, .. }| is_valid(before_comment(text)));
        let mut lines = Vec::with_capacity((file.len() / USUAL_LINE + 1).min(USUAL_LINES));
        for scanned in split {
            let line = read_line(scanned, is_utf_8);
            if is_kept(&line, scanned.start + scanned.text.len()) {
                lines.push(line);
            }
        }
        Lines { lines, file, is_text, is_utf_8, has_other_end: OnceLock::new() }
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

#[cfg(test)]
#[path = "../tests/unit/lines.rs"]
mod tests;
