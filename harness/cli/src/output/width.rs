//! The width of output for people.

use std::io;

/// The number of columns of output that does not go to a terminal.
const COLUMNS: usize = 100;

/// The bounds of the number of columns on a terminal: longer lines are hard to read.
const NARROWEST: usize = 40;
const WIDEST: usize = 120;

/// Returns the number of columns of standard output for people: those of the terminal, and a fixed number elsewhere.
pub(crate) fn columns() -> usize {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map_or(COLUMNS, |(width, _)| usize::from(width.0).clamp(NARROWEST, WIDEST))
}
