//! `robotspec completions`

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::command::{Cli, OK, output};

/// Write what a shell needs to complete the commands of robotspec
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

pub(super) fn completions(arguments: &Arguments) -> Result<u8> {
    // Straight to a closed pipe, it would panic.
    let mut script = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "robotspec", &mut script);
    output::stdout().write_all(&script)?;
    Ok(OK)
}
