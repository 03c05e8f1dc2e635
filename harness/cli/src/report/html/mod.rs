//! A page to look at: implementations by clauses, the cases with what
//! decides them, the editions and where they part. It is one file that asks
//! the network for nothing.
//!
//! Everything that came from outside, be it a file under test or an answer,
//! reaches the page as JSON, and is shown as text.

mod build;
mod data;
mod file;
mod intern;
mod readings;
mod results;
mod why;

use std::io::{self, Write};

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use crate::report::Report;
use crate::report::html::data::Data;
use crate::report::html::results::Results;
use robotspec::event::Event;
use robotspec_cases::suite::built_in;
use robotspec_cases::yaml::FileError;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &[&str] = &[
    include_str!("script/data.js"),
    include_str!("script/dom.js"),
    include_str!("script/state.js"),
    include_str!("script/controls.js"),
    include_str!("script/matrix.js"),
    include_str!("script/cases.js"),
    include_str!("script/case.js"),
    include_str!("script/implementations.js"),
    include_str!("script/editions.js"),
    include_str!("script/differences.js"),
    include_str!("script/main.js"),
];

/// Gathers the events of one run or of several, and makes a page of them.
#[derive(Debug, Default)]
pub struct HtmlReport {
    results: Results,
}

/// Why there is no page.
#[derive(Debug)]
pub enum HtmlError {
    /// The cases inside this program are broken.
    Cases(FileError),
    /// The data cannot be written.
    Data(serde_json::Error),
    /// The template is broken.
    Template(minijinja::Error),
}

impl std::fmt::Display for HtmlError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HtmlError::Cases(error) => error.fmt(f),
            HtmlError::Data(error) => write!(f, "the data of the page cannot be written: {error}"),
            HtmlError::Template(error) => write!(f, "the page cannot be written: {error}"),
        }
    }
}

impl std::error::Error for HtmlError {}

/// A line of the overview for those who run no scripts.
#[derive(Debug, Serialize)]
struct Overview {
    name: String,
    version: Option<String>,
    /// For each edition, how many rows pass, of how many that can fail.
    scores: Vec<(usize, usize)>,
}

impl HtmlReport {
    /// Takes the next event, of whichever run.
    pub fn gather(&mut self, event: &Event) {
        self.results.take(event);
    }

    /// The page.
    ///
    /// # Errors
    ///
    /// The parts of it inside this program are broken.
    pub fn page(self) -> Result<String, HtmlError> {
        let data = build::data(self.results, &built_in().map_err(HtmlError::Cases)?);
        let json = serde_json::to_string(&data).map_err(HtmlError::Data)?;
        let mut templates = Environment::new();
        templates.add_template("page.html", TEMPLATE).map_err(HtmlError::Template)?;
        let page = templates.get_template("page.html").map_err(HtmlError::Template)?;
        page.render(context! {
            version => env!("CARGO_PKG_VERSION"),
            editions => Serde(&data.editions),
            overview => Serde(overview(&data)),
            style => Value::from_safe_string(STYLE.to_owned()),
            script => Value::from_safe_string(SCRIPT.concat()),
            data => Value::from_safe_string(in_script(&json)),
        })
        .map_err(HtmlError::Template)
    }
}

/// The page of one run.
impl Report for HtmlReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        self.gather(event);
        if matches!(event, Event::RunFinished { .. }) {
            out.write_all(std::mem::take(self).page().map_err(io::Error::other)?.as_bytes())?;
        }
        Ok(())
    }
}

/// JSON as it may stand in an HTML script: with nothing that ends it, or that
/// starts a comment there. `<` is in JSON only inside of strings.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn overview(data: &Data) -> Vec<Overview> {
    let of = |implementation: &data::ImplementationData| Overview {
        name: implementation.name.clone(),
        version: implementation.version.clone(),
        scores: (0..data.editions.len()).map(|column| data.score(implementation, column)).collect(),
    };
    data.implementations.iter().map(of).collect()
}
