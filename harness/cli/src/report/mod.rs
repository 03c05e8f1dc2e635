//! Reports: each is a function of the [events](robotspec::event) of a run. A format
//! has a file of its own; one more is a variant of [`Format`] and an arm of
//! [`Format::report`].

mod badge;
mod failing;
pub mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod summary;
mod tap;

use std::fmt;
use std::io::{self, Write};

use clap::ValueEnum;

pub use badge::Badge;
pub(crate) use failing::{FailingRow, blamed, failing_rows, variants};
use robotspec::event::{Event, Judged, Status};
pub use summary::{ImplementationSummary, Summary};

/// A report that is being written.
pub trait Report {
    /// Takes the next event, and writes what can be written by then. With
    /// [`Event::RunFinished`] the report is complete.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()>;
}

/// A kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Format {
    /// The events themselves, one a line, the last of them `run-finished`
    Jsonl,
    /// A summary in one document: totals by edition and clause, and every failure
    Json,
    /// JUnit XML, a test suite for each implementation and edition
    Junit,
    /// Test Anything Protocol, version 14
    Tap,
    /// Markdown, for the summary of a CI job
    Markdown,
    /// A page to look at, in one file; `robotspec report` makes one of several runs
    Html,
    /// What a shields.io badge shows
    Badge,
}

impl Format {
    /// What it is called.
    pub fn id(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Json => "json",
            Format::Junit => "junit",
            Format::Tap => "tap",
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Badge => "badge",
        }
    }

    /// A report in this format.
    pub fn report(self) -> Box<dyn Report> {
        match self {
            Format::Jsonl => Box::new(jsonl::JsonlReport),
            Format::Json => Box::new(json::JsonReport::default()),
            Format::Junit => Box::new(junit::JunitReport::default()),
            Format::Tap => Box::new(tap::TapReport::default()),
            Format::Markdown => Box::new(markdown::MarkdownReport::default()),
            Format::Html => Box::new(html::HtmlReport::default()),
            Format::Badge => Box::new(badge::BadgeReport::default()),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// What a test report has for a judgement: such reports know three ends only.
enum TestResult {
    Passed,
    Failed,
    /// It did not count, and why.
    Skipped(String),
}

fn test_result(judged: &Judged) -> TestResult {
    match judged.status {
        Status::Pass => TestResult::Passed,
        Status::NotSupported => TestResult::Skipped("not supported".to_owned()),
        Status::Unspecified => TestResult::Skipped(format!("unspecified; got {}", judged.got)),
        _ => TestResult::Failed,
    }
}

/// What was expected and what came.
fn difference(judged: &Judged) -> String {
    format!("expected {}, got {}", judged.expected, judged.got)
}
