//! The robots.txt specification as cases, and the only reader of their format, which the README of this crate describes.
//!
//! The crate embeds the suites, so that an installed program needs no other files.

mod check;
mod check_id;
pub mod clause;
pub mod confusion;
pub mod coverage;
pub mod difference;
mod expected;
pub mod export;
pub mod filter;
mod query;
pub mod read;
pub mod reasons;
#[cfg(feature = "schema")]
pub mod schema;
pub mod shard;
pub mod suite;
mod timed_visit;
mod variant;
pub mod visit;
pub mod yaml;

pub use check::{Case, Check, Suite, checks, select_checks};
pub use check_id::{BadCheckId, CheckId};
pub use clause::{Clause, Level};
pub use expected::{Expected, ExpectedSitemaps};
pub use filter::{Filter, minimal_rows};
pub use query::Query;
pub use timed_visit::{OPEN, TimedVisit, paths};
pub use variant::Variant;
pub use yaml::FileError;

/// The normative statements of the specification: `clauses.yaml`.
const CLAUSES: &str = include_str!("../clauses.yaml");

/// A file of cases.
#[derive(Debug, Clone, Copy)]
pub struct SuiteFile {
    /// The name of the file, such as `path-values.yaml`.
    pub name: &'static str,
    /// The YAML.
    pub text: &'static str,
}

/// Returns the embedded files of cases, in the order of their names. The build script writes the list.
pub fn files() -> &'static [SuiteFile] {
    include!(concat!(env!("OUT_DIR"), "/suites.rs"))
}
