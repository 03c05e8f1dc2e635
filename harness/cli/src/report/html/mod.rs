//! A web page: the rows that pass, of those that can fail, for each implementation and edition.

use std::io::Write;

use anyhow::Result;
use minijinja::{Environment, context};
use robotspec::RunRecord;
use robotspec::event::{Status, Totals};
use robotspec_cases::Suite;

use crate::output::full_name;
use crate::report::Catalog;

const TEMPLATE: &str = "\
<!doctype html><meta charset=utf-8><title>robots.txt conformance</title>
<table><tr><th>rows passed{% for edition in editions %}<th>{{ edition }}{% endfor %}
{% for name, cells in rows %}<tr><th>{{ name }}{% for cell in cells %}<td>{{ cell }}{% endfor %}
{% endfor %}</table>
<p>{{ suites }} suites.
";

/// Why there is no page.
#[derive(Debug)]
pub(crate) enum HtmlError {
    /// The template is broken.
    Template(minijinja::Error),
}

impl std::fmt::Display for HtmlError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HtmlError::Template(error) => write!(f, "the page cannot be written: {error}"),
        }
    }
}

impl std::error::Error for HtmlError {}

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    out.write_all(page(record, catalog.suites)?.as_bytes())?;
    Ok(())
}

/// The page.
///
/// # Errors
///
/// The template is broken.
fn page(record: &RunRecord, suites: &[Suite]) -> Result<String, HtmlError> {
    let cell = |totals: Option<&Totals>| {
        let totals = totals.cloned().unwrap_or_default();
        let passed = totals.of(Status::Pass);
        format!("{passed} of {}", passed + totals.failures())
    };
    let rows = record.implementations.iter().map(|implementation| {
        let totals = implementation.row_totals();
        let cells: Vec<String> = record.editions.iter().map(|edition| cell(totals.get(edition))).collect();
        (full_name(&implementation.info), cells)
    });
    let editions: Vec<&str> = record.editions.iter().map(|edition| edition.id()).collect();
    let mut templates = Environment::new();
    templates.add_template("page.html", TEMPLATE).map_err(HtmlError::Template)?;
    let page = templates.get_template("page.html").map_err(HtmlError::Template)?;
    page.render(context! { editions, rows => rows.collect::<Vec<_>>(), suites => suites.len() })
        .map_err(HtmlError::Template)
}
