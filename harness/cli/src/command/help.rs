//! Help texts that are as wide as the terminal. In the source, their lines are as long as those of the code.

use std::env;

use clap::Command;
use clap::builder::{Resettable, StyledStr};
use textwrap::{Options, WordSplitter};

use crate::output::wrapped;

/// The number of columns of help, at most.
pub(super) const WIDEST: usize = 100;

/// Wraps the texts of a command and of its subcommands for the terminal.
pub(super) fn fit(command: Command) -> Command {
    let columns = columns();
    let fitted = |text: Option<&StyledStr>| {
        Resettable::from(text.map(|text| StyledStr::from(fit_text(&text.to_string(), columns))))
    };
    let (about, after) = (fitted(command.get_long_about()), fitted(command.get_after_help()));
    command.mut_subcommands(fit).long_about(about).after_help(after)
}

/// Returns the number of columns for which clap writes help.
fn columns() -> usize {
    let of_terminal = terminal_size::terminal_size().map(|(width, _)| width.0.into());
    let of_variable = || env::var("COLUMNS").ok()?.parse().ok();
    of_terminal.or_else(of_variable).unwrap_or(WIDEST).min(WIDEST)
}

/// Joins the lines of each paragraph and of each item of a list, and wraps them.
fn fit_text(text: &str, columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let indent = |line: &str| line.len() - line.trim_start().len();
        match lines.last_mut() {
            Some(last) if continues(last, indent(last), line, indent(line)) => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            _ => lines.push(line.to_owned()),
        }
    }
    let options = Options::new(columns).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    let wrap = |line: &String| match line.starts_with(' ') {
        true => wrapped(line, columns),
        false => textwrap::fill(line, &options),
    };
    lines.iter().map(wrap).collect::<Vec<_>>().join("\n")
}

/// Returns whether a line continues the one before: a paragraph at the margin, or an item further in.
fn continues(last: &str, last_indent: usize, line: &str, indent: usize) -> bool {
    let is_blank = last.is_empty() || line.is_empty();
    !is_blank && !last.ends_with(':') && (if last_indent == 0 { indent == 0 } else { indent > last_indent })
}
