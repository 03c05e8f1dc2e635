//! The events themselves.

use std::io::{self, Write};

use crate::report::Report;
use robotspec::event::Event;

pub(super) struct JsonlReport;

impl Report for JsonlReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, event)?;
        writeln!(out)
    }
}
