//! Markdown for the summary of a CI job. GitHub cuts a summary off at 1 MiB, so rows and answers are limited.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use anyhow::Result;
use robotspec::event::{LikelyCause, Status, Totals};
use robotspec::sentences::counted;
use robotspec::{ImplementationRecord, Incident, RunRecord};
use robotspec_cases::clause::ClauseKind;
use robotspec_cases::{Clause, Level};
use robotspec_reference::Edition;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::failing::{ClauseFailures, FailingRow, by_clause, failing_rows};
use crate::report::markup::{cell_text, code, text};

/// The number of rows that are shown of those that newly fail under a clause.
const ROWS_SHOWN: usize = 5;

/// The number of bytes that are shown of an answer.
const ANSWER_SHOWN: usize = 200;

pub(super) fn write(record: &RunRecord, _: &Catalog, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "## robots.txt conformance\n\n{}\n", verdict(record))?;
    write_editions(record, out)?;
    write_kinds(record, out)?;
    for implementation in &record.implementations {
        write_implementation(implementation, record.level(), out)?;
    }
    writeln!(out, "\nrobotspec {}, {} checks.", text(&record.robotspec), record.check_count())?;
    Ok(())
}

fn verdict(record: &RunRecord) -> String {
    let (outcome, rows) = (record.outcome(), record.row_totals());
    let totals = &outcome.totals;
    let departures = with_variants(
        rows.new_departures(),
        totals.new_departures(),
        "new departure",
        " from recommendations",
    );
    let parts = [
        (
            totals.new_violations(),
            with_variants(rows.new_violations(), totals.new_violations(), "new violation", ""),
        ),
        (totals.new_departures(), departures),
        (outcome.stale, format!("{} out of date", counted(outcome.stale, "known failure"))),
    ];
    let mut parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
    parts.extend(record.gaps().iter().map(|gap| text(&gap.to_string())));
    match (parts.is_empty(), outcome.totals.known) {
        (true, 0) => "✅ All as expected.".to_owned(),
        (true, known) => {
            format!("✅ All as expected: {}, all known.", with_variants(rows.known, known, "failure", ""))
        }
        (false, _) if outcome.exit_code() == 0 => {
            format!("🟡 **{}**, which do not fail this run.", parts.join(", "))
        }
        (false, _) => format!("❌ **{}.**", parts.join(", ")),
    }
}

fn with_variants(rows: usize, all: usize, thing: &str, from: &str) -> String {
    let counted = format!("{}{from}", counted(rows, thing));
    if rows == all { counted } else { format!("{counted} ({all} with variants)") }
}

/// Writes a table with a row for each implementation and a column for each edition.
fn write_editions(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    write_header(record.editions.iter().map(|edition| edition.id()), out)?;
    for implementation in &record.implementations {
        let (rows, totals) = (implementation.row_totals(), implementation.totals());
        let cell = |edition: &Edition| cell_of(rows.get(edition), totals.get(edition), record.level());
        let cells = record.editions.iter().map(cell);
        write_row(std::iter::once(cell_text(&full_name(&implementation.info))).chain(cells), out)?;
    }
    Ok(())
}

/// Writes a table with a row for each implementation and a column for each kind of clause.
fn write_kinds(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    let by_kind: Vec<BTreeMap<ClauseKind, Totals>> =
        record.implementations.iter().map(totals_by_kind).collect();
    let kinds: BTreeSet<ClauseKind> = by_kind.iter().flat_map(|kinds| kinds.keys().copied()).collect();
    writeln!(out)?;
    write_header(kinds.iter().map(|kind| kind.title()), out)?;
    for (implementation, totals) in record.implementations.iter().zip(&by_kind) {
        let rows = implementation.row_kinds();
        let cells = kinds.iter().map(|kind| cell_of(rows.get(kind), totals.get(kind), record.level()));
        write_row(std::iter::once(cell_text(&full_name(&implementation.info))).chain(cells), out)?;
    }
    Ok(())
}

/// Returns how often each status occurs in all editions together, by kind of clause, variants included.
fn totals_by_kind(record: &ImplementationRecord) -> BTreeMap<ClauseKind, Totals> {
    let mut kinds: BTreeMap<ClauseKind, Totals> = BTreeMap::new();
    for (clause, editions) in record.clauses() {
        let Some(clause) = Clause::find(&clause) else { continue };
        let kind = kinds.entry(clause.kind).or_default();
        editions.values().for_each(|totals| kind.extend(totals));
    }
    kinds
}

/// Returns the number of rows that passed, of those that could fail; and whether variants fail where no row does.
fn cell_of(rows: Option<&Totals>, with_variants: Option<&Totals>, level: Level) -> String {
    let (Some(rows), Some(with_variants)) = (rows, with_variants) else { return String::new() };
    let passed = rows.of(Status::Pass);
    match (passed + rows.failures(), with_variants.new_failures_at(level), with_variants.failures()) {
        (0, ..) => "–".to_owned(),
        (_, 0, 0) => format!("✅ {passed}"),
        (all, 0, _) => format!("🟡 {passed} of {all}"),
        (all, ..) if rows.new_failures_at(level) == 0 => format!("❌ {passed} of {all}, and variants fail"),
        (all, ..) => format!("❌ {passed} of {all}"),
    }
}

