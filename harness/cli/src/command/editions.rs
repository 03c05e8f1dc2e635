//! `robotspec editions`: the questions table, and where editions part.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};
use comfy_table::{ContentArrangement, Table, presets};
use robotspec_reference::Edition;
use robotspec_reference::question::{Row, TABLE};
use serde_json::json;

use crate::command::output::{self, FAINT, STRONG, styled};
use crate::command::{Format, OK, edition};
use robotspec_cases::clause::Clause;
use robotspec_cases::difference::{same, shows};
use robotspec_cases::suite::{built_in, checks};

/// List the questions that the texts leave, with the answers of each edition
///
/// One answer means that the edition decides the question; several, that it is open there.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// How the output is written; json is one object a question
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Command {
    Diff(DiffArguments),
}

/// Tell where two editions answer differently, with a row that shows it
#[derive(Debug, Args)]
struct DiffArguments {
    /// An edition
    #[arg(value_name = "EDITION", value_parser = edition())]
    a: Edition,

    /// Another edition
    #[arg(value_name = "OTHER", value_parser = edition())]
    b: Edition,

    /// How the output is written; json is one object a difference
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn editions(arguments: Arguments) -> Result<u8> {
    match arguments.command {
        Some(Command::Diff(arguments)) => diff(&arguments),
        None => table(arguments.format),
    }
}

fn answers(row: &Row, edition: Edition) -> Vec<&'static str> {
    row.answers(edition).iter().map(|answer| answer.id()).collect()
}

fn table(format: Format) -> Result<u8> {
    let mut out = output::stdout();
    if format == Format::Json {
        for row in TABLE {
            let answers: serde_json::Map<String, serde_json::Value> = Edition::ALL
                .iter()
                .map(|&edition| (edition.id().to_owned(), json!(answers(row, edition))))
                .collect();
            let row = json!({ "question": row.question.id(), "asks": row.asks, "answers": answers, "because": row.because });
            output::json(&mut out, &row)?;
        }
        return Ok(OK);
    }
    for edition in Edition::ALL {
        writeln!(out, "{:<16} {}", edition.id(), edition.title())?;
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(
        std::iter::once("question".to_owned()).chain(Edition::ALL.map(|edition| edition.id().to_owned())),
    );
    for row in TABLE {
        let cells = Edition::ALL.map(|edition| answers(row, edition).join("\n"));
        table.add_row(std::iter::once(row.question.id()).chain(cells));
    }
    writeln!(out, "{table}")?;
    for row in TABLE {
        writeln!(out, "{} {}", styled(STRONG, format!("{:<24}", row.question)), row.asks)?;
        writeln!(out, "  {}", styled(FAINT, row.because))?;
    }
    Ok(OK)
}

fn diff(arguments: &DiffArguments) -> Result<u8> {
    let (a, b) = (arguments.a, arguments.b);
    let checks = checks(&built_in()?, false);
    let mut out = output::stdout();
    for row in TABLE.iter().filter(|row| !same(row, a, b)) {
        let shown = checks.iter().find(|check| shows(check, row, a, b));
        match arguments.format {
            Format::Human => {
                writeln!(out, "{}: {}", styled(STRONG, row.question), row.asks)?;
                for edition in [a, b] {
                    let expected =
                        shown.and_then(|check| check.expected.get(&edition)).map(ToString::to_string);
                    let expected = expected.map(|expected| format!("  → {expected}")).unwrap_or_default();
                    writeln!(out, "  {:<16} {}{expected}", edition.id(), answers(row, edition).join(", "))?;
                }
                if let Some(check) = shown {
                    writeln!(out, "  {}", styled(FAINT, &check.id))?;
                }
            }
            Format::Json => {
                let difference = json!({
                    "question": row.question.id(),
                    "answers": { a.id(): answers(row, a), b.id(): answers(row, b) },
                    "row": shown.map(|check| &check.id),
                });
                output::json(&mut out, &difference)?;
            }
        }
    }
    for clause in Clause::all() {
        let only = match (clause.section(a), clause.section(b)) {
            (Some(_), None) => a,
            (None, Some(_)) => b,
            _ => continue,
        };
        match arguments.format {
            Format::Human => {
                writeln!(out, "{}: only in {only}: {}", styled(STRONG, &clause.id), clause.statement)?
            }
            Format::Json => output::json(&mut out, &json!({ "clause": clause.id, "only-in": only.id() }))?,
        }
    }
    Ok(OK)
}
