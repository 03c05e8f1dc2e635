//! Reads a request up to the end of its header.

use std::io;

use tokio::io::AsyncReadExt;

use crate::server::wire::Wire;

/// How long a header may be. More than any client that means well sends.
const LONGEST: usize = 64 * 1024;

/// How many fields it may have.
const FIELDS: usize = 256;

/// The header of a request.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
}

/// Reads one. `None` is a client that says nothing or no HTTP.
pub(crate) async fn read<W: Wire>(wire: &mut W) -> io::Result<Option<Head>> {
    let mut octets = Vec::new();
    while octets.len() < LONGEST {
        if wire.read_buf(&mut octets).await? == 0 {
            return Ok(None);
        }
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut request = httparse::Request::new(&mut fields);
        match request.parse(&octets) {
            Ok(httparse::Status::Partial) => {}
            Ok(httparse::Status::Complete(_)) => return Ok(Some(Head::of(&request))),
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}

impl Head {
    fn of(request: &httparse::Request<'_, '_>) -> Self {
        let headers = request.headers.iter();
        Head {
            method: request.method.unwrap_or_default().to_owned(),
            target: request.path.unwrap_or_default().to_owned(),
            headers: headers
                .map(|field| (field.name.to_owned(), String::from_utf8_lossy(field.value).into_owned()))
                .collect(),
        }
    }
}
