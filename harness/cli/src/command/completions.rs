//! `robotspec completions`

use std::io::Write;

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::command::exit::OK;
use crate::output;

/// Write a script with which a shell completes the commands of robotspec
///
/// Examples:
///   robotspec completions bash > ~/.local/share/bash-completion/completions/robotspec
///   robotspec completions fish > ~/.config/fish/completions/robotspec.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn completions(arguments: &Arguments, mut command: Command) -> Result<u8> {
    // `generate` panics if it writes to a closed pipe.
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "robotspec", &mut script);
    output::for_programs().write_all(&script)?;
    Ok(OK)
}
