//! The styles of a terminal, and its width.

use std::fmt::Display;
use std::io;

use anstyle::{AnsiColor, Style};
use robotspec_text::visible_lines;

/// A good result.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// A bad result.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// A result that is unspecified, or deserves attention.
pub(crate) const OPEN: Style = AnsiColor::Yellow.on_default();
/// Text that stands out.
pub(crate) const STRONG: Style = Style::new().bold();
/// Text in the background.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// The codes of the styles above; of several codes, a style writes each on its own.
pub(super) const CODES: [&str; 6] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];

/// Returns a text in a style. The text itself cannot have one.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{}{style:#}", visible_lines(&text.to_string()))
}

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
