//! `robotspec lint`: a file against the grammar.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_cases::suite::escaped;
use robotspec_cases::visible;
use robotspec_reference::grammar::{LineStatus, check_lines};
use robotspec_reference::{Edition, nearest_field};
use serde_json::{Value, json};

use crate::command::exit::{FAILED, OK};
use crate::command::values::{FileArgument, Format, edition, read_file};
use crate::output::{self, BAD, FAINT, GOOD, OPEN, styled};

const EXIT_CODES: &str = "\
Exit codes of lint:
  0  the grammar derives every line, or does not specify its field
  1  the grammar does not derive some line
  2  the command or a file is wrong";

/// List the lines of a robots.txt that the grammar derives, and the errors in the others
///
/// A line that the grammar does not derive may still have an effect, because parsers are lenient: see
/// `robotspec check`.
///
/// Examples:
///   robotspec lint robots.txt
///   curl -s https://example.com/robots.txt | robotspec lint --edition google-2026 -
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    /// The edition with the grammar
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition())]
    edition: Edition,

    /// The format of the output; jsonl is one object per line of the file
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn lint(arguments: Arguments) -> Result<u8> {
    let file = read_file(&arguments.file.file)?;
    let mut out = arguments.format.paged();
    let mut is_derived = true;
    for line in check_lines(arguments.edition, &file) {
        is_derived &= !matches!(line.status, LineStatus::NotDerived(_));
        let text = escaped(line.text);
        match arguments.format {
            Format::Human => {
                let (word, style, note) = describe(&line.status);
                writeln!(out, "{:>5} {} {text}", line.line, styled(style, format!("{word:<16}")))?;
                if let Some(note) = note {
                    writeln!(out, "{:>23}{}", "", styled(FAINT, note))?;
                }
            }
            Format::Json => {
                let mut value = as_json(&line.status);
                value["line"] = json!(line.line);
                value["text"] = json!(text);
                output::json(&mut out, &value)?;
            }
        }
    }
    Ok(if is_derived { OK } else { FAILED })
}

fn describe(status: &LineStatus) -> (&'static str, anstyle::Style, Option<String>) {
    match status {
        LineStatus::Derived(production) => (production.id(), GOOD, None),
        LineStatus::Additional(field) => {
            let mut note = format!("the grammar does not specify the field `{}`", visible(field));
            if let Some(known) = nearest_field(field) {
                note += &format!("; did you mean `{known}`?");
            }
            ("additional", OPEN, Some(note))
        }
        LineStatus::NotDerived(error) => {
            ("not derived", BAD, Some(format!("column {}: expected {}", error.column, error.expected)))
        }
    }
}

fn as_json(status: &LineStatus) -> Value {
    match status {
        LineStatus::Derived(production) => json!({ "status": "derived", "production": production.id() }),
        LineStatus::Additional(field) => {
            let mut value = json!({ "status": "additional", "field": field });
            if let Some(known) = nearest_field(field) {
                value["resembles"] = known.into();
            }
            value
        }
        LineStatus::NotDerived(error) => json!({
            "status": "not-derived",
            "column": error.column,
            "expected": error.expected.id(),
            "message": format!("expected {}", error.expected),
        }),
    }
}
