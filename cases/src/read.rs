//! Files of users, which are read up to a bound: a path may name a device that has no end.

use std::fs::File;
use std::io::{BufRead, Error, ErrorKind, Read, Result};
use std::path::Path;

/// The size of the largest file that is read as a whole, in bytes.
pub const LARGEST_FILE: u64 = 16 << 20;

/// The length of the longest line that is read, in bytes: an event or a request about a file, with escapes.
const LONGEST_LINE: u64 = 256 << 20;

/// Reads a file or a stream to its end.
///
/// # Errors
///
/// It cannot be read, or has more than [`LARGEST_FILE`] bytes. No more of it is read then.
pub fn read(input: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST_FILE {
        true => Err(too_large(format!("it has more than {LARGEST_FILE} bytes, and no larger file is read"))),
        false => Ok(bytes),
    }
}

fn too_large(message: String) -> Error {
    Error::new(ErrorKind::FileTooLarge, message)
}

/// Reads a line, with its line end, into an empty buffer. Returns whether there is one.
///
/// # Errors
///
/// It cannot be read, or is too long.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    match input.take(LONGEST_LINE).read_until(b'\n', line)? as u64 {
        LONGEST_LINE => Err(too_large(format!("the line has more than {LONGEST_LINE} bytes"))),
        length => Ok(length > 0),
    }
}

/// Reads a text of at most [`LARGEST_FILE`] bytes.
///
/// # Errors
///
/// The file cannot be read, is larger, or is not UTF-8.
pub fn read_text(file: &Path) -> Result<String> {
    let text = String::from_utf8(read(File::open(file)?)?);
    text.map_err(|error| {
        Error::new(ErrorKind::InvalidData, format!("it is not UTF-8: {}", error.utf8_error()))
    })
}
