//! The robots.txt specification as cases, embedded.
//!
//! The format is described in this crate's README; `robotspec` loads it.

mod check;
mod check_id;
pub mod clause;
pub mod coverage;
pub mod difference;
mod expected;
pub mod export;
pub mod filter;
mod probe;
mod query;
pub mod sentences;
pub mod shard;
pub mod suite;
mod variant;
mod visit;
pub mod yaml;

pub use check::{Case, Check, Row, Suite, checks};
pub use check_id::{BadCheckId, CheckId};
pub use clause::Clause;
pub use expected::{Expected, ExpectedSitemaps};
pub use filter::Filter;
pub use probe::{Probe, answers_to};
pub use query::Query;
pub use variant::Variant;
pub use visit::{OPEN, TimedVisit, paths};
pub use yaml::FileError;

use include_dir::{Dir, include_dir};

static SUITES: Dir = include_dir!("$CARGO_MANIFEST_DIR/suites");

/// The normative statements of the specification: `clauses.yaml`.
pub const CLAUSES: &str = include_str!("../clauses.yaml");

/// Where the folder stood when this crate was built.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// A file of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuiteFile {
    /// Its name, such as `path-values.yaml`.
    pub name: &'static str,
    /// Its YAML.
    pub text: &'static str,
}

/// Every file of cases, in the order of their names.
pub fn files() -> Vec<SuiteFile> {
    let mut files: Vec<SuiteFile> = SUITES
        .files()
        .filter_map(|file| Some(SuiteFile { name: file.path().to_str()?, text: file.contents_utf8()? }))
        .collect();
    files.sort_by_key(|file| file.name);
    files
}
