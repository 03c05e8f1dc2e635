//! The events of a run as JSON Lines. A run writes them as they happen.

use std::io::Write;

use anyhow::Result;
use robotspec::RunRecord;

use crate::output;
use crate::report::Catalog;

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    record.events().iter().try_for_each(|event| output::json(out, event))
}
