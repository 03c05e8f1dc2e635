//! The reference in a web page: the answers of every edition to a robots.txt, with their reasons.
//!
//! The page sends a request to a [WebAssembly module](exports), which is this library, and shows the response. [`respond`]
//! is the whole interface: a pure function from bytes to bytes, so that the tests compare the module in a browser with the
//! same function in a native program.

pub mod exports;
pub mod group;
pub mod issue;
pub mod place;
pub mod request;

pub use request::respond;
