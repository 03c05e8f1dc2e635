//! Summaries of runs in a folder, one JSON file each, so that a page can show how implementations change.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use robotspec::event::{Status, Totals};
use robotspec::replace::Replacement;
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::visible_path;
use robotspec_reference::Edition;
use serde::{Deserialize, Serialize};

use crate::report::origin::{Date, Origin};

/// The version of the format of summaries. It is raised when a part is removed or changes its meaning.
const FORMAT: u32 = 1;

/// The summary of a run. `harness/docs/src/reports.md` documents its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    format: u32,
    /// When the results were written. It distinguishes the runs.
    pub(crate) date: Date,
    /// The commit of the tested project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// The version of robotspec that ran.
    robotspec: String,
    pub(crate) implementations: Vec<ImplementationSummary>,
}

/// The numbers of an implementation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ImplementationSummary {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    pub(crate) editions: BTreeMap<Edition, Counts>,
}

/// How many rows, as they are written, have each result in an edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Counts {
    passed: usize,
    pub(crate) violations: usize,
    departures: usize,
    flaky: usize,
    unspecified: usize,
    not_supported: usize,
    not_run: usize,
}

impl Summary {
    /// Returns the summary of a record.
    pub(crate) fn new(record: &RunRecord, origin: &Origin) -> Self {
        Summary {
            format: FORMAT,
            date: origin.date,
            commit: origin.commit.clone(),
            robotspec: record.robotspec.clone(),
            implementations: record.implementations.iter().map(ImplementationSummary::new).collect(),
        }
    }
}

impl ImplementationSummary {
    fn new(record: &ImplementationRecord) -> Self {
        let totals = record.row_totals().into_iter();
        ImplementationSummary {
            name: record.info.name.clone(),
            version: record.info.version.clone(),
            editions: totals.map(|(edition, totals)| (edition, Counts::new(&totals))).collect(),
        }
    }
}

impl Counts {
    fn new(totals: &Totals) -> Self {
        let flaky = totals.of(Status::Flaky);
        Counts {
            passed: totals.of(Status::Pass),
            // No clause is to blame for a flaky row.
            violations: totals.violations() - flaky,
            departures: totals.departures,
            flaky,
            unspecified: totals.of(Status::Unspecified),
            not_supported: totals.of(Status::NotSupported),
            not_run: totals.of(Status::NotRun),
        }
    }
}

/// Adds a summary to a folder, and returns all of them, the oldest first. A report that is made again from the same
/// results replaces its summary.
///
/// # Errors
///
/// A file in the folder is not a summary, or the folder cannot be written.
pub(crate) fn add_to(folder: &Path, summary: &Summary) -> Result<Vec<Summary>> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", visible_path(folder)))?;
    let mut all = read(folder)?;
    all.retain(|other| other.date != summary.date);
    all.push(summary.clone());
    all.sort_by_key(|summary| summary.date);
    let file = folder.join(format!("{}.json", summary.date.to_string().replace(':', "-")));
    let write = || -> std::io::Result<()> {
        let mut out = Replacement::open(&file)?;
        writeln!(out, "{}", serde_json::to_string_pretty(summary)?)?;
        out.finish()
    };
    write().with_context(|| format!("cannot write {}", visible_path(&file)))?;
    Ok(all)
}

fn read(folder: &Path) -> Result<Vec<Summary>> {
    let mut summaries = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", visible_path(folder)))? {
        let file = entry?.path();
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let wrong = || {
            format!(
                "{} is not a summary of a run; `--history` needs a folder of its own",
                visible_path(&file)
            )
        };
        let text = fs::read_to_string(&file).with_context(wrong)?;
        let summary: Summary = serde_json::from_str(&text).with_context(wrong)?;
        if summary.format != FORMAT {
            bail!(
                "{} has format {}; this robotspec reads format {FORMAT}",
                visible_path(&file),
                summary.format
            );
        }
        summaries.push(summary);
    }
    Ok(summaries)
}
