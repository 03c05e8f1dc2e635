//! Files and queries near the limits that implementations have: long rules, lines and names, many of each, and texts
//! across the end of a buffer.

use super::asked::{AGENT, Asked, ORIGIN};
use super::dice::Dice;

/// Makes a file that is about one limit.
pub(super) fn make(dice: &mut Dice) -> Asked {
    match dice.below(18) {
        0 | 1 => conflict_of_long_paths(dice),
        2 => many_stars(dice),
        3 => many_steps(dice),
        4 => many_rules(dice),
        5 => many_agents(dice),
        6 => many_groups(dice),
        7 => many_lines(dice),
        8 => long_line(dice),
        9 => long_agent(dice),
        10 | 11 => exact_size(dice),
        12 | 13 => many_parts(dice),
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

fn other_kind(kind: &'static str) -> &'static str {
    if kind == "allow" { "disallow" } else { "allow" }
}

fn kind(dice: &mut Dice) -> &'static str {
    dice.pick(&["disallow", "allow"])
}

fn queries(urls: impl IntoIterator<Item = String>) -> Vec<(String, String)> {
    urls.into_iter().map(|path| (AGENT.to_owned(), format!("{ORIGIN}{path}"))).collect()
}

/// Returns a file with one group, of these lines.
fn group(lines: &[&str]) -> Vec<u8> {
    format!("user-agent: {AGENT}\n{}\n", lines.join("\n")).into_bytes()
}

/// Two rules of which the longer one prevails.
fn conflict_of_long_paths(dice: &mut Dice) -> Asked {
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
    let kind = kind(dice);
    let (first, second) = (format!("{kind}: {first}"), format!("{}: {second}", other_kind(kind)));
    let lines = if dice.one_in(2) { [&*first, &second] } else { [&*second, &first] };
    let (longer, shorter) = (length.max(other), length.min(other));
    let mut almost = body(longer);
    almost.pop();
    Asked {
        text: group(&lines),
        queries: queries([body(longer), body(longer + 3), almost.clone() + "x", almost, body(shorter)]),
    }
}

fn many_stars(dice: &mut Dice) -> Asked {
    let count = near_limit(dice, 10);
    let unit = dice.pick(&["*a", "*a*b", "*/", "*ab"]);
    let end = dice.pick(&["", "$", "*"]);
    let pattern = format!("/{}{end}", unit.repeat(count));
    let matched = unit.replace('*', dice.pick(&["", "x", "xa", "ba"]));
    let path = |count: usize| format!("/{}", matched.repeat(count));
    Asked {
        text: group(&["allow: /", &format!("disallow: {pattern}")]),
        queries: queries([path(count), path(count - 1), path(count) + "x", path(count + 1)]),
    }
}

/// A path of many escapes, parameters, segments or separators.
fn many_parts(dice: &mut Dice) -> Asked {
    let count = near_limit(dice, 9) >> dice.below(3);
    let unit = dice.pick(&["%C3%A9", "a=b&", "/a", "a;", "a,", "a.", "a-"]);
    let start = if unit == "a=b&" { "/p?" } else { "/" };
    let path = |count: usize, end: &str| format!("{start}{}{end}", unit.repeat(count));
    let rule = path(count, dice.pick(&["", "z", "z$"]));
    Asked {
        text: group(&["allow: /", &format!("disallow: {rule}")]),
        queries: queries([path(count, "z"), path(count, "y"), path(count - 1, "z"), path(count, "")]),
    }
}

/// A text that nearly matches at many places.
fn many_steps(dice: &mut Dice) -> Asked {
    let (pattern, path) = (near_limit(dice, 11), near_limit(dice, 13));
    let start = dice.pick(&["/*", "/*a*", "/x*", "*"]);
    let rule = format!("{start}{}b{}", "a".repeat(pattern), dice.pick(&["", "$", "*c"]));
    let path = |end: &str| format!("/x{}{end}", "a".repeat(path.max(pattern)));
    Asked {
        text: group(&["allow: /", &format!("disallow: {rule}")]),
        queries: queries([path("b"), path(""), path("bc"), path("bab")]),
    }
}

/// Rules of which one decides, behind or before many others.
fn many_rules(dice: &mut Dice) -> Asked {
    let count = near_limit(dice, 13);
    let kind = kind(dice);
    let filler = (0..count).map(|index| format!("{kind}: /filler/{index}")).collect::<Vec<_>>().join("\n");
    let rule = format!("{}: /filler/{}", other_kind(kind), count);
    let general = format!("{kind}: /");
    let lines: &[&str] = match dice.below(3) {
        0 => &[&rule, &general, &filler],
        1 => &[&general, &filler, &rule],
        _ => &[&filler, &rule, &general],
    };
    Asked {
        text: group(lines),
        queries: queries([
            format!("/filler/{count}"),
            "/filler/1".to_owned(),
            format!("/filler/{}x", count - 1),
        ]),
    }
}

/// A name behind many others.
fn many_agents(dice: &mut Dice) -> Asked {
    let count = near_limit(dice, 12);
    let mut text = String::new();
    for index in 0..count {
        text += &format!("user-agent: filler-{}\n", letters(index));
    }
    let queries = queries(["/".to_owned(), "/a".to_owned()]);
    Asked { text: format!("{text}user-agent: {AGENT}\ndisallow: /a\n").into_bytes(), queries }
}

fn many_groups(dice: &mut Dice) -> Asked {
    let count = near_limit(dice, 12);
    let own = format!("user-agent: {AGENT}\ndisallow: /a\n");
    let own_again = format!("user-agent: {AGENT}\ndisallow: /b\n");
    let mut filler = String::new();
    for index in 0..count {
        filler += &format!("user-agent: filler-{}\ndisallow: /\n", letters(index));
    }
    let text = if dice.one_in(2) { filler + &own + &own_again } else { own + &filler + &own_again };
    Asked { text: text.into_bytes(), queries: queries(["/a".to_owned(), "/b".to_owned(), "/c".to_owned()]) }
}

/// Lines without an effect between those that have one.
fn many_lines(dice: &mut Dice) -> Asked {
    let count = near_limit(dice, 16);
    let line = dice.pick(&["\n", "#\n", "# allow: /\n", "x: y\n", "\r\n", " \n"]);
    let filler = line.repeat(count);
    let (head, rules) = (format!("user-agent: {AGENT}\n"), "disallow: /a\n");
    let text = match dice.below(3) {
        0 => filler + &head + rules,
        1 => head + &filler + rules,
        _ => head + rules + &filler + "disallow: /b\n",
    };
    Asked { text: text.into_bytes(), queries: queries(["/a".to_owned(), "/b".to_owned(), "/c".to_owned()]) }
}

fn long_line(dice: &mut Dice) -> Asked {
    let length = near_limit(dice, 16);
    let text = match dice.below(5) {
        0 => format!("disallow: /a #{}\n", "x".repeat(length)),
        1 => format!("disallow:{}/a\n", " ".repeat(length)),
        2 => format!("{}disallow: /a\n", " ".repeat(length)),
        3 => format!("x: {}\ndisallow: /a\n", "x".repeat(length)),
        _ => format!("#{}\ndisallow: /a\n", "x".repeat(length)),
    };
    let text = format!("user-agent: {AGENT}\nallow: /\n{text}disallow: /b\n");
    Asked { text: text.into_bytes(), queries: queries(["/a".to_owned(), "/b".to_owned(), "/c".to_owned()]) }
}

/// Long names that differ at their ends.
fn long_agent(dice: &mut Dice) -> Asked {
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
    Asked { queries: queries.collect(), text: text.into_bytes() }
}

/// A file of an exact size, whose last line decides.
fn exact_size(dice: &mut Dice) -> Asked {
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
    Asked { text: text.into_bytes(), queries: queries(["/a".to_owned(), "/".to_owned()]) }
}

/// A file in which the ends of buffers are next to, or in, line ends, characters or escapes.
fn across_buffers(dice: &mut Dice) -> Asked {
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
    Asked { text: text.into_bytes(), queries: queries(paths) }
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
