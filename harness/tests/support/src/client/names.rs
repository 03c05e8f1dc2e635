//! The resolution of host names.

use std::fmt;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Finds the addresses of hosts. A function from a host and a port is a resolver.
///
/// It runs in its own thread. The client abandons the thread after the time limit of a request. The client does not
/// resolve a host that is an IP address.
pub trait Resolver: Send + Sync + 'static {
    /// Returns the addresses of a host with the port, the preferred address first.
    ///
    /// # Errors
    ///
    /// The host does not exist, or the resolver cannot find out now.
    fn resolve(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, NotResolved>;
}

impl<F> Resolver for F
where
    F: Fn(&str, u16) -> Result<Vec<SocketAddr>, NotResolved> + Send + Sync + 'static,
{
    fn resolve(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, NotResolved> {
        self(host, port)
    }
}

/// Why a host has no address. An edition treats all reasons as the same network failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotResolved {
    /// The host does not exist.
    NotFound,
    /// The resolver cannot find out now.
    Temporary,
    /// The resolver did not respond in time.
    TimedOut,
}

impl fmt::Display for NotResolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotResolved::NotFound => "the host does not exist",
            NotResolved::Temporary => "the resolver cannot find out now",
            NotResolved::TimedOut => "the resolver did not respond in time",
        })
    }
}

impl std::error::Error for NotResolved {}

/// Returns the resolver of the system. It does not report why a host has no address.
pub(super) fn system(host: &str, port: u16) -> Result<Vec<SocketAddr>, NotResolved> {
    let found = (host, port).to_socket_addrs().map_err(|_| NotResolved::NotFound)?;
    Ok(found.collect())
}

/// A resolver with a time limit.
#[derive(Clone)]
pub(super) struct Names(Arc<dyn Resolver>);

impl Names {
    pub(super) fn new(resolver: impl Resolver) -> Self {
        Names(Arc::new(resolver))
    }

    /// Returns the preferred address of a host.
    pub(super) fn find(&self, host: &str, port: u16, timeout: Duration) -> Result<SocketAddr, NotResolved> {
        if let Ok(address) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(SocketAddr::new(address, port));
        }
        let (sender, receiver) = mpsc::sync_channel(1);
        let (resolver, host) = (Arc::clone(&self.0), host.to_owned());
        let resolve = move || {
            // The receiver does not exist any more after the time limit.
            let _ = sender.send(resolver.resolve(&host, port));
        };
        thread::Builder::new().spawn(resolve).map_err(|_| NotResolved::Temporary)?;
        match receiver.recv_timeout(timeout) {
            Ok(found) => found?.first().copied().ok_or(NotResolved::NotFound),
            Err(RecvTimeoutError::Timeout) => Err(NotResolved::TimedOut),
            // The resolver panicked.
            Err(RecvTimeoutError::Disconnected) => Err(NotResolved::Temporary),
        }
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}
