//! The suite, as the page contains it: an export of the rows that are in the record, without long files.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::export::ExportedCheck;
use robotspec_cases::{CheckId, Query, Suite};
use robotspec_reference::{Edition, RobotsTxt};
use robotspec_text::excerpt::file_lines;
use serde_json::{Value, json};

use crate::report::Catalog;

/// The page shows an excerpt of each file that is longer, in bytes. Shorter ones it contains whole.
const LONGEST_FILE: usize = 8 << 10;

/// Returns the document of the suite, or an error if the export cannot be written as JSON.
pub(super) fn document(record: &RunRecord, catalog: &Catalog) -> serde_json::Result<Value> {
    let rows = record.implementations.iter().flat_map(ImplementationRecord::rows);
    let rows: HashSet<&CheckId> = rows.map(|check| &check.id).collect();
    let mut export = catalog.rows().clone();
    export.checks.retain(|check| rows.contains(&check.id));
    let long_file = |check: &mut ExportedCheck| Some((check.id.clone(), take_long_file(check)?));
    let excerpts: BTreeMap<CheckId, Value> = export.checks.iter_mut().filter_map(long_file).collect();
    let mut document = serde_json::to_value(&export)?;
    document["excerpts"] = json!(excerpts);
    // The files of suites of one's own, and what the reference answers to their rows: their authors may expect otherwise.
    let file = |suite: &Suite| Some((suite.id.to_string(), suite.file.as_ref()?.display().to_string()));
    let files: BTreeMap<_, _> = catalog.suites.iter().filter_map(file).collect();
    let own = export.checks.iter().filter(|check| files.contains_key(&check.suite));
    document["rulings"] = own.map(|check| (check.id.to_string(), json!(rulings(check)))).collect();
    document["files"] = json!(files);
    Ok(document)
}

/// Returns the ruling of the reference in each edition that judges a check about a URL.
fn rulings(check: &ExportedCheck) -> BTreeMap<Edition, String> {
    let Query::Match { robots, agent, url } = &check.query else { return BTreeMap::new() };
    let robots = RobotsTxt::parse(robots);
    let ruling = |edition| Some((edition, robots.for_agent(edition, agent).ruling(url).ok()?.to_string()));
    check.expected.keys().copied().filter_map(ruling).collect()
}

/// Empties the file of a row if it is long, and returns its excerpt: its size, and some lines with their numbers and a mark at
/// those that decide.
fn take_long_file(check: &mut ExportedCheck) -> Option<Value> {
    let file = check.query.file().filter(|file| file.len() > LONGEST_FILE).cloned()?;
    check.query = check.query.with_robots(Arc::default())?;
    // The excerpt has room for few deciding lines. The rule, which matters most, is the last of them.
    let (mut deciding, mut seen) = (Vec::new(), HashSet::new());
    for reasons in check.reasons.values_mut() {
        let lines = std::mem::take(&mut reasons.lines).into_iter().rev();
        deciding.extend(lines.filter(|line| seen.insert(*line)));
    }
    Some(json!({ "bytes": file.len(), "lines": file_lines(&file, &deciding) }))
}
