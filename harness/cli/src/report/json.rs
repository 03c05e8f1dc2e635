//! A [`Summary`] as a JSON document.

use std::io::{self, Write};

use crate::report::{Report, Summary};
use robotspec::event::Event;

#[derive(Default)]
pub(super) struct JsonReport {
    summary: Summary,
}

impl Report for JsonReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        self.summary.take(event);
        if matches!(event, Event::RunFinished { .. }) {
            serde_json::to_writer_pretty(&mut *out, &self.summary)?;
            writeln!(out)?;
        }
        Ok(())
    }
}
