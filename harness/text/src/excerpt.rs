//! Files as lines for a person: at most one screen of a file, with marks at the lines that decide.

use std::collections::BTreeSet;

use robotspec_reference::{DecidedBy, Decision, Line, split_lines};

use crate::sentences::counted;
use crate::{escaped, grouped};

/// The number of lines of a file that are shown.
const LINES: usize = 20;

/// The number of shown lines that decide, at most.
const DECIDING: usize = 10;

/// The number of lines that are shown from the start of the file.
const FIRST: usize = 4;

/// The distance from a line that decides within which other lines are preferred.
const AROUND: usize = 2;

/// Returns the lines that decide, those that matter most first: the rule, the one that it prevails over, and the
/// user-agent lines.
pub fn deciding(decision: &Decision) -> Vec<usize> {
    let mut lines = Vec::new();
    if let DecidedBy::Rule { rule, over, .. } = &decision.by {
        lines.push(rule.line);
        lines.extend(over.iter().map(|over| over.line));
    }
    lines.extend(&decision.agent_lines);
    lines
}

/// Returns the numbers of the lines that are shown, in order, and a line that describes the omitted ones.
fn select_lines(count: usize, deciding: &[usize]) -> (Vec<usize>, Option<String>) {
    if count <= LINES {
        return ((1..=count).collect(), None);
    }
    let mut shown: BTreeSet<usize> = deciding.iter().copied().take(DECIDING).collect();
    let near = (1..=AROUND).flat_map(|far| {
        let decisive = shown.clone();
        decisive.into_iter().flat_map(move |line| [line.saturating_sub(far), line + far])
    });
    let others: Vec<usize> = (1..=FIRST).chain(near).chain(1..=count).collect();
    for line in others.into_iter().filter(|line| (1..=count).contains(line)) {
        if shown.len() == LINES {
            break;
        }
        shown.insert(line);
    }
    let all: BTreeSet<usize> = deciding.iter().copied().collect();
    let marked = match all.difference(&shown).count() {
        0 => String::new(),
        marked => format!(", {} of them marked", grouped(marked)),
    };
    let rest = format!("… {} more lines{marked}", grouped(count - shown.len()));
    (shown.into_iter().collect(), Some(rest))
}

/// The number of characters of a line that are shown.
const LINE_SHOWN: usize = 100;

/// The mark of a line that decides.
pub const MARK: &str = "▸";

/// Returns the lines of a file with their numbers, and a [`MARK`] at the lines that decide. A line end is shown if it
/// is not LF.
pub fn file_lines(file: &[u8], deciding: &[usize]) -> Vec<String> {
    let lines: Vec<Line> = split_lines(file).collect();
    if lines.is_empty() {
        return vec!["  (an empty file)".to_owned()];
    }
    let (numbers, rest) = select_lines(lines.len(), deciding);
    let mut shown = Vec::new();
    for number in numbers {
        let Line { text, end, .. } = lines[number - 1];
        let text = escaped(&text[..text.len().min(4 * LINE_SHOWN)]);
        let mark = if deciding.contains(&number) { MARK } else { " " };
        let end = match end {
            b"" => " (no line end)",
            b"\r" => "\\r",
            b"\r\n" => "\\r\\n",
            _ => "",
        };
        shown.push(format!("{mark}{number:>4} | {}{end}", cut(&text, LINE_SHOWN)));
    }
    shown.extend(look_alikes(&shown.concat()));
    shown.extend(
        rest.map(|rest| format!("      {rest} ({}, {} bytes)", counted(lines.len(), "line"), file.len())),
    );
    shown
}

/// Returns a line with the code points of the letters that a reader could take for letters of ASCII, because they are
/// equal to them where letter case does not matter.
fn look_alikes(text: &str) -> Option<String> {
    let is_like_ascii = |c: char| c.to_lowercase().chain(c.to_uppercase()).any(|other| other.is_ascii());
    let letters: BTreeSet<char> = text.chars().filter(|&c| !c.is_ascii() && is_like_ascii(c)).collect();
    let named: Vec<String> = letters.iter().map(|&c| format!("`{c}` is U+{:04X}", u32::from(c))).collect();
    (!named.is_empty()).then(|| format!("      {}", named.join(", ")))
}

/// Returns the start of a text, and an ellipsis if the text is longer. The width is in characters.
pub fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_line_ends_and_letters_that_look_like_ascii_are_shown() {
        let shown = file_lines("a\nb\r\nc\rd \u{212A} é".as_bytes(), &[2]);
        let lines = ["    1 | a", "▸   2 | b\\r\\n", "    3 | c\\r", "    4 | d \u{212A} é (no line end)"];
        assert_eq!(shown, [&lines[..], &["      `\u{212A}` is U+212A"]].concat());
        assert_eq!(file_lines(b"", &[]), ["  (an empty file)"]);
    }

    #[test]
    fn the_start_and_the_deciding_lines_of_a_long_file_are_shown() {
        assert_eq!(select_lines(20, &[20]), ((1..=20).collect(), None));
        let expected = (1..=15).chain(998..=1002).collect();
        assert_eq!(select_lines(1_234, &[1000, 3]), (expected, Some("… 1,214 more lines".to_owned())));
    }

    #[test]
    fn the_rule_is_shown_among_many_deciding_lines() {
        let deciding: Vec<usize> = std::iter::once(10_000).chain((1..5_000).map(|half| 2 * half)).collect();
        let (shown, rest) = select_lines(10_000, &deciding);
        assert_eq!(shown.len(), LINES);
        assert!(shown.contains(&10_000) && shown.contains(&2));
        assert_eq!(deciding.iter().filter(|line| !shown.contains(line)).count(), 4_990);
        assert_eq!(rest.as_deref(), Some("… 9,980 more lines, 4,990 of them marked"));
    }
}
