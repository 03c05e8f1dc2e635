//! Checks any implementation of robots.txt against the specification, in
//! several editions.
//!
//! An implementation is plugged in as a Rust type, by the trait
//! [`Implementation`]; as a child process in any language, by
//! [`Subprocess`]; or as a command that is run once for each check, by
//! [`Exec`]. The [runner](run()) puts the [checks](suite) to it and tells what
//! happens as a stream of [events](event); a report is a function of that.
//!
//! For the tests of a parser in Rust there is [`conformance!`].

pub mod builtin;
pub mod clause;
#[cfg(feature = "conformance")]
mod conformance;
pub mod coverage;
#[cfg(feature = "cli")]
pub mod crawler;
#[cfg(feature = "cli")]
pub mod diff;
#[cfg(feature = "cli")]
mod difference;
pub mod event;
#[cfg(any(feature = "conformance", feature = "fuzz"))]
mod excerpt;
#[cfg(feature = "subprocess")]
pub mod exec;
#[cfg(feature = "cli")]
pub mod export;
pub mod filter;
#[cfg(feature = "fuzz")]
pub mod fuzz;
pub mod guard;
pub mod implementation;
#[cfg(feature = "cli")]
mod import;
mod judge;
pub mod known;
pub mod likely;
#[cfg(feature = "cli")]
mod live;
#[cfg(feature = "cli")]
pub mod merge;
#[cfg(feature = "subprocess")]
mod parallel;
#[cfg(feature = "subprocess")]
mod process;
#[cfg(feature = "subprocess")]
mod protocol;
#[cfg(feature = "cli")]
pub mod report;
pub mod run;
#[cfg(any(feature = "conformance", feature = "fuzz"))]
mod sentences;
pub mod shard;
#[cfg(feature = "subprocess")]
pub mod subprocess;
pub mod suite;
pub mod yaml;

#[cfg(feature = "cli")]
pub mod cli;

pub use clause::Clause;
#[cfg(feature = "conformance")]
pub use conformance::Conformance;
#[cfg(feature = "subprocess")]
pub use exec::Exec;
pub use filter::Filter;
pub use guard::Guarded;
pub use implementation::{Fault, Implementation, Info, Query, Verdict};
pub use known::KnownFailures;
pub use robotspec_reference::Edition;
pub use run::{Outcome, Plan, Subject, run};
#[cfg(feature = "subprocess")]
pub use subprocess::{Subprocess, Timeouts};
pub use yaml::FileError;
