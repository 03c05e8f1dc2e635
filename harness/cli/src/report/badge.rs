//! The JSON of a shields.io endpoint badge, schema version 1.
//!
//! The badge counts rows, because variants only repeat a row. Violations determine its colour; departures from
//! recommendations are named.

use std::io::Write;

use anyhow::Result;
use robotspec::event::{Status, Totals};
use robotspec::sentences::counted;
use robotspec::{RunOutcome, RunRecord};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output;
use crate::report::Catalog;

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
    YellowGreen,
    Yellow,
    Orange,
    Red,
    LightGrey,
}

const SCHEMA_VERSION: u8 = 1;

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    let (message, color) = message(&record.row_totals(), &record.outcome());
    let label = match Vec::from_iter(&record.editions).as_slice() {
        [edition] => format!("robots.txt {edition}"),
        _ => "robots.txt".to_owned(),
    };
    output::json(out, &Badge { schema_version: SCHEMA_VERSION, label, message, color })
}

/// Returns the message and its colour, from the totals of the rows as they are written and the outcome of all checks.
fn message(rows: &Totals, outcome: &RunOutcome) -> (String, Color) {
    let passed = rows.of(Status::Pass);
    let judged = passed + rows.failures();
    if judged == 0 || outcome.is_incomplete {
        return ("not run".to_owned(), Color::LightGrey);
    }
    // Rounded down, so that only a run in which every row passes shows 100 %.
    let per_mille = passed * 1000 / judged;
    let percentage = format!("{}.{} %", per_mille / 10, per_mille % 10).replace("100.0", "100");
    let parts = |violations: Option<String>, others: Option<String>| {
        let departures = describe_departures(rows, &outcome.totals);
        let parts = [Some(percentage.clone()), violations, departures, others];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    match rows.new_violations() {
        0 if outcome.totals.new_violations() > 0 => {
            return (parts(Some("variants failing".to_owned()), None), Color::Red);
        }
        0 => {}
        new => return (parts(Some(counted(new, "violation")), None), Color::Red),
    }
    if outcome.stale > 0 {
        return (parts(None, Some("known failures out of date".to_owned())), Color::Orange);
    }
    let color = match per_mille {
        1000 if outcome.totals.failures() == 0 => Color::BrightGreen,
        950.. => Color::Green,
        800.. => Color::YellowGreen,
        _ => Color::Yellow,
    };
    (parts(None, None), color)
}

/// Returns the number of departures that no list of known failures has, in words.
fn describe_departures(rows: &Totals, all: &Totals) -> Option<String> {
    match (rows.new_departures(), all.new_departures()) {
        (0, 0) => None,
        (0, _) => Some("departures in variants".to_owned()),
        (rows, _) => Some(counted(rows, "departure")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotspec::event::Judgement;
    use robotspec::{Answer, Verdict};
    use robotspec_cases::{Expected, Level};
    use robotspec_reference::Ruling;

    fn totals(counts: &[(Status, usize)], are_known: bool) -> Totals {
        totals_at(Level::Must, counts, are_known)
    }

    fn totals_at(level: Level, counts: &[(Status, usize)], are_known: bool) -> Totals {
        let mut totals = Totals::default();
        for &(status, count) in counts {
            let judgement = Judgement {
                status,
                level,
                expected: Expected::Ruling(Ruling::Allow),
                got: Ok(Answer::Match(Verdict::Allow)),
                known: (are_known && status.is_failure()).then(|| "a reason".into()),
            };
            (0..count).for_each(|_| totals.add(&judgement));
        }
        totals
    }

    fn outcome(totals: &Totals, stale: usize) -> RunOutcome {
        RunOutcome {
            level: Level::Should,
            totals: totals.clone(),
            unexpected: totals.new_failures(),
            stale,
            is_incomplete: totals.of(Status::NotRun) > 0,
        }
    }

    #[test]
    fn the_message_and_its_colour_follow_from_the_totals() {
        use Status::{Fail, NotRun, Pass, Unspecified};
        for (counts, are_known, stale, expected, color) in [
            (&[(Pass, 10), (Unspecified, 5)][..], true, 0, "100 %", Color::BrightGreen),
            (&[(Pass, 9999), (Fail, 1)], true, 0, "99.9 %", Color::Green),
            (&[(Pass, 8), (Fail, 2)], true, 0, "80.0 %", Color::YellowGreen),
            (&[(Pass, 1), (Fail, 9)], true, 0, "10.0 %", Color::Yellow),
            (&[(Pass, 9), (Fail, 1)], false, 0, "90.0 %, 1 violation", Color::Red),
            (&[(Pass, 10)], true, 1, "100 %, known failures out of date", Color::Orange),
            (&[(Pass, 10), (NotRun, 1)], true, 0, "not run", Color::LightGrey),
            (&[(Unspecified, 1)], true, 0, "not run", Color::LightGrey),
        ] {
            let rows = totals(counts, are_known);
            assert_eq!(message(&rows, &outcome(&rows, stale)), (expected.to_owned(), color));
        }
    }

    #[test]
    fn the_percentage_counts_rows_and_the_message_names_failures_in_variants() {
        use Status::{Fail, Pass};
        let rows = totals(&[(Pass, 10)], true);
        let all = |are_known| outcome(&totals(&[(Pass, 90), (Fail, 10)], are_known), 0);
        assert_eq!(message(&rows, &all(true)), ("100 %".to_owned(), Color::Green));
        assert_eq!(message(&rows, &all(false)), ("100 %, variants failing".to_owned(), Color::Red));
    }

    #[test]
    fn departures_are_named_and_do_not_determine_the_colour() {
        use Status::{Fail, Pass};
        let departures = |are_known| totals_at(Level::Should, &[(Pass, 9), (Fail, 1)], are_known);
        let rows = departures(false);
        assert_eq!(
            message(&rows, &outcome(&rows, 0)),
            ("90.0 %, 1 departure".to_owned(), Color::YellowGreen)
        );
        let known = departures(true);
        assert_eq!(message(&known, &outcome(&known, 0)), ("90.0 %".to_owned(), Color::YellowGreen));
        let mut both = departures(false);
        both.extend(&totals(&[(Fail, 2)], false));
        let described = "75.0 %, 2 violations, 1 departure".to_owned();
        assert_eq!(message(&both, &outcome(&both, 0)), (described, Color::Red));
        let passing = totals(&[(Pass, 10)], false);
        let described = "100 %, departures in variants".to_owned();
        assert_eq!(message(&passing, &outcome(&rows, 0)), (described, Color::Green));
    }
}
