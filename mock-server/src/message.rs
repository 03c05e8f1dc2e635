//! A response as HTTP describes it: status, header fields and body.

use robotspec_cases::visit::{Body, Response};
use wiremock::ResponseTemplate;

/// [`RULES`](robotspec_cases::visit::RULES), compressed. A compressor would be a large dependency for two
/// constants. The tests decompress both.
const RULES_GZIP: &[u8] = include_bytes!("rules.txt.gz");
const RULES_BROTLI: &[u8] = include_bytes!("rules.txt.br");

/// The maximum length of a body of wiremock, which does not report how much of it a client
/// took. The buffer of a connection takes a body of this length at once.
const MAX_UNCOUNTED: usize = 16 * 1024;

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) status: u16,
    fields: Vec<(String, String)>,
    body: Vec<u8>,
}

/// How a client finds the end of a body.
pub(crate) enum Framing {
    Length(usize),
    Chunks,
    UntilClose,
}

impl Message {
    pub(crate) fn text(status: u16, text: impl Into<Vec<u8>>) -> Self {
        let media_type = ("Content-Type".to_owned(), "text/plain; charset=utf-8".to_owned());
        Message { status, fields: vec![media_type], body: text.into() }
    }

    pub(crate) fn html(status: u16, html: impl Into<Vec<u8>>) -> Self {
        Message::text(status, html).with_field("Content-Type", "text/html; charset=utf-8")
    }

    /// Returns the final response of a visit, without its fault.
    pub(crate) fn of_response(response: &Response) -> Self {
        let status = response.status;
        let message = match response.body {
            Some(Body::Gzip) => Message::text(status, RULES_GZIP),
            Some(Body::Brotli) => Message::text(status, RULES_BROTLI),
            Some(Body::Html | Body::MetaRefresh | Body::Frame | Body::Script) => {
                Message::html(status, response.body_bytes())
            }
            _ => Message::text(status, response.body_bytes()),
        };
        let coding = response.body.as_ref().and_then(Body::content_coding);
        let coding = coding.map(|coding| ("Content-Encoding", coding)).into_iter();
        let fields = coding.chain(response.headers.iter().map(|(name, value)| (&**name, &**value)));
        fields.fold(message, |message, (name, value)| message.with_field(name, value))
    }

    /// Adds a header field, which replaces one with the same name.
    pub(crate) fn with_field(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(field, _)| !field.eq_ignore_ascii_case(name));
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the same response with another body.
    pub(crate) fn with_body(&self, body: &str) -> Self {
        Message { body: body.into(), ..self.clone() }
    }

    /// Returns the body that follows the header if the response has no fault.
    pub(crate) fn body(&self) -> &[u8] {
        if self.forbids_body() { &[] } else { &self.body }
    }

    /// Returns the body, even if HTTP forbids one.
    pub(crate) fn forced_body(&self) -> &[u8] {
        &self.body
    }

    /// Returns whether HTTP forbids a body for the status.
    pub(crate) fn forbids_body(&self) -> bool {
        matches!(self.status, 204 | 205 | 304)
    }

    /// Returns whether wiremock can send the response unchanged.
    pub(crate) fn is_plain(&self) -> bool {
        is_full_status(self.status)
            && self.fields.iter().all(|(name, value)| is_plain_field(name, value))
            && self.body.len() <= MAX_UNCOUNTED
    }

    /// Returns the response for wiremock.
    pub(crate) fn template(&self) -> ResponseTemplate {
        let template = ResponseTemplate::new(self.status).insert_header("connection", "close");
        let fields = self.fields.iter();
        fields
            .fold(template, |template, (name, value)| template.insert_header(name.as_str(), value.as_str()))
            .set_body_bytes(self.body())
    }

    /// Returns the bytes of the header, which may be no HTTP.
    pub(crate) fn header(&self, framing: &Framing) -> Vec<u8> {
        let frame = match framing {
            Framing::Length(length) => Some(("Content-Length", length.to_string())),
            Framing::Chunks => Some(("Transfer-Encoding", "chunked".to_owned())),
            Framing::UntilClose => None,
        };
        let added = [Some(("Connection", "close".to_owned())), frame].into_iter().flatten();
        let is_given = |name: &str| self.fields.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        let added = added.filter(|(name, _)| !is_given(name));
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), value.clone())).chain(added);
        let fields: String = fields.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        [self.status_line(), fields.into_bytes(), b"\r\n".to_vec()].concat()
    }

    /// Returns the status line without a reason, because some statuses have none.
    pub(crate) fn status_line(&self) -> Vec<u8> {
        format!("HTTP/1.1 {:03} \r\n", self.status).into_bytes()
    }
}

/// Returns whether HTTP allows a complete response with this status.
pub(crate) fn is_full_status(status: u16) -> bool {
    (200..=999).contains(&status)
}

/// Returns whether an HTTP server sends this field unchanged: the field must be well
/// formed and must not frame the message, which is the task of the server.
fn is_plain_field(name: &str, value: &str) -> bool {
    const FRAMING: [&str; 5] = ["connection", "content-length", "transfer-encoding", "trailer", "upgrade"];
    let is_token = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_text = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    is_token && is_text && !FRAMING.iter().any(|framing| name.eq_ignore_ascii_case(framing))
}
