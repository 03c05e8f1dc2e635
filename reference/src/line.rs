//! The meaning of a line: its field and its value.
//!
//! *Google, "File format"; RFC 9309, 2.2.*

use std::borrow::Cow;

use memchr::memchr;

use crate::answer::{Acceptance, InvalidBytes, OddText, RecordKind};
use crate::bytes::{is_blank, trim, trim_start};
use crate::edition::Edition;
use crate::fast::line::{Settled, read_plain};
use crate::field_name::{
    field_and_value, forbidden_paths, is_space_or_mark, may_have_field, trim_all, trim_matches,
};
use crate::question::typed::*;
use crate::question::{Choice, Question};
use crate::reading::Reader;
use crate::scan::{Field, RuleKind};
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

impl Settled {
    pub(crate) fn record(self, text: &[u8]) -> Record<'_> {
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
pub(crate) fn read_without_questions(text: &[u8], is_utf_8_file: bool) -> Option<(Settled, &[u8])> {
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
pub(crate) fn read<'b>(line: &'b [u8], is_utf_8_file: bool, reader: &mut impl Reader) -> Record<'b> {
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
        InvalidBytes::Decode => {
            let latin_1: String = text.iter().copied().map(char::from).collect();
            into_owned(read_fields(latin_1.as_bytes(), reader))
        }
        _ if is_utf_8 => read_fields(text, reader),
        InvalidBytes::Ignore | InvalidBytes::IgnoreFile => ignored(text),
        InvalidBytes::Keep => read_fields(text, reader),
        InvalidBytes::Drop => {
            let valid: String = text.utf8_chunks().map(|chunk| chunk.valid()).collect();
            into_owned(read_fields(valid.as_bytes(), reader))
        }
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
pub(crate) fn before_comment(line: &[u8]) -> &[u8] {
    &line[..memchr(b'#', line).unwrap_or(line.len())]
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
#[path = "../tests/unit/line.rs"]
mod tests;
