//! What a badge of shields.io shows: the schema of its endpoint badge,
//! version 1.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::event::{Event, Status, Totals};
use crate::report::Report;

/// A badge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
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
}

impl Report for BadgeReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::RunStarted { editions, .. } => {
                self.editions = editions.iter().map(|edition| edition.0.id().to_owned()).collect();
                Ok(())
            }
            Event::RunFinished { totals, unexpected, stale, .. } => {
                serde_json::to_writer(&mut *out, &badge(&self.editions, totals, *unexpected, *stale))?;
                writeln!(out)
            }
            _ => Ok(()),
        }
    }
}

fn badge(editions: &[String], totals: &Totals, unexpected: usize, stale: usize) -> Badge {
    let (passed, failed) = (totals.of(Status::Pass), totals.failures());
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
    if judged == 0 || totals.of(Status::NotRun) > 0 {
        return badge("not run".to_owned(), "lightgrey");
    }
    // Rounded down: 100 % is said of what has no failure alone.
    let per_mille = passed * 1000 / judged;
    let percentage = format!("{}.{} %", per_mille / 10, per_mille % 10).replace("100.0", "100");
    if unexpected > 0 {
        return badge(format!("{percentage}, {unexpected} failing"), "red");
    }
    if stale > 0 {
        return badge(format!("{percentage}, known failures out of date"), "orange");
    }
    let color = match per_mille {
        1000 => "brightgreen",
        950.. => "green",
        800.. => "yellowgreen",
        _ => "yellow",
    };
    badge(percentage, color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Judged;

    fn totals(counts: &[(Status, usize)]) -> Totals {
        let mut totals = Totals::default();
        for &(status, count) in counts {
            let judged =
                Judged { status, expected: String::new(), got: String::new(), known: false, reason: None };
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
            let shown = badge(&[], &totals(counts), unexpected, stale);
            assert_eq!((&*shown.message, &*shown.color), (message, color));
        }
    }
}
