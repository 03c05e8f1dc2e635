//! Markdown for the summary of a CI job. GitHub cuts a summary off at 1 MiB, so rows and answers are limited.

use std::io::Write;

use anyhow::Result;
use robotspec::event::{CheckFinished, Judgement, LikelyCause, Status};
use robotspec::sentences::counted;
use robotspec::{ImplementationRecord, Incident, RunRecord, describe_other_rows};
use robotspec_cases::markup::{cell_text, code, prose, text};
use robotspec_cases::{Clause, Level};
use robotspec_reference::Edition;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::clauses::{ClauseCounts, compared_by};
use crate::report::failing::{ClauseFailures, FailingRow, RowCount, by_clause, failing_rows};

/// The number of rows that are shown of those that newly fail under a clause.
const ROWS_SHOWN: usize = 5;

/// The number of bytes that are shown of an answer.
const ANSWER_SHOWN: usize = 200;

const HEADER: &str = "\
| implementation | edition | clauses kept | violated | with departures | inputs wrong | crashes, time-outs |
| --- | --- | ---: | ---: | ---: | ---: | ---: |";

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "## robots.txt conformance\n\n{}\n", verdict(record))?;
    if let Some(page) = catalog.page() {
        writeln!(out, "Each input and each answer: [the page of these results]({page}).\n")?;
    }
    write_crashes(record, out)?;
    write_clause_counts(record, out)?;
    for implementation in &record.implementations {
        write_implementation(implementation, record.level(), catalog, out)?;
    }
    writeln!(out, "\nrobotspec {}, {} checks.", text(&record.robotspec), record.check_count())?;
    Ok(())
}

fn verdict(record: &RunRecord) -> String {
    let outcome = record.outcome();
    let mut parts = describe_failures(record, "new ", Judgement::is_new_failure);
    if outcome.stale > 0 {
        parts.push(format!("{} out of date", counted(outcome.stale, "known failure")));
    }
    parts.extend(record.gaps().iter().map(|gap| text(&gap.to_string())));
    if !parts.is_empty() {
        return match outcome.exit_code() {
            0 => format!("🟡 **{}**, which do not fail this run.", parts.join(", ")),
            _ => format!("❌ **{}.**", parts.join(", ")),
        };
    }
    let known = describe_failures(record, "", |judged| judged.status.is_failure());
    match known.is_empty() {
        true => "✅ All as expected.".to_owned(),
        false => format!("✅ All as expected, and all known: {}.", known.join(", ")),
    }
}

/// Returns how many rows of all implementations violate the specification, and how many only depart from
/// recommendations, in judgements that count.
fn describe_failures(record: &RunRecord, new: &str, counts: fn(&Judgement) -> bool) -> Vec<String> {
    let (mut violations, mut departures) = (RowCount::default(), RowCount::default());
    for implementation in &record.implementations {
        let failing = |failure: &&CheckFinished| failure.editions.values().any(counts);
        for row in failing_rows(implementation.failures().filter(failing)) {
            let mut judged = row.example.editions.values().filter(|judged| counts(judged));
            match judged.all(Judgement::is_departure) {
                true => departures.add(&row),
                false => violations.add(&row),
            }
        }
    }
    let kinds = [(violations, "violations"), (departures, "departures from recommendations")];
    let kinds = kinds.into_iter().filter(|(count, _)| count.sum() > 0);
    kinds.map(|(count, kind)| format!("{count} with {new}{kind}")).collect()
}

/// Writes the rows on which an implementation crashed or gave no answer in time.
fn write_crashes(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    let mut lines = Vec::new();
    for implementation in &record.implementations {
        let rows = failing_rows(implementation.failures().filter(|failure| crash(failure).is_some()));
        if rows.is_empty() {
            continue;
        }
        let known = if rows.iter().any(|row| row.example.has_new_failure()) { "" } else { ", all known" };
        lines.push(format!("- 💥 **{}**: {}{known}.", name(implementation), RowCount::of(&rows)));
        lines.extend(shown_rows(&rows, |row| crash(row.example).map(answer).unwrap_or_default()));
    }
    if !lines.is_empty() {
        writeln!(out, "### Crashes and time-outs\n\n{}\n", lines.join("\n"))?;
    }
    Ok(())
}

