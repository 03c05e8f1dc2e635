//! Files: from the grammar, from near misses of it, and noise.

use std::iter;

use robotspec_reference::split_lines;

use super::dice::Dice;
use super::limit::{letters, near_limit};
use super::oddity::Oddity;
use super::oddity::Oddity::*;
use super::other_fields::OTHER_FIELDS;
use super::{agent, path};

/// A file while it is written, and the names and paths that its queries are derived from.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) text: Vec<u8>,
    /// The names in its user-agent lines.
    pub(super) agents: Vec<String>,
    /// The paths of its rules.
    pub(super) paths: Vec<Vec<u8>>,
    stems: Vec<String>,
    /// Whether its groups have usage rules.
    states_usage: bool,
}

const USER_AGENTS: [&str; 4] = ["user-agent", "User-agent", "User-Agent", "user-agent"];
const PREFERENCES: [&str; 6] =
    ["train-ai=n", "train-ai=y", "search=n", "train-ai=n, search=y", "search=y,train-ai=y", "x=1"];
const COMMENTS: [&[u8]; 10] = [
    b"# a comment",
    b"#",
    b"# disallow: /",
    b"#user-agent: *",
    b"## allow: /",
    b"# user-agent: FooBot",
    // These characters do not end a line.
    "# \u{2028}disallow: /".as_bytes(),
    "# a\u{85}allow: /".as_bytes(),
    b"#\x0Bdisallow: /",
    b"# \x0Cuser-agent: *",
];
const NOISE: [&[u8]; 12] = [
    b"",
    b":",
    b"/fish",
    b"<html>",
    b"<li>disallow: /</li>",
    b"\x00\x01\x02",
    b"nonsense",
    b": /",
    b"\xFF\xFE",
    b"\\",
    // No text knows comments of HTML.
    b"<!--",
    b"-->",
];

/// Lines without a meaning that an oddity adds, once in this many places.
const EXTRA_LINES: [(Oddity, usize, &[&[u8]]); 5] = [
    (BlankLine, 3, &[b"", b" ", b"\t", b" \t "]),
    (Comment, 3, &COMMENTS),
    // Windows-1252 in a comment, which changes nothing.
    (NonAscii, 6, &[b"# caf\xE9", b"# \x93a\x94"]),
    (UnknownField, 2, &OTHER_FIELDS),
    (Noise, 2, &NOISE),
];

const SITEMAP_ORIGINS: [&str; 6] = [
    "https://example.com",
    "https://example.com",
    "https://example.com",
    "https://example.com:8443",
    "http://www.example.org",
    "https://EXAMPLE.com",
];

/// A page instead of a robots.txt, as one in twenty is. It may contain rules.
const PAGE: [&str; 4] =
    ["<!DOCTYPE html>", "<html><head><title>Not found</title></head>", "<body><pre>", "</pre></body></html>"];

/// Makes a file.
pub(super) fn make(dice: &mut Dice) -> Draft {
    let mut draft = Draft { stems: path::make_stems(dice), ..Draft::default() };
    if dice.strike(Bom, 1) {
        draft.text.extend_from_slice("\u{FEFF}".as_bytes());
    }
    if dice.one_in(64) {
        return draft;
    }
    let is_page = dice.strike(Noise, 3);
    if is_page {
        PAGE[..3].iter().for_each(|line| draft.line(dice, line.as_bytes()));
    }
    if dice.strike(Orphans, 1) {
        draft.rules(dice, 2);
    }
    if dice.strike(Many, 4) {
        for index in 0..dice.pick(&[20, 20, 20, 20, 150]) {
            draft.text.extend_from_slice(
                format!("user-agent: filler-{}\ndisallow: /\n", letters(index)).as_bytes(),
            );
        }
    }
    for _ in 0..dice.pick(&[1, 1, 1, 1, 2, 3]) {
        draft.group(dice);
    }
    if is_page {
        draft.line(dice, PAGE[3].as_bytes());
    }
    if dice.strike(NoFinalNewline, 1) {
        while draft.text.last().is_some_and(|byte| matches!(byte, b'\r' | b'\n')) {
            draft.text.pop();
        }
    }
    draft
}

/// Makes a file with usage rules.
pub(super) fn make_with_usage(dice: &mut Dice) -> Draft {
    let mut draft = Draft { stems: path::make_stems(dice), states_usage: true, ..Draft::default() };
    for _ in 0..1 + dice.below(3) {
        draft.group(dice);
    }
    draft
}

