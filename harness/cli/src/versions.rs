//! The recorded versions of parsers: how many rows of RFC 9309 each passes, and what changed since the version before.

use std::collections::BTreeMap;

use robotspec_built_in::VERSIONS;
use serde::{Deserialize, Serialize};

/// The versions of parsers, as they were recorded at one time.
#[derive(Deserialize)]
pub(crate) struct Versions {
    /// The day of the record.
    date: String,
    /// By the name of the parser, its versions in their order.
    parsers: BTreeMap<String, Vec<RecordedVersion>>,
}

/// What a version passes.
#[derive(Deserialize, Serialize)]
pub(crate) struct RecordedVersion {
    version: String,
    /// How many rows pass.
    passed: usize,
    /// How many rows are judged: those of the operations that it supports.
    judged: usize,
    /// By clause, how many rows pass that failed in the version before.
    gained: BTreeMap<String, usize>,
    /// By clause, how many rows fail that passed in the version before.
    lost: BTreeMap<String, usize>,
}

impl Versions {
    /// Reads the embedded record.
    ///
    /// # Errors
    ///
    /// It is not a record.
    pub(crate) fn read() -> serde_json::Result<Versions> {
        serde_json::from_str(VERSIONS)
    }

    /// Returns the day of the record.
    pub(crate) fn date(&self) -> &str {
        &self.date
    }

    /// Returns the versions of a parser. There are none where only one was recorded.
    pub(crate) fn of(&self, name: &str) -> &[RecordedVersion] {
        self.parsers.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}
