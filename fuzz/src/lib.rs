//! Differential fuzzing: finds inputs on which an implementation diverges from the specification, minimises and
//! explains them, and writes each as a case.
//!
//! A module for each stage, in their order; a stage uses only earlier ones.
//!
//! | stage | modules |
//! | --- | --- |
//! | make inputs from a seed | [`generate`] |
//! | send them | `send` |
//! | compare the answers with what is expected | `oracle` |
//! | name the clauses that an input brings into play | `feature` |
//! | minimise a divergence | `minimise` |
//! | prove its cause; name and explain it | `explain` |
//! | schedule all this on threads | `search` |
//!
//! [`Guided`] takes the inputs from libFuzzer instead.
//!
//! An answer that an edition does not specify is never a divergence. The same seed gives the same findings.

mod deadline;
mod explain;
mod feature;
pub mod generate;
mod minimise;
mod oracle;
mod search;
mod send;

pub use deadline::IsStopped;
pub use explain::finding::{Class, Finding};
pub use feature::clauses_in_play;
pub use oracle::divergence::FindingKind;
pub use search::fuzz;
pub use search::guided::Guided;
pub use search::plan::{Limit, Make, SearchPlan, Source};
pub use search::report::{Accuracy, DifferingAnswers, Progress, Report, Unrepeated};
pub use search::tally::Tally;
