//! Files and queries near the limits that implementations have: long rules, lines and names, many of each, and texts
//! across the end of a buffer.

use std::sync::Arc;

use robotspec::Batch;

use super::batch::{AGENT, ORIGIN, match_batch};
use super::dice::Dice;

/// Makes a file that is about one limit.
pub(super) fn make(dice: &mut Dice) -> Batch {
    match dice.below(18) {
        0 | 1 => conflict_of_long_paths(dice),
        2..=4 => many_units(dice),
        5 => many_steps(dice),
        6..=10 => repeat_in_file(dice),
        11 => long_agent(dice),
        12 | 13 => exact_size(dice),
        _ => across_buffers(dice),
    }
}

/// Returns a number next to a limit: a power of two, or of ten. Small ones are as frequent as large ones.
pub(super) fn near_limit(dice: &mut Dice, largest: u32) -> usize {
    let limit = match dice.one_in(4) {
        true => 10usize.pow(2 + dice.below(largest.min(16) as usize / 4) as u32),
        false => 1 << (5 + dice.below(largest as usize - 4)),
    };
    limit + dice.below(4) - 1
}

/// Returns queries about paths in a file.
fn about(text: &str, paths: impl IntoIterator<Item = String>) -> Batch {
    let queries = paths.into_iter().map(|path| (AGENT.to_owned(), format!("{ORIGIN}{path}")));
    match_batch(&Arc::from(text.as_bytes()), queries)
}

/// Texts that are repeated at the place `{}` of a file, each with the exponent of the largest limit and the file. `{n}` is the
/// number of the repetition, and in a file that of all, in letters.
const REPEATED: [&[(&str, u32, &str)]; 5] = [
    // Names.
    &[
        ("user-agent: filler-{n}\n", 12, "{}user-agent: FooBot\ndisallow: /a\n"),
        ("user-agent: FooBot\n", 12, "{}disallow: /a\n"),
    ],
    // Groups before the one of the agent, and between two.
    &[
        ("user-agent: *\ndisallow: /{n}\n", 12, "{}user-agent: *\ndisallow: /a\n"),
        ("user-agent: filler-{n}\ndisallow: /\n", 12, "{}user-agent: FooBot\ndisallow: /a\n"),
        (
            "user-agent: filler-{n}\ndisallow: /\n",
            12,
            "user-agent: FooBot\ndisallow: /a\n{}user-agent: FooBot\ndisallow: /b\n",
        ),
    ],
    // Rules around the one that decides.
    &[
        ("disallow: /filler/{n}\n", 13, "user-agent: FooBot\nallow: /filler/{n}\ndisallow: /\n{}"),
        ("disallow: /filler/{n}\n", 13, "user-agent: FooBot\ndisallow: /\n{}allow: /filler/{n}\n"),
        ("allow: /filler/{n}\n", 13, "user-agent: FooBot\n{}disallow: /filler/{n}\nallow: /\n"),
        ("allow: /filler/{n}\n", 13, "user-agent: FooBot\nallow: /\n{}disallow: /filler/{n}\n"),
    ],
    // Lines without an effect between those that have one.
    &[
        ("\n", 16, "{}user-agent: FooBot\ndisallow: /a\n"),
        ("#\n", 16, "user-agent: FooBot\n{}disallow: /a\n"),
        ("x: y\n", 16, "user-agent: FooBot\n{}disallow: /a\n"),
        ("\r\n", 16, "user-agent: FooBot\n{}disallow: /a\n"),
        (" \n", 16, "user-agent: FooBot\ndisallow: /a\n{}disallow: /b\n"),
    ],
    // Long lines.
    &[
        (" ", 16, "user-agent: FooBot\nallow: /\ndisallow:{}/a\ndisallow: /b\n"),
        (" ", 16, "user-agent: FooBot\nallow: /\n{}disallow: /a\ndisallow: /b\n"),
        ("x", 16, "user-agent: FooBot\nallow: /\ndisallow: /a #{}\ndisallow: /b\n"),
        ("x", 16, "user-agent: FooBot\nallow: /\nx: {}\ndisallow: /a\ndisallow: /b\n"),
        ("x", 16, "user-agent: FooBot\nallow: /\n#{}\ndisallow: /a\ndisallow: /b\n"),
    ],
];

