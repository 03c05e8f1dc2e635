//! `robotspec editions`: the questions table, and the differences between editions.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};
use robotspec_cases::difference::{same, shows};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Clause, checks};
use robotspec_reference::question::{Row, TABLE};
use robotspec_reference::{Choice, Edition};
use serde_json::json;

use crate::command::exit::OK;
use crate::command::values::{Format, Topic, edition, names, topic};
use crate::output::{self, FAINT, STRONG, styled};
use crate::report::by_value;

/// List the questions that the texts raise, with the answers of each edition
///
/// One answer means that the edition decides the question; several mean that it does not. A mistake
/// is an answer that parsers often give although the edition does not admit it.
///
/// Examples:
///   robotspec editions
///   robotspec editions rfc9309
///   robotspec editions StarText
///   robotspec editions diff rfc9309 google-2026
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// An edition, for its answers alone, or a question, for all that is known about it
    #[arg(value_name = "EDITION|QUESTION", value_parser = topic())]
    topic: Option<Topic>,

    /// The format of the output; jsonl is one object per question
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Command {
    Diff(DiffArguments),
}

/// List the questions that two editions answer differently, each with a row that shows the difference
///
/// Example:
///   robotspec editions diff google-2021 rfc9309
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct DiffArguments {
    /// An edition: one of those that `robotspec editions` lists
    #[arg(value_name = "EDITION", value_parser = edition(), hide_possible_values = true)]
    a: Edition,

    /// Another edition
    #[arg(value_name = "OTHER", value_parser = edition(), hide_possible_values = true)]
    b: Edition,

    /// The format of the output; jsonl is one object per difference
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,
}

pub(super) fn editions(arguments: Arguments) -> Result<u8> {
    match arguments.command {
        Some(Command::Diff(arguments)) => write_differences(&arguments)?,
        None => write_table(arguments.topic, arguments.format)?,
    }
    Ok(OK)
}

fn answers(row: &Row, edition: Edition) -> Vec<&'static str> {
    row.answers(edition).iter().map(|answer| answer.id()).collect()
}

/// Returns the mistakes of a question, with what is observed.
fn mistakes(row: &Row) -> impl Iterator<Item = (Choice, &'static str)> {
    Choice::mistakes()
        .filter(|mistake| mistake.question == row.question)
        .filter_map(|mistake| Some((mistake, mistake.observation()?)))
}

/// Writes the questions with the answers of an edition, or of all; or one question.
fn write_table(topic: Option<Topic>, format: Format) -> Result<()> {
    let mut out = format.stdout();
    let (of, question) = match topic {
        Some(Topic::Edition(edition)) => (Some(edition), None),
        Some(Topic::Question(question)) => (None, Some(question)),
        None => (None, None),
    };
    let editions = of.map_or(Edition::ALL.to_vec(), |edition| vec![edition]);
    if format == Format::Json {
        let chosen = |row: &&Row| question.is_none_or(|question| row.question == question);
        for row in TABLE.iter().filter(chosen) {
            let answers: BTreeMap<Edition, Vec<&str>> =
                editions.iter().map(|&edition| (edition, answers(row, edition))).collect();
            let mistakes: BTreeMap<&str, &str> =
                mistakes(row).map(|(answer, observed)| (answer.id(), observed)).collect();
            let row = json!({
                "question": row.question.id(),
                "asks": row.asks,
                "answers": answers,
                "because": row.because,
                "mistakes": mistakes,
            });
            output::json(&mut out, &row)?;
        }
        return Ok(());
    }
    if let Some(question) = question {
        return explain(question.row(), &mut out);
    }
    for edition in &editions {
        writeln!(out, "{:<16} {}", edition.id(), edition.title())?;
    }
    for row in TABLE {
        writeln!(out, "\n{}: {}", styled(STRONG, row.question), row.asks)?;
        writeln!(out, "  {}", styled(FAINT, row.because))?;
        if let Some(edition) = of {
            writeln!(out, "  {}", answers(row, edition).join(" or "))?;
            continue;
        }
        let answers = Edition::ALL.map(|edition| (edition, answers(row, edition).join(" or ")));
        for (answer, editions) in by_value(answers) {
            writeln!(out, "  {answer}: {}", names(&editions, Edition::ALL.len()))?;
        }
        for (mistake, observed) in mistakes(row) {
            writeln!(out, "  mistake {mistake}: {observed}")?;
        }
    }
    Ok(())
}

/// Writes a question with each of its answers in words.
fn explain(row: &Row, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}: {}", styled(STRONG, row.question), row.asks)?;
    writeln!(out, "  {}", styled(FAINT, row.because))?;
    for choice in row.question.choices() {
        let admitting: Vec<Edition> =
            Edition::ALL.into_iter().filter(|edition| row.answers(*edition).contains(&choice)).collect();
        let observed = choice.observation().map(|observed| format!("\n    a mistake of parsers: {observed}"));
        let admitted = match admitting.is_empty() {
            true => "no edition admits it".to_owned(),
            false => format!("in {}", names(&admitting, Edition::ALL.len())),
        };
        writeln!(out, "  {}: {}", styled(STRONG, choice), choice.meaning())?;
        writeln!(out, "    {}{}", styled(FAINT, admitted), observed.unwrap_or_default())?;
    }
    if !row.advice.is_empty() {
        writeln!(out, "  {}", row.advice)?;
    }
    for clause in row.clauses.iter().filter_map(|id| Clause::find(id)) {
        writeln!(out, "{}: {}", styled(STRONG, &clause.id), clause.statement)?;
    }
    Ok(())
}

fn write_differences(arguments: &DiffArguments) -> Result<()> {
    let (a, b) = (arguments.a, arguments.b);
    let checks = checks(built_in()?, false);
    let mut out = arguments.format.stdout();
    for row in TABLE.iter().filter(|row| !same(row, a, b)) {
        let example = checks.iter().find(|check| shows(check, row, a, b));
        match arguments.format {
            Format::Human => {
                writeln!(out, "{}: {}", styled(STRONG, row.question), row.asks)?;
                for edition in [a, b] {
                    let expected = example.and_then(|check| check.expected.get(&edition));
                    let expected = expected.map(|expected| format!("  → {expected}")).unwrap_or_default();
                    writeln!(out, "  {:<16} {}{expected}", edition.id(), answers(row, edition).join(", "))?;
                }
                if let Some(check) = example {
                    writeln!(out, "  {}", styled(FAINT, &check.id))?;
                }
            }
            Format::Json => {
                let difference = json!({
                    "question": row.question.id(),
                    "answers": { a.id(): answers(row, a), b.id(): answers(row, b) },
                    "row": example.map(|check| &check.id),
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
            Format::Json => output::json(&mut out, &json!({ "clause": clause.id, "only-in": only }))?,
        }
    }
    Ok(())
}
