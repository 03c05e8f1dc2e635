//! The server: a thread with a runtime, and the handle of the caller.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};

use robotspec_cases::visit::{Scheme, Visit};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::certificate;
use crate::error::{PlayError, StartError};
use crate::plan::{NOWHERE, has_tls, is_nowhere};
use crate::player::{self, Play};
use crate::record::{RecordedRequest, RequestCounts, RequestLog};
use crate::validation;
use crate::violation::{self, RequestViolation};

/// A server that plays visits at one origin. Dropping it stops it immediately.
pub struct MockServer {
    origin: String,
    scheme: Scheme,
    is_nowhere: bool,
    has_tls: AtomicBool,
    log: RequestLog,
    worker: Mutex<Worker>,
}

/// The thread of a server. A stopped server has neither field.
#[derive(Default)]
struct Worker {
    /// Dropping the sender ends the thread.
    plays: Option<UnboundedSender<Play>>,
    thread: Option<JoinHandle<()>>,
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
        let mut server = MockServer {
            origin: NOWHERE.to_owned(),
            scheme: visit.scheme,
            is_nowhere: is_nowhere(visit),
            has_tls: AtomicBool::new(has_tls(visit)),
            log: log.clone(),
            worker: Mutex::default(),
        };
        if server.is_nowhere {
            return Ok(server);
        }
        let (plays, to_play) = unbounded_channel();
        let (started, port) = mpsc::channel();
        let first = visit.clone();
        let run = move || match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(player::run(first, log, to_play, &started)),
            Err(error) => drop(started.send(Err(error.into()))),
        };
        let thread = thread::Builder::new().name("robotspec-mock".to_owned()).spawn(run)?;
        server.worker = Mutex::new(Worker { plays: Some(plays), thread: Some(thread) });
        let port = port.recv().map_err(|_| io::Error::other("its thread came to an end"))??;
        server.origin = format!("{}://127.0.0.1:{port}", visit.scheme.id());
        Ok(server)
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
        if is_nowhere(visit) != self.is_nowhere || visit.scheme.id() != self.scheme.id() {
            return Err(PlayError::OtherOrigin { origin: self.origin.clone(), needed });
        }
        if !self.is_nowhere {
            let plays = self.worker().plays.clone().ok_or(PlayError::Stopped)?;
            let (done, is_done) = mpsc::channel();
            plays.send(Play { visit: visit.clone(), done }).map_err(|_| PlayError::Stopped)?;
            is_done.recv().map_err(|_| PlayError::Stopped)??;
        }
        self.has_tls.store(has_tls(visit), Ordering::Relaxed);
        Ok(())
    }

    /// Stops the server immediately, even if there are other references to it.
    pub fn stop(&self) {
        let Worker { plays, thread } = std::mem::take(&mut *self.worker());
        drop(plays);
        if let Some(thread) = thread {
            // A panic has already printed its message.
            let _ = thread.join();
        }
    }

    /// Returns whether the server still plays its visit. If it does not, the visit
    /// does not explain what a client met.
    pub fn is_running(&self) -> bool {
        self.is_nowhere || self.worker().thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    fn worker(&self) -> MutexGuard<'_, Worker> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Counts the requests for the `robots.txt` during a visit. No edition limits
    /// this number.
    pub fn count_requests(&self, visit: usize) -> RequestCounts {
        RequestCounts::new(&self.requests(), visit)
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

impl Drop for MockServer {
    fn drop(&mut self) {
        self.stop();
    }
}
