//! The file of a case, as a page shows it: line by line, with what nobody
//! sees written in octets, and without the middle of a long one.

use std::collections::BTreeSet;

use robotspec_reference::split_lines;
use serde::Serialize;

use crate::report::html::intern::Interner;
use robotspec_cases::suite::bytes::escaped;

/// Files with more lines are shown in part.
const LINES_SHOWN: usize = 60;

/// How many lines of these are shown at the start.
const START_SHOWN: usize = 24;

/// How many lines are shown before and after one that decides.
const AROUND: usize = 2;

/// How much of a line is shown, in octets.
const LINE_SHOWN: usize = 400;

/// How many deciding lines of a file are shown.
const DECIDING_SHOWN: usize = 60;

/// A file.
#[derive(Debug, Serialize)]
pub(super) struct ShownFile {
    /// Its size.
    octets: usize,
    /// How many lines it has.
    count: usize,
    /// Those that are shown: number, text, and line end where that is not LF.
    lines: Vec<(usize, u32, u32)>,
}

/// A file with the lines that decide in some row about it.
pub(super) fn shown(file: &[u8], deciding: &BTreeSet<usize>, texts: &mut Interner<String>) -> ShownFile {
    let all: Vec<_> = split_lines(file).collect();
    let near = |number: usize| {
        deciding.iter().take(DECIDING_SHOWN).any(|&deciding| deciding.abs_diff(number) <= AROUND)
    };
    let is_shown = |number: usize| {
        all.len() <= LINES_SHOWN || number <= START_SHOWN || number == all.len() || near(number)
    };
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(&all).filter(|(number, _)| is_shown(*number)) {
        let end = match &file[line.start + line.text.len()..] {
            [b'\n', ..] => "",
            [b'\r', b'\n', ..] => "\\r\\n",
            [b'\r', ..] => "\\r",
            _ => "no line end",
        };
        lines.push((number, texts.text(&cut(line.text)), texts.text(end)));
    }
    ShownFile { octets: file.len(), count: all.len(), lines }
}

/// A line in its escaped form, or its start with its size.
fn cut(line: &[u8]) -> String {
    if line.len() <= LINE_SHOWN {
        return escaped(line);
    }
    format!("{}… ({} octets)", escaped(&line[..LINE_SHOWN]), line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are shown: number, text, end.
    fn lines(file: &[u8], deciding: &[usize]) -> Vec<(usize, String, String)> {
        let mut texts = Interner::default();
        let file = shown(file, &deciding.iter().copied().collect(), &mut texts);
        let text = |place| texts.get(place).cloned().unwrap_or_default();
        file.lines.iter().map(|&(number, line, end)| (number, text(line), text(end))).collect()
    }

    #[test]
    fn what_nobody_sees_is_shown() {
        let file = b"\xEF\xBB\xBFa\0\r\nb\xFF\xE2\x80\xAE\rc\n\nd";
        let expected = [
            (1, r"\xef\xbb\xbfa\x00", r"\r\n"),
            (2, r"b\xff\xe2\x80\xae", r"\r"),
            (3, "c", ""),
            (4, "", ""),
            (5, "d", "no line end"),
        ];
        assert_eq!(lines(file, &[]), expected.map(|(number, text, end)| (number, text.into(), end.into())));
    }

    #[test]
    fn of_a_long_file_the_start_the_end_and_what_decides_are_shown() {
        let file = "disallow: /\n".repeat(500);
        let numbers: Vec<usize> = lines(file.as_bytes(), &[100]).iter().map(|(number, ..)| *number).collect();
        let expected: Vec<usize> = (1..=24).chain(98..=102).chain([500]).collect();
        assert_eq!(numbers, expected);
    }

    #[test]
    fn of_a_long_line_the_start_is_shown() {
        let (_, text, _) = lines(&[b'a'; 5000], &[]).remove(0);
        assert_eq!(text, format!("{}… (5000 octets)", "a".repeat(400)));
    }
}
