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
