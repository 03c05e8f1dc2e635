//! The handle of the caller.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use robotspec_cases::visit::{Location, NetworkFault, Scheme, Visit};

use crate::certificate;
use crate::error::{InvalidVisit, PlayError, StartError};
use crate::message::is_full_status;
use crate::origin::Origins;
use crate::plan::{NOWHERE, has_tls, is_nowhere, role_of_hop};
use crate::record::{RecordedRequest, RequestLog, Role};

/// The fields that make a request conditional (RFC 9110, 13.1).
const CONDITIONS: [&str; 5] =
    ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"];

/// A server that plays visits at one origin. Dropping it stops it immediately.
pub struct MockServer {
    origin: String,
    scheme: Scheme,
    has_tls: AtomicBool,
    log: RequestLog,
    /// `None`: nothing listens, because the name of the origin cannot be resolved, or the
    /// server has stopped.
    origins: Mutex<Option<Origins>>,
}

impl MockServer {
    /// Starts a server with a new origin and plays a visit.
    ///
    /// # Errors
    ///
    /// The visit contradicts itself, or the system provides no port or thread.
    pub fn start(visit: &Visit) -> Result<Self, StartError> {
        validate(visit)?;
        let log = RequestLog::default();
        let mut origin = NOWHERE.to_owned();
        let mut origins = None;
        if !is_nowhere(visit) {
            let origins = origins.insert(Origins::reserve()?);
            origins.play(visit, &log)?;
            origin = format!("{}://127.0.0.1:{}", visit.scheme.id(), origins.first_port());
        }
        Ok(MockServer {
            origin,
            scheme: visit.scheme,
            has_tls: AtomicBool::new(has_tls(visit)),
            log,
            origins: Mutex::new(origins),
        })
    }

    /// Plays another visit at the same origin and closes all open connections. The
    /// new visit is active when this method returns.
    ///
    /// # Errors
    ///
    /// The visit contradicts itself or needs another origin, or the server has stopped.
    pub fn play(&self, visit: &Visit) -> Result<(), PlayError> {
        validate(visit).map_err(StartError::from)?;
        let needed = match is_nowhere(visit) {
            true => "fault: name-not-found".to_owned(),
            false => format!("scheme: {}", visit.scheme.id()),
        };
        if is_nowhere(visit) != self.is_nowhere() || visit.scheme.id() != self.scheme.id() {
            return Err(PlayError::OtherOrigin { origin: self.origin.clone(), needed });
        }
        if !self.is_nowhere() {
            let mut origins = self.origins();
            let played = origins.as_mut().ok_or(PlayError::Stopped)?.play(visit, &self.log);
            if let Err(error) = played {
                *origins = None;
                return Err(error.into());
            }
        }
        self.has_tls.store(has_tls(visit), Ordering::Relaxed);
        Ok(())
    }

    /// Stops the server immediately, even if there are other references to it.
    pub fn stop(&self) {
        *self.origins() = None;
    }

    /// Returns whether the server still plays its visit. If it does not, the visit
    /// does not explain what a client met.
    pub fn is_running(&self) -> bool {
        self.is_nowhere() || self.origins().as_ref().is_some_and(Origins::are_running)
    }

    fn is_nowhere(&self) -> bool {
        self.origin == NOWHERE
    }

    fn origins(&self) -> MutexGuard<'_, Option<Origins>> {
        self.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the origin of the `robots.txt` without a slash at the end, for
    /// example `http://127.0.0.1:41234`.
    pub fn origin(&self) -> String {
        self.origin.clone()
    }

    /// Returns the certificate, in PEM, that a client has to trust for
    /// [`Certificate::Good`](robotspec_cases::visit::Certificate::Good). All servers of a process
    /// share it. `None`: the visit has no TLS.
    pub fn certificate_authority(&self) -> Option<String> {
        let has_tls = self.has_tls.load(Ordering::Relaxed);
        has_tls.then(certificate::authority)?.ok().map(|authority| authority.pem())
    }

    /// Returns the requests during all visits so far, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.log.requests()
    }

    /// Returns a sentence for each violation of the specification by the requests so far, once.
    pub fn violations(&self) -> Vec<String> {
        let (requests, is_ftp) = (self.requests(), self.scheme == Scheme::Ftp);
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
}

impl fmt::Debug for MockServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockServer").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// Checks that a visit can be played.
pub(crate) fn validate(visit: &Visit) -> Result<(), InvalidVisit> {
    let response = &visit.response;
    let reject = |reason: &str| Err(InvalidVisit(reason.to_owned()));
    if visit.scheme == Scheme::Ftp {
        if !visit.hops.is_empty() || visit.location != Location::Relative {
            return reject("FTP has no redirects: remove `hops` and `location`");
        }
        use NetworkFault::{EndlessBody, ResetInBody, SilentInBody, SlowBytes};
        let is_in_transfer = |fault| matches!(fault, ResetInBody | SilentInBody | SlowBytes | EndlessBody);
        if response.fault.is_some_and(|fault| !is_before_request(fault) && !is_in_transfer(fault)) {
            return reject(
                "over FTP, `fault` must be refused, reset-at-accept, silent-at-connect, reset-in-body, silent-in-body, slow-bytes or endless-body",
            );
        }
        if response.status != 200 || !response.headers.is_empty() {
            return reject("FTP has neither an HTTP status nor header fields: remove `status` and `headers`");
        }
        return Ok(());
    }
    if response.ftp.is_some() {
        return reject("`ftp` is a fault of FTP: add `scheme: ftp`");
    }
    if visit.hops.is_empty() && visit.location != Location::Relative {
        return reject("`location` is the target of redirects: add `hops`");
    }
    let mut statuses = visit.hops.iter().chain([&response.missing_pages]);
    if let Some(status) = statuses.find(|status| !is_full_status(**status)) {
        let reason =
            format!("{status} is not a status for a redirect or a missing page: write one from 200 to 999");
        return Err(InvalidVisit(reason));
    }
    let fault = response.fault.filter(|_| !visit.hops.is_empty());
    if fault.is_some_and(is_before_request) && role_of_hop(visit, visit.hops.len()) == Role::First {
        return reject("after redirects, this `fault` needs a `location` on another port");
    }
    if is_nowhere(visit) && visit.scheme != Scheme::Http {
        return reject("`fault: name-not-found` needs `scheme: http`");
    }
    let mut texts = response.headers.iter().flat_map(|(name, value)| [name, value]);
    if texts.any(|text| text.contains(['\r', '\n'])) {
        return reject("a header field contains a line break: write two header fields");
    }
    Ok(())
}

/// Returns whether a fault happens before the server reads a request.
fn is_before_request(fault: NetworkFault) -> bool {
    matches!(fault, NetworkFault::Refused | NetworkFault::ResetAtAccept | NetworkFault::SilentAtConnect)
}
