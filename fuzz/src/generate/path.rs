//! Paths of rules, and URLs for queries.

use robotspec_reference::bytes::{escape, unescape};

use super::batch::ORIGIN;
use super::confusion::{confuse, pick_confused};
use super::dice::Dice;
use super::oddity::Oddity;
use super::oddity::Oddity::*;
use super::request::as_requested;

const SEGMENTS: [&str; 13] =
    ["a", "b", "fish", "x", "p", "private", "index", "page", "salmon", "a-b", "~u", "heads.1", "__proto__"];
const ENDINGS: [&str; 6] = ["", "", ".html", ".php", "/", "/c"];

/// Other origins.
const ORIGINS: [&str; 14] = [
    "https://www.example.org:8080",
    "HTTP://example.com",
    "Http://EXAMPLE.com",
    "http://user@example.com",
    "http://user:secret@example.com",
    "http://user:p%40ss@example.com:80",
    "http://example.com:",
    "http://example.com:80",
    "http://[2001:db8::1]",
    "http://[2001:db8::1]:8080",
    "http://192.0.2.1",
    "http://example.com.",
    "https://example.com:443",
    "https://a.b.c.example.com:65535",
];

/// Makes paths from which the rules of a file and the URLs of its queries are derived.
pub(super) fn make_stems(dice: &mut Dice) -> Vec<String> {
    (0..1 + dice.below(2))
        .map(|_| {
            let mut stem = String::new();
            for _ in 0..1 + dice.below(3) {
                stem.push('/');
                stem.push_str(dice.pick(&SEGMENTS));
            }
            stem.push_str(dice.pick(&ENDINGS));
            stem
        })
        .collect()
}

/// Makes the path of a rule. `earlier` are the paths of the rules before it.
pub(super) fn make_for_rule(dice: &mut Dice, stems: &[String], earlier: &[Vec<u8>]) -> Vec<u8> {
    if dice.strike(EmptyPath, 2) {
        return Vec::new();
    }
    if dice.strike(RobotsTxt, 2) {
        return dice.pick(&["/robots.txt", "/robots", "/robots.txt$", "/r"]).as_bytes().to_vec();
    }
    if !earlier.is_empty() && dice.strike(Duplicate, 2) {
        return dice.pick_ref(earlier).clone();
    }
    if !earlier.is_empty() && dice.strike(Conflict, 2) {
        let earlier = dice.pick_ref(earlier).clone();
        return make_conflicting(dice, earlier);
    }
    if dice.strike(Repetition, 2) {
        return make_repetitive(dice, b"ab**", 9);
    }
    let stem = dice.pick_ref(stems).as_bytes();
    let mut path = match dice.below(6) {
        0 | 1 => stem.to_vec(),
        2 => b"/".to_vec(),
        _ => stem[..1 + dice.below(stem.len())].to_vec(),
    };
    make_odd(dice, &mut path);
    path
}

/// Makes a path that matches many of the URLs that this one matches.
fn make_conflicting(dice: &mut Dice, mut path: Vec<u8>) -> Vec<u8> {
    let at = 1 + dice.below(path.len().max(2) - 1);
    match dice.below(8) {
        0 => {}
        1 if path.len() > 1 => drop(path.pop()),
        2 => path.push(b'*'),
        3 => path.push(b'$'),
        4 if path.len() > 2 => path[at] = b'*',
        5 if path.len() > 2 => path.splice(at.., *b"*").for_each(drop),
        6 => path.push(path.last().copied().unwrap_or(b'/')),
        _ => path.splice(0..0, *b"/*").for_each(drop),
    }
    path
}

/// Makes a path of few different bytes, so that a text occurs at several places and nearly at others.
fn make_repetitive(dice: &mut Dice, among: &[u8], most: usize) -> Vec<u8> {
    let mut path = b"/".to_vec();
    for _ in 0..1 + dice.below(most) {
        path.push(dice.pick(among));
    }
    if among.contains(&b'*') && dice.one_in(3) {
        path.push(b'$');
    }
    path
}

