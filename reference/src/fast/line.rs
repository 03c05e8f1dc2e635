//! Lines that raise no question, in every edition alike, which most lines are.
//!
//! The reader of lines finds the same records without this module, only slower.

use crate::bytes::trim_start;
use crate::scan::Field;

/// What a line is as far as its record is the same in every reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// A known field, whose value is kept.
    Field(Field),
    /// A record of a known extension: the paths that it forbids are kept.
    Extension,
    /// An unknown field, or not a valid line: the line is kept.
    Other,
    /// White space at most.
    Blank,
    /// A comment, with or without white space before it.
    Comment,
}

/// Reads a line that consists of a known field and printable characters of ASCII without a space, as most lines do, or
/// that has no text. Any other line may raise questions, also one with white space before its colon.
pub(crate) fn read_plain(line: &[u8]) -> Option<(Settled, &[u8])> {
    let text = trim_start(line);
    let Some(first) = text.first() else { return Some((Settled::Blank, &[])) };
    if *first == b'#' {
        return Some((Settled::Comment, &[]));
    }
    let (field, value) = field_and_rest(line)?;
    let value = trim_start(value);
    if is_plain_value(value) {
        return Some((Settled::Field(field), value));
    }
    let end = value.iter().position(|byte| !is_plain_in_value(*byte))?;
    let (value, rest) = value.split_at(end);
    let is_text = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
    let is_plain = matches!(trim_start(rest).first(), None | Some(b'#')) && rest.iter().all(is_text);
    is_plain.then_some((Settled::Field(field), value))
}

/// Returns the field that a line starts with, and what follows the colon after its name.
fn field_and_rest(line: &[u8]) -> Option<(Field, &[u8])> {
    let has_colon = |(name, _): &&(&str, Field)| line.get(name.len()) == Some(&b':');
    let mut fields = Field::ALL.iter().filter(has_colon);
    fields.find_map(|(name, _)| Some((Field::from_name(&line[..name.len()])?, &line[name.len() + 1..])))
}

fn is_plain_in_value(byte: u8) -> bool {
    byte.is_ascii_graphic() & (byte != b'#')
}

/// Returns whether a value consists of printable characters of ASCII without a space. Most values do, and the compiler
/// compares several bytes at once where there is no early end.
fn is_plain_value(value: &[u8]) -> bool {
    fn all(bytes: &[u8]) -> bool {
        bytes.iter().fold(true, |all, &byte| all & is_plain_in_value(byte))
    }
    let (chunks, rest) = value.as_chunks::<8>();
    chunks.iter().fold(true, |is_plain, chunk| is_plain & all(chunk)) && all(rest)
}
