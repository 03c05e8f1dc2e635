//! Tables for people.

use std::ops::Range;

use textwrap::core::display_width;
use textwrap::{Options, WordSplitter, wrap};

use super::style::{CODES, columns};

/// The width of the first column, at most: some implementations have long names.
const FIRST_COLUMN: usize = 32;

/// The space between two columns.
const GAP: &str = "  ";

/// The width below which a table that is too wide becomes a list, because its columns would break words.
const NARROW: usize = 80;

/// The width up to which a cell is one expression, such as `44 of 46`, and not a text.
const EXPRESSION: usize = 24;

/// Returns a table as text that fits into the output, or a list where that is narrow. The columns of `numbers` are aligned
/// to the right. Cells may be styled.
pub(crate) fn table<C: ToString>(
    header: impl IntoIterator<Item = impl ToString>,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = C>>,
    numbers: Range<usize>,
) -> String {
    let header: Vec<String> = header.into_iter().map(|title| title.to_string()).collect();
    let rows = rows.into_iter().map(|row| row.into_iter().map(|cell| cell.to_string()).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    if columns() < NARROW && width(&header, &rows) > columns() {
        return list(&header, &rows);
    }
    let widths = widths(std::iter::once(&header).chain(&rows), columns());
    let layout = |row: &Vec<String>| lines_of_row(row, &widths, &numbers);
    let rule = "─".repeat(widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1));
    let lines = layout(&header).into_iter().chain([rule]).chain(rows.iter().flat_map(layout));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the width of each column: that of its longest line, where the widest columns give way until the table fits.
fn widths<'r>(rows: impl Iterator<Item = &'r Vec<String>>, room: usize) -> Vec<usize> {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.len().max(widths.len()), 0);
        for (place, cell) in row.iter().enumerate() {
            let most = if place == 0 { FIRST_COLUMN } else { room };
            let needed = cell.lines().map(display_width).max().unwrap_or_default();
            widths[place] = needed.min(most).max(widths[place]);
        }
    }
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room
        && let Some(widest) = widths.iter_mut().max().filter(|width| **width > 1)
    {
        *widest -= 1;
    }
    widths
}

/// Returns the lines of a row, whose cells are wrapped.
fn lines_of_row(row: &[String], widths: &[usize], numbers: &Range<usize>) -> Vec<String> {
    let cells: Vec<Vec<String>> =
        row.iter().zip(widths).map(|(cell, width)| lines_of_cell(cell, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    let line = |at: usize| {
        let padded = cells.iter().zip(widths).enumerate().map(|(place, (lines, width))| {
            let text = lines.get(at).map_or("", String::as_str);
            let space = " ".repeat(width.saturating_sub(display_width(text)));
            if numbers.contains(&place) { format!("{space}{text}") } else { format!("{text}{space}") }
        });
        padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

/// Returns the lines of a cell. Each has the styles that are in force there, so that none reaches into the next column.
fn lines_of_cell(cell: &str, width: usize) -> Vec<String> {
    let [reset, ..] = CODES;
    let mut style = String::new();
    // An id with a hyphen is one word.
    let options = Options::new(width).word_splitter(WordSplitter::NoHyphenation);
    let lines = cell.lines().flat_map(|line| wrap(line, &options)).map(|line| {
        let mut styled = format!("{style}{line}");
        let last = styled.rfind(reset).map_or(0, |at| at + reset.len());
        style = styled[last..]
            .split('\x1b')
            .skip(1)
            .filter_map(|code| code.split_once('m'))
            .fold(String::new(), |codes, (code, _)| format!("{codes}\x1b{code}m"));
        if !style.is_empty() {
            styled.push_str(reset);
        }
        styled
    });
    lines.collect()
}

/// Returns the number of columns that a table needs, if no expression in it is broken.
fn width(header: &[String], rows: &[Vec<String>]) -> usize {
    let of_line = |line: &str| match display_width(line) {
        width if width <= EXPRESSION => width,
        _ => line.split(' ').map(display_width).max().unwrap_or_default(),
    };
    let of_column = |(place, title): (usize, &String)| {
        let cells = rows.iter().filter_map(|row| row.get(place));
        let lines = std::iter::once(title).chain(cells).flat_map(|cell| cell.lines());
        lines.map(of_line).max().unwrap_or_default()
    };
    header.iter().enumerate().map(of_column).sum::<usize>() + 2 * header.len().saturating_sub(1)
}

/// Returns the rows of a table one below the other: the first cell, then each other cell with its title.
fn list(header: &[String], rows: &[Vec<String>]) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let Some((first, cells)) = row.split_first() else { continue };
        let indent = display_width(first) - display_width(first.trim_start()) + 2;
        lines.push(first.clone());
        for (title, cell) in header[1..].iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            let title = title.replace("-\n", "-").replace('\n', " ");
            let cell = cell.split_whitespace().collect::<Vec<_>>().join(" ");
            lines.push(format!("{:indent$}{title}: {cell}", ""));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
#[path = "../../tests/unit/table.rs"]
mod tests;
