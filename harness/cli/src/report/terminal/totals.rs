//! The table of totals, and the outcome of the run.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use robotspec::event::{CheckFinished, Status, Totals};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::{Expected, visible};
use robotspec_reference::Edition;

use crate::output::{BAD, GOOD, OPEN, counted, styled};

/// Writes a row for each implementation, with a column for each edition.
pub(super) fn write_table(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    let has_access = record.implementations.iter().any(|record| record.rows().any(is_about_access));
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    let editions = record.editions.iter().map(|edition| edition.id());
    table.set_header(
        ["implementation", ""].into_iter().chain(editions).chain(has_access.then_some("access, in all")),
    );
    for implementation in &record.implementations {
        table.add_row(cells(implementation, Vec::from_iter(&record.editions).as_slice(), has_access));
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

/// Returns the cells of an implementation. A cell has a line for each count.
fn cells(record: &ImplementationRecord, editions: &[&Edition], has_access: bool) -> Vec<String> {
    let (all, rows) = (record.totals(), record.row_totals());
    let of = |totals: &BTreeMap<Edition, Totals>, edition| totals.get(edition).cloned().unwrap_or_default();
    let by_edition: Vec<(Totals, Totals)> =
        editions.iter().map(|edition| (of(&rows, edition), of(&all, edition))).collect();
    let has_not_run = all.values().any(|totals| totals.of(Status::NotRun) > 0);
    let more = |count: fn(&Totals) -> usize| by_edition.iter().any(|(rows, all)| count(all) > count(rows));
    let (has_violating_variants, has_departing_variants) =
        (more(Totals::violations), more(|totals| totals.departures));
    let lines = |counts: [String; 8]| {
        let [passed, violations, in_variants, departures, departing, unspecified, not_supported, not_run] =
            counts;
        let mut lines = vec![passed, violations];
        lines.extend(has_violating_variants.then_some(in_variants));
        lines.push(departures);
        lines.extend(has_departing_variants.then_some(departing));
        lines.extend([unspecified, not_supported]);
        lines.extend(has_not_run.then_some(not_run));
        lines.join("\n")
    };
    let labels = [
        "rows passed",
        "violations",
        "(with variants)",
        "departures",
        "(with variants)",
        "unspecified",
        "not supported",
        "not run",
    ];
    let cell = |rows: &Totals, all: &Totals| {
        let with_variants = |count: fn(&Totals) -> usize| match count(all) {
            more if more > count(rows) => format!("({more})"),
            _ => String::new(),
        };
        let departures = |totals: &Totals| totals.departures;
        let count = |status| rows.of(status).to_string();
        lines([
            count(Status::Pass),
            rows.violations().to_string(),
            with_variants(Totals::violations),
            departures(rows).to_string(),
            with_variants(departures),
            count(Status::Unspecified),
            count(Status::NotSupported),
            count(Status::NotRun),
        ])
    };
    let version = record.info.version.as_deref().unwrap_or_default();
    let name = format!("{}\n{}", visible(&record.info.name), visible(version));
    let mut cells = vec![name, lines(labels.map(str::to_owned))];
    cells.extend(by_edition.iter().map(|(rows, all)| cell(rows, all)));
    if has_access {
        // Rows about access have no variants.
        let access = access_totals(record);
        cells.push(cell(&access, &access));
    }
    cells
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
pub(super) fn write_outcome(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    let (outcome, rows) = (record.outcome(), record.row_totals());
    let totals = &outcome.totals;
    writeln!(out, "\n{}: {}", counted(rows.sum(), "judgement"), describe(&rows))?;
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
            styled(GOOD, format!("all as expected: {known}, all known"))
        }
        _ => {
            let violations = with_variants(rows.new_violations(), totals.new_violations(), "violation", "");
            let departures = with_variants(
                rows.new_departures(),
                totals.new_departures(),
                "departure",
                " from recommendations",
            );
            let new = [(totals.new_violations(), violations), (totals.new_departures(), departures)];
            let new: Vec<String> =
                new.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
            let do_not_fail = if outcome.failing() == 0 { ", which do not fail this run" } else { "" };
            let stale_part = format!("{} out of date on the list", counted(stale, "known failure"));
            let parts = [
                (unexpected, format!("{} that no list knows{do_not_fail}", new.join(", "))),
                (stale, stale_part),
            ];
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
    let describe = |status| match (status, totals.departures) {
        (Status::Fail, 1..) => {
            format!("{} {status} ({} only recommended)", totals.of(status), totals.departures)
        }
        _ => format!("{} {status}", totals.of(status)),
    };
    let counts: Vec<String> = counts.map(describe).collect();
    counts.join(", ")
}
