//! The file that a case names in place of its text.

use std::fs::File;
use std::io::Error;
use std::path::{Component, Path, PathBuf};

use crate::read::read as read_file;

/// Reads the file that a case names by its path relative to the folder of its suite. Returns its path and its bytes.
///
/// # Errors
///
/// The path may lead out of the folder, also by a link, or it is not that of a file that can be read and is not too large.
pub(super) fn read(folder: &Path, name: &str) -> Result<(PathBuf, Vec<u8>), String> {
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.is_empty() {
        return Err("the path is empty; name a file, such as `robots.txt`".to_owned());
    }
    if !Path::new(name).components().all(is_inside) {
        return Err(format!(
            "`{name}` is not in the folder of the suite; name a file in it by its relative path, without `..`"
        ));
    }
    let unreadable = |error: Error| {
        format!("cannot read `{name}`: {error}; the path is relative to the folder of the suite")
    };
    let path = folder.join(name);
    // The folder of `suite.yaml` is the empty path, which is not that of a folder.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = path.canonicalize().map_err(unreadable)?;
    if !real.starts_with(folder.canonicalize().map_err(unreadable)?) {
        return Err(format!(
            "`{name}` is a link that leads out of the folder of the suite; copy the file into the folder"
        ));
    }
    // To open a pipe would wait for its writer.
    if !real.metadata().map_err(unreadable)?.is_file() {
        return Err(format!("`{name}` is not a file; name a robots.txt"));
    }
    let bytes = File::open(&real).and_then(read_file).map_err(unreadable)?;
    Ok((path, bytes))
}
