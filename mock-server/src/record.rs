//! The log of the requests that arrived.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One of the two origins of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The origin of the `robots.txt`.
    First,
    /// The origin that redirects lead to.
    Other,
}

/// A request whose header arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRequest {
    /// The number of the visit: 0 for the visit that the server started with,
    /// then one more for each call of [`play`](crate::MockServer::play).
    pub visit: usize,
    /// The origin.
    pub role: Role,
    /// The port of the origin.
    pub port: u16,
    /// The method. Over FTP: `USER` for a login, `RETR` for a file.
    pub method: String,
    /// The target as the client sent it, except that wiremock resolves dot segments and encodes
    /// what is not ASCII. Over FTP: the user name or the path.
    pub target: String,
    /// The header fields, with names in lower case, and with bytes replaced that are not UTF-8.
    pub headers: Vec<(String, String)>,
    /// Whether the target is the `robots.txt` or a redirect target of it.
    pub is_for_rules: bool,
    /// The number of redirects from the `robots.txt` to the target: 0 for the file
    /// itself, `None` for any other target.
    pub hop: Option<usize>,
    /// The part of the response's body that the client took. `None`: the response
    /// has no body, or there is no response yet.
    pub body: Option<SentBody>,
}

impl RecordedRequest {
    /// Returns the target without scheme, authority and query.
    pub fn path(&self) -> &str {
        path_of_target(&self.target)
    }
}

/// Returns the path of a target in origin or absolute form.
pub(crate) fn path_of_target(target: &str) -> &str {
    let target = match target.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('/') => rest.find('/').map_or("/", |start| &rest[start..]),
        _ => target,
    };
    target.split(['?', '#']).next().unwrap_or(target)
}

/// The part of a body that a client took.
///
/// The server counts the bytes that the system accepted for sending. The client may
/// have read less, because the rest waits in the buffers of the connection. The
/// server keeps its buffer small, but a short body always counts as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SentBody {
    /// The number of bytes sent, including the framing of chunks.
    pub bytes: u64,
    /// The length of the body in bytes. `None`: the body is endless.
    pub of: Option<u64>,
    /// Whether the server sends no more: the body is complete or the client is gone.
    pub is_over: bool,
}

impl fmt::Display for SentBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(of) => write!(f, "sent {} of {of} bytes", self.bytes),
            None => write!(f, "sent {} bytes of an endless body", self.bytes),
        }
    }
}

/// The requests so far, shared by the connections and the caller.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestLog(Arc<Mutex<Vec<RecordedRequest>>>);

impl RequestLog {
    /// Appends a request and returns its index.
    pub(crate) fn push(&self, request: RecordedRequest) -> usize {
        let mut requests = self.lock();
        requests.push(request);
        requests.len() - 1
    }

    /// Records the body of the response to the request at this index.
    pub(crate) fn set_body(&self, index: usize, body: SentBody) {
        if let Some(request) = self.lock().get_mut(index) {
            request.body = Some(body);
        }
    }

    pub(crate) fn requests(&self) -> Vec<RecordedRequest> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RecordedRequest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
