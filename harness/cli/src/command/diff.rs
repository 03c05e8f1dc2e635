//! `robotspec diff`

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use robotspec::event::Status;
use robotspec::failing::{by_row, describe_variants};
use robotspec_cases::{Level, Variant};
use robotspec_reference::Edition;
use robotspec_text::visible;

use crate::command::exit::{FAILED, INCOMPLETE, OK};
use crate::command::recorded::read_run;
use crate::command::values::{Format, joined};
use crate::diff::{Change, Diff, Finding, ImplementationDiff};
use crate::output::{self, BAD, FAINT, GOOD, OPEN, STRONG, counted, full_name, styled, table};
use crate::schema;

/// The number of lines that are shown of each kind.
const SHOWN: usize = 10;

// With --schema, the command takes neither file.
const USAGE: &str = "robotspec diff [OPTIONS] <OLD> <NEW>";

const EXIT_CODES: &str = "\
Exit codes of diff:
  0  nothing newly fails
  1  a check fails that did not fail
  2  the command or a file is wrong
  3  results of a run are missing, or the runs have nothing in common";

/// Compare two runs, such as those of two versions of a parser
///
/// The runs are files of events, from `robotspec run --report jsonl=FILE`. Implementations are paired
/// by name, or if each run has only one, these two are compared. Checks that only one of the runs
/// judged are listed, but do not count as failures. The line that decided is compared where both runs
/// state one, and checks that only one run answered in time are listed apart.
///
/// Examples:
///   robotspec run --adapter ./old --report jsonl=old.jsonl
///   robotspec run --adapter ./new --report jsonl=new.jsonl
///   robotspec diff old.jsonl new.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES, override_usage = USAGE)]
pub(super) struct Arguments {
    /// The earlier run
    #[arg(required_unless_present = "schema")]
    old: Option<PathBuf>,

    /// The later run
    #[arg(required_unless_present = "schema")]
    new: Option<PathBuf>,

    /// Show every judgement, not only the first few rows of each kind
    #[arg(long)]
    all: bool,

    /// The format of the output
    #[arg(long, value_parser = Format::document(), default_value = Format::HUMAN)]
    format: Format,

    /// Print the JSON Schema of the output of --format json and exit
    #[arg(long)]
    schema: bool,
}

pub(super) fn diff(arguments: &Arguments) -> Result<u8> {
    let (Some(old), Some(new), false) = (&arguments.old, &arguments.new, arguments.schema) else {
        output::for_programs().write_all(schema::of_output::<Diff>().as_bytes())?;
        return Ok(OK);
    };
    let ((old, old_gap), (new, new_gap)) = (read_run(old)?, read_run(new)?);
    if let Some(gap) = old_gap.or(new_gap) {
        output::error(&anyhow!(gap));
        return Ok(INCOMPLETE);
    }
    let diff = Diff::new(&old, &new);
    if let Some(reason) = why_nothing(&diff) {
        output::error(&anyhow!(reason));
        return Ok(INCOMPLETE);
    }
    let mut out = arguments.format.stdout();
    match arguments.format {
        Format::Human => write(&diff, arguments.all, &mut out)?,
        Format::Json => output::json_in_lines(&mut out, &diff)?,
    }
    out.flush()?;
    Ok(if diff.has_new_failure() { FAILED } else { OK })
}

/// Returns why two runs cannot be compared, if they have nothing in common.
fn why_nothing(diff: &Diff) -> Option<String> {
    let (old, new) = (&diff.old, &diff.new);
    if old.editions.is_disjoint(&new.editions) {
        let (old, new) = (joined(&old.editions), joined(&new.editions));
        return Some(format!("no edition judged in both runs: {old} in the old one, {new} in the new one"));
    }
    let names = |names: &[String]| visible(&names.join(", ")).to_string();
    diff.implementations.is_empty().then(|| {
        let (old, new) = (names(&old.only_here), names(&new.only_here));
        format!("no implementation is in both runs: {old} in the old one, {new} in the new one")
    })
}

fn write(diff: &Diff, all: bool, out: &mut impl Write) -> Result<()> {
    if diff.old.editions != diff.new.editions {
        let both = joined(diff.old.editions.intersection(&diff.new.editions));
        let note = format!("compared only in the editions that judged in both runs: {both}");
        writeln!(out, "{}", styled(OPEN, note))?;
    }
    for (side, names) in [("old", &diff.old.only_here), ("new", &diff.new.only_here)] {
        for name in names {
            writeln!(out, "{}", styled(OPEN, format!("{} is only in the {side} run", visible(name))))?;
        }
    }
    for implementation in &diff.implementations {
        write_implementation(implementation, all, out)?;
    }
    Ok(())
}

