//! Texts that are taken for others: in rules, in URLs, or in both.

use percent_encoding::{AsciiSet, utf8_percent_encode};
use robotspec_cases::confusion::{CONFUSIONS, Confusion};

use super::Change;

/// Where a text is taken for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Rule,
    Url,
    Both,
}

/// Returns a mistake for each pair of texts. A program that takes both for the same is right where an edition leaves it
/// open.
pub(super) fn mistakes() -> Vec<(&'static str, Change)> {
    let mistake = |(number, confusion): (usize, &'static Confusion)| {
        // A crawler requests no other characters.
        let is_requested = !confusion.text.contains(['"', '<', '>', '[', '\\', ']', '^', '`', '{', '|', '}']);
        let side = match number % 3 {
            0 if confusion.differ => Side::Both,
            2 if is_requested => Side::Url,
            _ => Side::Rule,
        };
        let name = format!("{side:?}: {} is {}", confusion.text, confusion.other).to_lowercase();
        (&*name.leak(), Change::Confuse(side, confusion))
    };
    CONFUSIONS.iter().enumerate().map(mistake).collect()
}

/// Returns a path of a rule or of a URL as the program takes it.
pub(super) fn confuse(text: &[u8], confusion: &Confusion) -> Vec<u8> {
    let confused = super::text::replace_bytes(text, confusion.text.as_bytes(), confusion.other.as_bytes());
    let encoded = |text: &str| utf8_percent_encode(text, &AsciiSet::EMPTY).to_string();
    let (text, other) = (encoded(confusion.text), encoded(confusion.other));
    if text == confusion.text && other == confusion.other {
        return confused;
    }
    super::text::replace_bytes(&confused, text.as_bytes(), other.as_bytes())
}
