//! The HTML page: one file that shows the suite and the record of runs, and needs no network.
//!
//! The page contains two compressed documents, the [export](robotspec_cases::export) of the suite and the [`record`] of the
//! runs. Its script computes everything that it shows from these documents. It inserts their texts into the page as
//! text, never as HTML.

mod record;
mod suite;

use std::fmt;
use std::io::Write;

use anyhow::Result;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use robotspec::event::Status;
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_reference::Edition;
use robotspec_text::visible;
use robotspec_web::{compress, pack};
use serde::Serialize;

use crate::report::Catalog;
use record::RecordDocument;
use suite::SuiteDocument;

/// A defect of this program that prevents the page.
#[derive(Debug)]
pub(crate) enum HtmlError {
    /// A document cannot be written as JSON.
    Document(serde_json::Error),
    /// The template is wrong.
    Template(minijinja::Error),
}

impl fmt::Display for HtmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HtmlError::Document(error) => write!(f, "cannot write the data of the HTML page: {error}"),
            HtmlError::Template(error) => write!(f, "cannot render the HTML page: {error}"),
        }
    }
}

impl std::error::Error for HtmlError {}

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    out.write_all(page(record, catalog)?.as_bytes())?;
    Ok(())
}

/// Returns the page about a record. Of the suites it shows the rows that are in the record.
///
/// # Errors
///
/// A part of this program is wrong.
fn page(record: &RunRecord, catalog: &Catalog) -> Result<String, HtmlError> {
    let document = |packed: serde_json::Result<String>| {
        packed.map(|json| Value::from_safe_string(compress(json.as_bytes()))).map_err(HtmlError::Document)
    };
    let suite = SuiteDocument::new(record, catalog);
    let origin = &catalog.origin;
    let mut templates = Environment::new();
    templates.add_template("page.html", robotspec_web::TEMPLATE).map_err(HtmlError::Template)?;
    let page = templates.get_template("page.html").map_err(HtmlError::Template)?;
    page.render(context! {
        version => env!("CARGO_PKG_VERSION"),
        editions => Edition::ALL.map(Edition::id),
        date => origin.date.to_string(),
        commit => origin.commit.as_deref().map(visible),
        command => visible(&origin.command),
        ran_by => visible(&record.robotspec),
        playground => robotspec_web::ADDRESS,
        overview => Serde(record.implementations.iter().map(Overview::new).collect::<Vec<_>>()),
        style => Value::from_safe_string([robotspec_web::THEME, robotspec_web::STYLE].concat()),
        script => Value::from_safe_string([robotspec_web::SHARED_SCRIPT, robotspec_web::SCRIPT].concat().concat()),
        suite => document(pack(&suite))?,
        record => document(pack(&RecordDocument::new(record, suite.row_ids(), catalog)))?,
    })
    .map_err(HtmlError::Template)
}

fn is_of_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// The line of an implementation in the tables that need no JavaScript: the overview, and where the data comes from.
#[derive(Serialize)]
struct Overview {
    name: String,
    version: Option<String>,
    language: Option<String>,
    /// The address of its home page, if it is one of the web.
    homepage: Option<String>,
    package: Option<String>,
    /// The command that started it.
    command: Option<String>,
    is_built_in: bool,
    /// When it was run.
    date: Option<String>,
    /// For each edition, how many rows pass, and how many pass or fail.
    scores: Vec<(usize, usize)>,
}

impl Overview {
    fn new(record: &ImplementationRecord) -> Self {
        let totals = record.row_totals();
        let score = |edition| {
            let totals = totals.get(&edition).cloned().unwrap_or_default();
            (totals.of(Status::Pass), totals.of(Status::Pass) + totals.failures())
        };
        Overview {
            name: visible(&record.info.name),
            version: record.info.version.as_deref().map(visible),
            language: record.info.language.as_deref().map(visible),
            homepage: record.info.homepage.clone().filter(|address| is_of_web(address)),
            package: record.info.package.as_deref().map(visible),
            is_built_in: robotspec_built_in::find(&record.info.name).is_some(),
            command: record.source.command.as_deref().map(visible),
            date: record.source.date.map(|date| date.to_string()),
            scores: Edition::ALL.into_iter().map(score).collect(),
        }
    }
}
