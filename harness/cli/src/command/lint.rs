//! `robotspec lint`: a file against the grammar.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use robotspec_reference::grammar::{LineStatus, Production, check_lines, has_grammar};
use robotspec_reference::{Edition, nearest_field};
use robotspec_text::escaped;
use robotspec_text::remark::about_file;
use robotspec_text::sentences::{Severity, about_line};
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
    let (mut lines, mut found) = (0, Vec::new());
    for line in check_lines(arguments.edition, &file) {
        lines += 1;
        found.extend(Severity::of(&line.status));
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
        writeln!(out, "\n{}", describe_counts(lines, &found, arguments.edition))?;
    }
    Ok(if found.contains(&Severity::Error) { FAILED } else { OK })
}

/// Returns the number of lines, and of those that the grammar does not derive, and the reason for the exit code.
fn describe_counts(lines: usize, found: &[Severity], edition: Edition) -> String {
    let count = |severity: &Severity| found.iter().filter(|other| *other == severity).count();
    let counts = Severity::ALL.iter().map(|severity| counted(count(severity), severity.id()));
    let numbers = format!("{}: {}", counted(lines, "line"), counts.collect::<Vec<_>>().join(", "));
    match count(&Severity::Error) {
        0 => styled(GOOD, format!("{numbers}\nexit code 0: no line contradicts the grammar of {edition}")),
        _ => styled(
            BAD,
            format!("{numbers}\nexit code 1: the grammar of {edition} does not derive the lines with errors"),
        ),
    }
}

fn describe(status: &LineStatus, line: &[u8]) -> (&'static str, anstyle::Style, Option<String>) {
    let (word, style) = match (status, Severity::of(status)) {
        (LineStatus::Derived(production), _) => (name(*production, line), GOOD),
        (_, Some(Severity::Warning)) => (Severity::Warning.id(), OPEN),
        (_, Some(Severity::Note)) => (Severity::Note.id(), FAINT),
        _ => (Severity::Error.id(), BAD),
    };
    (word, style, about_line(status))
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
