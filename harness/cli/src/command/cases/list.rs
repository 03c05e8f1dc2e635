//! `robotspec cases list`

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_cases::Check;
use robotspec_reference::Edition;
use serde_json::json;

use crate::command::exit::OK;
use crate::command::filters::Selection;
use crate::command::values::{Format, names};
use crate::output::{self, FAINT, styled};
use crate::report::by_value;

/// List the rows
///
/// Examples:
///   robotspec cases list --filter 'clause:M-star'
///   robotspec cases list --edition rfc9309 --expected unspecified --long
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(in crate::command) struct ListArguments {
    #[command(flatten)]
    selection: Selection,

    /// Show the clauses of each row, and the answers that the editions expect
    #[arg(long, short)]
    long: bool,

    /// The format of the output; jsonl is one object per row
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,
}

pub(super) fn list(arguments: &ListArguments) -> Result<u8> {
    let mut out = arguments.format.stdout();
    let (checks, _) = arguments.selection.select(false)?;
    for check in &checks {
        let clauses: Vec<&str> = check.clauses.iter().map(|clause| clause.id.as_str()).collect();
        match arguments.format {
            Format::Human if !arguments.long => writeln!(out, "{}", check.id)?,
            Format::Human => {
                let (id, expected) = (check.id.to_string(), describe_expected(check));
                writeln!(out, "{id:<56} {:<28} {}", clauses.join(" "), styled(FAINT, expected))?;
            }
            Format::Json => {
                let expected: BTreeMap<Edition, String> = answers(check).collect();
                let row = json!({
                    "id": check.id,
                    "clauses": clauses,
                    "google-specific": check.google_specific,
                    "expected": expected,
                });
                output::json(&mut out, &row)?;
            }
        }
    }
    Ok(OK)
}

/// Returns the answer that each edition expects, in words.
fn answers(check: &Check) -> impl Iterator<Item = (Edition, String)> {
    check.expected.iter().map(|(&edition, expected)| (edition, expected.to_string()))
}

/// Returns the answers that the editions expect, each with its editions.
fn describe_expected(check: &Check) -> String {
    let part = |(answer, editions): (String, Vec<Edition>)| {
        format!("{answer} in {}", names(&editions, check.expected.len()))
    };
    by_value(answers(check)).into_iter().map(part).collect::<Vec<_>>().join("; ")
}
