//! Records of runs from files of events.

use std::path::Path;

use robotspec::event::read_file;
use robotspec::{Gap, RunRecord};
use robotspec_cases::FileError;
use robotspec_text::visible_path;

/// Adds the events of a file to a record. Returns whether the run was cut off.
///
/// # Errors
///
/// The file cannot be read, or is not a stream of events.
pub(super) fn read_into(record: &mut RunRecord, file: &Path) -> Result<bool, FileError> {
    let is_cut_off = !read_file(file, &mut |event| record.take(&event))?;
    record.is_cut_off |= is_cut_off;
    Ok(is_cut_off)
}

/// Returns the record of a run, and why it is not whole, if it is not.
///
/// # Errors
///
/// The file cannot be read, or is not a stream of events.
pub(super) fn read_run(file: &Path) -> Result<(RunRecord, Option<String>), FileError> {
    let mut record = RunRecord::default();
    read_into(&mut record, file)?;
    let gap =
        record.gaps().into_iter().find(|gap| gap.is_of_events() && !matches!(gap, Gap::MissingShard { .. }));
    let why = gap.map(|gap| format!("{}: {gap}, so results are missing; run it again", visible_path(file)));
    Ok((record, why))
}
