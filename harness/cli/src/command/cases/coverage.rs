//! `robotspec cases coverage`

use std::io::Write;

use anyhow::Result;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use robotspec_cases::coverage::{ClauseCoverage, Rows, coverage};
use robotspec_cases::suite::built_in;
use robotspec_reference::Edition;

use crate::command::exit::{FAILED, OK};
use crate::command::values::Format;
use crate::output::{self, BAD, FAINT, styled};

/// Count the rows that test each clause in each edition
///
/// Exit code 1 if a testable clause has no row that could fail in an edition that has the clause.
#[derive(Debug, Args)]
pub(in crate::command) struct CoverageArguments {
    /// The format of the output; json is one object per clause
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn show_coverage(arguments: &CoverageArguments) -> Result<u8> {
    let coverage = coverage(&built_in()?);
    let mut out = arguments.format.stdout();
    if arguments.format == Format::Json {
        for clause in &coverage {
            output::json(&mut out, clause)?;
        }
    } else {
        writeln!(out, "{}", table(&coverage))?;
        let legend = "rows that could fail, + rows that the edition does not specify; · not in that edition";
        writeln!(out, "{}", styled(FAINT, legend))?;
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

fn table(coverage: &[ClauseCoverage]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(std::iter::once("clause").chain(Edition::ALL.map(Edition::id)));
    let cell = |rows: Option<&Rows>, is_testable: bool| match rows {
        None => "·".to_owned(),
        Some(_) if !is_testable => "-".to_owned(),
        Some(Rows { definite, unspecified: 0 }) => definite.to_string(),
        Some(Rows { definite, unspecified }) => format!("{definite} + {unspecified}"),
    };
    for clause in coverage {
        let cells = Edition::ALL.map(|edition| cell(clause.editions.get(&edition), clause.is_testable));
        table.add_row(std::iter::once(clause.clause.clone()).chain(cells));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
