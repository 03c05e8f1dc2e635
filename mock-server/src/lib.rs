//! Plays every outcome that a crawler can meet when it asks for a robots.txt,
//! by real listeners on loopback: statuses, redirects, bodies, broken
//! connections, certificates, FTP.
//!
//! A [`Visit`] says what is to happen, a [`MockServer`] makes it happen.
//!
//! ```
//! use robotspec_mock_server::{Answer, Fault, MockServer, Visit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fault = |fault| Visit { answer: Answer { fault: Some(fault), ..Answer::default() }, ..Visit::default() };
//! let server = MockServer::start(&fault(Fault::Refused))?;
//! // Here a crawler asks for `{server.origin()}/robots.txt`, in vain.
//! server.play(&Visit::default())?; // The same origin, and now it answers.
//! assert!(server.departures().is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! It needs no privileges, no network beyond loopback, and no runtime of the caller.

// Without a server, nobody sends what it describes.
#[cfg_attr(not(feature = "server"), allow(dead_code))]
mod body;
mod tagged;
#[cfg_attr(not(feature = "server"), allow(dead_code))]
mod visit;

#[cfg(feature = "server")]
mod certificate;
#[cfg(feature = "server")]
mod front;
#[cfg(feature = "server")]
mod ftp;
#[cfg(feature = "server")]
mod plan;
#[cfg(feature = "server")]
mod port;
#[cfg(feature = "server")]
mod record;
#[cfg(feature = "server")]
mod request;
#[cfg(feature = "server")]
mod script;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod site;
#[cfg(feature = "server")]
mod wire;

#[cfg(feature = "server")]
pub use plan::InvalidVisit;
#[cfg(feature = "server")]
pub use record::{Departure, RecordedRequest, Role};
#[cfg(feature = "server")]
pub use server::{MockServer, PlayError, StartError};
pub use visit::{Answer, Body, Certificate, Fault, FtpFault, Location, Scheme, Visit};