fn repeat_in_file(dice: &mut Dice) -> Batch {
    let kind = dice.pick(&REPEATED);
    let (text, largest, file) = dice.pick(kind);
    let count = near_limit(dice, largest);
    let all = letters(count);
    let repeated = match text.contains("{n}") {
        true => (0..count).map(|number| text.replace("{n}", &letters(number))).collect(),
        false => text.repeat(count),
    };
    let paths = match text.contains("/filler/") {
        true => {
            [format!("/filler/{all}"), format!("/filler/{}x", letters(count - 1)), "/filler/b".to_owned()]
        }
        false => ["/a", "/b", "/c"].map(str::to_owned),
    };
    about(&file.replace("{n}", &all).replace("{}", &repeated), paths)
}

/// Two rules of which the longer one prevails.
fn conflict_of_long_paths(dice: &mut Dice) -> Batch {
    let length = near_limit(dice, 16);
    let other = match dice.below(5) {
        0 => length + 1,
        1 => length + 256 - length % 256 + dice.below(8),
        2 => 2 + dice.below(40),
        3 => length / 2,
        _ => length - 1,
    };
    let units = ["a", "ab", "a/b", "é"];
    // A long text of escapes takes long to compare, and shows nothing more.
    let unit = dice.pick(if length <= 4096 { &units } else { &units[..3] });
    let body = |length: usize| -> String {
        format!("/{unit}").chars().chain(unit.chars().cycle()).take(length).collect()
    };
    let star = |dice: &mut Dice, path: String| match dice.below(6) {
        0 => path + "*",
        1 => path.replacen('/', "/*", 1),
        _ => path,
    };
    let (first, second) = (star(dice, body(length)), star(dice, body(other)));
    let kinds = dice.pick(&[["allow", "disallow"], ["disallow", "allow"]]);
    let (first, second) = (format!("{}: {first}", kinds[0]), format!("{}: {second}", kinds[1]));
    let lines = if dice.one_in(2) { [first, second] } else { [second, first] };
    let (longer, shorter) = (length.max(other), length.min(other));
    let mut almost = body(longer);
    almost.pop();
    let paths = [body(longer), body(longer + 3), almost.clone() + "x", almost, body(shorter)];
    about(&format!("user-agent: {AGENT}\n{}\n", lines.join("\n")), paths)
}

/// A path of many wildcards, escapes, parameters, segments or separators.
fn many_units(dice: &mut Dice) -> Batch {
    let unit = dice.pick(&["*", "*a", "*a*b", "*/", "*ab", "%C3%A9", "a=b&", "/a", "a;", "a,", "a.", "a-"]);
    let count = near_limit(dice, if unit.contains('*') { 10 } else { 9 }) >> dice.below(3);
    let start = if unit == "a=b&" { "/p?" } else { "/" };
    let matched = unit.replace('*', dice.pick(&["", "x", "xa", "ba"]));
    let path = |count: usize, end: &str| format!("{start}{}{end}", matched.repeat(count));
    let rule = format!("{start}{}{}", unit.repeat(count), dice.pick(&["", "$", "*", "z", "z$"]));
    let paths =
        [path(count, ""), path(count, "z"), path(count, "x"), path(count - 1, "z"), path(count + 1, "")];
    about(&format!("user-agent: {AGENT}\nallow: /\ndisallow: {rule}\n"), paths)
}

