//! The report for a person at a terminal: a table, then the failures of each implementation that are new.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use robotspec::event::{CheckFinished, Judgement, Status, Totals};
use robotspec::{ImplementationRecord, Incident, RunRecord};
use robotspec_cases::{Clause, Level};
use robotspec_reference::Edition;
use robotspec_text::document::{Block, Line, Tone};

use crate::output::{counted, write_document};
use crate::report::summary::{self, Detail};
use crate::report::{Catalog, share};

/// Returns how much a person sees.
pub(crate) fn detail(is_all: bool, has_known: bool, is_only_in_variants: bool) -> Detail {
    let shown = if is_all { usize::MAX } else { 3 };
    Detail { clauses: shown, rows: shown, is_full: true, is_all, has_known, is_only_in_variants }
}

/// Writes the report of a run that took this time.
pub(crate) fn write(
    record: &RunRecord,
    catalog: &Catalog,
    detail: Detail,
    elapsed: Duration,
    out: &mut dyn Write,
) -> Result<()> {
    let is_given_up = |incident: &Incident| matches!(incident, Incident::GaveUp { .. });
    let could_not_be_run = |record: &ImplementationRecord| {
        record.incidents.iter().any(is_given_up) && record.checks.iter().all(CheckFinished::has_not_run)
    };
    let has_results = !record.implementations.iter().all(could_not_be_run);
    let mut blocks = Vec::new();
    if has_results {
        blocks.push(summary::overview(&record.implementations, detail.is_all));
        let note = "a clause is kept if no row contradicts what it requires; clauses that only leave open what is right, or \
                    that an implementation has no function for, do not count";
        let more = if record.implementations.len() > 1 && !detail.is_all {
            "; --all shows every edition"
        } else {
            ""
        };
        blocks.push(Block::Paragraph(Line::default().toned(Tone::Faint, format!("{note}{more}"))));
    }
    blocks.extend(summary::implementations(record, catalog, detail));
    write_document(0, &blocks, out)?;
    if has_results {
        let totals = record.row_totals();
        let summary =
            Line::default().toned(Tone::Strong, format!("Summary [{:.1} s]", elapsed.as_secs_f64()));
        let summary =
            summary.text(format!(" {}: ", counted(totals.sum(), "judgement"))).then(describe(&totals));
        let (tone, mut verdict) = summary::verdict(record);
        if tone == Tone::Good && totals.known > 0 && !detail.has_known {
            verdict += "; --known shows them by clause";
        }
        writeln!(out)?;
        let not_judged = only_permitted(record).map(|note| Line::default().toned(Tone::Open, note));
        let lines = [summary, Line::default().toned(tone, verdict)].into_iter().chain(not_judged);
        write_document(0, &lines.map(Block::Paragraph).collect::<Vec<_>>(), out)?;
    }
    Ok(())
}

/// Returns how many answers differ from what the editions of the run only permit, so that none of them is wrong, and an
/// edition that requires it.
fn only_permitted(record: &RunRecord) -> Option<String> {
    let differs = |judged: &Judgement| {
        judged.level == Level::May
            && judged.status == Status::Unspecified
            && !judged.expected.is_unspecified()
    };
    let checks = record.implementations.iter().flat_map(|implementation| &implementation.checks);
    let differing: Vec<_> = checks.filter(|check| check.editions.values().all(differs)).collect();
    let clauses = differing.iter().filter_map(|check| Clause::find(&check.clause));
    let clauses = clauses.map(|clause| (&*clause.id, clause)).collect::<BTreeMap<_, _>>();
    let requires =
        |edition: &Edition, clause: &Clause| clause.level(*edition).is_some_and(|level| level != Level::May);
    let requires_all = |edition: &Edition| clauses.values().all(|clause| requires(edition, clause));
    let edition = Edition::USUAL.into_iter().rfind(requires_all).filter(|_| !clauses.is_empty())?;
    let names: Vec<&str> = clauses.into_keys().collect();
    Some(format!(
        "{} differ from what the editions of this run only permit ({}), and cannot fail: --edition {edition} requires it",
        counted(differing.len(), "answer"),
        names.join(", "),
    ))
}

/// Returns the statuses that occur, each with its count.
fn describe(totals: &Totals) -> Line {
    let mut line = Line::default();
    let occurring = Status::ALL.into_iter().filter(|&status| totals.of(status) > 0);
    for (place, status) in occurring.enumerate() {
        let count = totals.of(status);
        line = line.text(if place > 0 { ", " } else { "" });
        // Failures that are all known are not news.
        line = match status.is_failure() && totals.new_failures() == 0 {
            true => line.text(format!("{count} {status}")),
            false => line.toned(tone(status), format!("{count} {status}")),
        };
        line = match (status, share(count, count + totals.failures())) {
            (Status::Pass, Some(share)) => line.text(format!(" ({share} of those judged)")),
            (Status::Fail, _) if totals.departures > 0 => {
                line.text(format!(" ({} only recommended)", totals.departures))
            }
            _ => line,
        };
    }
    line
}

fn tone(status: Status) -> Tone {
    match status {
        Status::Pass => Tone::Good,
        Status::Unspecified | Status::Unanswered => Tone::Open,
        Status::NotSupported | Status::NotRun => Tone::Faint,
        _ => Tone::Bad,
    }
}
