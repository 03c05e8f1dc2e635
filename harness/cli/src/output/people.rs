//! Text for people: safe on every terminal, and as wide as it.

use robotspec_text::inert::inert_line;
use robotspec_text::{visible, visible_lines};
use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::style::CODES;

/// Returns a line in which all characters are visible, apart from its end, tabs and the codes of styles, and which is not too
/// long, nor one that a CI system obeys: several lines where it is too long.
pub(super) fn for_people(line: &str, columns: usize) -> String {
    let line = harmless(line);
    let (text, end) = line.split_at(line.trim_end_matches('\n').len());
    wrapped(text, columns).split('\n').map(inert).collect::<Vec<_>>().join("\n") + end
}

/// Returns a text in which all characters are visible, apart from line breaks, tabs and the codes of styles.
fn harmless(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        let code = CODES.into_iter().find(|code| rest[at..].starts_with(code));
        let end = at + code.map_or(1, str::len);
        shown += &visible_lines(&rest[..at]);
        shown += &code.map_or_else(|| visible(&rest[at..end]), str::to_owned);
        rest = &rest[end..];
    }
    shown + &visible_lines(rest)
}

/// Returns a line that no CI system obeys, with or without its styles.
fn inert(line: &str) -> String {
    let mut text = line.trim_start();
    while let Some(code) = CODES.into_iter().find(|code| text.starts_with(code)) {
        text = text[code.len()..].trim_start();
    }
    let (before, text) = line.split_at(line.len() - text.len());
    format!("{before}{}", inert_line(text))
}

/// Returns a line as lines of at most so many columns. Further lines start where the last column of the first one
/// starts, if that is in its left half.
pub(crate) fn wrapped(line: &str, columns: usize) -> String {
    if display_width(line) <= columns {
        return line.to_owned();
    }
    let indent = " ".repeat(hanging(line, columns / 2));
    let options = Options::new(columns)
        .subsequent_indent(&indent)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(line, options)
}

/// Returns where the last column of a line starts, up to a limit; else two columns after its indentation.
fn hanging(line: &str, limit: usize) -> usize {
    let text = line.trim_start_matches(' ');
    let indentation = line.len() - text.len();
    let after_gaps = text.match_indices("  ").filter_map(|(at, _)| {
        let after = &text[at..];
        let column = after.trim_start_matches(' ');
        let start = text.len() - column.len();
        (!column.is_empty()).then(|| indentation + display_width(&text[..start]))
    });
    after_gaps.filter(|start| *start <= limit).last().unwrap_or((indentation + 2).min(limit))
}

/// Returns a command for a shell in lines that fit after an indentation; a backslash continues a line.
pub(super) fn in_lines(indentation: usize, command: &str, columns: usize) -> String {
    const CONTINUED: &str = " \\";
    // A command with an open quotation mark has no words.
    let words = shell_words::split(command).unwrap_or_else(|_| vec![command.to_owned()]);
    // An option stays together with its value.
    let parts = words.chunk_by(|word, next| word.starts_with("--") && !next.starts_with('-'));
    let mut lines = String::new();
    let mut column = indentation;
    let text = |part: &[String]| if part == ["|"] { "|".to_owned() } else { shell_words::join(part) };
    for part in parts.map(text) {
        let width = display_width(&part);
        if lines.is_empty() {
            column += width;
        } else if column + 1 + width + CONTINUED.len() <= columns {
            lines.push(' ');
            column += 1 + width;
        } else {
            lines += &format!("{CONTINUED}\n{:1$}", "", indentation + 2);
            column = indentation + 2 + width;
        }
        lines += &part;
    }
    lines
}

#[cfg(test)]
#[path = "../../tests/unit/people.rs"]
mod tests;
