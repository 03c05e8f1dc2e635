//! The handle of the caller.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use robotspec_cases::visit::{Scheme, Visit};

use crate::certificate;
use crate::error::{PlayError, StartError};
use crate::origin::Origins;
use crate::plan::{NOWHERE, has_tls, is_nowhere};
use crate::record::{RecordedRequest, RequestLog};
use crate::validation;
use crate::violation::{self, RequestViolation};

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
        validation::validate(visit)?;
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
        validation::validate(visit).map_err(StartError::from)?;
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
        has_tls.then(certificate::authority_pem).and_then(Result::ok)
    }

    /// Returns the requests during all visits so far, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.log.requests()
    }

    /// Returns each violation of the specification by the requests so far once.
    pub fn violations(&self) -> Vec<RequestViolation> {
        violation::find_violations(&self.requests(), self.scheme == Scheme::Ftp)
    }
}

impl fmt::Debug for MockServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockServer").field("origin", &self.origin).finish_non_exhaustive()
    }
}
