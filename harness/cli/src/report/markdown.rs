//! Markdown, for people: fit for the summary of a CI job, which GitHub cuts off
//! at a mebioctet.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, Write};

use crate::report::{ImplementationSummary, Report, Summary, blamed, failing_rows};
use robotspec::event::{CheckFinished, EditionId, Event, LikelyCause, Status, Totals};
use robotspec::implementation::Incident;
use robotspec::sentences::counted;
use robotspec_cases::clause::{Clause, Kind};

/// How many rows of a clause that newly fail are shown.
const SHOWN: usize = 5;

/// How many octets of an answer are shown.
const ANSWER_SHOWN: usize = 200;

#[derive(Default)]
pub(super) struct MarkdownReport {
    summary: Summary,
}

impl Report for MarkdownReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        self.summary.take(event);
        if matches!(event, Event::RunFinished { .. }) { write(&self.summary, out) } else { Ok(()) }
    }
}

fn write(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## robots.txt conformance\n\n{}\n", verdict(summary))?;
    write_editions(summary, out)?;
    write_kinds(summary, out)?;
    for implementation in &summary.implementations {
        write_implementation(implementation, out)?;
    }
    writeln!(out, "\nrobotspec {}, {} checks.", summary.robotspec, summary.checks)
}

fn verdict(summary: &Summary) -> String {
    let not_run = summary.totals.of(Status::NotRun);
    let (new, known) = summary.failing_rows();
    let parts = [
        (summary.unexpected, with_variants(new, summary.unexpected, "new failure")),
        (summary.stale, format!("{} out of date", counted(summary.stale, "known failure"))),
        (not_run, format!("{} not run", counted(not_run, "check"))),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, told)| told).collect();
    match (parts.is_empty(), summary.totals.known) {
        (true, 0) => "✅ All as expected.".to_owned(),
        (true, all) => {
            format!("✅ All as expected: {}, all known.", with_variants(known, all, "failure"))
        }
        (false, _) => format!("❌ **{}.**", parts.join(", ")),
    }
}

fn with_variants(of_rows: usize, all: usize, thing: &str) -> String {
    let told = counted(of_rows, thing);
    if of_rows == all { told } else { format!("{told} ({all} with variants)") }
}

/// A row for each implementation, a column for each edition.
fn write_editions(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let editions = summary.editions.iter().map(|edition| edition.0.id());
    write_row(std::iter::once("rows passed").chain(editions), out)?;
    writeln!(out, "| --- |{}", " ---: |".repeat(summary.editions.len()))?;
    for implementation in &summary.implementations {
        let of = |edition: &EditionId| {
            let rows = implementation.rows.get(edition)?;
            Some(cell(rows, implementation.totals.get(edition)?))
        };
        let of = |edition: &EditionId| of(edition).unwrap_or_default();
        let cells = summary.editions.iter().map(of);
        write_row(std::iter::once(name(implementation)).chain(cells), out)?;
    }
    Ok(())
}

/// A row for each implementation, a column for each kind of clauses.
fn write_kinds(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let by_kind: Vec<BTreeMap<Kind, Totals>> =
        summary.implementations.iter().map(ImplementationSummary::by_kind).collect();
    let kinds: BTreeSet<Kind> = by_kind.iter().flat_map(|kinds| kinds.keys().copied()).collect();
    writeln!(out)?;
    write_row(std::iter::once("rows passed").chain(kinds.iter().map(|kind| kind.title())), out)?;
    writeln!(out, "| --- |{}", " ---: |".repeat(kinds.len()))?;
    for (implementation, totals) in summary.implementations.iter().zip(&by_kind) {
        let of = |kind: &Kind| Some(cell(implementation.row_kinds.get(kind)?, totals.get(kind)?));
        let cells = kinds.iter().map(|kind| of(kind).unwrap_or_default());
        write_row(std::iter::once(name(implementation)).chain(cells), out)?;
    }
    Ok(())
}

/// How many rows passed, of those that could have failed; and whether more fails once it is rewritten.
fn cell(rows: &Totals, with_variants: &Totals) -> String {
    let passed = rows.of(Status::Pass);
    match (passed + rows.failures(), with_variants.new_failures(), with_variants.known) {
        (0, ..) => "–".to_owned(),
        (_, 0, 0) => format!("✅ {passed}"),
        (of, 0, _) => format!("🟡 {passed} of {of}"),
        (of, ..) if rows.new_failures() == 0 => format!("❌ {passed} of {of}, and variants fail"),
        (of, ..) => format!("❌ {passed} of {of}"),
    }
}

