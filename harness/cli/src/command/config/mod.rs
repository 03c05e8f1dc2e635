//! `robotspec.toml`: the implementations of a project, and how `robotspec run` and `robotspec fuzz` run them.

mod format;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use robotspec_cases::Level;
use robotspec_fuzz::Limit;
use robotspec_reference::Edition;
use robotspec_text::{visible, visible_path};

use crate::command::filters::Filters;
use crate::command::implementation::{Implementation, ImplementationKind, Limits};
use crate::command::reports::ReportTo;
use crate::command::values::nearest;

/// The file that is read from the current folder.
const FILE: &str = "robotspec.toml";

/// The argument that names the configuration of a command.
#[derive(Debug, Args)]
pub(super) struct ConfigArgument {
    /// The configuration [default: robotspec.toml in the current folder, if it exists]
    #[arg(id = "config", long = "config", value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
}

/// A configuration.
#[derive(Debug)]
pub(super) struct Config {
    /// The file that was read.
    pub(super) file: Option<PathBuf>,
    /// Whether the command line names the file.
    is_named: bool,
    pub(super) implementations: Vec<Implementation>,
    pub(super) editions: Vec<Edition>,
    pub(super) level: Option<Level>,
    pub(super) filters: Filters,
    pub(super) google_specific: bool,
    pub(super) variants: bool,
    pub(super) jobs: Option<u16>,
    pub(super) reports: Vec<ReportTo>,
    pub(super) fuzz: FuzzConfig,
}

/// The configuration of `robotspec fuzz`.
#[derive(Debug, Default)]
pub(super) struct FuzzConfig {
    pub(super) known_failures: Option<PathBuf>,
    pub(super) out: Option<PathBuf>,
    pub(super) limit: Option<Limit>,
    pub(super) seed: Option<u64>,
}

/// A name that is neither in the configuration nor that of a built-in implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnknownImplementation {
    name: String,
    available: Vec<String>,
}

impl fmt::Display for UnknownImplementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownImplementation { name, available } = self;
        let list = visible(&available.join(", "));
        write!(f, "unknown implementation `{}`; available: {list}", visible(name))?;
        match nearest(available.iter().map(String::as_str), name) {
            Some(nearest) => write!(f, "; did you mean `{}`?", visible(nearest)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownImplementation {}

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
            return Ok(format::read(file, "")?);
        }
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", visible_path(file)))?;
        let config = format::read(file, &text)?;
        if format::is_empty(&text) {
            bail!("{} is empty; `robotspec run --help` lists its keys", visible_path(file));
        }
        Ok(Config { file: Some(file.to_owned()), is_named: given.is_some(), ..config })
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
        let with_limits = |implementation: &Implementation| Implementation {
            limits: limits.or(implementation.limits),
            ..implementation.clone()
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
            chosen.push(match (self.find_implementation(name), robotspec_built_in::find(name)) {
                (Some(implementation), _) => with_limits(implementation),
                (None, Some(built_in)) => Implementation::new(ImplementationKind::BuiltIn(built_in), limits),
                (None, None) => return Err(self.unknown(name)),
            });
        }
        chosen.extend(others);
        Ok(chosen)
    }

    /// Returns whether the configuration or robotspec itself has an implementation of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.find_implementation(name).is_some() || robotspec_built_in::find(name).is_some()
    }

    fn find_implementation(&self, name: &str) -> Option<&Implementation> {
        self.implementations.iter().find(|implementation| implementation.name.as_deref() == Some(name))
    }

    fn unknown(&self, name: &str) -> anyhow::Error {
        let own = self.implementations.iter().filter_map(|implementation| implementation.name.clone());
        let built_in = robotspec_built_in::names().into_iter().map(str::to_owned);
        let unknown =
            UnknownImplementation { name: name.to_owned(), available: own.chain(built_in).collect() };
        let hint = "define it in robotspec.toml, or give its command with --adapter or --exec";
        anyhow::anyhow!("{unknown}\n{hint}")
    }
}
