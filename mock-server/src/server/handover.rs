//! Counts what of a body a client takes.

use crate::server::record::{Log, SentBody};

/// A body on its way. To drop it says that this was all.
#[derive(Debug)]
pub(crate) struct Handover {
    log: Log,
    place: usize,
    /// What goes before the body.
    header_left: u64,
    /// `None` where there is no body.
    body: Option<SentBody>,
}

/// What is going to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Octets before the body.
    pub(crate) header: u64,
    /// Octets of the body. `None` is one without end.
    pub(crate) body: Option<u64>,
}

impl Handover {
    /// Of an answer to the request at this place of the log; of none, if there
    /// is no body.
    pub(crate) fn new(log: Log, place: usize, extent: Option<Extent>) -> Self {
        let extent = extent.filter(|extent| extent.body != Some(0));
        let body = extent.map(|extent| SentBody { octets: 0, of: extent.body, is_over: false });
        let handover = Handover { log, place, header_left: extent.map_or(0, |extent| extent.header), body };
        handover.tell();
        handover
    }

    /// So many more octets could be handed over.
    pub(crate) fn take(&mut self, octets: usize) {
        let octets = octets as u64;
        let of_header = octets.min(self.header_left);
        self.header_left -= of_header;
        if let Some(body) = &mut self.body {
            body.octets += octets - of_header;
        }
        self.tell();
    }

    fn tell(&self) {
        if let Some(body) = self.body {
            self.log.body(self.place, body);
        }
    }
}

impl Drop for Handover {
    fn drop(&mut self) {
        if let Some(body) = &mut self.body {
            body.is_over = true;
        }
        self.tell();
    }
}
