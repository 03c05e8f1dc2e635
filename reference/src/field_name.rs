//! The field that a name stands for, as it is written, misspelt, or with white space of Unicode around it.
//!
//! *Google, "File format"; RFC 9309, 2.2.4.*

use crate::answer::{Acceptance, MisspeltField, Whitespace};
use crate::bytes::is_blank;
use crate::question::typed::*;
use crate::reading::Reader;
use crate::scan::Field;

/// Returns the known field that the reading finds in this name.
pub(crate) fn field(name: &[u8], reader: &mut impl Reader) -> Option<Field> {
    if let Some(field) = Field::from_name(name) {
        return Some(field);
    }
    let trimmed = trim_matches(name, |c| c.is_whitespace() || c == '\u{FEFF}');
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
    let is_word = !name.iter().any(|&byte| is_blank(byte) || byte == b'/');
    Field::ALL.iter().find(|(known, _)| is_word && starts_with(known)).map(|&(_, field)| field)
}

/// The greatest edit distance between a misspelling and the known name.
const MOST_EDITS: usize = 2;

/// The longest misspelling, in bytes: the longest field name, and insertions of up to four bytes each.
const LONGEST_MISSPELLING: usize = "user-agent".len() + 4 * MOST_EDITS;

/// Returns the known fields that a name may be a misspelling of, the nearest first.
fn misspelt_fields(name: &[u8]) -> Vec<Field> {
    if name.len() > LONGEST_MISSPELLING {
        return Vec::new();
    }
    let Ok(name) = std::str::from_utf8(name).map(str::to_ascii_lowercase) else { return Vec::new() };
    let count = name.chars().count();
    // The edit distance is at least the difference of the lengths, and the number of characters that only one of the
    // names has. Both are cheaper to compute.
    let may_be_near = |known: &str| {
        let missing =
            |from: &str, characters: &str| characters.chars().filter(|c| !from.contains(*c)).count();
        count.abs_diff(known.len()) <= MOST_EDITS
            && missing(known, &name) <= MOST_EDITS
            && missing(&name, known) <= MOST_EDITS
    };
    let edits = |known: &str| if may_be_near(known) { strsim::levenshtein(&name, known) } else { usize::MAX };
    let mut fields: Vec<(usize, Field)> = Field::ALL
        .iter()
        .map(|&(known, field)| (edits(known), field))
        .filter(|(edits, _)| *edits <= MOST_EDITS)
        .collect();
    fields.sort_by_key(|(edits, _)| *edits);
    fields.into_iter().map(|(_, field)| field).collect()
}

/// Returns the text without white space of Unicode at its ends, as the reading removes it.
pub(crate) fn trim_all<'b>(text: &'b [u8], reader: &mut impl Reader) -> &'b [u8] {
    let without_space = trim_matches(text, char::is_whitespace);
    let without_marks = trim_matches(text, |c| c.is_whitespace() || c == '\u{FEFF}');
    if without_marks.len() == text.len() {
        return text;
    }
    match reader.answer_about(OtherWhitespace, text) {
        Whitespace::Keep => text,
        Whitespace::Drop => without_space,
        Whitespace::DropMark => without_marks,
    }
}

fn trim_matches(text: &[u8], is_space: impl Fn(char) -> bool + Copy) -> &[u8] {
    if let Ok(text) = std::str::from_utf8(text) {
        return text.trim_matches(is_space).as_bytes();
    }
    let Some(first) = text.utf8_chunks().next() else { return text };
    let start = first.valid().len() - first.valid().trim_start_matches(is_space).len();
    let last = text.utf8_chunks().last().filter(|last| last.invalid().is_empty());
    let end = last.map_or(0, |last| last.valid().len() - last.valid().trim_end_matches(is_space).len());
    &text[start..text.len() - end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::RuleKind;

    #[test]
    fn an_edit_changes_one_character_of_any_number_of_bytes() {
        assert_eq!(misspelt_fields("sitemap€€".as_bytes()), [Field::Sitemap]);
        assert_eq!(misspelt_fields("€iteMa€".as_bytes()), [Field::Sitemap]);
        assert_eq!(misspelt_fields("sitemap€€€".as_bytes()), []);
    }

    #[test]
    fn a_misspelling_of_two_fields_is_nearer_to_one() {
        let [allow, disallow] = [RuleKind::Allow, RuleKind::Disallow].map(Field::Rule);
        assert_eq!(misspelt_fields(b"sallow"), [allow, disallow]);
        assert_eq!(misspelt_fields(b"isallow"), [disallow, allow]);
    }
}