/// Returns how the implementation crashed or for how long it gave no answer.
fn crash(failure: &CheckFinished) -> Option<String> {
    let is_crash = |judged: &&Judgement| matches!(judged.status, Status::Crash | Status::Timeout);
    failure.editions.values().find(is_crash).map(Judgement::describe_got)
}

/// Writes a table of the clauses that each implementation keeps: those of each edition if there is one implementation,
/// else those of the edition in which implementations are compared.
fn write_clause_counts(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{HEADER}")?;
    for implementation in &record.implementations {
        let editions: Vec<Edition> = match &record.implementations[..] {
            [one] => one.totals().into_keys().collect(),
            _ => compared_by(implementation).into_iter().collect(),
        };
        for edition in editions {
            let counts = ClauseCounts::of(implementation, edition);
            let kept = counts.describe_kept();
            writeln!(
                out,
                "| {} {} | {edition} | {kept} | {} | {} | {} | {} |",
                mark(implementation, edition, record.level()),
                cell_text(&full_name(&implementation.info)),
                counts.violated,
                counts.departed,
                counts.wrong,
                match counts.crashed {
                    0 => "0".to_owned(),
                    crashed => format!("💥 {crashed}"),
                },
            )?;
        }
    }
    Ok(())
}

/// Returns a mark for the results in an edition: whether a new failure fails the run, and whether anything fails.
fn mark(record: &ImplementationRecord, edition: Edition, level: Level) -> &'static str {
    let judged = || record.checks.iter().filter_map(|check| check.editions.get(&edition));
    if judged().any(|judged| judged.is_new_failure() && judged.is_failure_at(level)) {
        "❌"
    } else if judged().any(|judged| judged.status.is_failure()) {
        "🟡"
    } else if judged().any(|judged| judged.status == Status::NotRun) {
        "❔"
    } else {
        "✅"
    }
}

fn name(record: &ImplementationRecord) -> String {
    text(&full_name(&record.info))
}

