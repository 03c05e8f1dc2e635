//! Plays visits, one after the other, in the thread of a server.

use std::sync::{Arc, mpsc};

use robotspec_cases::visit::{Scheme, Visit};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::backend::HttpBackend;
use crate::error::StartError;
use crate::listener::{Context, Listener};
use crate::plan::{Plan, Ports};
use crate::record::{RequestLog, Role};

/// The next visit, and the channel for its result.
pub(crate) struct Play {
    pub(crate) visit: Visit,
    pub(crate) done: mpsc::Sender<Result<(), StartError>>,
}

/// Plays visits until the sender is dropped. The end of the runtime closes all
/// connections.
pub(crate) async fn run(
    first: Visit,
    log: RequestLog,
    mut plays: UnboundedReceiver<Play>,
    started: &mpsc::Sender<Result<u16, StartError>>,
) {
    let mut player = match Player::new(&first, log).await {
        Ok(player) => player,
        Err(error) => {
            let _ = started.send(Err(error));
            return;
        }
    };
    let played = player.play(&first).await;
    let _ = started.send(played.map(|()| player.first.port.number()));
    while let Some(Play { visit, done }) = plays.recv().await {
        let _ = done.send(player.play(&visit).await);
    }
    player.stop().await;
}

/// The listeners and the backend.
struct Player {
    first: Listener,
    other: Listener,
    /// `None` for FTP.
    backend: Option<Arc<HttpBackend>>,
    log: RequestLog,
    visits: usize,
}

impl Player {
    async fn new(visit: &Visit, log: RequestLog) -> Result<Self, StartError> {
        let (first, other) = (Listener::reserve()?, Listener::reserve()?);
        let backend = match visit.scheme {
            Scheme::Ftp => None,
            _ => Some(Arc::new(HttpBackend::start().await?)),
        };
        Ok(Player { first, other, backend, log, visits: 0 })
    }

    async fn play(&mut self, visit: &Visit) -> Result<(), StartError> {
        self.first.pause().await;
        self.other.pause().await;
        let ports = Ports { first: self.first.port.number(), other: self.other.port.number() };
        let plan = Arc::new(Plan::new(visit, ports));
        if let Some(backend) = &self.backend {
            backend.mount(&plan).await;
        }
        for (listener, role, mode) in
            [(&mut self.first, Role::First, plan.first), (&mut self.other, Role::Other, plan.other)]
        {
            listener.resume(Context {
                role,
                port: listener.port.number(),
                visit: self.visits,
                mode,
                plan: Arc::clone(&plan),
                backend: self.backend.clone(),
                log: self.log.clone(),
            })?;
        }
        self.visits += 1;
        Ok(())
    }

    async fn stop(mut self) {
        self.first.pause().await;
        self.other.pause().await;
        drop((self.first, self.other));
        // Aborted connections own the backend until the runtime has dropped them.
        let Some(mut backend) = self.backend else { return };
        loop {
            match Arc::try_unwrap(backend) {
                Ok(backend) => return backend.stop().await,
                Err(shared) => backend = shared,
            }
            tokio::task::yield_now().await;
        }
    }
}
