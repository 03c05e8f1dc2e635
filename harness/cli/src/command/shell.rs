//! `robotspec completions` and `robotspec man`, which are generated from the definition of the command line.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::{Man, generate_to};
use robotspec_text::visible_path;

use crate::command::exit::OK;
use crate::output;

/// Write a script with which a shell completes the commands of robotspec
///
/// Examples:
///   robotspec completions bash > ~/.local/share/bash-completion/completions/robotspec
///   robotspec completions fish > ~/.config/fish/completions/robotspec.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn completions(arguments: &CompletionsArguments, mut command: Command) -> Result<u8> {
    // `generate` panics if it writes to a closed pipe.
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "robotspec", &mut script);
    output::for_programs().write_all(&script)?;
    Ok(OK)
}

/// Write the man page, or a man page for each command
///
/// Examples:
///   robotspec man | man -l -
///   robotspec man --out ~/.local/share/man/man1
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ManArguments {
    /// A folder for the pages of all commands; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn man(arguments: &ManArguments, command: Command) -> Result<u8> {
    let Some(folder) = &arguments.out else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        output::for_programs().write_all(&page)?;
        return Ok(OK);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", visible_path(folder)))?;
    generate_to(command, folder).with_context(|| format!("cannot write to {}", visible_path(folder)))?;
    Ok(OK)
}
