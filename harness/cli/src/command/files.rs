//! The files that a command reads and writes. A command that would overwrite one of its inputs, or write two outputs to one
//! file, is refused before it does anything.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use robotspec::replace::{folder_of, new_path};
use robotspec_text::visible_path;
use same_file::Handle;

/// Returns the paths in a folder, sorted.
///
/// # Errors
///
/// The folder cannot be read.
pub(super) fn list_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = || -> io::Result<Vec<PathBuf>> { folder.read_dir()?.map(|entry| Ok(entry?.path())).collect() };
    let mut paths = list().with_context(|| format!("cannot read {}", visible_path(folder)))?;
    paths.sort();
    Ok(paths)
}

/// Returns what identifies a file, whichever of its paths and links names it: a handle, or the path of one that does not
/// exist; `None` for what has no content of its own, such as a device, a pipe or `-`.
fn identify(path: &Path) -> Option<Result<Handle, PathBuf>> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => None,
        Err(_) if path == Path::new("-") => None,
        _ => Some(Handle::from_path(path).map_err(|_| new_path(path))),
    }
}

/// Checks that no output is an input, or another output.
///
/// # Errors
///
/// An output is an input, or another output.
pub(super) fn refuse_overwriting<'f>(
    inputs: impl IntoIterator<Item = &'f Path>,
    outputs: impl IntoIterator<Item = &'f Path>,
) -> Result<()> {
    let inputs = inputs.into_iter().filter_map(|path| Some((identify(path)?, (path, "read"))));
    let mut taken: HashMap<_, (&Path, &str)> = inputs.collect();
    for output in outputs {
        let Some(id) = identify(output) else { continue };
        if let Some((path, role)) = taken.insert(id, (output, "write")) {
            let (output, path) = (visible_path(output), visible_path(path));
            let also = if path == output { String::new() } else { format!(" as {path}") };
            bail!(
                "{output} cannot be an output: this command would also {role} it{also}; choose another file"
            );
        }
    }
    Ok(())
}

/// Checks that a folder, into which a command writes files of cases, has no input of this command that these could
/// overwrite.
///
/// # Errors
///
/// An input is a file of the folder that could be one of cases.
pub(super) fn refuse_folder_of_inputs<'f>(
    folder: &Path,
    inputs: impl IntoIterator<Item = &'f Path>,
) -> Result<()> {
    let id = |folder: &Path| fs::canonicalize(folder).ok();
    let is_in_folder = |input: &&Path| {
        input.extension().is_some_and(|extension| extension == "yaml")
            && id(folder).is_some_and(|folder| id(folder_of(input)) == Some(folder))
    };
    match inputs.into_iter().find(is_in_folder) {
        Some(input) => bail!(
            "{} cannot be the folder of the findings: this command also reads {}; choose another folder",
            visible_path(folder),
            visible_path(input)
        ),
        None => Ok(()),
    }
}
