//! The files of a folder as the inputs of a search.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use robotspec_cases::visible_path;

use crate::command::robots_file::LARGEST;
use crate::command::values::read_up_to;
use crate::output::{self, counted};

/// A file that was not made here.
pub(super) struct InputFile {
    pub(super) path: PathBuf,
    pub(super) bytes: Arc<[u8]>,
}

/// Why an entry of the folder is not an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Skipped {
    Folder,
    /// It could lead to a file that is not in the folder, or to one that is read already.
    Link,
    /// A device, a pipe or a socket.
    Special,
    Unreadable,
    TooLarge,
}

impl Skipped {
    const ALL: [Skipped; 5] =
        [Skipped::Folder, Skipped::Link, Skipped::Special, Skipped::Unreadable, Skipped::TooLarge];

    fn describe(self, count: usize) -> String {
        match self {
            Skipped::Folder => counted(count, "folder"),
            Skipped::Link => counted(count, "symbolic link"),
            Skipped::Special => counted(count, "special file"),
            Skipped::Unreadable => counted(count, "unreadable file"),
            Skipped::TooLarge => format!("{} of more than {LARGEST} bytes", counted(count, "file")),
        }
    }
}

/// Reads the files of a folder in the order of their names, and says which entries it skips.
///
/// # Errors
///
/// The folder cannot be read, or has no file that can be.
pub(super) fn read_folder(folder: &Path) -> Result<Vec<InputFile>> {
    let unreadable = || format!("cannot read the folder {}", visible_path(folder));
    let entries = fs::read_dir(folder).with_context(unreadable)?;
    let mut entries: Vec<DirEntry> = entries.collect::<Result<_, _>>().with_context(unreadable)?;
    entries.sort_by_key(DirEntry::file_name);
    let mut files = Vec::new();
    let mut skipped = Vec::new();
    for entry in entries {
        match read_entry(&entry) {
            Ok(bytes) => files.push(InputFile { path: entry.path(), bytes: bytes.into() }),
            Err(reason) => skipped.push((reason, entry.path())),
        }
    }
    for reason in Skipped::ALL {
        let of_reason: Vec<&PathBuf> =
            skipped.iter().filter(|(other, _)| *other == reason).map(|(_, path)| path).collect();
        if let Some(first) = of_reason.first() {
            let such_as = if of_reason.len() == 1 { "" } else { "such as " };
            let entries = reason.describe(of_reason.len());
            output::warning(&format!("skipped {entries}: {such_as}{}", visible_path(first)));
        }
    }
    if files.is_empty() {
        bail!(
            "{} has no file that could be an input; files in folders below it are not read",
            visible_path(folder)
        );
    }
    Ok(files)
}

fn read_entry(entry: &DirEntry) -> Result<Vec<u8>, Skipped> {
    let kind = entry.file_type().map_err(|_| Skipped::Unreadable)?;
    if kind.is_dir() {
        return Err(Skipped::Folder);
    }
    if kind.is_symlink() {
        return Err(Skipped::Link);
    }
    if !kind.is_file() {
        return Err(Skipped::Special);
    }
    let bytes = read_up_to(&entry.path(), LARGEST).map_err(|_| Skipped::Unreadable)?;
    bytes.ok_or(Skipped::TooLarge)
}
