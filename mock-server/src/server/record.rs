//! What clients asked for, and where they departed from what the text asks of them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Which of the two listeners a client asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The origin whose robots.txt it is.
    First,
    /// The one that redirects lead to.
    Other,
}

/// A request that arrived, up to the end of its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRequest {
    /// During which visit: 0 for the one that the server was started with,
    /// then one more for each that was played.
    pub visit: usize,
    /// Who was asked.
    pub role: Role,
    /// At which port.
    pub port: u16,
    /// The method; over FTP `USER` for a login, `RETR` for a file.
    pub method: String,
    /// The target as the client wrote it; over FTP the name or the path.
    pub target: String,
    /// The header fields as the client wrote them, octets that are not UTF-8 replaced.
    pub headers: Vec<(String, String)>,
    /// Whether the target is the robots.txt or what it redirects to.
    pub is_for_rules: bool,
    /// How many redirects lead from the robots.txt to the target: 0 for itself.
    /// `None` where the target is something else.
    pub hop: Option<usize>,
    /// How much of the body of the answer the client took. `None` where the
    /// answer has none, and as long as there is no answer.
    pub body: Option<SentBody>,
    /// When.
    pub when: SystemTime,
}

/// How much of a body a client took.
///
/// Counted is what the system took from the server, so up to what fits into
/// the buffers of a connection the client may have read less. The server's is
/// kept small; the client's is its own affair. Over FTP neither is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SentBody {
    /// So many octets could be handed over, with the framing of chunks.
    pub octets: u64,
    /// Of so many. `None` is a body without end.
    pub of: Option<u64>,
    /// Whether that is all: the body is through, or the client gone.
    pub is_over: bool,
}

impl fmt::Display for SentBody {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(of) => write!(to, "sent {} of {of} octets", self.octets),
            None => write!(to, "sent {} octets of a body without end", self.octets),
        }
    }
}

/// How often the robots.txt was asked for in a visit, and how far redirects
/// were followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Asked {
    /// How often it was asked for itself. A redirect that leads back to it
    /// looks like another try.
    pub tries: usize,
    /// How many redirects were followed, in all tries together.
    pub hops: usize,
}

/// What was asked in a visit.
pub(crate) fn asked(requests: &[RecordedRequest], visit: usize) -> Asked {
    let hops = requests.iter().filter(|request| request.visit == visit).filter_map(|request| request.hop);
    let (tries, hops): (Vec<_>, Vec<_>) = hops.partition(|hop| *hop == 0);
    Asked { tries: tries.len(), hops: hops.len() }
}

impl RecordedRequest {
    /// The target without scheme, authority and query.
    pub fn path(&self) -> &str {
        path(&self.target)
    }
}

/// The path of a target in origin or absolute form.
pub(crate) fn path(target: &str) -> &str {
    let target = match target.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('/') => rest.find('/').map_or("/", |start| &rest[start..]),
        _ => target,
    };
    target.split(['?', '#']).next().unwrap_or(target)
}

/// What the text asks of a client and a client did not do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Departure {
    /// It asked for rules by another method than GET.
    Method {
        /// The method.
        method: String,
        /// What it asked for.
        target: String,
    },
    /// It asked for rules on a condition.
    Condition {
        /// The name of the header field.
        field: String,
        /// What it asked for.
        target: String,
    },
    /// It asked for something else first.
    Path {
        /// What it asked for.
        target: String,
    },
    /// It logged in over FTP, but not as anonymous.
    Login {
        /// The name it gave.
        user: String,
    },
}

impl fmt::Display for Departure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Departure::Method { method, target } => {
                write!(to, "the client asked for `{target}` by {method}, where the text says GET")
            }
            Departure::Condition { field, target } => write!(
                to,
                "the client asked for `{target}` on a condition (`{field}`), where the text says unconditional"
            ),
            Departure::Path { target } => {
                write!(to, "the client asked for `{target}` before it asked for `/robots.txt`")
            }
            Departure::Login { user } => {
                write!(to, "the client logged in as `{user}`, where the text says anonymous")
            }
        }
    }
}

/// The fields that make a request conditional.
const CONDITIONS: [&str; 5] =
    ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"];

/// The departures in these requests, over FTP or HTTP, each told once.
pub(crate) fn departures(requests: &[RecordedRequest], is_ftp: bool) -> Vec<Departure> {
    let mut found = Vec::new();
    let (logins, others): (Vec<_>, Vec<_>) =
        requests.iter().partition(|request| is_ftp && request.method == "USER");
    for login in logins.iter().filter(|login| !login.target.eq_ignore_ascii_case("anonymous")) {
        found.push(Departure::Login { user: login.target.clone() });
    }
    if let Some(first) = others.first().filter(|first| first.path() != "/robots.txt") {
        found.push(Departure::Path { target: first.target.clone() });
    }
    for request in others.iter().filter(|request| request.is_for_rules && !is_ftp) {
        let target = || request.target.clone();
        if request.method != "GET" {
            found.push(Departure::Method { method: request.method.clone(), target: target() });
        }
        for (field, _) in &request.headers {
            if CONDITIONS.contains(&field.to_ascii_lowercase().as_str()) {
                found.push(Departure::Condition { field: field.clone(), target: target() });
            }
        }
    }
    let mut told = std::collections::HashSet::new();
    found.retain(|departure| told.insert(departure.clone()));
    found
}

/// The requests so far, shared between all who write to it and all who read it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<RecordedRequest>>>);

impl Log {
    /// Its place is for [`body`](Log::body).
    pub(crate) fn push(&self, request: RecordedRequest) -> usize {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
        requests.len() - 1
    }

    /// Says how much of a body was sent to the request at this place.
    pub(crate) fn body(&self, place: usize, body: SentBody) {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(request) = requests.get_mut(place) {
            request.body = Some(body);
        }
    }

    pub(crate) fn requests(&self) -> Vec<RecordedRequest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
