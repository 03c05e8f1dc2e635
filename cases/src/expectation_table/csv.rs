//! Tables of expectations as CSV (RFC 4180). The first line names the columns `agent`, `url` and `expect`.

use std::path::Path;

use super::{Cell, Cells, error};
use crate::yaml::FileError;

/// The names of the columns, which may be in any order.
const COLUMNS: [&str; 3] = ["agent", "url", "expect"];

/// Reads the rows of a table. Empty lines are ignored.
pub(super) fn read(file: &Path, text: &str) -> Result<Vec<Cells>, FileError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        lines.push((index + 1, cells(file, index + 1, line)?));
    }
    let mut lines = lines.into_iter();
    let header = lines.next().map(|(_, cells)| cells).unwrap_or_default();
    let place = |name: &str| header.iter().position(|cell| cell.text.trim() == name);
    let places = COLUMNS.map(place);
    let ([Some(agent), Some(url), Some(expect)], true) = (places, header.len() == COLUMNS.len()) else {
        return Err(error(file, (1, 0), "the first line must name the columns: `agent,url,expect`"));
    };
    let cells_of_row = |(line, mut cells): (usize, Vec<Cell>)| {
        if cells.len() != COLUMNS.len() {
            let message = format!(
                "the line has {} cells, but there are {} columns; put a cell with a comma in quotation marks",
                cells.len(),
                COLUMNS.len()
            );
            return Err(error(file, (line, 0), message));
        }
        let mut take = |place: usize| {
            let Cell { text, place } = &mut cells[place];
            Cell { text: text.trim().to_owned(), place: *place }
        };
        Ok(Cells { agent: take(agent), url: take(url), expect: take(expect) })
    };
    lines.map(cells_of_row).collect()
}

/// Returns the cells of a line. A cell in quotation marks may contain commas, and quotation marks that are doubled.
fn cells(file: &Path, line: usize, text: &str) -> Result<Vec<Cell>, FileError> {
    let mut cells = Vec::new();
    let mut characters = text.chars().enumerate().peekable();
    loop {
        let start = characters.peek().map_or(text.chars().count(), |(column, _)| *column);
        let mut cell = String::new();
        if characters.next_if(|(_, c)| *c == '"').is_some() {
            loop {
                match characters.next() {
                    Some((_, '"')) if characters.next_if(|(_, c)| *c == '"').is_some() => cell.push('"'),
                    Some((_, '"')) => break,
                    Some((_, c)) => cell.push(c),
                    None => {
                        let message = "the quotation mark is not closed; a cell cannot contain a line break";
                        return Err(error(file, (line, start + 1), message));
                    }
                }
            }
        } else {
            while let Some((_, c)) = characters.next_if(|(_, c)| *c != ',') {
                cell.push(c);
            }
        }
        cells.push(Cell { text: cell, place: (line, start + 1) });
        match characters.next() {
            None => return Ok(cells),
            Some((_, ',')) => {}
            Some((column, _)) => {
                let message =
                    "a quoted cell ends before this character; double the quotation marks within it";
                return Err(error(file, (line, column + 1), message));
            }
        }
    }
}
