//! The events of a run as JSON Lines. A run writes them as they happen; see [`write_event`].

use std::io::Write;

use anyhow::Result;
use robotspec::RunRecord;
use robotspec::event::Event;

use crate::output;
use crate::report::Catalog;

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    record.events().iter().try_for_each(|event| write_event(event, out))
}

/// Writes an event as a line.
pub(crate) fn write_event(event: &Event, out: &mut dyn Write) -> Result<()> {
    output::json(out, event)
}
