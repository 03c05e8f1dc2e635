//! From the name of a host to its addresses.

use std::fmt;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver as UreqResolver};
use ureq::unversioned::transport::NextTimeout;

/// Finds the addresses of hosts. A function from a host and a port is one.
///
/// It works in a thread of its own, and is left behind there if it takes longer
/// than the client waits for a request. It is not asked for what is an address
/// already.
pub trait Resolver: Send + Sync + 'static {
    /// The addresses of a host, the best first, with the port.
    ///
    /// # Errors
    ///
    /// There is no such host, or nobody can tell now.
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

/// Why a host has no address. To an edition they are all the same, a failure
/// of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotResolved {
    /// There is no such host.
    NotFound,
    /// The resolver cannot tell now.
    Temporary,
    /// There was no answer in time.
    TimedOut,
}

impl fmt::Display for NotResolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotResolved::NotFound => "there is no such host",
            NotResolved::Temporary => "the resolver cannot tell now",
            NotResolved::TimedOut => "the resolver did not answer in time",
        })
    }
}

impl std::error::Error for NotResolved {}

/// The resolver of the system, which does not tell why there is no address.
pub(super) fn system(host: &str, port: u16) -> Result<Vec<SocketAddr>, NotResolved> {
    let found = (host, port).to_socket_addrs().map_err(|_| NotResolved::NotFound)?;
    Ok(found.collect())
}

/// A resolver that is waited for no longer than one says.
#[derive(Clone)]
pub(super) struct Names(Arc<dyn Resolver>);

impl Names {
    pub(super) fn new(resolver: impl Resolver) -> Self {
        Names(Arc::new(resolver))
    }

    /// At least one address.
    pub(super) fn find(
        &self,
        host: &str,
        port: u16,
        patience: Duration,
    ) -> Result<Vec<SocketAddr>, NotResolved> {
        if let Ok(address) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(address, port)]);
        }
        let (sender, receiver) = mpsc::sync_channel(1);
        let (resolver, host) = (Arc::clone(&self.0), host.to_owned());
        let resolve = move || {
            // Nobody listens any more once it was left behind.
            let _ = sender.send(resolver.resolve(&host, port));
        };
        thread::Builder::new().spawn(resolve).map_err(|_| NotResolved::Temporary)?;
        match receiver.recv_timeout(patience) {
            Ok(Ok(addresses)) if addresses.is_empty() => Err(NotResolved::NotFound),
            Ok(found) => found,
            Err(RecvTimeoutError::Timeout) => Err(NotResolved::TimedOut),
            // It panicked.
            Err(RecvTimeoutError::Disconnected) => Err(NotResolved::Temporary),
        }
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}

impl UreqResolver for Names {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let missing = |what: &str| ureq::Error::BadUri(format!("{uri} has no {what}"));
        let host = uri.host().ok_or_else(|| missing("host"))?;
        let default = if uri.scheme_str() == Some("https") { 443 } else { 80 };
        let port = uri.port_u16().unwrap_or(default);
        let found = self.find(host, port, *timeout.after).map_err(|error| match error {
            NotResolved::NotFound => ureq::Error::HostNotFound,
            NotResolved::Temporary => ureq::Error::Other(Box::new(error)),
            NotResolved::TimedOut => ureq::Error::Timeout(timeout.reason),
        })?;
        let mut addresses = self.empty();
        for address in config.ip_family().keep_wanted(found.into_iter()) {
            // There is room for a few, and one is enough.
            if addresses.try_push(address).is_err() {
                break;
            }
        }
        if addresses.is_empty() { Err(ureq::Error::HostNotFound) } else { Ok(addresses) }
    }
}
