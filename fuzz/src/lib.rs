//! Differential fuzzing: finds where an implementation leaves the text, shrinks it, explains it, and
//! writes the next case.
//!
//! [`generate`] makes inputs, [`judge`](Kind) holds the answers against the reference, which accuses nobody where
//! the text is open, `reduce` makes a divergence minimal, and [`Class`] says what it is about. All of it
//! is a function of the seed.

mod asking;
mod block;
mod case;
mod cost;
mod engine;
mod examine;
mod explain;
mod feature;
mod finding;
pub mod generate;
pub mod guided;
mod judge;
pub mod known;
pub mod profile;
mod reduce;
mod relation;
pub mod rendered;
mod tally;
pub mod wire;

pub use engine::{Limit, Make, OpenEnd, Plan, Progress, Report, fuzz};
pub use explain::Explanation;
pub use feature::{CLAUSES_IN_PLAY, clause_in_play, clauses_in_play};
pub use finding::{Class, Finding};
pub use judge::Kind;
pub use known::KnownFindings;
pub use relation::Relation;
pub use tally::Tally;
