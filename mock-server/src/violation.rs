//! Requests that violate the specification.

use std::fmt;

use crate::record::RecordedRequest;

/// A request that violates the specification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestViolation {
    /// A request for rules with a method other than GET.
    Method {
        /// The method.
        method: String,
        /// The target of the request.
        target: String,
    },
    /// A conditional request for rules.
    Condition {
        /// The name of the header field.
        field: String,
        /// The target of the request.
        target: String,
    },
    /// A request for another path before `/robots.txt`.
    Path {
        /// The target of the request.
        target: String,
    },
    /// A login over FTP with a user name other than `anonymous`.
    Login {
        /// The user name.
        user: String,
    },
}

impl fmt::Display for RequestViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use RequestViolation::{Condition, Login, Method, Path};
        match self {
            Method { method, target } => {
                write!(f, "the client requested `{target}` with {method}; the specification requires GET")
            }
            Condition { field, target } => write!(
                f,
                "the client requested `{target}` conditionally (`{field}`); the specification requires an unconditional request"
            ),
            Path { target } => write!(f, "the client requested `{target}` before `/robots.txt`"),
            Login { user } => {
                write!(f, "the client logged in as `{user}`; the specification requires `anonymous`")
            }
        }
    }
}

/// The fields that make a request conditional (RFC 9110, 13.1).
const CONDITIONS: [&str; 5] =
    ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"];

/// Returns each violation in these requests once.
pub(crate) fn find_violations(requests: &[RecordedRequest], is_ftp: bool) -> Vec<RequestViolation> {
    let mut found = Vec::new();
    let mut add = |violation| {
        if !found.contains(&violation) {
            found.push(violation);
        }
    };
    let (logins, others): (Vec<_>, Vec<_>) =
        requests.iter().partition(|request| is_ftp && request.method == "USER");
    for login in logins.iter().filter(|login| !login.target.eq_ignore_ascii_case("anonymous")) {
        add(RequestViolation::Login { user: login.target.clone() });
    }
    if let Some(first) = others.first().filter(|first| first.path() != "/robots.txt") {
        add(RequestViolation::Path { target: first.target.clone() });
    }
    for request in others.iter().filter(|request| request.is_for_rules && !is_ftp) {
        let target = || request.target.clone();
        if request.method != "GET" {
            add(RequestViolation::Method { method: request.method.clone(), target: target() });
        }
        for (field, _) in &request.headers {
            if CONDITIONS.contains(&field.to_ascii_lowercase().as_str()) {
                add(RequestViolation::Condition { field: field.clone(), target: target() });
            }
        }
    }
    found
}
