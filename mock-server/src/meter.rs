//! Counts how much of a body a client takes.

use crate::record::{RequestLog, SentBody};

/// The progress of a body, written to the log. Dropping it marks the body as over.
#[derive(Debug)]
pub(crate) struct BodyMeter {
    log: RequestLog,
    index: usize,
    /// The bytes of the header that are not sent yet.
    header_left: u64,
    /// `None`: the response has no body.
    body: Option<SentBody>,
}

/// The size of a response, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResponseSize {
    pub(crate) header: u64,
    /// `None`: the body is endless.
    pub(crate) body: Option<u64>,
}

impl BodyMeter {
    /// Measures the response to the request at this index of the log. A response
    /// without a size has no body.
    pub(crate) fn new(log: RequestLog, index: usize, size: Option<ResponseSize>) -> Self {
        let size = size.filter(|size| size.body != Some(0));
        let body = size.map(|size| SentBody { bytes: 0, of: size.body, is_over: false });
        let meter = BodyMeter { log, index, header_left: size.map_or(0, |size| size.header), body };
        meter.record();
        meter
    }

    /// Counts bytes that the system accepted for sending.
    pub(crate) fn count(&mut self, bytes: usize) {
        let bytes = bytes as u64;
        let of_header = bytes.min(self.header_left);
        self.header_left -= of_header;
        if let Some(body) = &mut self.body {
            body.bytes += bytes - of_header;
        }
        self.record();
    }

    fn record(&self) {
        if let Some(body) = self.body {
            self.log.set_body(self.index, body);
        }
    }
}

impl Drop for BodyMeter {
    fn drop(&mut self) {
        if let Some(body) = &mut self.body {
            body.is_over = true;
        }
        self.record();
    }
}
