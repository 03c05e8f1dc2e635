//! `robotspec export`

use std::io::{BufWriter, Write};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use schemars::generate::SchemaSettings;

use crate::cli::{OK, output};
use crate::export::Export;
use crate::filter::Filter;
use crate::suite::{built_in, checks};

/// The whole suite as data: every row with its file, what is asked, and what each edition expects
///
/// For who wants the vectors without this program. The format has a version, and --schema documents it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Only rows that fit `id:GLOB`, `clause:GLOB` or `kind:LETTER`, the first one of a clause's id;
    /// repeatable, any may hold
    #[arg(long, value_name = "FILTER")]
    filter: Vec<Filter>,

    /// The checks that are derived by rewriting files as well
    #[arg(long)]
    variants: bool,

    /// How it is written
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    format: ExportFormat,

    /// Print the JSON Schema of it
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
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        writeln!(out, "{:#}", generator.into_root_schema_for::<Export>().as_value())?;
        out.flush()?;
        return Ok(OK);
    }
    let mut checks = checks(&built_in()?, arguments.variants);
    checks.retain(|check| {
        arguments.filter.is_empty() || arguments.filter.iter().any(|filter| filter.holds(check))
    });
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
