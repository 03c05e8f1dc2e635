//! The field of a line: the field that a name stands for, as it is written, misspelt, or with white space of Unicode around
//! it, and where the name and the value are.
//!
//! *Google, "File format"; RFC 9309, 2.2.4.*

use memchr::{memchr, memrchr};

use crate::answer::{Acceptance, MisspeltField, Whitespace};
use crate::bytes::{is_blank, trim};
use crate::question::typed::*;
use crate::reading::Reader;
use crate::scan::Field;

/// Returns the known field that the reading finds in a line without its comment, and the value.
pub(crate) fn field_and_value<'b>(text: &'b [u8], reader: &mut impl Reader) -> Option<(Field, &'b [u8])> {
    if let Some(colon) = memchr(b':', text)
        && let name = &text[..colon]
        && let Some(field) = field(trim(name), reader)
    {
        let is_derived = trim(name).len() == name.len() || reader.answer(FieldSpace) == Acceptance::Accept;
        return is_derived.then(|| (field, trim(&text[colon + 1..])));
    }
    let text = trim(text);
    match within_markup(text) {
        Some(found) if reader.answer(Markup) == Acceptance::Accept => Some(found),
        _ => without_colon(text, reader),
    }
}

/// Returns the paths that a line with a field of a known extension forbids: `noindex` those that it names, `visit-time` and
/// `request-rate` all of them for some of the time (RFC 9309, 2.2.4, other records).
pub(crate) fn forbidden_paths(text: &[u8]) -> Option<&[u8]> {
    let colon = memchr(b':', text)?;
    let (name, value) = (trim(&text[..colon]), trim(&text[colon + 1..]));
    let field = EXTENSIONS.into_iter().find(|known| name.eq_ignore_ascii_case(known.as_bytes()))?;
    (!value.is_empty()).then_some(if field == NOINDEX { value } else { b"/" })
}

const NOINDEX: &str = "noindex";

/// The fields of known extensions that forbid paths.
const EXTENSIONS: [&str; 3] = [NOINDEX, "visit-time", "request-rate"];

/// `<li>disallow: /x</li>`: a field and its value between tags.
#[inline]
fn within_markup(text: &[u8]) -> Option<(Field, &[u8])> {
    // To look for the colon of each long line takes time.
    if !text.starts_with(b"<") {
        return None;
    }
    let colon = memchr(b':', text)?;
    let tag = memrchr(b'>', &text[..colon])?;
    let field = Field::from_name(trim(&text[tag + 1..colon]))?;
    let value = text[colon + 1..].split(|&byte| byte == b'<').next().unwrap_or_default();
    Some((field, trim(value)))
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
    let trimmed = trim_matches(name, is_space_or_mark);
    let has_space = trimmed.len() < name.len();
    let name = if has_space && resembles_field(trimmed) { trim_all(name, reader) } else { name };
    if let Some(field) = Field::from_name(name) {
        return Some(field);
    }
    match misspelt_fields(name)[..] {
        // RFC 9309, 2.2.4, itself calls the record "Sitemaps".
        [field, ref others @ ..] if longer_field(name).is_none_or(|field| field == Field::Sitemap) => {
            if reader.answer_about(Typo, name) == Acceptance::Ignore {
                return None;
            }
            match others {
                [other, ..] if reader.answer_about(TypoOfTwo, name) == MisspeltField::Other => Some(*other),
                _ => Some(field),
            }
        }
        _ => {
            let field = longer_field(name)?;
            (reader.answer_about(FieldPrefix, name) == Acceptance::Accept).then_some(field)
        }
    }
}

/// Returns the name of the known field that a name most resembles, where it may be a misspelling of one.
pub fn nearest_field(name: &str) -> Option<&'static str> {
    if Field::from_name(name.as_bytes()).is_some() {
        return None;
    }
    let nearest = *misspelt_fields(name.as_bytes()).first()?;
    Field::ALL.iter().find(|(_, field)| *field == nearest).map(|(known, _)| *known)
}

/// Returns whether some reading finds a known field in this name, other than by removing white space.
pub(crate) fn resembles_field(name: &[u8]) -> bool {
    Field::from_name(name).or_else(|| longer_field(name)).is_some() || !misspelt_fields(name).is_empty()
}

/// Returns the known field whose name a longer word starts with.
fn longer_field(name: &[u8]) -> Option<Field> {
    let starts_with = |known: &str| {
        name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
    };
    let is_word = || !name.iter().any(|&byte| is_blank(byte) || byte == b'/');
    Field::ALL.iter().find(|(known, _)| starts_with(known) && is_word()).map(|&(_, field)| field)
}

