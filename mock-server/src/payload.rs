//! A body as it is sent: with its media type and content coding.

use robotspec_cases::visit::{Body, Response};

/// [`RULES`](robotspec_cases::visit::RULES), compressed. A compressor would be a large dependency for two
/// constants. The tests decompress both.
const RULES_GZIP: &[u8] = include_bytes!("rules.txt.gz");
const RULES_BROTLI: &[u8] = include_bytes!("rules.txt.br");

/// The bytes of a body, and the values of its header fields.
#[derive(Debug, Clone)]
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
    pub(crate) media_type: &'static str,
    pub(crate) encoding: Option<&'static str>,
}

impl Payload {
    pub(crate) fn text(bytes: impl Into<Vec<u8>>) -> Self {
        Payload { bytes: bytes.into(), media_type: "text/plain; charset=utf-8", encoding: None }
    }

    pub(crate) fn html(bytes: impl Into<Vec<u8>>) -> Self {
        Payload { media_type: "text/html; charset=utf-8", ..Payload::text(bytes) }
    }

    pub(crate) fn of_response(response: &Response) -> Self {
        match response.body {
            Some(Body::Gzip) => Payload { encoding: Some("gzip"), ..Payload::text(RULES_GZIP) },
            Some(Body::Brotli) => Payload { encoding: Some("br"), ..Payload::text(RULES_BROTLI) },
            Some(Body::Html | Body::MetaRefresh | Body::Frame | Body::Script) => {
                Payload::html(response.body_bytes())
            }
            _ => Payload::text(response.body_bytes()),
        }
    }
}
