//! A server on loopback that plays every outcome a crawler can meet when it
//! requests `/robots.txt`: statuses, redirects, bodies, broken connections,
//! certificates, FTP.
//!
//! A [`Visit`](robotspec_cases::visit::Visit) describes the outcome, a [`MockServer`] plays it.
//!
//! ```
//! use robotspec_cases::visit::{NetworkFault, Response, Visit};
//! use robotspec_mock_server::MockServer;
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

mod certificate;
mod context;
mod error;
mod ftp;
mod http;
mod listener;
mod message;
mod meter;
mod origin;
mod plan;
mod port;
mod record;
mod script;
mod server;

pub use error::{InvalidVisit, PlayError, StartError};
pub use record::{RecordedRequest, Role, SentBody};
pub use server::MockServer;
