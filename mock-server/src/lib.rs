//! A server on loopback that plays every outcome a crawler can meet when it
//! requests `/robots.txt`: statuses, redirects, bodies, broken connections,
//! certificates, FTP.
//!
//! A [`Visit`] describes the outcome, a [`MockServer`] plays it.
//!
//! ```
//! use robotspec_mock_server::{MockServer, NetworkFault, Response, Visit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let response = Response { fault: Some(NetworkFault::Refused), ..Response::default() };
//! let server = MockServer::start(&Visit { response, ..Visit::default() })?;
//! // A crawler that requests `{server.origin()}/robots.txt` now meets a refused connection.
//! server.play(&Visit::default())?; // At the same origin, the file now exists.
//! assert!(server.violations().is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! The server needs neither privileges nor a runtime of the caller, and no network
//! beyond loopback.

mod body;
#[cfg(feature = "server")]
mod server;
mod tagged;
mod visit;

#[cfg(feature = "server")]
pub use server::{
    InvalidVisit, MockServer, PlayError, RecordedRequest, RequestCounts, RequestViolation, Role, SentBody,
    StartError,
};
pub use visit::{Body, Certificate, FtpFault, Location, NetworkFault, Response, Scheme, Visit};
