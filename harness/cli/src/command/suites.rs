//! Suites from files.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use robotspec_cases::suite::{built_in, load};
use robotspec_cases::{Suite, visible_path};

/// Returns the suites in files, or the built-in ones where there are no files.
///
/// # Errors
///
/// A file cannot be read, is not a suite, or has the id of another suite.
pub(super) fn load_or_built_in(files: &[PathBuf]) -> Result<Vec<Suite>> {
    if files.is_empty() {
        return Ok(built_in()?);
    }
    let mut suites: Vec<Suite> = Vec::new();
    for file in files {
        let name = visible_path(file);
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        let suite = load(file, &text)?;
        if suites.iter().any(|earlier| earlier.id == suite.id) {
            bail!("{name}: another file has the suite `{}`; choose another id", suite.id);
        }
        suites.push(suite);
    }
    Ok(suites)
}
