//! Files that are replaced as a whole: after an error, or if the program is killed, a file is what it was before.
//!
//! This uses the standard library alone, because it is a part of what the tests of every parser depend on.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file that is being written. It replaces another one when it is [finished](Replacement::finish).
#[derive(Debug)]
pub struct Replacement {
    out: BufWriter<File>,
    target: PathBuf,
    /// The file that is written, which is removed unless it gets another name; `None` where the target cannot be replaced,
    /// such as a device, and is written itself.
    temporary: Option<PathBuf>,
    /// Whether what is written so far is left where the rest cannot be written.
    in_parts: bool,
}

impl Drop for Replacement {
    fn drop(&mut self) {
        let is_left = self.in_parts && self.out.get_ref().metadata().is_ok_and(|written| written.len() > 0);
        if let Some(temporary) = self.temporary.as_ref().filter(|_| !is_left) {
            // There is nothing left to do about an error.
            let _ = fs::remove_file(temporary);
        }
    }
}

impl Replacement {
    /// Starts to replace a file, or to create it. `in_parts`: each part of the file has a value of its own. What is written
    /// is then in `FILE.1.part`, or the next number of which there is none: that file is left if the program is killed, or the
    /// disk is full.
    ///
    /// # Errors
    ///
    /// The folder does not exist, or does not allow new files.
    pub fn open(target: &Path, in_parts: bool) -> io::Result<Self> {
        // A link is followed, so that the file that it points to is replaced.
        let target = fs::canonicalize(target).unwrap_or_else(|_| new_path(target));
        let existing = fs::metadata(&target).ok();
        if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let out = BufWriter::new(File::options().write(true).open(&target)?);
            return Ok(Replacement { out, target, temporary: None, in_parts });
        }
        let Some(name) = target.file_name().map(|name| name.to_string_lossy()) else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "the path does not name a file"));
        };
        let (file, temporary) = if in_parts {
            create_part(&target, &name)?
        } else {
            let temporary = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
            // One that an ended process of this id left behind.
            let _ = fs::remove_file(&temporary);
            (File::create_new(&temporary)?, temporary)
        };
        let out = BufWriter::new(file);
        let replacement = Replacement { out, target, temporary: Some(temporary), in_parts };
        if let Some(metadata) = existing {
            replacement.out.get_ref().set_permissions(metadata.permissions())?;
        }
        Ok(replacement)
    }

    /// Returns the path of the file that is written, where it is not the target itself.
    pub fn temporary(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// Puts the written file in the place of the target.
    ///
    /// # Errors
    ///
    /// The file cannot be written to its end, or the target cannot be replaced. Then the target is unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        if let Some(temporary) = &self.temporary {
            self.out.get_ref().sync_all()?;
            fs::rename(temporary, &self.target)?;
            self.temporary = None;
        }
        Ok(())
    }
}

/// Returns the path of a file that does not exist, without links.
pub fn new_path(path: &Path) -> PathBuf {
    // A link whose target does not exist.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(target);
    }
    // A folder that does not exist is created.
    let folder = fs::canonicalize(folder_of(&path)).or_else(|_| std::path::absolute(folder_of(&path)));
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates the file that has the parts of another one until they are complete.
fn create_part(target: &Path, name: &str) -> io::Result<(File, PathBuf)> {
    const MOST_PARTS: usize = 1000;
    for number in 1..=MOST_PARTS {
        let part = target.with_file_name(format!("{name}.{number}.part"));
        match File::create_new(&part) {
            // Another run writes it, or was killed.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            created => return Ok((created?, part)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file as a whole.
///
/// # Errors
///
/// The file cannot be written. Then it is unchanged.
pub fn write(target: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = Replacement::open(target, false)?;
    file.write_all(content.as_ref())?;
    file.finish()
}
