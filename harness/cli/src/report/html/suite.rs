//! The suite, as the page contains it: an export of the rows that are in the record, without long files.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::CheckId;
use robotspec_cases::export::{Export, ExportedCheck};
use robotspec_text::excerpt::{MARK, file_lines};
use serde::Serialize;

use crate::report::Catalog;

/// The page shows an excerpt of each file that is longer, in bytes. Shorter ones it contains whole.
const LONGEST_FILE: usize = 8 << 10;

#[derive(Serialize)]
pub(super) struct SuiteDocument {
    #[serde(flatten)]
    export: Export,
    /// The long files, by row.
    excerpts: BTreeMap<CheckId, Excerpt>,
}

#[derive(Serialize)]
struct Excerpt {
    /// The size of the file.
    bytes: usize,
    /// Some lines with their numbers, and a mark at those that decide.
    lines: Vec<String>,
}

impl SuiteDocument {
    pub(super) fn new(record: &RunRecord, catalog: &Catalog) -> Self {
        let rows = record.implementations.iter().flat_map(ImplementationRecord::rows);
        let rows: HashSet<&CheckId> = rows.map(|check| &check.id).collect();
        let mut export = catalog.rows().clone();
        export.checks.retain(|check| rows.contains(&check.id));
        let excerpts =
            export.checks.iter_mut().filter_map(|check| Some((check.id.clone(), take_long_file(check)?)));
        let excerpts = excerpts.collect();
        SuiteDocument { export, excerpts }
    }

    /// Returns the ids of the rows, in the order of the suites.
    pub(super) fn row_ids(&self) -> Vec<&CheckId> {
        self.export.checks.iter().map(|check| &check.id).collect()
    }
}

/// Empties the file of a row if it is long, and returns its excerpt.
fn take_long_file(check: &mut ExportedCheck) -> Option<Excerpt> {
    let file = check.query.file().filter(|file| file.len() > LONGEST_FILE).cloned()?;
    check.query = check.query.with_robots(Arc::default())?;
    // The excerpt has room for few deciding lines. The rule, which matters most, is the last of them.
    let (mut deciding, mut seen) = (Vec::new(), HashSet::new());
    for reasons in check.reasons.values_mut() {
        let lines = std::mem::take(&mut reasons.lines).into_iter().rev();
        deciding.extend(lines.filter(|line| seen.insert(*line)));
    }
    Some(Excerpt { bytes: file.len(), lines: file_lines(&file, &deciding, MARK) })
}