fn write_row<T: AsRef<str>>(cells: impl Iterator<Item = T>, out: &mut dyn Write) -> io::Result<()> {
    let cells: Vec<String> = cells.map(|cell| format!(" {} |", cell.as_ref())).collect();
    writeln!(out, "|{}", cells.concat())
}

fn name(implementation: &ImplementationSummary) -> String {
    let version = implementation.info.version.as_deref().unwrap_or_default();
    escaped(format!("{} {version}", implementation.info.name).trim())
}

fn write_implementation(implementation: &ImplementationSummary, out: &mut dyn Write) -> io::Result<()> {
    let gave_up = implementation.incidents.iter().filter_map(|incident| match incident {
        Incident::GaveUp { reason } => Some(reason),
        _ => None,
    });
    let mut lines: Vec<String> =
        gave_up.map(|reason| format!("- could not be run: {}", code(reason))).collect();
    lines.extend(implementation.likely_causes.iter().map(likely_cause));
    lines.extend(
        implementation
            .stale_known_failures
            .iter()
            .map(|entry| format!("- known failures are out of date: {}", escaped(entry))),
    );
    let failures = &implementation.failures;
    let all_that_fails: HashSet<&str> = failures.iter().map(|failure| failure.id.as_str()).collect();
    let mut by_clause: BTreeMap<(usize, &str), Vec<&CheckFinished>> = BTreeMap::new();
    for failure in failures {
        let id = blamed(failure, &all_that_fails);
        let order = Clause::all().iter().position(|clause| clause.id == id);
        by_clause.entry((order.unwrap_or(usize::MAX), id)).or_default().push(failure);
    }
    for ((_, id), failures) in &by_clause {
        lines.extend(clause(id, failures));
    }
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### {}\n", name(implementation))?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn likely_cause(likely: &LikelyCause) -> String {
    let example = likely.example.as_deref().map(|example| format!(", such as {}", code(example)));
    format!(
        "- **Likely cause**: {}. {} may fail for it{}. {}",
        escaped(&likely.observed),
        counted(likely.rows, "row"),
        example.unwrap_or_default(),
        escaped(&likely.advice)
    )
}

/// A clause with the rows that fail, the new ones first.
fn clause(id: &str, failures: &[&CheckFinished]) -> Vec<String> {
    let new = failing_rows(failures.iter().copied().filter(|failure| failure.has_new_failure()));
    let statement = Clause::find(id).map(|clause| clause.statement.as_str()).unwrap_or_default();
    let mark = if new.is_empty() { "🟡" } else { "❌" };
    let known = failing_rows(failures.iter().copied()).len() - new.len();
    let count = match (new.len(), known) {
        (0, known) => format!("{known} known"),
        (new, 0) => format!("**{new} new**"),
        (new, known) => format!("**{new} new**, {known} known"),
    };
    let mut lines = vec![format!("- {mark} **{id}**: {count}. {}", escaped(statement))];
    for row in new.iter().take(SHOWN) {
        let failure = row.example;
        let failing = failure.editions.iter().filter(|(_, judged)| judged.is_new_failure());
        let told: Vec<String> = failing
            .map(|(edition, judged)| {
                format!("{edition} expected {}, got {}", code(&judged.expected), code(&judged.got))
            })
            .collect();
        let others = row.others().map(|others| format!(", {others}")).unwrap_or_default();
        lines.push(format!("  - {}: {}{others}", code(&failure.id), told.join("; ")));
    }
    if new.len() > SHOWN {
        lines.push(format!("  - … and {} more", new.len() - SHOWN));
    }
    lines
}

/// A text as code, in one line.
fn code(text: &str) -> String {
    let line: String = text.replace(['\n', '\r'], " ");
    let end = (0..=ANSWER_SHOWN.min(line.len())).rev().find(|&end| line.is_char_boundary(end));
    let shown = &line[..end.unwrap_or_default()];
    let more = if shown.len() < line.len() { "…" } else { "" };
    format!("`` {}{more} ``", shown.replace("``", "` `")).replace('|', "\\|")
}

/// A text as it is: nothing in it is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&') {
            escaped.push('\\');
        }
        escaped.push(if matches!(c, '\n' | '\r') { ' ' } else { c });
    }
    escaped
}
