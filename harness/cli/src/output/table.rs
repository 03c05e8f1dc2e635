//! Tables for people.

use std::ops::Range;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};

use robotspec_reference::Edition;

use super::width::columns;

/// A line below the header, and no other.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// The width of the first column, at most: some implementations have long names.
const FIRST_COLUMN: u16 = 32;

/// Returns a table as text that fits into the output. The columns of `numbers` are aligned to the right. Cells may be
/// styled.
pub(crate) fn table<C: ToString>(
    header: impl IntoIterator<Item = impl ToString>,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = C>>,
    numbers: Range<usize>,
) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns() as u16);
    table.set_header(header.into_iter().map(|title| title.to_string()));
    for row in rows {
        table.add_row(row.into_iter().map(|cell| cell.to_string()));
    }
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

/// Returns the name of an edition in lines, for the header of a narrow column.
pub(crate) fn narrow(edition: Edition) -> String {
    edition.id().replacen('-', "-\n", 1)
}
