//! The badge: the clauses that an implementation keeps, as the JSON of a shields.io endpoint badge, schema version 1.
//!
//! It names one edition, because editions share rows. Of several implementations it shows the one that keeps the smallest
//! share of the clauses.

use std::io::Write;

use anyhow::Result;
use robotspec::event::Judgement;
use robotspec::failing::FailureCounts;
use robotspec::{RunOutcome, RunRecord};
use robotspec_reference::Edition;
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
    output::json(out, &Badge::of(record))
}

impl Badge {
    /// Returns the badge of a run.
    fn of(record: &RunRecord) -> Badge {
        let counts = record.implementations.iter().filter_map(|implementation| {
            let edition = compared_by(implementation)?;
            Some((edition, ClauseCounts::of(implementation, edition)))
        });
        let worst = counts
            .filter(|(_, counts)| counts.applicable() > 0)
            .min_by(|(_, a), (_, b)| (a.kept * b.applicable()).cmp(&(b.kept * a.applicable())));
        let new = FailureCounts::of(record, Judgement::is_new_failure);
        let (message, color) = message(worst, new, &record.outcome());
        Badge { schema_version: SCHEMA_VERSION, label: "robots.txt".to_owned(), message, color }
    }
}

/// Returns the message and its colour, from the counts in an edition, the rows that newly fail, and the outcome of the run. What fails the run is
/// red, whatever the counts.
fn message(
    counts: Option<(Edition, ClauseCounts)>,
    new: FailureCounts,
    outcome: &RunOutcome,
) -> (String, Color) {
    let Some((edition, counts)) = counts.filter(|_| !outcome.is_incomplete) else {
        return ("not run".to_owned(), Color::LightGrey);
    };
    let noun = if counts.are_cases { "case" } else { "clause" };
    let kept = format!("{edition}: {} of {}", counts.kept, counted(counts.applicable(), noun));
    let new = [(new.violations.sum(), "new violation"), (new.departures.sum(), "new departure")];
    let new = new.into_iter().find(|(count, _)| *count > 0);
    match new {
        Some((count, what)) if outcome.failing() > 0 => {
            (format!("{kept}, {}", counted(count, what)), Color::Red)
        }
        _ if outcome.stale > 0 => (format!("{kept}, known failures out of date"), Color::Orange),
        _ if counts.violated > 0 => (kept, Color::Yellow),
        _ if counts.departed > 0 => (kept, Color::Green),
        _ => (kept, Color::BrightGreen),
    }
}

#[cfg(test)]
mod tests {
    use robotspec::event::{Status, Totals};
    use robotspec::failing::RowCount;
    use robotspec_cases::Level;

    use super::*;
    use crate::report::samples::judgement;

    /// Returns an outcome with one failure at this level, or none, and its row if it is new.
    fn outcome(failure: Option<(Level, bool)>, stale: usize) -> (FailureCounts, RunOutcome) {
        let mut totals = Totals::default();
        if let Some((level, is_known)) = failure {
            totals.add(&judgement(Status::Fail, level, is_known));
        }
        let rows = |written| RowCount { written, rewritten: 0 };
        let new = FailureCounts {
            violations: rows(totals.new_violations()),
            departures: rows(totals.new_departures()),
        };
        (new, RunOutcome { level: Level::Should, totals, stale, is_incomplete: false })
    }

    #[test]
    fn the_message_counts_the_clauses_of_one_edition() {
        let message = |[kept, violated, departed]: [usize; 3],
                       (new, outcome): (FailureCounts, RunOutcome)| {
            let counts = ClauseCounts { kept, violated, departed, ..ClauseCounts::default() };
            message(Some((Edition::Rfc9309, counts)), new, &outcome)
        };
        let (must, should) = (Level::Must, Level::Should);
        for (counts, failure, stale, expected, color) in [
            ([46, 0, 0], None, 0, "46 of 46 clauses", Color::BrightGreen),
            ([46, 0, 1], Some((should, true)), 0, "46 of 46 clauses", Color::Green),
            ([36, 10, 1], Some((must, true)), 0, "36 of 46 clauses", Color::Yellow),
            ([46, 0, 1], Some((should, false)), 0, "46 of 46 clauses, 1 new departure", Color::Red),
            // A failure in another edition.
            ([46, 0, 0], Some((must, false)), 0, "46 of 46 clauses, 1 new violation", Color::Red),
            ([46, 0, 0], None, 1, "46 of 46 clauses, known failures out of date", Color::Orange),
        ] {
            assert_eq!(message(counts, outcome(failure, stale)), (format!("rfc9309: {expected}"), color));
        }
        let not_run = ("not run".to_owned(), Color::LightGrey);
        let (new, outcome) = outcome(None, 0);
        assert_eq!(super::message(None, new, &outcome), not_run);
        let incomplete = RunOutcome { is_incomplete: true, ..outcome };
        assert_eq!(message([46, 0, 0], (new, incomplete)), not_run);
    }
}
