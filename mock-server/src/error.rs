//! The errors of a server.

use std::io;

/// A visit contradicts itself. The message names the keys and the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidVisit(pub(crate) String);

/// The reason why a server did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The visit contradicts itself.
    #[error("this visit cannot be played: {0}")]
    Visit(#[from] InvalidVisit),
    /// The system did not provide a port, a thread or a file descriptor.
    #[error("cannot start a mock server on loopback: {0}")]
    Io(#[from] io::Error),
    /// A certificate could not be generated.
    #[error("cannot generate a certificate for the mock server: {0}")]
    Certificate(#[from] rcgen::Error),
    /// A certificate could not be used.
    #[error("cannot use the certificate of the mock server: {0}")]
    Tls(#[from] tokio_rustls::rustls::Error),
}

/// The reason why a server does not play another visit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The visit needs an origin that differs from the origin of the server.
    #[error("`{origin}` cannot play a visit with `{needed}`: start another server")]
    OtherOrigin {
        /// The origin of the server.
        origin: String,
        /// The key and value that need another origin.
        needed: String,
    },
    /// The visit could not start. The server plays nothing any more.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The server has stopped.
    #[error("the mock server came to an end")]
    Stopped,
}