/// Makes a file that names sitemaps.
pub(super) fn make_with_sitemaps(dice: &mut Dice) -> Vec<u8> {
    let mut draft = Draft { stems: path::make_stems(dice), ..Draft::default() };
    let is_long = dice.one_in(16);
    let count = if is_long { near_limit(dice, 11) } else { 1 + dice.below(4) };
    for index in 0..count {
        if dice.one_in(2) && !is_long {
            draft.group(dice);
        }
        let extension = dice.pick(&["xml", "xml.gz", "xml?a=b", "txt", "xml/"]);
        let origin = dice.pick(&SITEMAP_ORIGINS);
        let mut url = format!("{origin}/sitemap-{}.{extension}", index / 2);
        if dice.one_in(8) {
            url = url.replace("/sitemap", "/Sitemap");
        }
        if dice.one_in(16) {
            url.extend(iter::repeat_n('a', near_limit(dice, 12)));
        }
        let field = dice.pick(&["Sitemap", "sitemap", "sitemap"]);
        draft.field(dice, field, url.as_bytes());
    }
    draft.text
}

/// Makes a file about as large as the size limit, so that its last rules are before or after the limit.
pub(super) fn enlarge(dice: &mut Dice, text: &mut Vec<u8>) {
    const LIMIT: usize = 500 << 10;
    let size = dice.pick(&[400_000, LIMIT - text.len() - 200, LIMIT + 100, 600_000]);
    let width = dice.pick(&[100, 1000, 80_000]);
    let line = [&vec![b'#'; width][..], b"\n"].concat();
    let padding = line.repeat(size / (width + 1));
    // The lines before the place count in any case.
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = ends.chain([0]).collect();
    let at = if dice.one_in(4) { 0 } else { dice.pick(&starts) };
    text.splice(at..at, padding);
}

impl Draft {
    fn group(&mut self, dice: &mut Dice) {
        let agents = match dice.strike(AgentRun, 2) {
            true if dice.strike(Many, 2) => 20,
            true => 2 + dice.below(2),
            false => 1,
        };
        for index in 0..agents {
            if index > 0 && (dice.strike(Between, 2) || dice.one_in(4)) {
                let between =
                    dice.pick(&["sitemap: https://example.com/s.xml", "foo: bar", "crawl-delay: 1"]);
                self.line(dice, between.as_bytes());
            }
            let name = agent::make_name(dice, &self.agents);
            self.agents.push(String::from_utf8_lossy(&name).into_owned());
            let field = dice.pick(&USER_AGENTS);
            self.field(dice, field, &name);
        }
        if dice.strike(EmptyGroup, 2) {
            return;
        }
        if dice.strike(Many, 4) {
            // These match no query.
            for index in 0..dice.pick(&[20, 20, 20, 20, 20, 20, 150, 1100]) {
                self.text.extend_from_slice(format!("disallow: /filler-{index}/\n").as_bytes());
            }
        }
        self.rules(dice, 4);
        if dice.strike(BlankLine, 2) || dice.one_in(4) {
            self.end_line(dice);
        }
    }

    fn rules(&mut self, dice: &mut Dice, most: usize) {
        for _ in 0..1 + dice.below(most) {
            let path = path::make_for_rule(dice, &self.stems, &self.paths);
            if self.states_usage && dice.one_in(2) {
                self.usage(dice, path);
                continue;
            }
            let field = dice.pick(&["disallow", "allow", "Disallow", "Allow", "disallow"]);
            self.field(dice, field, &path);
            self.paths.push(path);
        }
    }

    /// Adds a usage rule, mostly with this path.
    fn usage(&mut self, dice: &mut Dice, path: Vec<u8>) {
        let preference = dice.pick(&PREFERENCES);
        let gap = dice.pick(&[" ", " ", "  ", "\t"]);
        let value = match path.starts_with(b"/") && !dice.one_in(4) {
            true => [&path, gap.as_bytes(), preference.as_bytes()].concat(),
            false => preference.as_bytes().to_vec(),
        };
        let field = dice.pick(&["content-usage", "Content-Usage"]);
        self.field(dice, field, &value);
        self.paths.push(path);
    }

