//! `robotspec.toml`: the implementations of a project, and how `robotspec run` and `robotspec fuzz` run them.

mod format;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use robotspec_text::{visible, visible_path};

pub(super) use self::format::Config;
use crate::command::implementation::{Implementation, ImplementationKind, Limits, unknown_implementation};
use crate::command::values::read_text_file;
use crate::output;

/// The file that is read from the current folder.
const FILE: &str = "robotspec.toml";

/// The argument that names the configuration of a command.
#[derive(Debug, Args)]
pub(super) struct ConfigArgument {
    /// The configuration [default: robotspec.toml in the current folder, if it exists]
    #[arg(id = "config", long = "config", value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
}

impl Config {
    /// Reads the given file, or else the one in the current folder, if it exists.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not a configuration, or has no key.
    pub(super) fn find(given: &ConfigArgument) -> Result<Self> {
        let given = given.file.as_deref();
        let file = given.unwrap_or(Path::new(FILE));
        // A link to nothing is not the same as no file.
        if given.is_none() && fs::symlink_metadata(file).is_err() {
            return Ok(Config::default());
        }
        let text = read_text_file(file)?;
        let mut config = format::read_config(file, &text)?;
        if format::is_empty(&text) {
            bail!("{} is empty; `robotspec run --help` lists its keys", visible_path(file));
        }
        (config.file, config.is_named) = (Some(file.to_owned()), given.is_some());
        Ok(config)
    }

    /// Returns the implementations of these names and the others; or, if there are neither, all of the configuration.
    /// `limits` override those of the configuration.
    ///
    /// # Errors
    ///
    /// A name is unknown, or a configuration that the command line names has no implementation, and neither has the command
    /// line.
    pub(super) fn choose(
        &self,
        names: &[String],
        others: Vec<Implementation>,
        limits: Limits,
    ) -> Result<Vec<Implementation>> {
        let with_limits = |implementation: &Implementation| {
            // Whoever wrote the file chose the command, and not who runs it.
            if let (Some(file), Some(command)) = (&self.file, implementation.command()) {
                output::note(&format!("{} starts: {}", visible_path(file), visible(command)));
            }
            Implementation { limits: limits.or(implementation.limits), ..implementation.clone() }
        };
        if names.is_empty() && others.is_empty() {
            if let Some(file) =
                self.file.as_ref().filter(|_| self.is_named && self.implementations.is_empty())
            {
                bail!(
                    "{} lists no implementation: add `[[implementation]]`, or name one on the command line",
                    visible_path(file)
                );
            }
            return Ok(self.implementations.iter().map(with_limits).collect());
        }
        let mut chosen = Vec::new();
        for name in names {
            let own = self.implementations.iter().find(|own| own.name.as_ref() == Some(name));
            chosen.push(match (own, robotspec_built_in::find(name)) {
                (Some(implementation), _) => with_limits(implementation),
                (None, Some(built_in)) => Implementation::new(ImplementationKind::BuiltIn(built_in), limits),
                (None, None) => {
                    let own = self.implementations.iter().filter_map(|own| own.name.as_deref());
                    let unknown = unknown_implementation(name, own);
                    bail!(
                        "{unknown}\ndefine it in robotspec.toml, or give its command with --adapter or --exec"
                    )
                }
            });
        }
        chosen.extend(others);
        Ok(chosen)
    }
}
