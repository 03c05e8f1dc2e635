//! The badge: the clauses that an implementation keeps, as the JSON of a shields.io endpoint badge, schema version 1.
//!
//! It names one edition, because editions share rows. Of several implementations it shows the one that keeps the smallest
//! share of the clauses.

use std::io::Write;

use anyhow::Result;
use robotspec::RunRecord;
use robotspec::event::Judgement;
use robotspec::failing::FailureCounts;
use robotspec_text::sentences::counted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::output;
use crate::report::Catalog;
use crate::report::clauses::{ClauseCounts, compared_by};

/// The JSON of a shields.io endpoint badge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub(super) struct Badge {
    /// The version of the schema of shields.io.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u8,
    /// The left side.
    label: String,
    /// The right side.
    message: String,
    /// The colour of the right side.
    color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Color {
    BrightGreen,
    Green,
    Yellow,
    Orange,
    Red,
    LightGrey,
}

const SCHEMA_VERSION: u8 = 1;

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    let (message, color) = message(record);
    let label = "robots.txt".to_owned();
    output::json(out, &Badge { schema_version: SCHEMA_VERSION, label, message, color })
}

/// Returns the message about a run and its colour. What fails the run is red, whatever the counts.
fn message(record: &RunRecord) -> (String, Color) {
    let outcome = record.outcome();
    let counts = record.implementations.iter().filter_map(|implementation| {
        let edition = compared_by(implementation)?;
        Some((edition, ClauseCounts::of(implementation, edition)))
    });
    let worst = counts
        .filter(|(_, counts)| counts.applicable() > 0)
        .min_by(|(_, a), (_, b)| (a.kept * b.applicable()).cmp(&(b.kept * a.applicable())));
    let Some((edition, counts)) = worst.filter(|_| !outcome.is_incomplete) else {
        return ("not run".to_owned(), Color::LightGrey);
    };
    let noun = if counts.are_cases { "case" } else { "clause" };
    let kept = format!("{edition}: {} of {}", counts.kept, counted(counts.applicable(), noun));
    let new = FailureCounts::of(record, Judgement::is_new_failure);
    let new = [(new.violations.sum(), "new violation"), (new.departures.sum(), "new departure")];
    match new.into_iter().find(|(count, _)| *count > 0) {
        Some((count, what)) if outcome.failing() > 0 => {
            (format!("{kept}, {}", counted(count, what)), Color::Red)
        }
        _ if outcome.stale > 0 => (format!("{kept}, known failures out of date"), Color::Orange),
        _ if counts.violated > 0 => (kept, Color::Yellow),
        _ if counts.departed > 0 => (kept, Color::Green),
        _ => (kept, Color::BrightGreen),
    }
}
