//! Where the lines of a file are in the text field of the page.

use robotspec_reference::{Line, split_lines};
use robotspec_text::escaped;
use robotspec_text::excerpt::cut;
use serde::Serialize;

/// The number of characters that are shown of a line.
const SHOWN: usize = 200;

/// The lines of a file. The text field has a row for each line feed, and so no row of its own for a line after a CR.
#[derive(Debug)]
pub struct Places<'f> {
    lines: Vec<Line<'f>>,
    /// The row of each line, from 0.
    rows: Vec<usize>,
}

/// A line that the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// Its row in the text field, from 0.
    pub row: usize,
    /// The start of its text, with escapes.
    pub text: String,
}

impl<'f> Places<'f> {
    /// Finds the row of each line.
    pub fn new(file: &'f [u8]) -> Places<'f> {
        let lines: Vec<Line> = split_lines(file).collect();
        let next_row = |row: &mut usize, line: &Line| {
            let this = *row;
            *row += usize::from(line.end.ends_with(b"\n"));
            Some(this)
        };
        let rows = lines.iter().scan(0, next_row).collect();
        Places { lines, rows }
    }

    /// Returns the number of lines.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the line with this number. A file in UTF-16 may have another number of lines than its bytes.
    pub fn shown(&self, number: usize) -> Option<ShownLine> {
        let place = number.checked_sub(1)?;
        let (line, &row) = (self.lines.get(place)?, self.rows.get(place)?);
        let start = &line.text[..line.text.len().min(4 * SHOWN)];
        Some(ShownLine { line: number, row, text: cut(&escaped(start), SHOWN) })
    }

    /// Returns the number of the first line in each row, where it is not the number of the row.
    pub fn first_lines(&self) -> Option<Vec<usize>> {
        let is_plain = self.rows.iter().enumerate().all(|(place, &row)| place == row);
        let mut first: Vec<usize> = Vec::new();
        for (place, &row) in self.rows.iter().enumerate() {
            if row == first.len() {
                first.push(place + 1);
            }
        }
        (!is_plain).then_some(first)
    }
}
