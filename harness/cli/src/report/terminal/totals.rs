//! The table of totals, and the outcome of the run.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use robotspec::event::{CheckFinished, Status, Totals};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::{Expected, visible};

use super::Options;
use crate::output::{BAD, FAINT, GOOD, OPEN, STRONG, counted, full_name, styled, table};
use crate::report::share::share;

/// Writes a row for each implementation and edition, in rows of the suites.
pub(super) fn write_table(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    let by_line: Vec<(String, Option<Counts>)> = record.implementations.iter().flat_map(lines).collect();
    let all = || by_line.iter().filter_map(|(_, counts)| counts.as_ref());
    let has_not_run = all().any(|counts| counts.rows.of(Status::NotRun) > 0);
    let has_variants = all().any(Counts::has_more_in_variants);
    let mut header = vec!["edition", "passed", "violations", "departures", "unspecified", "not\nsupported"];
    header.extend(has_not_run.then_some("not run"));
    let rows = by_line.iter().map(|(name, counts)| match counts {
        None => vec![styled(STRONG, name)],
        Some(counts) => counts.cells(name, has_not_run),
    });
    writeln!(out, "{}", table(header, rows, 1..usize::MAX))?;
    let in_parentheses = if has_variants { "; in parentheses: with their variants" } else { "" };
    let unit = format!("counts of rows, and the share of the judged rows that pass{in_parentheses}");
    writeln!(out, "{}", styled(FAINT, unit))?;
    Ok(())
}

/// Returns the lines of an implementation: its name, then its counts in each edition.
fn lines(record: &ImplementationRecord) -> Vec<(String, Option<Counts>)> {
    let (all, rows) = (record.totals(), record.row_totals());
    let of = |edition| rows.get(edition).cloned().unwrap_or_default();
    let by_edition = all.iter().map(|(edition, all)| {
        (edition.id().to_owned(), Some(Counts { rows: of(edition), all: all.clone() }))
    });
    // Rows about access have no variants.
    let access = access_totals(record);
    let has_answer = access.sum() > access.of(Status::NotSupported);
    let access =
        has_answer.then(|| ("access, in all".to_owned(), Some(Counts { rows: access.clone(), all: access })));
    std::iter::once((full_name(&record.info), None)).chain(by_edition).chain(access).collect()
}

/// The counts of an implementation in an edition.
struct Counts {
    rows: Totals,
    /// With variants.
    all: Totals,
}

impl Counts {
    fn has_more_in_variants(&self) -> bool {
        self.all.violations() > self.rows.violations() || self.all.departures > self.rows.departures
    }

    fn cells(&self, name: &str, has_not_run: bool) -> Vec<String> {
        let Counts { rows, all } = self;
        let passed = rows.of(Status::Pass);
        let passed = match share_passed(rows) {
            Some(share) => format!("{passed} {:>8}", format!("({share})")),
            None => passed.to_string(),
        };
        let failed = |style, count: fn(&Totals) -> usize| {
            let with_variants =
                if count(all) > count(rows) { format!(" ({})", count(all)) } else { String::new() };
            let text = format!("{}{with_variants}", count(rows));
            if count(all) > 0 { styled(style, text) } else { text }
        };
        let mut cells = vec![
            format!("  {name}"),
            passed,
            failed(BAD, Totals::violations),
            failed(OPEN, |totals| totals.departures),
            rows.of(Status::Unspecified).to_string(),
            rows.of(Status::NotSupported).to_string(),
        ];
        cells.extend(has_not_run.then(|| rows.of(Status::NotRun).to_string()));
        cells
    }
}

/// Returns the share of the judged rows that pass.
fn share_passed(totals: &Totals) -> Option<String> {
    let passed = totals.of(Status::Pass);
    share(passed, passed + totals.failures())
}

/// Returns the totals of the rows about access, in all editions together.
fn access_totals(record: &ImplementationRecord) -> Totals {
    let mut totals = Totals::default();
    let rows = record.rows().filter(|row| is_about_access(row));
    rows.flat_map(|row| row.editions.values()).for_each(|judgement| totals.add(judgement));
    totals
}

fn is_about_access(check: &CheckFinished) -> bool {
    check.editions.values().any(|judgement| matches!(judgement.expected, Expected::Access(_)))
}

/// Writes how often each status occurs in the run, and whether the run is as expected.
pub(super) fn write_outcome(record: &RunRecord, options: &Options, out: &mut dyn Write) -> Result<()> {
    let (outcome, rows) = (record.outcome(), record.row_totals());
    let totals = &outcome.totals;
    let judgements = counted(rows.sum(), "judgement");
    let summary = format!("Summary [{:.1} s]", options.elapsed.as_secs_f64());
    writeln!(out, "\n{} {judgements}: {}", styled(STRONG, summary), describe(&rows))?;
    let has_variants = totals.sum() > rows.sum();
    if has_variants {
        writeln!(out, "with variants {}: {}", totals.sum(), describe(totals))?;
    }
    let with_variants = |rows: usize, all: usize, thing: &str, from: &str| match has_variants {
        true => format!("{}{from} ({all} with variants)", counted(rows, thing)),
        false => format!("{}{from}", counted(all, thing)),
    };
    let (unexpected, stale, gaps) = (outcome.unexpected, outcome.stale, record.gaps());
    let verdict = match (unexpected, stale, &gaps[..]) {
        (0, 0, []) if totals.known == 0 => styled(GOOD, "all as expected"),
        (0, 0, []) => {
            let known = with_variants(rows.known, totals.known, "failure", "");
            let more = if options.show_known { "" } else { "; --known shows them by clause" };
            styled(GOOD, format!("all as expected: {known}, all known")) + more
        }
        _ => {
            let violations =
                with_variants(rows.new_violations(), totals.new_violations(), "new violation", "");
            let departures = with_variants(
                rows.new_departures(),
                totals.new_departures(),
                "new departure",
                " from recommendations",
            );
            let new = [(totals.new_violations(), violations), (totals.new_departures(), departures)];
            let new: Vec<String> =
                new.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
            let do_not_fail = if outcome.failing() == 0 { ", which do not fail this run" } else { "" };
            let stale_part = format!("{} out of date on the list", counted(stale, "known failure"));
            let parts = [(unexpected, new.join(", ") + do_not_fail), (stale, stale_part)];
            let mut parts: Vec<String> =
                parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
            parts.extend(gaps.iter().map(|gap| visible(&gap.to_string())));
            let is_bad = outcome.failing() > 0 || !gaps.is_empty();
            styled(if is_bad { BAD } else { OPEN }, parts.join(", "))
        }
    };
    writeln!(out, "{verdict}")?;
    Ok(())
}

/// Returns the statuses that occur, each with its count.
fn describe(totals: &Totals) -> String {
    let counts = Status::ALL.into_iter().filter(|&status| totals.of(status) > 0);
    let describe = |status: Status| {
        let count = styled(style(status), format!("{} {status}", totals.of(status)));
        match (status, share_passed(totals), totals.departures) {
            (Status::Pass, Some(share), _) => format!("{count} ({share} of those judged)"),
            (Status::Fail, _, 1..) => format!("{count} ({} only recommended)", totals.departures),
            _ => count,
        }
    };
    counts.map(describe).collect::<Vec<_>>().join(", ")
}

fn style(status: Status) -> Style {
    match status {
        Status::Pass => GOOD,
        Status::Unspecified => OPEN,
        Status::NotSupported | Status::NotRun => FAINT,
        _ => BAD,
    }
}
