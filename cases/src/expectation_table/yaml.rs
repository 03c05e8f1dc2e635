//! Tables of expectations as YAML: a list of `{agent, url, expect}` under the key `expectations`.

use std::path::Path;

use serde::Deserialize;

use super::{Cell, Cells};
use crate::yaml::{Document, FileError};

#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "expected a table: the key `expectations` with a list of `{agent, url, expect}`"
)]
struct TableFormat {
    expectations: Vec<RowFormat>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "expected an expectation: `{agent, url, expect}`")]
struct RowFormat {
    agent: String,
    url: String,
    expect: String,
}

/// Reads the rows of a table.
pub(super) fn read(file: &Path, text: &str) -> Result<Vec<Cells>, FileError> {
    let (table, document) = Document::read::<TableFormat>(file, text)?;
    let cells_of_row = |(index, row): (usize, RowFormat)| {
        let cell = |key: &str, text: String| {
            let place = document.place(&format!("expectations[{index}].{key}")).unwrap_or_default();
            Cell { text, place }
        };
        Cells {
            agent: cell("agent", row.agent),
            url: cell("url", row.url),
            expect: cell("expect", row.expect),
        }
    };
    Ok(table.expectations.into_iter().enumerate().map(cells_of_row).collect())
}