/// Texts that an oddity inserts into a path, once in this many places.
const INSERTED: [(Oddity, usize, &[&[u8]]); 10] = [
    (Query, 2, &[b"?", b"?q=1", b"?a=b&c", b"/?"]),
    (
        NonAscii,
        2,
        &[
            "é".as_bytes(),
            "ツ".as_bytes(),
            b"%C3%A9",
            b"%E3%83%84",
            b"%c3%a9",
            "€".as_bytes(),
            "🐟".as_bytes(),
            "e\u{301}".as_bytes(),
            "\u{212A}".as_bytes(),
        ],
    ),
    (ReservedEscape, 2, &[b"%3A", b":", b"%2F", b"%3a", b"%26", b"&", b"%3F", b"%20", b"%25", b"%2f", b"="]),
    (Punctuation, 2, &[b",", b";", b"+", b"!", b"(", b"@", b"'", b"|", b"~", b"_", b".", b"-", b"\\", b"\""]),
    (SpecialEscape, 2, &[b"%2A", b"%24", b"%2a", b"%23"]),
    (DotSegments, 2, &[b"/../", b"/./", b"/..", b"//", b"/.", b"/%2e%2e/", b"/%2E/", b"..", b"/a/../"]),
    (InvalidUtf8, 3, &[b"\xE9", b"\xFF", b"\xC3", b"\xE3\x83"]),
    (
        ControlCharacter,
        3,
        &[b"\x00", b"\x01", b"\x1B", b"\x7F", b"\x0B", b"\x0C", "\u{85}".as_bytes(), "\u{2028}".as_bytes()],
    ),
    (InnerSpace, 3, &[b" ", b"\t", b" b"]),
    (MidDollar, 2, &[b"$", b"$a", b"$$"]),
];

fn make_odd(dice: &mut Dice, path: &mut Vec<u8>) {
    if dice.strike(Confusion, 2) {
        let (text, other) = pick_confused(dice);
        let inserted = if dice.one_in(4) { other } else { text };
        insert(dice, path, &[inserted.as_bytes()]);
        if dice.one_in(4) {
            path.extend_from_slice(text.as_bytes());
        }
    }
    if dice.strike(PathCase, 2)
        && let Some(byte) = path.iter_mut().find(|byte| byte.is_ascii_alphabetic())
    {
        *byte ^= 0x20;
    }
    if dice.strike(Escape, 2) {
        escape_one(dice, path);
    }
    for (oddity, one_in, texts) in INSERTED {
        if dice.strike(oddity, one_in) {
            insert(dice, path, texts);
        }
    }
    if dice.strike(Star, 2) {
        for _ in 0..1 + dice.below(3) {
            insert(dice, path, &[b"*", b"*", b"*.", b"/*/", b"**"]);
        }
        if dice.one_in(6) {
            path.splice(..path.len().min(1), *b"*");
        }
        if dice.one_in(6) {
            insert(dice, path, &[b"*%c3%a9", b"*%C3%A9", b"*%e3", b"*%41"]);
        }
        if dice.one_in(4) {
            let (byte, is_before) = (dice.pick(b"=&;+,!'()@:~-._?"), dice.one_in(4));
            insert(dice, path, &[&if is_before { [byte, b'*'] } else { [b'*', byte] }]);
        }
    }
    if dice.strike(LongPath, 3) {
        let byte = dice.pick(b"ab/");
        path.extend(std::iter::repeat_n(byte, dice.pick(&[100, 255, 1000, 2083, 2083, 9000, 17_000])));
    }
    if dice.strike(TrailingStar, 2) {
        path.extend_from_slice(dice.pick(&[b"*", b"*", b"**"]));
    }
    if dice.strike(Dollar, 2) {
        path.push(b'$');
    }
    if dice.strike(NoSlash, 2) {
        let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
        path.drain(..slashes);
    }
    if dice.strike(FullUrl, 2) {
        path.splice(0..0, ORIGIN.bytes());
    }
}

/// Inserts one of these texts after the first byte.
fn insert(dice: &mut Dice, path: &mut Vec<u8>, among: &[&[u8]]) {
    let text = *dice.pick_ref(among);
    let at = if path.is_empty() { 0 } else { 1 + dice.below(path.len()) };
    path.splice(at..at, text.iter().copied());
}

/// Percent-encodes a byte, whether or not that is necessary.
fn escape_one(dice: &mut Dice, path: &mut Vec<u8>) {
    if path.len() < 2 {
        return;
    }
    let at = 1 + dice.below(path.len() - 1);
    let byte = path[at];
    let escaped = if dice.one_in(2) { format!("%{byte:02X}") } else { format!("%{byte:02x}") };
    path.splice(at..=at, escaped.bytes());
}