fn write_header<'t>(titles: impl ExactSizeIterator<Item = &'t str>, out: &mut dyn Write) -> Result<()> {
    let columns = titles.len();
    write_row(std::iter::once("rows passed").chain(titles), out)?;
    writeln!(out, "| --- |{}", " ---: |".repeat(columns))?;
    Ok(())
}

fn write_row<T: AsRef<str>>(cells: impl Iterator<Item = T>, out: &mut dyn Write) -> Result<()> {
    let cells: Vec<String> = cells.map(|cell| format!(" {} |", cell.as_ref())).collect();
    writeln!(out, "|{}", cells.concat())?;
    Ok(())
}

fn name(record: &ImplementationRecord) -> String {
    text(&full_name(&record.info))
}

fn write_implementation(record: &ImplementationRecord, level: Level, out: &mut dyn Write) -> Result<()> {
    let mut lines: Vec<String> = incidents(&record.incidents);
    lines.extend(record.likely_causes.iter().map(likely_cause));
    let stale = record.stale_known_failures.iter();
    lines.extend(stale.map(|entry| format!("- known failures are out of date: {}", text(entry))));
    lines.extend(flaky(record));
    lines.extend(by_clause(record, record.failures()).iter().flat_map(|failures| clause(failures, level)));
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### {}\n", name(record))?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

fn likely_cause(likely: &LikelyCause) -> String {
    let example = likely.example.as_ref().map(|example| format!(", such as {}", code(&example.to_string())));
    format!(
        "- **Likely cause**: {}. {} may fail for this cause{}. {}",
        text(&likely.observed),
        counted(likely.rows, "row"),
        example.unwrap_or_default(),
        text(&likely.advice)
    )
}

/// Returns the incidents. Of the restarts, only the number is given.
fn incidents(incidents: &[Incident]) -> Vec<String> {
    let is_restart = |incident: &&Incident| matches!(incident, Incident::Restarted { .. });
    let restarts = incidents.iter().filter(is_restart).count();
    let restarts = (restarts > 0).then(|| format!("- restarted {}", counted(restarts, "time")));
    let others = incidents.iter().filter(|incident| !is_restart(incident));
    let mut lines: Vec<String> =
        others.map(|incident| format!("- {}", answer(&incident.to_string()))).collect();
    let first = incidents.partition_point(Incident::comes_first);
    lines.splice(first..first, restarts);
    lines
}

/// Returns the rows that were answered in two ways.
fn flaky(record: &ImplementationRecord) -> Vec<String> {
    let rows =
        failing_rows(record.failures().filter(|failure| failure.is_flaky() && failure.has_new_failure()));
    if rows.is_empty() {
        return Vec::new();
    }
    let count =
        format!("- ❌ **flaky**: **{}** with two answers to the same query.", counted(rows.len(), "row"));
    std::iter::once(count).chain(shown_rows(&rows)).collect()
}

/// Returns a clause and the rows that newly fail under it.
fn clause(failures: &ClauseFailures, level: Level) -> Vec<String> {
    let ClauseFailures { clause, new, known } = failures;
    let statement = Clause::find(clause).map(|clause| clause.statement.as_str()).unwrap_or_default();
    let fails = |row: &FailingRow| {
        row.example.editions.values().any(|judged| judged.is_new_failure() && judged.is_failure_at(level))
    };
    let mark = if new.iter().any(fails) { "❌" } else { "🟡" };
    let count = match (new.len(), known) {
        (0, known) => format!("{known} known"),
        (new, 0) => format!("**{new} new**"),
        (new, known) => format!("**{new} new**, {known} known"),
    };
    let mut lines = vec![format!("- {mark} **{}**: {count}. {}", text(clause), text(statement))];
    lines.extend(shown_rows(new));
    lines
}

/// Returns the first of some rows, and how many more there are.
fn shown_rows(rows: &[FailingRow]) -> Vec<String> {
    let mut lines: Vec<String> = rows.iter().take(ROWS_SHOWN).map(row).collect();
    if rows.len() > ROWS_SHOWN {
        lines.push(format!("  - … and {} more", rows.len() - ROWS_SHOWN));
    }
    lines
}

fn row(row: &FailingRow) -> String {
    let failing = row.example.editions.iter().filter(|(_, judgement)| judgement.is_new_failure());
    let differences: Vec<String> = failing
        .map(|(edition, judgement)| {
            let (expected, got) =
                (answer(&judgement.expected.to_string()), answer(&judgement.describe_got()));
            let recommended = if judgement.is_departure() { " (should)" } else { "" };
            format!("{edition} expected {expected}{recommended}, got {got}")
        })
        .collect();
    let others = row.describe_others().map(|others| format!(", {others}")).unwrap_or_default();
    format!("  - {}: {}{others}", code(&row.example.id.to_string()), differences.join("; "))
}

/// Returns the start of an answer or a message as code.
fn answer(text: &str) -> String {
    // One character of the report may need several bytes there, so the text is cut before it is written.
    let line = text.replace("\r\n", " ").replace(['\n', '\r'], " ");
    let shown = &line[..line.floor_char_boundary(ANSWER_SHOWN)];
    let more = if shown.len() < line.len() { "…" } else { "" };
    code(&format!("{shown}{more}"))
}
