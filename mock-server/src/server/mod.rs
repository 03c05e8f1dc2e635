//! The server that callers see: a thread with a runtime in it.

mod certificate;
mod front;
mod ftp;
mod handover;
mod plan;
mod port;
mod record;
mod request;
mod script;
mod site;
mod wire;

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::server::front::{Front, Scene};
pub use crate::server::plan::InvalidVisit;
use crate::server::plan::{NOWHERE, Plan, Ports};
pub use crate::server::record::{Asked, Departure, RecordedRequest, Role, SentBody};
use crate::server::record::{Log, asked, departures};
use crate::server::site::Site;
use crate::visit::{Scheme, Visit};

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// What is to be played makes no sense.
    #[error("this visit cannot be played: {0}")]
    Visit(#[from] InvalidVisit),
    /// The system gives no port, no thread, or no file descriptor.
    #[error("no mock server on loopback: {0}")]
    Io(#[from] io::Error),
    /// There is no certificate.
    #[error("no certificate for the mock server: {0}")]
    Certificate(String),
}

/// Why a server does not turn to another visit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The visit needs another origin than the server has.
    #[error("`{origin}` cannot play a visit with `{needed}`: start another server")]
    OtherOrigin {
        /// The one it has.
        origin: String,
        /// What the visit needs.
        needed: String,
    },
    /// It could not start that visit either. Nothing is played any more.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The server came to an end.
    #[error("the mock server came to an end")]
    Stopped,
}

/// Plays visits, at one origin. To drop it stops everything, at once.
pub struct MockServer {
    origin: String,
    scheme: Scheme,
    is_nowhere: bool,
    has_tls: AtomicBool,
    log: Log,
    running: Mutex<Running>,
}

/// What there is as long as something is played.
#[derive(Default)]
struct Running {
    /// To drop it ends the thread.
    plays: Option<UnboundedSender<Play>>,
    thread: Option<JoinHandle<()>>,
}

/// A visit to turn to, and where to say that it is done.
struct Play {
    visit: Visit,
    done: mpsc::Sender<Result<(), StartError>>,
}

impl MockServer {
    /// Starts to play a visit, at an origin of its own.
    ///
    /// # Errors
    ///
    /// The visit makes no sense, or the system gives no port or thread.
    pub fn start(visit: &Visit) -> Result<Self, StartError> {
        plan::validate(visit)?;
        let log = Log::default();
        let mut server = MockServer {
            origin: NOWHERE.to_owned(),
            scheme: visit.scheme,
            is_nowhere: plan::is_nowhere(visit),
            has_tls: AtomicBool::new(plan::has_tls(visit)),
            log: log.clone(),
            running: Mutex::default(),
        };
        if server.is_nowhere {
            return Ok(server);
        }
        let (plays, to_play) = unbounded_channel();
        let (started, port) = mpsc::channel();
        let first = visit.clone();
        let run = move || match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(run(first, log, to_play, &started)),
            Err(error) => drop(started.send(Err(error.into()))),
        };
        let thread = thread::Builder::new().name("robotspec-mock".to_owned()).spawn(run)?;
        server.running = Mutex::new(Running { plays: Some(plays), thread: Some(thread) });
        let port = port.recv().map_err(|_| io::Error::other("its thread came to an end"))??;
        server.origin = format!("{}://127.0.0.1:{port}", visit.scheme.name());
        Ok(server)
    }

    /// Turns to another visit at the same origin. Connections that are open
    /// are closed. When this returns, the new visit is on.
    ///
    /// # Errors
    ///
    /// The visit makes no sense, or not at this origin.
    pub fn play(&self, visit: &Visit) -> Result<(), PlayError> {
        plan::validate(visit).map_err(StartError::from)?;
        let needed = match plan::is_nowhere(visit) {
            true => "fault: name-not-found".to_owned(),
            false => format!("scheme: {}", visit.scheme.name()),
        };
        if plan::is_nowhere(visit) != self.is_nowhere || visit.scheme.name() != self.scheme.name() {
            return Err(PlayError::OtherOrigin { origin: self.origin.clone(), needed });
        }
        if !self.is_nowhere {
            let plays = self.running().plays.clone().ok_or(PlayError::Stopped)?;
            let (done, is_done) = mpsc::channel();
            plays.send(Play { visit: visit.clone(), done }).map_err(|_| PlayError::Stopped)?;
            is_done.recv().map_err(|_| PlayError::Stopped)??;
        }
        self.has_tls.store(plan::has_tls(visit), Ordering::Relaxed);
        Ok(())
    }

    /// Stops everything, at once, where others may still hold it: nothing is
    /// played any more.
    pub fn stop(&self) {
        let Running { plays, thread } = std::mem::take(&mut *self.running());
        drop(plays);
        if let Some(thread) = thread {
            // If it panicked, it has said so itself.
            let _ = thread.join();
        }
    }

    /// Whether the visit is still played. If it is not, what a client met since
    /// is not what the visit says.
    pub fn is_running(&self) -> bool {
        self.is_nowhere || self.running().thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The origin whose robots.txt is asked for, without a slash at the end,
    /// such as `http://127.0.0.1:41234`.
    pub fn origin(&self) -> String {
        self.origin.clone()
    }

    /// The certificate, in PEM, that a client has to trust for
    /// [`Certificate::Good`](crate::Certificate::Good): the same for all
    /// servers of this process. `None` where the visit has no TLS.
    pub fn certificate_authority(&self) -> Option<String> {
        let has_tls = self.has_tls.load(Ordering::Relaxed);
        has_tls.then(certificate::authority_pem).and_then(Result::ok)
    }

    /// The requests so far, of all visits, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.log.requests()
    }

    /// How often the robots.txt was asked for during a visit, and through how
    /// many redirects. No text forbids to ask often; some leave it to the client.
    pub fn asked(&self, visit: usize) -> Asked {
        asked(&self.requests(), visit)
    }

    /// What the text asks of a client and a client did not do so far.
    pub fn departures(&self) -> Vec<Departure> {
        departures(&self.requests(), self.scheme == Scheme::Ftp)
    }
}

