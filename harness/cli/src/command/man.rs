//! `robotspec man`

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_mangen::{Man, generate_to};

use crate::command::{Cli, OK, output};

/// Write the man page, or one for every command
///
/// Examples:
///   robotspec man | man -l -
///   robotspec man --out ~/.local/share/man/man1
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// A directory for the pages of all commands, made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn man(arguments: &Arguments) -> Result<u8> {
    let Some(directory) = &arguments.out else {
        let mut page = Vec::new();
        Man::new(Cli::command()).render(&mut page)?;
        output::stdout().write_all(&page)?;
        return Ok(OK);
    };
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    generate_to(Cli::command(), directory)
        .with_context(|| format!("cannot write to {}", directory.display()))?;
    Ok(OK)
}