/// The greatest edit distance between a misspelling and the known name.
const MOST_EDITS: usize = 2;

/// The longest misspelling, in bytes: the longest field name, and insertions of up to four bytes each.
const LONGEST_MISSPELLING: usize = "user-agent".len() + 4 * MOST_EDITS;

/// Returns the known fields that a name may be a misspelling of, the nearest first.
fn misspelt_fields(name: &[u8]) -> Vec<Field> {
    let letters = Letters::of(name);
    let may_be_near = |known: &Letters| letters.may_be_near(*known);
    if name.len() > LONGEST_MISSPELLING || !KNOWN_LETTERS.iter().any(may_be_near) {
        return Vec::new();
    }
    let Ok(name) = std::str::from_utf8(name).map(str::to_ascii_lowercase) else {
        return Vec::new();
    };
    let near = Field::ALL.iter().zip(&KNOWN_LETTERS).filter(|(_, letters)| may_be_near(letters));
    let mut fields: Vec<(usize, Field)> = near
        .map(|(&(known, field), _)| (edits(&name, known), field))
        .filter(|(edits, _)| *edits <= MOST_EDITS)
        .collect();
    fields.sort_by_key(|(edits, _)| *edits);
    fields.into_iter().map(|(_, field)| field).collect()
}

/// Returns whether a name is that of usage rules, longer or misspelt.
pub(crate) fn resembles_usage(name: &[u8]) -> bool {
    let starts_so = |start: &[u8]| start.eq_ignore_ascii_case(CONTENT_USAGE.as_bytes());
    let Ok(text) = std::str::from_utf8(name) else { return false };
    if name.get(..CONTENT_USAGE.len()).is_some_and(starts_so) {
        return true;
    }
    // The names of the other fields are far from it.
    let is_known = || Field::from_name(trim_matches(name, is_space_or_mark)).is_some();
    Letters::of(name).may_be_near(USAGE_LETTERS)
        && !is_known()
        && edits(&text.to_ascii_lowercase(), CONTENT_USAGE) <= MOST_EDITS
}

/// Returns whether some reading may find a known field at the start of a line, which is not blank, as far as a quick look
/// shows: most lines of a file that is not a robots.txt do not have one.
pub(crate) fn may_have_field(line: &[u8]) -> bool {
    if within_markup(line).is_some() {
        return true;
    }
    let mut letters = Letters::default();
    let mut foreign = 0;
    for (at, &byte) in line.iter().enumerate().take(LONGEST_MISSPELLING + 1) {
        // A name ends at a colon, or at a gap if there is no colon.
        let is_end = matches!(byte, b':' | b' ' | b'\t');
        let is_near =
            || KNOWN_LETTERS.iter().chain([&USAGE_LETTERS]).any(|known| letters.may_be_near(*known));
        if is_end && is_near() && (resembles_field(&line[..at]) || resembles_usage(&line[..at])) {
            return true;
        }
        match byte {
            b':' | b'#' => break,
            b'\t' | b' '..=b'~' => letters = letters.with(byte),
            _ => return true,
        }
        // Each byte that a name does not have takes an edit.
        foreign += FOREIGN[usize::from(byte)];
        if (foreign + ABOVE_MOST_EDITS) & LANES << 7 == LANES << 7 {
            break;
        }
    }
    let first = line.first().map(u8::to_ascii_lowercase);
    let has_start = |known: &str| {
        first == known.bytes().next()
            && line.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
    };
    Field::ALL.iter().any(|(known, _)| has_start(known))
        || has_start(CONTENT_USAGE)
        || EXTENSIONS.iter().any(|known| has_start(known))
}

/// The field of usage rules.
pub(crate) const CONTENT_USAGE: &str = "content-usage";

/// Returns the edit distance between a name and a known one, which is that of the texts between their common ends.
fn edits(name: &str, known: &str) -> usize {
    let is_same = |(a, b): &(u8, u8)| a == b;
    let start = name.bytes().zip(known.bytes()).take_while(is_same).count();
    let (name, known) = (&name[start..], &known[start..]);
    let end = name.bytes().rev().zip(known.bytes().rev()).take_while(is_same).count();
    strsim::levenshtein(&name[..name.len() - end], &known[..known.len() - end])
}