fn write_implementation(diff: &ImplementationDiff, all: bool, out: &mut impl Write) -> Result<()> {
    let shown = if all { usize::MAX } else { SHOWN };
    let (old, new) = (full_name(&diff.old), full_name(&diff.new));
    let names = if old == new { old } else { format!("{old} → {new}") };
    writeln!(out, "{}", styled(STRONG, names))?;
    write_totals(diff, out)?;
    let changes = [
        (BAD, "newly fails", &diff.newly_fails),
        (GOOD, "newly passes", &diff.newly_passes),
        (OPEN, "fails differently", &diff.fails_differently),
        (OPEN, "answers in time in one run only", &diff.time_outs),
        (FAINT, "answers differently, admitted both times", &diff.changed),
    ];
    let findings = [("only in the old run", &diff.only_in_old), ("only in the new run", &diff.only_in_new)];
    let mut write_list = |title: String, lines: &[String], judgements: usize| -> Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let all = match judgements == lines.len() {
            true => String::new(),
            false => format!(" ({judgements} in all editions and variants)"),
        };
        writeln!(out, "  {title}: {}{all}", lines.len())?;
        for line in lines.iter().take(shown) {
            writeln!(out, "    {}", visible(line))?;
        }
        if lines.len() > shown {
            writeln!(out, "    … and {}; --all shows them", counted(lines.len() - shown, "other"))?;
        }
        Ok(())
    };
    for (style, title, changes) in changes {
        let lines: Vec<String> = match all {
            true => changes.iter().map(|change| describe_row(&[change])).collect(),
            false => {
                in_turn(by_row(changes, |change| &change.id)).iter().map(|row| describe_row(row)).collect()
            }
        };
        write_list(styled(style, title), &lines, changes.len())?;
    }
    for (title, findings) in findings {
        let describe = |found: &Finding| format!("{} in {}: {}", found.id, found.edition, found.status);
        let lines: Vec<String> = findings.iter().map(describe).collect();
        write_list(styled(FAINT, title), &lines, lines.len())?;
    }
    let is_same = changes.iter().all(|(_, _, changes)| changes.is_empty())
        && findings.iter().all(|(_, findings)| findings.is_empty());
    if is_same {
        writeln!(out, "  {}", styled(GOOD, "no difference"))?;
    }
    Ok(())
}

/// Writes the numbers of rows that each clause gained and lost.
fn write_totals(diff: &ImplementationDiff, out: &mut impl Write) -> Result<()> {
    let mut totals: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (place, changes) in [&diff.newly_passes, &diff.newly_fails].into_iter().enumerate() {
        for row in by_row(changes, |change| &change.id) {
            totals.entry(&row[0].clause).or_default()[place] += 1;
        }
    }
    if totals.is_empty() {
        return Ok(());
    }
    let mut rows: Vec<_> = totals.into_iter().collect();
    rows.sort_by_key(|(_, [gained, lost])| Reverse((*lost, *gained)));
    let row = |(clause, [gained, lost]): (&str, [usize; 2])| {
        [visible(clause).to_string(), gained.to_string(), lost.to_string()]
    };
    writeln!(out, "{}\n", table(["clause", "rows gained", "rows lost"], rows.into_iter().map(row), 1..3))?;
    Ok(())
}

/// Returns rows such that the first of each clause come first, then the second ones, so that no clause hides the others.
fn in_turn(mut rows: Vec<Vec<&Change>>) -> Vec<Vec<&Change>> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    rows.sort_by_cached_key(|row| {
        let turn = seen.entry(&*row[0].clause).or_default();
        *turn += 1;
        *turn
    });
    rows
}

/// Returns the first change of a row, with the other editions and variants that have a change.
fn describe_row(changes: &[&Change]) -> String {
    let Some(Change { id, clause, edition, old, new }) = changes.first() else { return String::new() };
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    let (before, after) = (first_line(old.describe_got()), first_line(new.describe_got()));
    let mut text = format!(
        "{id} ({clause} in {edition}): {before} → {after}, expected {}{}",
        new.expected,
        if new.is_departure() { " (should)" } else { "" }
    );
    let editions: BTreeSet<Edition> =
        changes.iter().map(|change| change.edition).filter(|other| other != edition).collect();
    if !editions.is_empty() {
        text += &format!("; also in {}", joined(editions));
    }
    if new.level == Level::May && old.status != new.status {
        text += match new.status {
            Status::Pass => "; permitted both times, now as expected",
            _ => "; permitted both times, no longer as expected",
        };
    }
    let others = changes.iter().filter(|change| change.id != *id);
    let others: BTreeSet<Variant> = others.filter_map(|change| change.id.variant).collect();
    if let Some(others) = describe_variants(&Vec::from_iter(others), id.variant.is_some()) {
        text += &format!("; {others}");
    }
    text
}
