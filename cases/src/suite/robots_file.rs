//! The file that a case names in place of its text.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The size of the largest robots.txt that is read from a file, in bytes.
pub const LARGEST_FILE: u64 = 16 << 20;

/// Why a case cannot have the file that it names.
#[derive(Debug)]
pub(super) enum BadFile {
    /// The suite is not a file, so that there is no folder.
    NoFolder,
    /// The path is empty.
    Empty,
    /// The path may lead out of the folder.
    Outside(String),
    /// A link leads out of the folder.
    Link(String),
    /// The path is that of a folder or a device.
    NotAFile(String),
    /// The file is larger than a robots.txt may be.
    TooLarge(String),
    /// The file cannot be read.
    Unreadable(String, io::Error),
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadFile::NoFolder => f.write_str(
                "this suite is not in a folder, so it cannot name a file; write the file under `robots`",
            ),
            BadFile::Empty => f.write_str("the path is empty; name a file, such as `robots.txt`"),
            BadFile::Outside(path) => write!(
                f,
                "`{path}` is not in the folder of the suite; name a file in it by its relative path, without `..`"
            ),
            BadFile::Link(path) => write!(
                f,
                "`{path}` is a link that leads out of the folder of the suite; copy the file into the folder"
            ),
            BadFile::NotAFile(path) => write!(f, "`{path}` is not a file; name a robots.txt"),
            BadFile::TooLarge(path) => {
                write!(f, "`{path}` has more than {LARGEST_FILE} bytes; name a smaller file")
            }
            BadFile::Unreadable(path, error) => {
                write!(f, "cannot read `{path}`: {error}; the path is relative to the folder of the suite")
            }
        }
    }
}

/// Reads the file that a case names by its path relative to the folder of its suite. Returns its path and its bytes.
///
/// # Errors
///
/// The path may lead out of the folder, also by a link, or it is not that of a file that can be read and is not too large.
pub(super) fn read(folder: &Path, name: &str) -> Result<(PathBuf, Vec<u8>), BadFile> {
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.is_empty() {
        return Err(BadFile::Empty);
    }
    if !Path::new(name).components().all(is_inside) {
        return Err(BadFile::Outside(name.to_owned()));
    }
    let unreadable = |error| BadFile::Unreadable(name.to_owned(), error);
    let path = folder.join(name);
    // The folder of `suite.yaml` is the empty path, which is not that of a folder.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = path.canonicalize().map_err(unreadable)?;
    if !real.starts_with(folder.canonicalize().map_err(unreadable)?) {
        return Err(BadFile::Link(name.to_owned()));
    }
    // To open a pipe would wait for its writer.
    if !real.metadata().map_err(unreadable)?.is_file() {
        return Err(BadFile::NotAFile(name.to_owned()));
    }
    let mut bytes = Vec::new();
    let file = File::open(&real).map_err(unreadable)?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    match bytes.len() as u64 > LARGEST_FILE {
        true => Err(BadFile::TooLarge(name.to_owned())),
        false => Ok((path, bytes)),
    }
}
