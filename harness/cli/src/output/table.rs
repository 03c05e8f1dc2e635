//! Tables for people.

use std::ops::Range;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};

use robotspec_reference::Edition;
use textwrap::core::display_width;

use super::width::columns;

/// A line below the header, and no other.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// The width of the first column, at most: some implementations have long names.
const FIRST_COLUMN: u16 = 32;

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
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns() as u16);
    table.set_header(header);
    table.add_rows(rows);
    for (place, column) in table.column_iter_mut().enumerate() {
        if place == 0 {
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(FIRST_COLUMN)));
        }
        column.set_padding((if place == 0 { 0 } else { 2 }, 0));
        if numbers.contains(&place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
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

/// Returns the name of an edition in lines, for the header of a narrow column.
pub(crate) fn narrow(edition: Edition) -> String {
    edition.id().replacen('-', "-\n", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_cells_with_their_titles() {
        let header = ["edition", "clauses\nkept", "google-\n2026"].map(str::to_owned);
        let rows =
            vec![vec!["robotxt 0.7.0".into()], vec!["  rfc9309".into(), "44   of 46".into(), String::new()]];
        assert_eq!(width(&header, &rows), 13 + 10 + 7 + 4);
        assert_eq!(list(&header, &rows), "robotxt 0.7.0\n  rfc9309\n    clauses kept: 44 of 46");
    }
}
