//! Checks any robots.txt implementation against the specification, in several editions.
//!
//! An implementation is plugged in as a Rust type, by the trait [`Parser`]; as an adapter in any language; as a command
//! that is run once for each check; or as a whole crawler. The [runner](run()) sends it the [checks](robotspec_cases),
//! and reports what happens as a stream of [events](event). A report is a function of the [record](RunRecord) of them.
//!
//! The macro [`conformance!`] makes the specification the tests of a parser in Rust.

mod again;
mod answer;
mod cause;
mod conformance;
mod diagnosis;
mod endpoint;
pub mod event;
#[cfg(feature = "endpoints")]
pub mod external;
pub mod failing;
pub mod failure;
pub mod inference;
pub mod interrupt;
mod judge;
pub mod known;
mod message;
mod parser;
mod record;
mod reference;
pub mod replace;
mod run;

pub use again::{PacedSender, ask, ask_again, find_sequence, send};
pub use answer::{
    AccessAnswer, Answer, Breach, Dependent, Fault, ProtocolError, TwoAnswers, Verdict, general_message,
};
pub use cause::{AdapterMistake, Cause, Evidence};
pub use conformance::Conformance;
pub use diagnosis::{checks_by_id, describe_other_rows, diagnose};
pub use endpoint::{
    Batch, BatchAnswer, BoxedEndpoint, Endpoint, InProcess, Incident, MakeEndpoint, SUBJECT_THREAD,
};
pub use event::Source;
pub use judge::{fault_status, judge, status};
pub use known::KnownFailures;
pub use message::{LONGEST_MESSAGE, Message};
pub use parser::{Info, MatchQuery, Parser};
pub use record::{Gap, INCOMPLETE, ImplementationRecord, RunOutcome, RunRecord};
pub use reference::Reference;
pub use robotspec_cases::{Clause, FileError, Filter, Level};
pub use robotspec_reference::{Edition, Governs, UrlParts};
pub use run::{Plan, Subject, run};
