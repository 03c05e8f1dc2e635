//! Texts that programs take for others, in rules and in URLs.

use std::sync::LazyLock;

use robotspec_cases::confusion::CONFUSIONS;

use super::asked::{AGENT, Asked, ORIGIN};
use super::dice::Dice;
use super::other_fields::OTHER_FIELDS;
use super::request::as_requested;

/// Further texts that one program takes for the other, about which some edition says nothing.
const CONFUSED: [(&[u8], &[u8]); 24] = [
    (b"+", b"%20"),
    (b"%20", b"+"),
    (b"%25", b"%"),
    (b"%2561", b"%61"),
    (b"%2541", b"A"),
    ("é".as_bytes(), "e\u{301}".as_bytes()),
    ("e\u{301}".as_bytes(), "é".as_bytes()),
    (b"%u00e9", b"%C3%A9"),
    (b"%C0%AF", b"/"),
    (b"%F0%9F%90%9F", b"?"),
    ("🐟".as_bytes(), "🐠".as_bytes()),
    (b"%", b""),
    (b"%", b"%25"),
    (b"%5C", b"/"),
    (b"\\", b"/"),
    (b";", b""),
    (b"?", b""),
    (b"//", b"/"),
    (b"~", b"%7E"),
    (b"%00", b""),
    (b"%0A", b""),
    (b"\"", b""),
    (b"[a]", b"a"),
    (b"#", b"%23"),
];

/// Returns all pairs of texts of which one program takes the first for the second.
pub(super) fn confused() -> &'static [(&'static [u8], &'static [u8])] {
    static ALL: LazyLock<Vec<(&[u8], &[u8])>> = LazyLock::new(|| {
        let known =
            CONFUSIONS.iter().map(|confusion| (confusion.text.as_bytes(), confusion.other.as_bytes()));
        known.chain(CONFUSED).collect()
    });
    &ALL
}

/// Replaces a text by one that a program may take for it.
pub(super) fn confuse(dice: &mut Dice, path: &mut Vec<u8>) {
    let place = |text: &[u8]| path.windows(text.len()).position(|window| window == text);
    let possible: Vec<(usize, &[u8], &[u8])> =
        confused().iter().filter_map(|(text, other)| Some((place(text)?, *text, *other))).collect();
    match possible[..] {
        [] => path.extend_from_slice(dice.pick(&[&b"?"[..], b";", b"/", b"#", b"index.html", b"%0A"])),
        _ => {
            let (at, text, other) = dice.pick(&possible);
            path.splice(at..at + text.len(), other.iter().copied());
        }
    }
}

/// Makes a file whose rules each have another of these texts, and asks about each rule with both texts. The rules start
/// differently, so that one does not hide another.
pub(super) fn make_file(dice: &mut Dice) -> Asked {
    const STARTS: [&[u8]; 8] = [b"/a", b"/b/", b"/c.", b"/d-", b"/e/f", b"/g", b"/h/i/", b"/j"];
    const ENDS: [&[u8]; 4] = [b"", b"", b"x", b"/k"];
    let mut text = format!("user-agent: {AGENT}\n").into_bytes();
    // Such as the parameters of a URL that other rules may leave out.
    if dice.one_in(3) {
        text.extend_from_slice(dice.pick(&OTHER_FIELDS).as_bytes());
        text.push(b'\n');
    }
    let mut queries = Vec::with_capacity(2 * STARTS.len());
    for start in STARTS {
        let (one, other) = dice.pick(confused());
        let (in_rule, in_url) = if dice.one_in(2) { (one, other) } else { (other, one) };
        let end = dice.pick(&ENDS);
        text.extend([b"disallow: ", start, in_rule, end, b"\n"].concat());
        for inserted in [in_rule, in_url] {
            let path = as_requested(dice, &[start, inserted, end].concat());
            queries.push((AGENT.to_owned(), format!("{ORIGIN}{path}")));
        }
    }
    Asked { text, queries }
}