/// Makes a URL as a crawler requests it, from one of the paths of the rules.
pub(super) fn make_url(dice: &mut Dice, paths: &[Vec<u8>]) -> String {
    if dice.strike(RobotsTxt, 2) {
        const PATHS: [&str; 7] = [
            "/robots.txt",
            "/robots.txt",
            "/robots.txt",
            "/robots.txt2",
            "/robots.txt?a",
            "/Robots.txt",
            "/r%6Fbots.txt",
        ];
        return format!("{ORIGIN}{}", dice.pick(&PATHS));
    }
    let mut path = match paths {
        [] => b"/".to_vec(),
        _ if dice.strike(Repetition, 2) => make_repetitive(dice, b"ab", 14),
        paths => {
            let pattern = dice.pick_ref(paths);
            make_match(dice, pattern)
        }
    };
    for _ in 0..dice.pick(&[0, 0, 0, 0, 1, 2]) {
        vary(dice, &mut path);
    }
    if dice.strike(Confusion, 3) {
        confuse(dice, &mut path);
    }
    let is_written_otherwise = dice.strike(Origin, 2) || dice.one_in(32);
    let origin = if is_written_otherwise { dice.pick(&ORIGINS) } else { ORIGIN };
    let requested = as_requested(dice, &path);
    let path = match requested.strip_prefix('/') {
        // An empty path is `/` (RFC 3986, 6.2.3).
        Some(rest) if is_written_otherwise && (rest.is_empty() || rest.starts_with('?')) => rest,
        _ => &requested,
    };
    let mut url = format!("{origin}{path}");
    if dice.strike(Fragment, 2) {
        url.push_str(dice.pick(&["#x", "#/a", "#", "?#", "#a?b", "#?"]));
    }
    url
}

/// Makes a path that a pattern matches, in most cases.
fn make_match(dice: &mut Dice, pattern: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(pattern.len() + 8);
    let literal = dice.one_in(16);
    let without_origin = pattern.strip_prefix(ORIGIN.as_bytes()).unwrap_or(pattern);
    if !without_origin.starts_with(b"/") {
        path.push(b'/');
    }
    for (at, &byte) in without_origin.iter().enumerate() {
        match byte {
            b'*' if !literal => {
                path.extend_from_slice(dice.pick(&[
                    &b""[..],
                    b"x",
                    b"a",
                    b"/",
                    b"fish",
                    b"/b/",
                    b".",
                    b"*",
                    b"?",
                    b"?a&",
                ]));
            }
            b'$' if !literal && at + 1 == without_origin.len() => {}
            byte => path.push(byte),
        }
    }
    path
}

/// Changes a path a little.
fn vary(dice: &mut Dice, path: &mut Vec<u8>) {
    match dice.below(11) {
        0 | 1 => {
            path.extend_from_slice(dice.pick(&[&b"x"[..], b"/", b"/b", b".html", b"a", b"?q=1", b"html"]))
        }
        2 if path.len() > 1 => drop(path.pop()),
        3 if !path.is_empty() => {
            let at = dice.below(path.len());
            if path[at].is_ascii_alphabetic() {
                path[at] ^= 0x20;
            }
        }
        4 if path.len() > 2 => drop(path.remove(1 + dice.below(path.len() - 1))),
        5 => path.splice(0..0, *b"/a").for_each(drop),
        6 if path.len() > 1 => path.truncate(1 + dice.below(path.len() - 1)),
        7 => make_odd(dice, path),
        8 | 10 => change_form(dice, path),
        9 => confuse(dice, path),
        _ => {}
    }
}

/// Replaces the first escape by its byte, or writes its digits in the other letter case. Without an escape, decomposes
/// the first `é`.
fn change_form(dice: &mut Dice, path: &mut Vec<u8>) {
    if let Some((at, digits)) = (0..path.len()).find_map(|at| Some((at, escape(&path[at..])?))) {
        if dice.one_in(2) {
            // Digits of one letter case, or without letters, get the other one.
            let is_upper = digits.iter().any(u8::is_ascii_uppercase);
            let change = if is_upper { u8::to_ascii_lowercase } else { u8::to_ascii_uppercase };
            path[at + 1..at + 3].copy_from_slice(&digits.each_ref().map(change));
        } else {
            path.splice(at..at + 3, [unescape(digits)]);
        }
    } else if let Some(at) = path.windows(2).position(|w| w == "é".as_bytes()) {
        path.splice(at..at + 2, "e\u{301}".bytes());
    }
}
