//! `robotspec lint`: a file against the grammar.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use robotspec_reference::grammar::{LineStatus, Production, check_lines, has_grammar};
use robotspec_reference::{Edition, nearest_field};
use robotspec_text::escaped;
use robotspec_text::remark::about_file;
use robotspec_text::sentences::about_line;
use serde_json::{Value, json};

use crate::command::exit::{FAILED, OK};
use crate::command::robots_file::FileArgument;
use crate::command::values::{Format, edition};
use crate::output::{self, BAD, FAINT, GOOD, OPEN, counted, styled};

const EXIT_CODES: &str = "\
Exit codes of lint:
  0  there is no error: the grammar derives every line, or does not specify its field
  1  there is an error: the grammar does not derive some line
  2  the command or a file is wrong";

/// List the lines of a robots.txt that the grammar derives, and the errors in the others
///
/// A line that the grammar does not derive is an error. A field that the grammar does not specify is a
/// note, and a warning if it resembles one that the grammar specifies.
///
/// A line that the grammar does not derive may still have an effect, because parsers are lenient: see
/// `robotspec check`.
///
/// Examples:
///   robotspec lint robots.txt
///   curl -sSL --compressed https://example.com/robots.txt | robotspec lint --edition google-2026 -
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    /// The edition with the grammar: one of those that `robotspec editions` lists
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition(), hide_possible_values = true)]
    edition: Edition,

    /// The format of the output; jsonl is one object per line of the file
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn lint(arguments: Arguments) -> Result<u8> {
    if !has_grammar(arguments.edition) {
        bail!("{} has no grammar; choose another edition with --edition", arguments.edition);
    }
    let file = arguments.file.read()?;
    if let Some(remark) = about_file(&file) {
        output::warning(remark);
    }
    let format = arguments.format;
    let mut out = format.stdout();
    let mut counts = Counts::default();
    for line in check_lines(arguments.edition, &file) {
        counts.add(&line.status);
        let text = escaped(line.text);
        match format {
            Format::Human => {
                let (word, style, reason) = describe(&line.status, line.text);
                writeln!(out, "{:>5}  {}  {text}", line.line, styled(style, format!("{word:<10}")))?;
                if let Some(reason) = reason {
                    writeln!(out, "{:>19}{}", "", styled(FAINT, reason))?;
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
    if format == Format::Human {
        writeln!(out, "\n{}", counts.describe(arguments.edition))?;
    }
    Ok(if counts.errors == 0 { OK } else { FAILED })
}

/// The numbers of lines by how serious their results are.
#[derive(Default)]
struct Counts {
    lines: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
}

impl Counts {
    fn add(&mut self, status: &LineStatus) {
        self.lines += 1;
        match status {
            LineStatus::Derived(_) => {}
            LineStatus::Additional(field) if nearest_field(field).is_some() => self.warnings += 1,
            LineStatus::Additional(_) => self.notes += 1,
            LineStatus::NotDerived(_) => self.errors += 1,
        }
    }

    /// Returns the numbers, and the reason for the exit code.
    fn describe(&self, edition: Edition) -> String {
        let Counts { lines, errors, warnings, notes } = *self;
        let numbers = format!(
            "{}: {}, {}, {}",
            counted(lines, "line"),
            counted(errors, "error"),
            counted(warnings, "warning"),
            counted(notes, "note")
        );
        match errors {
            0 => {
                styled(GOOD, format!("{numbers}\nexit code 0: no line contradicts the grammar of {edition}"))
            }
            _ => styled(
                BAD,
                format!(
                    "{numbers}\nexit code 1: the grammar of {edition} does not derive the lines with errors"
                ),
            ),
        }
    }
}

fn describe(status: &LineStatus, line: &[u8]) -> (&'static str, anstyle::Style, Option<String>) {
    let reason = about_line(status);
    match status {
        LineStatus::Derived(production) => (name(*production, line), GOOD, reason),
        LineStatus::Additional(field) => {
            let (word, style) =
                if nearest_field(field).is_some() { ("warning", OPEN) } else { ("note", FAINT) };
            (word, style, reason)
        }
        LineStatus::NotDerived(_) => ("error", BAD, reason),
    }
}

/// Returns what a line is, in a word of the field.
fn name(production: Production, line: &[u8]) -> &'static str {
    match production {
        // The production of 2019 derives both.
        Production::EmptyLine if line.contains(&b'#') => "comment",
        Production::StartGroupLine | Production::AgentLine => "user-agent",
        Production::Rule | Production::GroupMemberLine | Production::RuleLine => "rule",
        Production::EmptyLine | Production::Blank => "blank",
        Production::NonGroupLine => "sitemap",
        Production::Comment | Production::CommentLine => "comment",
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
            "message": format!("expected {}", error.expected.description()),
        }),
    }
}