/// The letters of a name, in any case.
#[derive(Debug, Clone, Copy, Default)]
struct Letters {
    /// A bit for each. Other characters share bits, so that a character has one bit.
    bits: u32,
    /// The number of characters of the name.
    length: usize,
}

/// The letters of the known fields.
const KNOWN_LETTERS: [Letters; Field::ALL.len()] = {
    let mut known = [Letters { bits: 0, length: 0 }; Field::ALL.len()];
    let mut place = 0;
    while place < known.len() {
        known[place] = Letters::of(Field::ALL[place].0.as_bytes());
        place += 1;
    }
    known
};

/// The lowest bit of each lane. A lane has eight bits, and there is one for each known field and for that of usage rules.
const LANES: u64 = 0x01_01_01_01_01;

/// What is added to a number of edits in each lane, so that its highest bit is set where they are too many.
const ABOVE_MOST_EDITS: u64 = LANES * (127 - MOST_EDITS as u64);

/// For each byte, a one in the lane of each name that does not contain it.
const FOREIGN: [u64; 256] = {
    let mut foreign = [LANES; 256];
    let mut lane = 0;
    while lane <= Field::ALL.len() {
        let name = if lane < Field::ALL.len() { Field::ALL[lane].0 } else { CONTENT_USAGE }.as_bytes();
        let mut place = 0;
        while place < name.len() {
            foreign[name[place] as usize] &= !(1 << (8 * lane));
            foreign[name[place].to_ascii_uppercase() as usize] &= !(1 << (8 * lane));
            place += 1;
        }
        lane += 1;
    }
    foreign
};

/// The letters of the field of usage rules.
const USAGE_LETTERS: Letters = Letters::of(CONTENT_USAGE.as_bytes());

impl Letters {
    const fn of(name: &[u8]) -> Self {
        let mut letters = Letters { bits: 0, length: 0 };
        let mut place = 0;
        while place < name.len() {
            letters = letters.with(name[place]);
            place += 1;
        }
        letters
    }

    /// Returns the letters of the name with another byte at its end.
    const fn with(self, byte: u8) -> Self {
        let bit = if byte.is_ascii() { byte & 31 } else { 31 };
        // A character of several bytes continues with these.
        let is_start = !matches!(byte, 0x80..=0xBF);
        Letters { bits: self.bits | 1 << bit, length: self.length + is_start as usize }
    }

    /// Returns whether few edits may lead from one name to the other: not where one is much longer, or where more letters
    /// are missing in one of them.
    fn may_be_near(self, other: Letters) -> bool {
        self.length.abs_diff(other.length) <= MOST_EDITS
            && !has_more(self.bits & !other.bits, MOST_EDITS)
            && !has_more(other.bits & !self.bits, MOST_EDITS)
    }
}

/// Returns whether more bits than a few are set.
fn has_more(bits: u32, few: usize) -> bool {
    (0..few).fold(bits, |bits, _| bits & bits.wrapping_sub(1)) != 0
}

/// Returns the text without white space of Unicode at its ends, as the reading removes it.
pub(crate) fn trim_all<'b>(text: &'b [u8], reader: &mut impl Reader) -> &'b [u8] {
    let without_space = trim_matches(text, char::is_whitespace);
    let without_marks = trim_matches(text, is_space_or_mark);
    if without_marks.len() == text.len() {
        return text;
    }
    match reader.answer_about(OtherWhitespace, text) {
        Whitespace::Keep => text,
        Whitespace::Drop => without_space,
        Whitespace::DropMark => without_marks,
    }
}

pub(crate) fn is_space_or_mark(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

pub(crate) fn trim_matches(text: &[u8], is_space: impl Fn(char) -> bool + Copy) -> &[u8] {
    if let [first, .., last] = text
        && first.is_ascii_graphic()
        && last.is_ascii_graphic()
    {
        return text;
    }
    if let Ok(text) = std::str::from_utf8(text) {
        return text.trim_matches(is_space).as_bytes();
    }
    let Some(first) = text.utf8_chunks().next() else {
        return text;
    };
    let start = first.valid().len() - first.valid().trim_start_matches(is_space).len();
    let last = text.utf8_chunks().last().filter(|last| last.invalid().is_empty());
    let end = last.map_or(0, |last| last.valid().len() - last.valid().trim_end_matches(is_space).len());
    &text[start..text.len() - end]
}

#[cfg(test)]
#[path = "../tests/unit/field_name.rs"]
mod tests;
