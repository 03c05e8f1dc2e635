//! Texts that programs take for others, in rules and in URLs.

use std::sync::Arc;

use robotspec::Batch;
use robotspec_cases::confusion::CONFUSIONS;

use super::batch::{AGENT, ORIGIN, match_batch};
use super::dice::Dice;
use super::other_fields::OTHER_FIELDS;
use super::request::as_requested;

/// Further texts that one program takes for the other, about which some edition says nothing.
const FURTHER: [(&str, &str); 21] = [
    ("+", "%20"),
    ("%20", "+"),
    ("%25", "%"),
    ("%2561", "%61"),
    ("%u00e9", "%C3%A9"),
    ("%C0%AF", "/"),
    ("%F0%9F%90%9F", "?"),
    ("🐟", "🐠"),
    ("%", ""),
    ("%", "%25"),
    ("%5C", "/"),
    ("\\", "/"),
    (";", ""),
    ("?", ""),
    ("//", "/"),
    ("~", "%7E"),
    ("%00", ""),
    ("%0A", ""),
    ("\"", ""),
    ("[a]", "a"),
    ("#", "%23"),
];

/// Returns all pairs of texts of which a program takes the first for the second.
fn confused() -> impl Iterator<Item = (&'static str, &'static str)> {
    CONFUSIONS.iter().map(|confusion| (confusion.text, confusion.other)).chain(FURTHER)
}

/// Returns one of these pairs.
pub(super) fn pick_confused(dice: &mut Dice) -> (&'static str, &'static str) {
    confused().nth(dice.below(CONFUSIONS.len() + FURTHER.len())).unwrap_or_default()
}

/// Replaces a text by one that a program may take for it.
pub(super) fn confuse(dice: &mut Dice, path: &mut Vec<u8>) {
    let place = |text: &[u8]| path.windows(text.len()).position(|window| window == text);
    let possible: Vec<(usize, &str, &str)> =
        confused().filter_map(|(text, other)| Some((place(text.as_bytes())?, text, other))).collect();
    match possible[..] {
        [] => path.extend_from_slice(dice.pick(&[&b"?"[..], b";", b"/", b"#", b"index.html", b"%0A"])),
        _ => {
            let (at, text, other) = dice.pick(&possible);
            path.splice(at..at + text.len(), other.bytes());
        }
    }
}

/// Makes a file whose rules each have another of these texts, and asks about each rule with both texts. The rules start
/// differently, so that one does not hide another.
pub(super) fn make_file(dice: &mut Dice) -> Batch {
    const STARTS: [&[u8]; 8] = [b"/a", b"/b/", b"/c.", b"/d-", b"/e/f", b"/g", b"/h/i/", b"/j"];
    const ENDS: [&[u8]; 4] = [b"", b"", b"x", b"/k"];
    let mut text = format!("user-agent: {AGENT}\n").into_bytes();
    // Such as the parameters of a URL that other rules may leave out.
    if dice.one_in(3) {
        text.extend_from_slice(dice.pick(&OTHER_FIELDS));
        text.push(b'\n');
    }
    let mut queries = Vec::with_capacity(2 * STARTS.len());
    for start in STARTS {
        let (one, other) = pick_confused(dice);
        let (in_rule, in_url) = if dice.one_in(2) { (one, other) } else { (other, one) };
        let end = dice.pick(&ENDS);
        text.extend([b"disallow: ", start, in_rule.as_bytes(), end, b"\n"].concat());
        for inserted in [in_rule, in_url] {
            let path = as_requested(dice, &[start, inserted.as_bytes(), end].concat());
            queries.push((AGENT.to_owned(), format!("{ORIGIN}{path}")));
        }
    }
    match_batch(&Arc::from(text), queries)
}