fn write_implementation(
    record: &ImplementationRecord,
    level: Level,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> Result<()> {
    let mut lines: Vec<String> = incidents(&record.incidents);
    lines.extend(record.likely_causes.iter().map(likely_cause));
    let others = describe_other_rows(&record.likely_causes, record, catalog.checks());
    lines.extend(others.map(|others| format!("- {others}")));
    let stale = record.stale_known_failures.iter();
    lines.extend(stale.map(|entry| format!("- known failures are out of date: {}", text(entry))));
    lines.extend(flaky(record));
    let lists = clauses(record, level);
    if lines.is_empty() && lists.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### {}", name(record))?;
    if !lines.is_empty() {
        writeln!(out, "\n{}", lines.join("\n"))?;
    }
    for (title, lines) in lists {
        writeln!(out, "\n**{title}**\n\n{}", lines.join("\n"))?;
    }
    Ok(())
}

/// Returns the clauses under which rows fail: those that are violated, those with departures alone, and those under
/// which no row fails as it is written.
fn clauses(record: &ImplementationRecord, level: Level) -> Vec<(&'static str, Vec<String>)> {
    let mut lists = [
        ("Violations", Vec::new()),
        ("Departures from recommendations", Vec::new()),
        ("Only when rewritten", Vec::new()),
    ];
    for failures in by_clause(record, record.failures()) {
        let mut judged = failures.rows().flat_map(|row| row.example.editions.values());
        let is_departed = judged.all(|judged| !judged.status.is_failure() || judged.is_departure());
        let place = match RowCount::of(failures.rows()) {
            RowCount { written: 0, .. } => 2,
            _ if is_departed => 1,
            _ => 0,
        };
        lists[place].1.extend(clause(&failures, level));
    }
    lists.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
}

fn likely_cause(likely: &LikelyCause) -> String {
    let example = likely.example.as_ref().map(|example| format!(", such as {}", code(&example.to_string())));
    format!(
        "- **Likely cause**: {}. {} may fail for this cause{}. {}",
        prose(&likely.observed),
        counted(likely.rows, "row"),
        example.unwrap_or_default(),
        prose(&likely.advice)
    )
}

/// Returns the incidents. Of the restarts, only the number is given.
fn incidents(incidents: &[Incident]) -> Vec<String> {
    let is_restart = |incident: &&Incident| matches!(incident, Incident::Restarted { .. });
    let restarts = incidents.iter().filter(is_restart).count();
    let restarts = (restarts > 0).then(|| format!("- restarted {}", counted(restarts, "time")));
    let others = incidents.iter().filter(|incident| !is_restart(incident));
    let mut lines: Vec<String> =
        others.map(|incident| format!("- {}", answer(incident.to_string()))).collect();
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
    std::iter::once(count).chain(shown_rows(&rows, differences)).collect()
}

/// Returns a clause and the rows that newly fail under it.
fn clause(failures: &ClauseFailures, level: Level) -> Vec<String> {
    let ClauseFailures { clause, new, known } = failures;
    let statement = Clause::find(clause).map(|clause| format!(". {}", prose(&clause.statement)));
    let fails = |row: &FailingRow| {
        row.example.editions.values().any(|judged| judged.is_new_failure() && judged.is_failure_at(level))
    };
    let mark = if new.iter().any(fails) { "❌" } else { "🟡" };
    let (new_rows, known_rows) = (RowCount::of(new), RowCount::of(known));
    let count = match (new.len(), known.len()) {
        (0, _) => format!("known: {known_rows}"),
        (_, 0) => format!("**new: {new_rows}**"),
        _ => format!("**new: {new_rows}**; known: {known_rows}"),
    };
    let mut lines = vec![format!("- {mark} **{}**: {count}{}", text(clause), statement.unwrap_or_default())];
    lines.extend(shown_rows(new, differences));
    lines
}

/// Returns the first of some rows, each with a description, and how many more there are.
fn shown_rows(rows: &[FailingRow], describe: impl Fn(&FailingRow) -> String) -> Vec<String> {
    let row = |row: &FailingRow| {
        let others = row.describe_others().map(|others| format!(", {others}")).unwrap_or_default();
        format!("  - {}: {}{others}", code(&row.example.id.to_string()), describe(row))
    };
    let mut lines: Vec<String> = rows.iter().take(ROWS_SHOWN).map(row).collect();
    if rows.len() > ROWS_SHOWN {
        lines.push(format!("  - … and {} more", rows.len() - ROWS_SHOWN));
    }
    lines
}

/// Returns what the editions expected of a row in which it newly fails, and the answers.
fn differences(row: &FailingRow) -> String {
    let failing = row.example.editions.iter().filter(|(_, judgement)| judgement.is_new_failure());
    let differences: Vec<String> = failing
        .map(|(edition, judgement)| {
            let (expected, got) = (answer(judgement.expected.to_string()), answer(judgement.describe_got()));
            let recommended = if judgement.is_departure() { " (should)" } else { "" };
            format!("{edition} expected {expected}{recommended}, got {got}")
        })
        .collect();
    differences.join("; ")
}

/// Returns the start of an answer or a message as code.
fn answer(text: String) -> String {
    // One character of the report may need several bytes there, so the text is cut before it is written.
    let line = text.replace("\r\n", " ").replace(['\n', '\r'], " ");
    let shown = &line[..line.floor_char_boundary(ANSWER_SHOWN)];
    let more = if shown.len() < line.len() { "…" } else { "" };
    code(&format!("{shown}{more}"))
}
