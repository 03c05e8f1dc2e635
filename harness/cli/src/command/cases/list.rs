//! `robotspec cases list`

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, checks};
use robotspec_reference::Edition;
use serde_json::json;

use crate::command::exit::OK;
use crate::command::filters::Filters;
use crate::command::values::Format;
use crate::output::{self, FAINT, styled};

/// List every row, with its clauses and the answers that the editions expect
#[derive(Debug, Args)]
pub(in crate::command) struct ListArguments {
    #[command(flatten)]
    filters: Filters,

    /// The format of the output; json is one object per line
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn list(arguments: &ListArguments) -> Result<u8> {
    let mut out = arguments.format.stdout();
    let checks = checks(&built_in()?, false);
    arguments.filters.refuse_idle(&checks)?;
    for check in checks.iter().filter(|check| arguments.filters.hold(check)) {
        let clauses: Vec<&str> = check.clauses.iter().map(|clause| clause.id.as_str()).collect();
        match arguments.format {
            Format::Human => {
                let (id, expected) = (check.id.to_string(), describe_expected(check));
                writeln!(out, "{id:<56} {:<28} {}", clauses.join(" "), styled(FAINT, expected))?;
            }
            Format::Json => {
                let expected: BTreeMap<Edition, String> = check
                    .expected
                    .iter()
                    .map(|(&edition, expected)| (edition, expected.to_string()))
                    .collect();
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

/// Returns the answers that the editions expect, each with its editions unless all agree.
fn describe_expected(check: &Check) -> String {
    let mut by_answer: Vec<(String, Vec<&str>)> = Vec::new();
    for (edition, expected) in &check.expected {
        let expected = expected.to_string();
        match by_answer.iter_mut().find(|(answer, _)| *answer == expected) {
            Some((_, editions)) => editions.push(edition.id()),
            None => by_answer.push((expected, vec![edition.id()])),
        }
    }
    if let [(answer, editions)] = by_answer.as_slice()
        && editions.len() == Edition::ALL.len()
    {
        return answer.clone();
    }
    let part = |(answer, editions): &(String, Vec<&str>)| format!("{answer} in {}", editions.join(", "));
    by_answer.iter().map(part).collect::<Vec<_>>().join("; ")
}