impl fmt::Debug for MockServer {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("MockServer").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl Drop for MockServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Plays visits until nobody can ask for one any more. With its runtime end all
/// connections, whatever their clients do.
async fn run(
    first: Visit,
    log: Log,
    mut plays: UnboundedReceiver<Play>,
    started: &mpsc::Sender<Result<u16, StartError>>,
) {
    let mut theatre = match Theatre::open(&first, log).await {
        Ok(theatre) => theatre,
        Err(error) => {
            let _ = started.send(Err(error));
            return;
        }
    };
    let played = theatre.play(&first).await;
    let _ = started.send(played.map(|()| theatre.first.port.number()));
    while let Some(Play { visit, done }) = plays.recv().await {
        let _ = done.send(theatre.play(&visit).await);
    }
    theatre.close().await;
}

/// The listeners and what is behind them.
struct Theatre {
    first: Front,
    other: Front,
    site: Option<Arc<Site>>,
    log: Log,
    visits: usize,
}

impl Theatre {
    async fn open(visit: &Visit, log: Log) -> Result<Self, StartError> {
        let (first, other) = (Front::reserve()?, Front::reserve()?);
        let site = match visit.scheme {
            Scheme::Ftp => None,
            _ => Some(Arc::new(Site::start().await?)),
        };
        Ok(Theatre { first, other, site, log, visits: 0 })
    }

    async fn play(&mut self, visit: &Visit) -> Result<(), StartError> {
        self.first.pause().await;
        self.other.pause().await;
        let ports = Ports { first: self.first.port.number(), other: self.other.port.number() };
        let plan = Arc::new(Plan::of(visit, ports));
        if let Some(site) = &self.site {
            site.mount(&plan).await;
        }
        for (role, door) in [(Role::First, plan.first), (Role::Other, plan.other)] {
            let front = if role == Role::First { &mut self.first } else { &mut self.other };
            front.open(Scene {
                role,
                port: front.port.number(),
                visit: self.visits,
                door,
                plan: Arc::clone(&plan),
                site: self.site.clone(),
                log: self.log.clone(),
            })?;
        }
        self.visits += 1;
        Ok(())
    }

    async fn close(mut self) {
        self.first.pause().await;
        self.other.pause().await;
        drop((self.first, self.other));
        // Connections that were cut off a moment ago may still have it, until
        // the runtime has seen to them.
        let Some(mut site) = self.site else { return };
        loop {
            match Arc::try_unwrap(site) {
                Ok(site) => return site.stop().await,
                Err(shared) => site = shared,
            }
            tokio::task::yield_now().await;
        }
    }
}
