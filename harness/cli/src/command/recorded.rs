//! Records of runs from files of events.

use std::path::Path;

use anyhow::{Result, bail};
use robotspec::RunRecord;
use robotspec::event::{End, read_file};
use robotspec_cases::{FileError, visible_path};

/// Adds the events of a file to a record. Returns whether the run was cut off.
///
/// # Errors
///
/// The file cannot be read, or is not a stream of events.
pub(super) fn read_into(record: &mut RunRecord, file: &Path) -> Result<bool, FileError> {
    let end = read_file(file, &mut |event| record.take(&event))?;
    let is_cut_off = end == End::CutOff;
    record.is_cut_off |= is_cut_off;
    Ok(is_cut_off)
}

/// Returns the record of a run that came to its end.
///
/// # Errors
///
/// The file cannot be read, is not a stream of events, or was cut off.
pub(super) fn read_whole(file: &Path) -> Result<RunRecord> {
    let mut record = RunRecord::default();
    if read_into(&mut record, file)? {
        bail!("{}: the run was cut off, so results are missing; run it again", visible_path(file));
    }
    Ok(record)
}
