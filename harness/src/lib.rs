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

mod conformance;
pub mod event;
pub mod excerpt;
#[cfg(feature = "endpoints")]
pub mod external;
pub mod guard;
pub mod implementation;
pub mod judge;
pub mod known;
pub mod likely;
pub mod merge;
mod reference;
pub mod run;
pub mod sentences;

pub use conformance::Conformance;
#[cfg(feature = "endpoints")]
pub use external::exec::Exec;
#[cfg(feature = "endpoints")]
pub use external::subprocess::{Subprocess, Timeouts};
pub use guard::Guarded;
pub use implementation::{Fault, Implementation, Info, Query, Verdict};
pub use known::KnownFailures;
pub use reference::Reference;
pub use robotspec_cases::{Clause, FileError, Filter};
pub use robotspec_reference::Edition;
pub use run::{Outcome, Plan, Subject, run};
