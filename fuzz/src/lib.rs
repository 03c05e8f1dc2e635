//! Differential fuzzing: finds inputs on which an implementation diverges from the specification, minimises and
//! explains them, and writes each as a case.
//!
//! | stage | modules |
//! | --- | --- |
//! | make inputs from a seed | [`generate`], `block` |
//! | send them, and compare the answers | `send`, `oracle`, `expectation`, `relation` |
//! | minimise a divergence | `examine`, `minimise`, `reduce` |
//! | prove its cause | `cause`, `probes` |
//! | name and explain it | `feature`, `finding`, `explain`, `case` |
//! | schedule all this on threads | `engine`, `collect` |
//!
//! An answer that an edition does not specify is never a divergence. The same seed gives the same findings.

mod batch;
mod block;
mod bounded;
mod case;
mod cause;
mod collect;
mod cost;
mod deadline;
mod divergence;
mod earlier;
mod engine;
mod examine;
mod expectation;
mod explain;
mod feature;
mod finding;
pub mod generate;
pub mod guided;
mod kind;
pub mod known;
mod minimise;
mod oracle;
mod plan;
mod probes;
pub mod profile;
mod reduce;
mod relation;
pub mod rendered;
mod report;
mod send;
pub mod survey;
mod tally;

pub use deadline::{Deadline, IsStopped};
pub use divergence::{Growth, Observed};
pub use engine::fuzz;
pub use explain::Explanation;
pub use feature::{CLAUSES_IN_PLAY, clause_in_play, clauses_in_play};
pub use finding::{Class, Finding};
pub use kind::Kind;
pub use known::KnownFindings;
pub use plan::{Limit, Make, Plan};
pub use relation::{PathRewrite, Relation};
pub use report::{DifferingAnswers, Progress, Report, Unrepeated};
pub use tally::Tally;
