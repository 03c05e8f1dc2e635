//! `robotspec cases minimal`

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_cases::minimal::rows;

use crate::command::exit::OK;
use crate::command::values::Format;
use crate::output;

/// Print the smallest known set of rows that finds every mistake of a large collection
///
/// The collection consists of parsers with one mistake each, and of the reference with one changed
/// expression. The set finds all mistakes that all rows find, in a fraction of the time: use it
/// on every commit of a parser, and all rows before a release.
///
/// Example:
///   robotspec run --filter minimal --adapter 'python3 my_adapter.py'
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(in crate::command) struct MinimalArguments {
    /// The format of the output; json is a list of ids
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn minimal(arguments: &MinimalArguments) -> Result<u8> {
    let mut out = arguments.format.stdout();
    match arguments.format {
        Format::Human => rows().iter().try_for_each(|row| writeln!(out, "{row}"))?,
        Format::Json => output::json(&mut out, rows())?,
    }
    Ok(OK)
}
