//! The format of lists of known failures.

use robotspec_cases::yaml::{Document, FileError};
use robotspec_reference::Edition;
use serde::Deserialize;

use super::failing::Failing;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ListFormat {
    /// Absent in an empty file.
    #[serde(default, rename = "known-failures")]
    pub(super) known_failures: Vec<EntryFormat>,
}

/// An entry: failures with a common reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct EntryFormat {
    pub(super) reason: String,
    /// The editions in which the rows or variants fail; all that judge them, if absent.
    editions: Option<Vec<String>>,
    /// The rows that fail, or globs that match them.
    rows: Option<Vec<String>>,
    /// The variants that fail although their rows pass. An entry has either rows or variants.
    variants: Option<Vec<String>>,
}

impl EntryFormat {
    pub(super) fn editions(&self, document: &Document, part: &str) -> Result<Vec<Edition>, FileError> {
        let read = |(at, id): (usize, &String)| {
            id.parse::<Edition>()
                .map_err(|error| document.error(&format!("{part}.editions[{at}]"), error.to_string()))
        };
        self.editions.iter().flatten().enumerate().map(read).collect()
    }

    /// Returns the rows or variants of the entry.
    pub(super) fn names(&self) -> &[String] {
        self.rows.as_deref().or(self.variants.as_deref()).unwrap_or_default()
    }

    /// Returns the rows or variants that the entry is about, each with its part of the document.
    pub(super) fn failing(
        &self,
        document: &Document,
        part: &str,
    ) -> Result<Vec<(String, Failing)>, FileError> {
        match (&self.rows, &self.variants) {
            (Some(rows), None) => {
                let read = |(at, id): (usize, &String)| {
                    let part = format!("{part}.rows[{at}]");
                    let row =
                        Failing::read_row(id).map_err(|error| document.error(&part, error.to_string()))?;
                    Ok((part, row))
                };
                rows.iter().enumerate().map(read).collect()
            }
            (None, Some(variants)) => {
                let read = |(at, id): (usize, &String)| {
                    let part = format!("{part}.variants[{at}]");
                    let variant = id.parse().map_err(|error| document.error(&part, format!("{error}")))?;
                    Ok((part, Failing::Variant(variant)))
                };
                variants.iter().enumerate().map(read).collect()
            }
            (None, None) => {
                Err(document.error(part, "the entry has neither `rows` nor `variants`; add one of them"))
            }
            (Some(_), Some(_)) => {
                let message = "an entry has either `rows` or `variants`, because an entry for a row covers its variants; write two entries";
                Err(document.error(&format!("{part}.variants"), message))
            }
        }
    }
}
