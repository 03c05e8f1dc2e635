//! A summary of a run as one JSON document: the totals, and every failure.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use robotspec_cases::schema::ClauseOrCase;
use schemars::JsonSchema;
use serde::Serialize;

use robotspec::event::{CheckFinished, LikelyCause, Totals};
use robotspec::{ImplementationRecord, Incident, Info, RunRecord};
use robotspec_cases::Level;
use robotspec_reference::Edition;

use crate::output;
use crate::report::Catalog;

/// The version of the format. It is raised when a field is removed or changes its meaning.
const FORMAT: u32 = 1;

/// The outcome of a run.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(deny_unknown_fields, rename = "Summary")]
pub(super) struct Summary<'r> {
    /// The version of this format. It is raised when a key is removed or changes its meaning.
    #[schemars(extend("const" = FORMAT))]
    format: u32,
    /// The version of robotspec that ran.
    robotspec: &'r str,
    /// The editions that judged.
    editions: &'r BTreeSet<Edition>,
    /// The weakest level of failures that fail the run.
    level: Level,
    /// The number of checks.
    checks: usize,
    /// The implementations, in the order in which they ran.
    implementations: Vec<ImplementationSummary<'r>>,
    /// The totals of all implementations and editions together.
    totals: Totals,
    /// The number of failures that no list of known failures has.
    unexpected: usize,
    /// The number of entries of lists of known failures that do not hold.
    stale: usize,
    /// The reasons why results are missing.
    incomplete: Vec<String>,
    /// The exit code of `robotspec run`; see its `--help`.
    #[schemars(extend("enum" = [0, 1, 3]))]
    exit_code: u8,
}

/// The outcome of an implementation.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(deny_unknown_fields, rename = "ImplementationSummary")]
struct ImplementationSummary<'r> {
    #[serde(flatten)]
    info: &'r Info,
    /// How often each status occurs in each edition, variants included.
    totals: BTreeMap<Edition, Totals>,
    /// How often each status occurs in each edition, for the rows as they are written.
    rows: BTreeMap<Edition, Totals>,
    /// How often each status occurs in each edition, by the clause or case that a check is reported under, variants included.
    #[schemars(with = "BTreeMap<ClauseOrCase, BTreeMap<Edition, Totals>>")]
    clauses: BTreeMap<Arc<str>, BTreeMap<Edition, Totals>>,
    /// The checks that fail in an edition, known failures included, with the judgements of all editions.
    failures: Vec<&'r CheckFinished>,
    /// What happened to the implementation.
    incidents: &'r [Incident],
    /// The likely causes of many failures, the first to fix first.
    likely_causes: &'r [LikelyCause],
    /// The entries of the list of known failures that do not hold.
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
    output::json_in_lines(out, &summary)
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
