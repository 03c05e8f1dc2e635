//! `robotspec export`

use std::io::{BufWriter, Write};

use anyhow::Result;
use clap::{Args, ValueEnum};
use robotspec_cases::export::Export;

use crate::command::exit::OK;
use crate::command::filters::Selection;
use crate::output;
use crate::schema;

/// Write all checks as data, for use without this program
///
/// Every row with its file, its query, the answer that each edition expects, and why; the clauses,
/// editions and questions that rows refer to. The format has a version; --schema documents it.
///
/// Examples:
///   robotspec export > checks.json
///   robotspec export --variants --filter 'clause:M-*' > matching.json
///   robotspec export --edition rfc9309 --expected unspecified > open.json
///   robotspec export --schema > export.schema.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,

    /// Export the checks that are derived by rewriting files, too
    #[arg(long)]
    variants: bool,

    /// The format of the output
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    format: ExportFormat,

    /// Print the JSON Schema of the output and exit
    #[arg(long)]
    schema: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ExportFormat {
    /// One document
    Json,
}

pub(super) fn export(arguments: &Arguments) -> Result<u8> {
    let mut out = BufWriter::new(output::for_programs());
    if arguments.schema {
        out.write_all(schema::of_output::<Export>().as_bytes())?;
        out.flush()?;
        return Ok(OK);
    }
    let (checks, suites) = arguments.selection.select(arguments.variants)?;
    match arguments.format {
        ExportFormat::Json => output::json(&mut out, &Export::new(&suites, &checks))?,
    }
    out.flush()?;
    Ok(OK)
}
