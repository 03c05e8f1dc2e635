//! Lists of known failures: what an implementation is known to get wrong, and
//! why. A list keeps nobody from seeing a failure; it tells the old from the new.

use std::path::Path;

use robotspec_reference::Edition;
use serde::Deserialize;

use crate::yaml::{Document, FileError};

/// A list of known failures.
#[derive(Debug, Clone, Default)]
pub struct KnownFailures {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    row: String,
    /// Where it fails; wherever it is judged, if empty.
    editions: Vec<Edition>,
    was_judged: bool,
    has_failed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ListFormat {
    #[serde(rename = "known-failures")]
    known_failures: Vec<ReasonFormat>,
}

/// Rows that fail for one reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ReasonFormat {
    reason: String,
    /// The editions in which they fail; in whichever judge them, if absent.
    editions: Option<Vec<String>>,
    rows: Vec<String>,
}

impl KnownFailures {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// It is no such list, has an entry without a reason, or has one twice.
    pub fn read(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let mut entries: Vec<Entry> = Vec::new();
        for (index, reason) in list.known_failures.iter().enumerate() {
            let part = format!("known-failures[{index}]");
            if reason.reason.trim().is_empty() {
                return Err(document.error(&format!("{part}.reason"), "say why these fail"));
            }
            let mut editions = Vec::new();
            for (at, id) in reason.editions.iter().flatten().enumerate() {
                let edition = id.parse::<Edition>();
                editions.push(
                    edition.map_err(|error| {
                        document.error(&format!("{part}.editions[{at}]"), error.to_string())
                    })?,
                );
            }
            for (at, row) in reason.rows.iter().enumerate() {
                if entries.iter().any(|entry| entry.row == *row && entry.editions == editions) {
                    let message = format!("`{row}` is listed twice; remove one");
                    return Err(document.error(&format!("{part}.rows[{at}]"), message));
                }
                entries.push(Entry {
                    row: row.clone(),
                    editions: editions.clone(),
                    was_judged: false,
                    has_failed: false,
                });
            }
        }
        Ok(KnownFailures { entries })
    }

    /// Whether a failure of this row in this edition is known; notes that the
    /// row was judged there.
    pub fn judge(&mut self, row: &str, edition: Edition, failed: bool) -> bool {
        let mut known = false;
        for entry in &mut self.entries {
            if entry.row == row && (entry.editions.is_empty() || entry.editions.contains(&edition)) {
                entry.was_judged = true;
                entry.has_failed |= failed;
                known |= failed;
            }
        }
        known
    }

    /// What the list says that is not so, after a run of all checks.
    pub fn stale(&self) -> Vec<String> {
        self.entries
            .iter()
            .filter(|entry| !entry.has_failed)
            .map(|entry| match entry.was_judged {
                true => format!("{} does not fail any more", entry.row),
                false => format!("{} is no row of these editions", entry.row),
            })
            .collect()
    }
}
