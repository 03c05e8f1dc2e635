//! A listener that clients meet.

use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

use crate::server::StartError;
use crate::server::certificate;
use crate::server::ftp;
use crate::server::handover::Handover;
use crate::server::plan::{Content, Door, Page, Plan};
use crate::server::port::Port;
use crate::server::record::{Log, RecordedRequest, Role, path};
use crate::server::request::{self, Head};
use crate::server::script::{self, Step};
use crate::server::site::{self, Site};
use crate::server::wire::Wire;
use crate::visit::Scheme;

/// A port and what happens there.
pub(crate) struct Front {
    pub(crate) port: Port,
    task: Option<JoinHandle<()>>,
}

/// What all connections of a visit have in common.
pub(crate) struct Scene {
    pub(crate) role: Role,
    pub(crate) port: u16,
    pub(crate) visit: usize,
    pub(crate) door: Door,
    pub(crate) plan: Arc<Plan>,
    pub(crate) site: Option<Arc<Site>>,
    pub(crate) log: Log,
}

impl Front {
    /// Takes a port; nobody listens yet.
    pub(crate) fn reserve() -> io::Result<Self> {
        Ok(Front { port: Port::reserve()?, task: None })
    }

    /// Ends all connections. New ones wait.
    pub(crate) async fn pause(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            // It is an error that it was aborted; what counts is that it is over.
            let _ = task.await;
        }
    }

    /// Goes on with this. Must be paused.
    pub(crate) fn open(&mut self, scene: Scene) -> Result<(), StartError> {
        if scene.door == Door::Refuse {
            return Ok(self.port.refuse()?);
        }
        let tls = match scene.door {
            Door::Serve(Scheme::Https { certificate }) => Some(
                certificate::acceptor(certificate)
                    .map_err(|error| StartError::Certificate(error.to_string()))?,
            ),
            _ => None,
        };
        let listener = self.port.listen()?;
        self.task = Some(tokio::spawn(accept(listener, Arc::new(scene), tls)));
        Ok(())
    }
}

async fn accept(listener: Arc<TcpListener>, scene: Arc<Scene>, tls: Option<TlsAcceptor>) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(meet(stream, Arc::clone(&scene), tls.clone()));
                }
                // A client that is gone already, or no file descriptor left:
                // others will go, too.
                Err(_) => tokio::time::sleep(site::SHORTAGE).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Does what is to be done with a connection. Whatever fails, fails because the
/// client went away, and that is nothing to this side.
async fn meet(stream: TcpStream, scene: Arc<Scene>, tls: Option<TlsAcceptor>) {
    // Else what is sent bit by bit would arrive in one piece.
    let _ = stream.set_nodelay(true);
    match scene.door {
        Door::Refuse => {}
        Door::Reset => {
            let _ = stream.set_zero_linger();
        }
        Door::Hold => std::future::pending().await,
        Door::Serve(Scheme::Ftp) => ftp::serve(stream, scene.ftp_session()).await,
        Door::Serve(_) => {
            let _ = match tls {
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => serve(stream, &scene).await,
                    Err(_) => Ok(()),
                },
                None => serve(stream, &scene).await,
            };
        }
    }
}

async fn serve<W: Wire>(mut wire: W, scene: &Scene) -> io::Result<()> {
    let Some(head) = request::read(&mut wire).await? else {
        return script::close(&mut wire).await;
    };
    let page = scene.plan.page(scene.role, path(&head.target));
    let place = scene.log.push(scene.record(&head, page.map(|(_, page)| page)));
    let handover = |steps: &[Step]| Handover::new(scene.log.clone(), place, script::extent(steps));
    let index = match page {
        Some((_, page)) if let Content::Script(steps) = &page.content => {
            return script::play(steps, &mut wire, handover(steps)).await;
        }
        Some((index, _)) => index,
        None => site::MISSING,
    };
    let Some(site) = &scene.site else { return Ok(()) };
    let answer = site.ask(&head.method, index).await?;
    let steps = [Step::Send(answer)];
    script::play(&steps, &mut wire, handover(&steps)).await
}

impl Scene {
    fn ftp_session(&self) -> ftp::Session {
        let (plan, log) = (Arc::clone(&self.plan), self.log.clone());
        ftp::Session { plan, visit: self.visit, port: self.port, log }
    }

    fn record(&self, head: &Head, page: Option<&Page>) -> RecordedRequest {
        RecordedRequest {
            visit: self.visit,
            role: self.role,
            port: self.port,
            method: head.method.clone(),
            target: head.target.clone(),
            headers: head.headers.clone(),
            is_for_rules: page.is_some_and(|page| page.is_for_rules),
            hop: page.and_then(|page| page.hop),
            body: None,
            when: SystemTime::now(),
        }
    }
}
