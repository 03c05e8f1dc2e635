//! The HTML page: one file that shows the suite and the record of runs, and needs no network.
//!
//! The page contains two compressed documents, the [export](robotspec_cases::export) of the suite and the [`record`] of the
//! runs. Its script computes everything that it shows from these documents. It inserts their texts into the page as
//! text, never as HTML.

mod record;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use minijinja::{Environment, Value, context};
use robotspec::event::Status;
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::export::ExportedCheck;
use robotspec_cases::{CheckId, Query, Suite};
use robotspec_reference::{Edition, RobotsTxt};
use robotspec_text::excerpt::file_lines;
use robotspec_text::visible;
use robotspec_web::{compress, pack};
use serde_json::{Value as Document, json};

use crate::report::Catalog;

/// The page shows an excerpt of each file that is longer, in bytes. Shorter ones it contains whole.
const LONGEST_FILE: usize = 8 << 10;

/// Writes the page about a record. Of the suites it shows the rows that are in the record.
pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    let data =
        json!({ "suite": suite_document(record, catalog)?, "record": record::document(record, catalog) });
    let page = Environment::new().render_named_str("page.html", robotspec_web::TEMPLATE, context! {
        version => env!("CARGO_PKG_VERSION"),
        editions => Edition::ALL.map(Edition::id),
        date => &catalog.origin.date,
        commit => catalog.origin.commit.as_deref().map(visible),
        command => visible(&catalog.origin.command),
        ran_by => visible(&record.robotspec),
        playground => robotspec_web::ADDRESS,
        overview => record.implementations.iter().map(overview).collect::<Vec<_>>(),
        style => Value::from_safe_string([robotspec_web::THEME, robotspec_web::STYLE].concat()),
        script => Value::from_safe_string([robotspec_web::SHARED_SCRIPT, robotspec_web::SCRIPT].concat().concat()),
        data => Value::from_safe_string(compress(pack(&data).as_bytes())),
    })?;
    Ok(out.write_all(page.as_bytes())?)
}

/// Returns the line of an implementation in the tables that need no JavaScript: the overview, and where the data comes from.
/// Of each edition it has how many rows pass, and how many pass or fail.
fn overview(record: &ImplementationRecord) -> Value {
    let totals = record.row_totals();
    let score = |edition| {
        let totals = totals.get(&edition).cloned().unwrap_or_default();
        vec![totals.of(Status::Pass), totals.of(Status::Pass) + totals.failures()]
    };
    let info = &record.info;
    let is_of_web = |address: &&str| address.starts_with("https://") || address.starts_with("http://");
    context! {
        name => visible(&info.name),
        version => info.version.as_deref().map(visible),
        language => info.language.as_deref().map(visible),
        homepage => info.homepage.as_deref().filter(is_of_web),
        package => info.package.as_deref().map(visible),
        is_built_in => robotspec_built_in::find(&info.name).is_some(),
        command => record.source.command.as_deref().map(visible),
        date => record.source.date.as_deref().map(visible),
        scores => Edition::ALL.map(score).to_vec(),
    }
}

/// Returns the document of the suite: an export of the rows that are in the record, without long files. The result is an
/// error if the export cannot be written as JSON.
fn suite_document(record: &RunRecord, catalog: &Catalog) -> serde_json::Result<Document> {
    let rows = record.implementations.iter().flat_map(ImplementationRecord::rows);
    let rows: HashSet<&CheckId> = rows.map(|check| &check.id).collect();
    let mut export = catalog.rows().clone();
    export.checks.retain(|check| rows.contains(&check.id));
    let long_file = |check: &mut ExportedCheck| Some((check.id.clone(), take_long_file(check)?));
    let excerpts: BTreeMap<CheckId, Document> = export.checks.iter_mut().filter_map(long_file).collect();
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
fn take_long_file(check: &mut ExportedCheck) -> Option<Document> {
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
