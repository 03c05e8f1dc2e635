//! Summaries of runs in a folder, one JSON file each, so that a page can show how implementations change.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use robotspec::event::{Status, Totals};
use robotspec::replace::Replacement;
use robotspec::{Date, ImplementationRecord, RunRecord};
use robotspec_cases::visible_path;
use robotspec_reference::Edition;
use serde::{Deserialize, Serialize};

use crate::report::clauses::{ClauseOutcome, ClauseTally, tally_clauses};
use crate::report::origin::Origin;

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
    pub(crate) editions: BTreeMap<Edition, EditionSummary>,
}

/// The numbers of an implementation in an edition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EditionSummary {
    #[serde(flatten)]
    rows: Counts,
    /// The results under each clause that applies.
    pub(crate) clauses: BTreeMap<String, ClauseTally>,
}

/// How many rows, as they are written, have each result in an edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Counts {
    passed: usize,
    violations: usize,
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
        let summarize = |(edition, totals)| {
            let clauses = tally_clauses(record, edition).into_iter();
            let clauses = clauses.map(|(clause, tally)| (clause.to_owned(), tally)).collect();
            (edition, EditionSummary { rows: Counts::new(&totals), clauses })
        };
        ImplementationSummary {
            name: record.info.name.clone(),
            version: record.info.version.clone(),
            editions: record.row_totals().into_iter().map(summarize).collect(),
        }
    }

    /// Returns the edition by which runs are compared: RFC 9309, or, where that does not judge the implementation, the
    /// latest edition that does.
    pub(crate) fn compared_by(&self) -> Option<Edition> {
        let latest = || self.editions.keys().next_back().copied();
        self.editions.contains_key(&Edition::Rfc9309).then_some(Edition::Rfc9309).or_else(latest)
    }
}

/// What changed for an implementation between two runs, of the clauses that apply to it in both.
#[derive(Debug)]
pub(crate) struct ClauseChanges<'h> {
    pub(crate) name: &'h str,
    pub(crate) version: Option<&'h str>,
    pub(crate) edition: Edition,
    /// The clauses that are kept and were violated.
    pub(crate) gained: Vec<&'h str>,
    /// The clauses that are violated and were kept.
    pub(crate) lost: Vec<&'h str>,
}

/// Returns the date of the run before the last one, and the clauses that each implementation gained or lost since then.
/// Implementations that gained and lost none are left out.
pub(crate) fn last_changes(history: &[Summary]) -> Option<(Date, Vec<ClauseChanges<'_>>)> {
    let [.., before, last] = history else { return None };
    let changes = last.implementations.iter().filter_map(|new| ClauseChanges::new(before, new));
    Some((before.date, changes.collect()))
}

impl<'h> ClauseChanges<'h> {
    fn new(before: &'h Summary, new: &'h ImplementationSummary) -> Option<Self> {
        let edition = new.compared_by()?;
        let is_same = |old: &&ImplementationSummary| old.name == new.name && old.version == new.version;
        let mut named = before.implementations.iter().filter(|old| old.name == new.name);
        let old = before.implementations.iter().find(is_same).or_else(|| named.next_back())?;
        let old = &old.editions.get(&edition)?.clauses;
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        for (clause, tally) in &new.editions.get(&edition)?.clauses {
            let Some(old) = old.get(clause) else { continue };
            match (old.outcome(), tally.outcome()) {
                (ClauseOutcome::Violated, now) if now.is_kept() => gained.push(clause.as_str()),
                (old, ClauseOutcome::Violated) if old.is_kept() => lost.push(clause.as_str()),
                _ => {}
            }
        }
        let has_changed = !gained.is_empty() || !lost.is_empty();
        let (name, version) = (new.name.as_str(), new.version.as_deref());
        has_changed.then_some(ClauseChanges { name, version, edition, gained, lost })
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