    /// Adds a record, written plainly or with oddities.
    fn field(&mut self, dice: &mut Dice, field: &str, value: &[u8]) {
        self.extra_lines(dice);
        let name = field_name(dice, field);
        let mut line = name.into_bytes();
        let has_colon = !dice.strike(MissingColon, 3);
        let (before, after) = match dice.strike(Spacing, 2) {
            true => (dice.pick(&["", " ", "\t", "  "]), dice.pick(&["", " \t ", "\t", "   "])),
            false => ("", " "),
        };
        if dice.strike(Spacing, 4) {
            line.splice(0..0, *b" \t");
        }
        line.extend_from_slice(before.as_bytes());
        if has_colon {
            line.push(b':');
        }
        line.extend_from_slice(after.as_bytes());
        if dice.strike(OtherWhitespace, 3) {
            line.extend_from_slice(dice.pick(&["\u{B}", "\u{C}", "\u{A0}", "\u{2003}"]).as_bytes());
        }
        line.extend_from_slice(value);
        if dice.strike(Spacing, 2) {
            line.extend_from_slice(dice.pick(&[&b" "[..], b"\t", b" \t "]));
        }
        if dice.strike(Comment, 2) {
            line.extend_from_slice(dice.pick(&["", " ", "\t", " "]).as_bytes());
            line.extend_from_slice(dice.pick(&COMMENTS));
        }
        self.line(dice, &line);
    }

    /// Adds lines without a meaning.
    fn extra_lines(&mut self, dice: &mut Dice) {
        for (oddity, one_in, lines) in EXTRA_LINES {
            if dice.strike(oddity, one_in) {
                let line = dice.pick(lines);
                self.line(dice, line);
            }
        }
    }

    fn line(&mut self, dice: &mut Dice, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.end_line(dice);
    }

    fn end_line(&mut self, dice: &mut Dice) {
        let end = match dice.strike(LineEnds, 2) {
            true => dice.pick(&["\r\n", "\r", "\r\n", "\r\r", "\n\r"]),
            false => "\n",
        };
        self.text.extend_from_slice(end.as_bytes());
    }
}

fn field_name(dice: &mut Dice, field: &str) -> String {
    let lower = field.to_ascii_lowercase();
    if dice.strike(Typo, 3) {
        let typos: &[&str] = match &*lower {
            "user-agent" => &["useragent", "user agent", "user-agnet", "usr-agent", "user_agent", "agent"],
            "disallow" => {
                &["dissallow", "disalow", "diasllow", "disallaw", "dis-allow", "disllow", "isallow"]
            }
            "allow" => &["alow", "allaw", "allowed", "alllow", "al-low", "sallow"],
            _ => &["sitemaps", "site-map", "sitmap"],
        };
        return dice.pick(typos).to_owned();
    }
    if dice.strike(FieldPrefix, 3) {
        return format!("{field}{}", dice.pick(&["ed", "s", "x", "-all", "2"]));
    }
    if dice.strike(FieldCase, 2) {
        let last = lower.len() - 1;
        return match dice.one_in(2) {
            true => lower.to_ascii_uppercase(),
            false => lower[..last].to_owned() + &lower[last..].to_ascii_uppercase(),
        };
    }
    field.to_owned()
}

/// Finds the names and paths in a file: the values of the lines whose field could be a misspelling.
pub(super) fn find_names_and_paths(file: &[u8]) -> (Vec<String>, Vec<Vec<u8>>) {
    const MAX_LINES: usize = 100_000;
    const MAX_LENGTH: usize = 4096;
    let (mut names, mut paths) = (Vec::new(), Vec::new());
    for parts in split_lines(file).take(MAX_LINES).map(|line| line.parts()) {
        let value = parts.value.text;
        match parts.colon.and(parts.field.first()).map(u8::to_ascii_lowercase) {
            Some(b'u') => names.push(String::from_utf8_lossy(value).into_owned()),
            Some(b'a' | b'd') => paths.push(value[..value.len().min(MAX_LENGTH)].to_vec()),
            _ => {}
        }
    }
    (names, paths)
}

/// Changes, adds, moves or removes a few lines of a file.
pub(super) fn mutate(dice: &mut Dice, file: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = split_lines(file).map(|line| file[line.span()].to_vec()).collect();
    let (agents, paths) = find_names_and_paths(file);
    for _ in 0..1 + dice.below(3) {
        let mut draft = Draft {
            stems: path::make_stems(dice),
            agents: agents.clone(),
            paths: paths.clone(),
            ..Draft::default()
        };
        match dice.below(4) {
            0 => draft.rules(dice, 2),
            1 => draft.group(dice),
            _ => draft.extra_lines(dice),
        }
        let at = dice.below(lines.len() + 1);
        match dice.below(4) {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 if at < lines.len() => lines[at] = draft.text,
            2 if at < lines.len() => lines.swap(at, 0),
            _ => lines.insert(at, draft.text),
        }
    }
    lines.concat()
}
