//! `robotspec lint`: a file against the grammar.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_reference::Edition;
use robotspec_reference::grammar::{LineStatus, check_lines};
use serde_json::json;

use crate::command::output::{self, BAD, FAINT, GOOD, OPEN, styled};
use crate::command::{FAILED, FileArgument, Format, OK, edition, read_file};
use robotspec_cases::suite::bytes::escaped;

const EXIT_CODES: &str = "\
Exit codes of lint:
  0  every line is derived, or of a kind that the grammar leaves open
  1  some line is not derived
  2  the command or a file is wrong";

/// Tell which lines of a robots.txt the grammar derives, and why not the others
///
/// A line that is not derived may still count, for readers are lenient: see `robotspec check`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Arguments {
    /// The edition whose grammar it is
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition())]
    edition: Edition,

    /// How the output is written; json is one object a line of the file
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn lint(arguments: Arguments) -> Result<u8> {
    let file = read_file(&arguments.file.file)?;
    let mut out = output::stdout();
    let mut all_derived = true;
    let checked = check_lines(arguments.edition, &file);
    for line in &checked {
        let text = escaped(line.text);
        all_derived &= !matches!(line.status, LineStatus::NotDerived(_));
        match arguments.format {
            Format::Human => {
                let (word, style, note) = match &line.status {
                    LineStatus::Derived(production) => (production.id(), GOOD, None),
                    LineStatus::Additional(field) => {
                        ("additional", OPEN, Some(format!("`{field}` is left to implementors to define")))
                    }
                    LineStatus::NotDerived(error) => {
                        let note = format!("column {}: expected {}", error.column, error.expected);
                        ("not derived", BAD, Some(note))
                    }
                };
                writeln!(out, "{:>5} {} {text}", line.line, styled(style, format!("{word:<16}")))?;
                if let Some(note) = note {
                    writeln!(out, "{:>23}{}", "", styled(FAINT, note))?;
                }
            }
            Format::Json => {
                let mut value = json!({ "line": line.line, "text": text });
                match &line.status {
                    LineStatus::Derived(production) => {
                        value["status"] = json!("derived");
                        value["production"] = json!(production.id());
                    }
                    LineStatus::Additional(field) => {
                        value["status"] = json!("additional");
                        value["field"] = json!(field);
                    }
                    LineStatus::NotDerived(error) => {
                        value["status"] = json!("not-derived");
                        value["column"] = json!(error.column);
                        value["expected"] = json!(error.expected.id());
                        value["message"] = json!(format!("expected {}", error.expected));
                    }
                }
                output::json(&mut out, &value)?;
            }
        }
    }
    Ok(if all_derived { OK } else { FAILED })
}