/// A text that nearly matches at many places.
fn many_steps(dice: &mut Dice) -> Batch {
    let (pattern, path) = (near_limit(dice, 11), near_limit(dice, 13));
    let start = dice.pick(&["/*", "/*a*", "/x*", "*"]);
    let rule = format!("{start}{}b{}", "a".repeat(pattern), dice.pick(&["", "$", "*c"]));
    let path = |end: &str| format!("/x{}{end}", "a".repeat(path.max(pattern)));
    let paths = ["b", "", "bc", "bab"].map(path);
    about(&format!("user-agent: {AGENT}\nallow: /\ndisallow: {rule}\n"), paths)
}

/// Long names that differ at their ends.
fn long_agent(dice: &mut Dice) -> Batch {
    let length = near_limit(dice, 12);
    let name = "a".repeat(length);
    let other = match dice.below(3) {
        0 => name.clone() + "a",
        1 => name[1..].to_owned() + "b",
        _ => name[1..].to_owned(),
    };
    let text = format!("user-agent: {name}\ndisallow: /a\n\nuser-agent: {other}\ndisallow: /b\n");
    let url = |path: &str| format!("{ORIGIN}{path}");
    let queries =
        [&name, &other].into_iter().flat_map(|agent| ["/a", "/b"].map(|path| (agent.clone(), url(path))));
    match_batch(&Arc::from(text.as_bytes()), queries)
}

/// A file of an exact size, whose last line decides.
fn exact_size(dice: &mut Dice) -> Batch {
    // The size that a crawler has to read at least (RFC 9309, 2.5).
    let size = match dice.below(6) {
        0 => 512_000 - dice.below(2),
        1..4 => 1 << (6 + dice.below(11)),
        _ => near_limit(dice, 16),
    };
    let end = dice.pick(&["disallow: /a\n", "disallow: /a"]);
    let mut text = format!("user-agent: {AGENT}\nallow: /\n");
    pad(&mut text, size.saturating_sub(end.len()));
    text += end;
    about(&text, ["/a", "/"].map(str::to_owned))
}

/// A file in which the ends of buffers are next to, or in, line ends, characters or escapes.
fn across_buffers(dice: &mut Dice) -> Batch {
    let largest = dice.pick(&[4096, 8192, 16_384, 32_768, 65_536, 65_536]);
    let mut text = format!("user-agent: {AGENT}\nallow: /\n");
    let mut paths = vec!["/".to_owned()];
    for buffer in (9..=16).map(|exponent| 1 << exponent).take_while(|buffer| *buffer <= largest) {
        let element =
            dice.pick(&["\r\n", "\r\n", "\r\n", "\n", "é", "ツ", "🐟", "%C3%A9", "%41", "disallow", ": "]);
        let (before, after) = match element {
            "\r\n" | "\n" => ("#", "disallow: /"),
            "disallow" => ("", ": /"),
            ": " => ("disallow", "/"),
            _ => ("disallow: /", ""),
        };
        pad(&mut text, buffer - before.len() - dice.below(element.len() + 1));
        text += &format!("{before}{element}{after}{buffer}\n");
        let in_path = match element {
            "é" | "%C3%A9" => "%C3%A9",
            "ツ" => "%E3%83%84",
            "🐟" => "%F0%9F%90%9F",
            "%41" => "A",
            _ => "",
        };
        paths.push(format!("/{in_path}{buffer}"));
    }
    // A file that fills its buffer exactly.
    if dice.one_in(2) {
        pad(&mut text, 2 * largest);
    }
    about(&text, paths)
}

/// Adds comments up to a size, in bytes.
fn pad(text: &mut String, size: usize) {
    const WIDTH: usize = 100;
    while text.len() < size {
        let rest = size - text.len();
        let width = if rest > 2 * WIDTH { WIDTH } else { rest };
        text.push_str(&"#".repeat(width - 1));
        text.push('\n');
    }
}

/// Returns a number in letters, because a product token cannot contain digits.
pub(super) fn letters(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}
