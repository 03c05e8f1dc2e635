//! What a badge of shields.io shows: the schema of its endpoint badge,
//! version 1.
//!
//! It counts rows, as the page does: variants repeat what a row says.

use std::io::{self, Write};

use serde::Serialize;

use crate::report::Report;
use robotspec::event::{Event, Status, Totals};
use robotspec::run::INCOMPLETE;
use robotspec_cases::suite::row_and_variant;

/// A badge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Badge {
    /// Always 1.
    pub schema_version: u8,
    /// Its left side.
    pub label: String,
    /// Its right side.
    pub message: String,
    /// The colour of its right side.
    pub color: String,
}

#[derive(Default)]
pub(super) struct BadgeReport {
    editions: Vec<String>,
    /// Of the rows as they are written.
    rows: Totals,
}

impl Report for BadgeReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::RunStarted { editions, .. } => {
                self.editions = editions.iter().map(|edition| edition.0.id().to_owned()).collect();
                Ok(())
            }
            Event::CheckFinished(check) => {
                if row_and_variant(&check.id).1.is_none() {
                    check.editions.values().for_each(|judged| self.rows.add(judged));
                }
                Ok(())
            }
            Event::RunFinished { totals, unexpected, stale, exit_code } => {
                let is_complete = *exit_code != INCOMPLETE;
                let badge = badge(&self.editions, &self.rows, totals, *unexpected, *stale, is_complete);
                serde_json::to_writer(&mut *out, &badge)?;
                writeln!(out)
            }
            _ => Ok(()),
        }
    }
}

fn badge(
    editions: &[String],
    rows: &Totals,
    totals: &Totals,
    unexpected: usize,
    stale: usize,
    is_complete: bool,
) -> Badge {
    let (passed, failed) = (rows.of(Status::Pass), rows.failures());
    let judged = passed + failed;
    let label = match editions {
        [edition] => format!("robots.txt {edition}"),
        _ => "robots.txt".to_owned(),
    };
    let badge = |message: String, color: &str| Badge {
        schema_version: 1,
        label: label.clone(),
        message,
        color: color.to_owned(),
    };
    if judged == 0 || !is_complete {
        return badge("not run".to_owned(), "lightgrey");
    }
    // Rounded down: 100 % is said of what has no row that fails alone.
    let per_mille = passed * 1000 / judged;
    let percentage = format!("{}.{} %", per_mille / 10, per_mille % 10).replace("100.0", "100");
    match rows.new_failures() {
        0 if unexpected > 0 => return badge(format!("{percentage}, variants failing"), "red"),
        0 => {}
        new => return badge(format!("{percentage}, {new} failing"), "red"),
    }
    if stale > 0 {
        return badge(format!("{percentage}, known failures out of date"), "orange");
    }
    let color = match per_mille {
        1000 if totals.failures() == 0 => "brightgreen",
        950.. => "green",
        800.. => "yellowgreen",
        _ => "yellow",
    };
    badge(percentage, color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotspec::event::Judged;

    fn totals(counts: &[(Status, usize)], known: bool) -> Totals {
        let mut totals = Totals::default();
        for &(status, count) in counts {
            let (expected, got) = (String::new(), String::new());
            let judged = Judged { status, expected, got, known: known && status.is_failure(), reason: None };
            (0..count).for_each(|_| totals.add(&judged));
        }
        totals
    }

    #[test]
    fn the_message_and_its_colour_follow_from_the_totals() {
        use Status::{Fail, NotRun, Pass, Unspecified};
        for (counts, unexpected, stale, message, color) in [
            (&[(Pass, 10), (Unspecified, 5)][..], 0, 0, "100 %", "brightgreen"),
            (&[(Pass, 9999), (Fail, 1)], 0, 0, "99.9 %", "green"),
            (&[(Pass, 8), (Fail, 2)], 0, 0, "80.0 %", "yellowgreen"),
            (&[(Pass, 1), (Fail, 9)], 0, 0, "10.0 %", "yellow"),
            (&[(Pass, 9), (Fail, 1)], 1, 0, "90.0 %, 1 failing", "red"),
            (&[(Pass, 10)], 0, 1, "100 %, known failures out of date", "orange"),
            (&[(Pass, 10), (NotRun, 1)], 0, 0, "not run", "lightgrey"),
            (&[(Unspecified, 1)], 0, 0, "not run", "lightgrey"),
        ] {
            let counted = totals(counts, unexpected == 0);
            let is_complete = counted.of(NotRun) == 0;
            let shown = badge(&[], &counted, &counted, unexpected, stale, is_complete);
            assert_eq!((&*shown.message, &*shown.color), (message, color));
        }
    }

    #[test]
    fn the_percentage_is_of_rows_and_what_fails_in_variants_alone_is_told() {
        use Status::{Fail, Pass};
        let rows = totals(&[(Pass, 10)], true);
        let shown = |known, unexpected| {
            badge(&[], &rows, &totals(&[(Pass, 90), (Fail, 10)], known), unexpected, 0, true)
        };
        let (known, new) = (shown(true, 0), shown(false, 10));
        assert_eq!((&*known.message, &*known.color), ("100 %", "green"));
        assert_eq!((&*new.message, &*new.color), ("100 %, variants failing", "red"));
    }
}
