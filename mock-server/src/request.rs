//! Reads the header of a request.

use std::io;

use tokio::io::AsyncReadExt;

use crate::port::Transport;

/// The maximum length of a header in bytes, longer than any real client sends.
const MAX_HEADER: usize = 64 * 1024;

/// The maximum number of header fields.
const MAX_FIELDS: usize = 256;

/// The header of a request.
#[derive(Debug)]
pub(crate) struct RequestHeader {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) fields: Vec<(String, String)>,
}

impl RequestHeader {
    /// Reads a header. `None`: the client sent nothing, or bytes that are not HTTP.
    pub(crate) async fn read(stream: &mut impl Transport) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        while bytes.len() < MAX_HEADER {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(None);
            }
            let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
            let mut request = httparse::Request::new(&mut fields);
            match request.parse(&bytes) {
                Ok(httparse::Status::Partial) => {}
                Ok(httparse::Status::Complete(_)) => return Ok(Some(RequestHeader::from_parsed(&request))),
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    fn from_parsed(request: &httparse::Request<'_, '_>) -> Self {
        let fields = request.headers.iter();
        RequestHeader {
            method: request.method.unwrap_or_default().to_owned(),
            target: request.path.unwrap_or_default().to_owned(),
            fields: fields
                .map(|field| {
                    (field.name.to_ascii_lowercase(), String::from_utf8_lossy(field.value).into_owned())
                })
                .collect(),
        }
    }
}
