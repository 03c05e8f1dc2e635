//! Requests that violate the specification.

use crate::record::RecordedRequest;

/// The fields that make a request conditional (RFC 9110, 13.1).
const CONDITIONS: [&str; 5] =
    ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"];

/// Returns a sentence for each violation in these requests, once.
pub(crate) fn find_violations(requests: &[RecordedRequest], is_ftp: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |violation| {
        if !found.contains(&violation) {
            found.push(violation);
        }
    };
    let (logins, others): (Vec<_>, Vec<_>) =
        requests.iter().partition(|request| is_ftp && request.method == "USER");
    for login in logins.iter().filter(|login| !login.target.eq_ignore_ascii_case("anonymous")) {
        let user = &login.target;
        add(format!("the client logged in as `{user}`; the specification requires `anonymous`"));
    }
    if let Some(first) = others.first().filter(|first| first.path() != "/robots.txt") {
        add(format!("the client requested `{}` before `/robots.txt`", first.target));
    }
    for request in others.iter().filter(|request| request.is_for_rules && !is_ftp) {
        let RecordedRequest { method, target, .. } = request;
        if method != "GET" {
            add(format!("the client requested `{target}` with {method}; the specification requires GET"));
        }
        for (field, _) in &request.headers {
            if CONDITIONS.contains(&field.as_str()) {
                add(format!(
                    "the client requested `{target}` conditionally (`{field}`); the specification requires an unconditional request"
                ));
            }
        }
    }
    found
}
