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
#[cfg(feature = "server")]
mod server;
mod tagged;
#[cfg_attr(not(feature = "server"), allow(dead_code))]
mod visit;

#[cfg(feature = "server")]
pub use server::{
    Asked, Departure, InvalidVisit, MockServer, PlayError, RecordedRequest, Role, SentBody, StartError,
};
pub use visit::{Answer, Body, Certificate, Fault, FtpFault, Location, Scheme, Visit};
