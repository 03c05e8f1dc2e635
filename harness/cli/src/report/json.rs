//! A summary of a run as one JSON document: the totals, and every failure.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;

use robotspec::event::{CheckFinished, LikelyCause, Totals};
use robotspec::{ImplementationRecord, Incident, Info, RunRecord};
use robotspec_cases::Level;
use robotspec_reference::Edition;

use crate::report::Catalog;

/// The version of the format. It is raised when a field is removed or changes its meaning.
const FORMAT: u32 = 1;

/// The outcome of a run.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Summary<'r> {
    format: u32,
    robotspec: &'r str,
    editions: &'r BTreeSet<Edition>,
    /// The weakest level of failures that fail the run.
    level: Level,
    /// The number of checks.
    checks: usize,
    implementations: Vec<ImplementationSummary<'r>>,
    totals: Totals,
    unexpected: usize,
    stale: usize,
    /// The reasons why results are missing.
    incomplete: Vec<String>,
    exit_code: u8,
}

/// The outcome of an implementation.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ImplementationSummary<'r> {
    #[serde(flatten)]
    info: &'r Info,
    /// Variants included.
    totals: BTreeMap<Edition, Totals>,
    /// The rows as they are written.
    rows: BTreeMap<Edition, Totals>,
    /// Variants included.
    clauses: BTreeMap<Arc<str>, BTreeMap<Edition, Totals>>,
    failures: Vec<&'r CheckFinished>,
    incidents: &'r [Incident],
    likely_causes: &'r [LikelyCause],
    stale_known_failures: &'r BTreeSet<String>,
}

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    let outcome = record.outcome();
    let summary = Summary {
        format: FORMAT,
        robotspec: &record.robotspec,
        editions: &record.editions,
        level: record.level(),
        checks: record.check_count(),
        implementations: record.implementations.iter().map(summarize).collect(),
        unexpected: outcome.unexpected,
        stale: outcome.stale,
        incomplete: record.gaps().iter().map(ToString::to_string).collect(),
        exit_code: outcome.exit_code(),
        totals: outcome.totals,
    };
    serde_json::to_writer_pretty(&mut *out, &summary)?;
    writeln!(out)?;
    Ok(())
}

fn summarize(record: &ImplementationRecord) -> ImplementationSummary<'_> {
    ImplementationSummary {
        info: &record.info,
        totals: record.totals(),
        rows: record.row_totals(),
        clauses: record.clauses(),
        failures: record.failures().collect(),
        incidents: &record.incidents,
        likely_causes: &record.likely_causes,
        stale_known_failures: &record.stale_known_failures,
    }
}
