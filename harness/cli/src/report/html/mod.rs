//! The HTML page: one file that shows the suite and the record of runs, and needs no network.
//!
//! The page contains two compressed documents, the [export](robotspec_cases::export) of the suite and the [`record`] of the
//! runs. Its script computes everything that it shows from these documents. It inserts their texts into the page as
//! text, never as HTML.

mod record;
mod suite;

use std::io::Write;

use anyhow::Result;
use minijinja::{Environment, Value, context};
use robotspec::event::Status;
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_reference::Edition;
use robotspec_text::visible;
use robotspec_web::{compress, pack};

use crate::report::Catalog;

/// Writes the page about a record. Of the suites it shows the rows that are in the record.
pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    let packed = |document: &serde_json::Value| Value::from_safe_string(compress(pack(document).as_bytes()));
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
        suite => packed(&suite::document(record, catalog)?),
        record => packed(&record::document(record, catalog)),
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
