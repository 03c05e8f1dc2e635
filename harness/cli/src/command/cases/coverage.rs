//! `robotspec cases coverage`

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_cases::coverage::{ClauseCoverage, Rows, coverage};
use robotspec_cases::suite::built_in;
use robotspec_reference::Edition;

use crate::command::exit::{FAILED, OK};
use crate::command::values::Format;
use crate::output::{self, BAD, FAINT, columns, styled, table};

/// The number of columns of the table with all editions.
const WIDTH_OF_ALL: usize = 100;

/// Count the rows that test each clause in each edition
///
/// Exit code 1 if a testable clause has no row that could fail in an edition that has the clause.
///
/// Example:
///   robotspec cases coverage
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(in crate::command) struct CoverageArguments {
    /// The format of the output; jsonl is one object per clause
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,
}

pub(super) fn show_coverage(arguments: &CoverageArguments) -> Result<u8> {
    let coverage = coverage(built_in()?);
    let mut out = arguments.format.stdout();
    if arguments.format == Format::Json {
        for clause in &coverage {
            output::json(&mut out, clause)?;
        }
    } else {
        let has_room = columns() >= WIDTH_OF_ALL;
        let editions = if has_room { &Edition::ALL[..] } else { &Edition::USUAL };
        writeln!(out, "{}", counts_table(&coverage, editions))?;
        let legend = "rows that could fail, + rows that the edition does not specify; · not in that edition";
        writeln!(out, "{}", styled(FAINT, legend))?;
        if !has_room {
            let hint = format!("from {WIDTH_OF_ALL} columns on, the table has the other editions as well");
            writeln!(out, "{}", styled(FAINT, hint))?;
        }
    }
    let missing: Vec<String> = coverage
        .iter()
        .flat_map(|clause| {
            clause.missing().into_iter().map(move |edition| format!("{} in {edition}", clause.clause))
        })
        .collect();
    if missing.is_empty() {
        return Ok(OK);
    }
    if arguments.format == Format::Human {
        writeln!(out, "{} {}", styled(BAD, "without a row that could fail:"), missing.join(", "))?;
    }
    Ok(FAILED)
}

fn counts_table(coverage: &[ClauseCoverage], editions: &[Edition]) -> String {
    let cell = |rows: Option<&Rows>, is_testable: bool| match rows {
        None => "·".to_owned(),
        Some(_) if !is_testable => "-".to_owned(),
        Some(Rows { definite, unspecified: 0 }) => definite.to_string(),
        Some(Rows { definite, unspecified }) => format!("{definite} + {unspecified}"),
    };
    let rows = coverage.iter().map(|clause| {
        let cells = editions.iter().map(|edition| cell(clause.editions.get(edition), clause.is_testable));
        std::iter::once(clause.clause.clone()).chain(cells)
    });
    // The columns are narrow.
    let editions = editions.iter().map(|edition| edition.id().replacen('-', "-\n", 1));
    let header = std::iter::once("clause".to_owned()).chain(editions);
    table(header, rows, 1..usize::MAX)
}
