//! `robotspec diff`

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::command::output::{self, BAD, FAINT, GOOD, OPEN, STRONG, counted, styled};
use crate::command::{FAILED, Format, OK};
use crate::diff::{Change, Diff, Finding, ImplementationDiff};
use crate::report::variants;
use robotspec::implementation::Info;
use robotspec_cases::suite::{Variant, row_and_variant};

/// How many of a kind are shown, unless all are asked for.
const SHOWN: usize = 10;

// With --schema it takes neither.
const USAGE: &str = "robotspec diff [OPTIONS] <OLD> <NEW>";

const EXIT_CODES: &str = "\
Exit codes of diff:
  0  nothing newly fails
  1  something fails that did not
  2  the command or a file is wrong";

/// Compare two runs, such as those of two versions of a parser
///
/// The runs are files of events, from `robotspec run --report jsonl=FILE`. Implementations are compared
/// by name, or as they are where each run has one alone. What only one of the runs has judged is
/// listed, and fails nothing.
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

    /// How the output is written; json is one document
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Print the JSON Schema of what --format json writes instead
    #[arg(long)]
    schema: bool,
}

pub(super) fn diff(arguments: &Arguments) -> Result<u8> {
    let mut out = output::stdout();
    let (Some(old), Some(new), false) = (&arguments.old, &arguments.new, arguments.schema) else {
        out.write_all(include_bytes!("../../schemas/diff.json"))?;
        return Ok(OK);
    };
    let diff = Diff::read(old, new)?;
    match arguments.format {
        Format::Human => write(&diff, arguments.all, &mut out)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &diff)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(if diff.has_new_failure() { FAILED } else { OK })
}

fn write(diff: &Diff, all: bool, out: &mut impl Write) -> Result<()> {
    if diff.old.editions != diff.new.editions {
        let both: Vec<&str> =
            diff.old.editions.intersection(&diff.new.editions).map(|edition| edition.0.id()).collect();
        writeln!(
            out,
            "{}",
            styled(OPEN, format!("compared in {} alone, which judged in both", both.join(", ")))
        )?;
    }
    for (side, names) in [("old", &diff.old.only_here), ("new", &diff.new.only_here)] {
        for name in names {
            writeln!(out, "{}", styled(OPEN, format!("{name} is in the {side} run alone")))?;
        }
    }
    for implementation in &diff.implementations {
        write_implementation(implementation, all, out)?;
    }
    Ok(())
}

fn write_implementation(diff: &ImplementationDiff, all: bool, out: &mut impl Write) -> Result<()> {
    let shown = if all { usize::MAX } else { SHOWN };
    let (old, new) = (name(&diff.old), name(&diff.new));
    let names = if old == new { old } else { format!("{old} → {new}") };
    writeln!(out, "{}", styled(STRONG, names))?;
    let mut differs = false;
    for (style, title, changes) in [
        (BAD, "newly fails", &diff.newly_fails),
        (GOOD, "newly passes", &diff.newly_passes),
        (OPEN, "fails differently", &diff.fails_differently),
        (FAINT, "answers differently, admitted both times", &diff.changed),
    ] {
        differs |= !changes.is_empty();
        let lines: Vec<String> = match all {
            true => changes.iter().map(|change| row(&[change])).collect(),
            false => by_row(changes).iter().map(|changes| row(changes)).collect(),
        };
        write_list(&styled(style, title), &lines, changes.len(), shown, out)?;
    }
    for (title, findings) in
        [("in the old run alone", &diff.only_in_old), ("in the new run alone", &diff.only_in_new)]
    {
        differs |= !findings.is_empty();
        let lines: Vec<String> = findings.iter().map(finding).collect();
        write_list(&styled(FAINT, title), &lines, lines.len(), shown, out)?;
    }
    if !differs {
        writeln!(out, "  {}", styled(GOOD, "no difference"))?;
    }
    Ok(())
}

fn write_list(
    title: &str,
    lines: &[String],
    judgements: usize,
    shown: usize,
    out: &mut impl Write,
) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let all = if judgements == lines.len() {
        String::new()
    } else {
        format!(" ({judgements} in all editions and variants)")
    };
    writeln!(out, "  {title}: {}{all}", lines.len())?;
    for line in lines.iter().take(shown) {
        writeln!(out, "    {line}")?;
    }
    if lines.len() > shown {
        writeln!(out, "    … and {}; --all shows them", counted(lines.len() - shown, "other"))?;
    }
    Ok(())
}

/// The changes of each row, in the order in which the rows come.
fn by_row(changes: &[Change]) -> Vec<Vec<&Change>> {
    let mut rows: Vec<Vec<&Change>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for change in changes {
        let place = *places.entry(row_and_variant(&change.id).0).or_insert(rows.len());
        match rows.get_mut(place) {
            Some(row) => row.push(change),
            None => rows.push(vec![change]),
        }
    }
    rows
}

/// What changed for a row, told for one edition, with where else it did.
fn row(changes: &[&Change]) -> String {
    let Some(Change { id, clause, edition, old, new }) = changes.first() else { return String::new() };
    let one_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let editions: BTreeSet<&str> = changes.iter().map(|change| change.edition.0.id()).collect();
    let editions: Vec<&str> = editions.into_iter().filter(|other| *other != edition.0.id()).collect();
    let others: BTreeSet<Variant> = changes
        .iter()
        .filter(|change| change.id != *id)
        .filter_map(|change| row_and_variant(&change.id).1)
        .collect();
    let others: Vec<Variant> = others.into_iter().collect();
    let mut told = format!(
        "{id} ({clause} in {edition}): {} → {}, expected {}",
        one_line(&old.got),
        one_line(&new.got),
        new.expected
    );
    if !editions.is_empty() {
        told += &format!("; also in {}", editions.join(", "));
    }
    if let Some(others) = variants(&others, if row_and_variant(id).1.is_some() { "other " } else { "" }) {
        told += &format!("; {others}");
    }
    told
}

fn finding(finding: &Finding) -> String {
    format!("{} in {}: {}", finding.id, finding.edition, finding.status.id())
}

fn name(info: &Info) -> String {
    format!("{} {}", info.name, info.version.as_deref().unwrap_or_default()).trim_end().to_owned()
}
