//! `robotspec export`

use std::io::{BufWriter, Write};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::command::filters::Filters;
use crate::command::{OK, output};
use robotspec_cases::export::Export;
use robotspec_cases::suite::{built_in, checks};

/// Write the whole suite as data, for those who want the vectors without this program
///
/// Every row with its file, what is asked, and what each edition expects. The format has a version,
/// and --schema documents it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    filters: Filters,

    /// Export the checks that are derived by rewriting files, too
    #[arg(long)]
    variants: bool,

    /// How the output is written
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    format: ExportFormat,

    /// Print the JSON Schema of the output instead
    #[arg(long)]
    schema: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ExportFormat {
    /// One document
    Json,
}

pub(super) fn export(arguments: &Arguments) -> Result<u8> {
    let mut out = BufWriter::new(output::stdout());
    if arguments.schema {
        out.write_all(include_bytes!("../../schemas/export.json"))?;
        out.flush()?;
        return Ok(OK);
    }
    let mut checks = checks(&built_in()?, arguments.variants);
    arguments.filters.refuse_idle(&checks)?;
    checks.retain(|check| arguments.filters.hold(check));
    if checks.is_empty() {
        bail!("no row is left; `robotspec cases list` shows what there is");
    }
    match arguments.format {
        ExportFormat::Json => serde_json::to_writer(&mut out, &Export::new(&checks))?,
    }
    writeln!(out)?;
    out.flush()?;
    Ok(OK)
}
