//! `robotspec cases`: looking at the suites.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use comfy_table::{CellAlignment, Table, presets};
use robotspec_reference::{Edition, split_lines};
use serde_json::json;

use crate::command::filters::Filters;
use crate::command::human::explained;
use crate::command::output::{self, BAD, FAINT, OPEN, STRONG, counted, styled};
use crate::command::seeds::{SeedsArguments, seeds};
use crate::command::{FAILED, Format, OK};
use robotspec::event::EditionId;
use robotspec::excerpt::{deciding, excerpt};
use robotspec_cases::coverage::{ClauseCoverage, Rows, coverage};
use robotspec_cases::suite::{Check, Request, Suite, built_in, checks, load};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    List(ListArguments),
    Show(ShowArguments),
    Lint(LintArguments),
    /// Print the JSON Schema of a file of cases, for editors
    Schema,
    Coverage(CoverageArguments),
    Seeds(SeedsArguments),
}

/// List every row, with its clauses and what the editions expect
#[derive(Debug, Args)]
pub(super) struct ListArguments {
    #[command(flatten)]
    filters: Filters,

    /// How the output is written; json is one object a line
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Show a row: its file, what is asked, and what each edition says; or all rows of a case
#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The id of a row, such as `path-values/fish#exact`, of a variant of it, or of its case: `path-values/fish`
    id: String,
}

/// Check files of cases: their format, ids, clauses and editions
#[derive(Debug, Args)]
pub(super) struct LintArguments {
    /// Files of cases; those inside this program if none is given
    files: Vec<PathBuf>,
}

/// Count the rows that test each clause in each edition
///
/// Exit code 1 where a testable clause has no row that could fail in an edition that has it.
#[derive(Debug, Args)]
pub(super) struct CoverageArguments {
    /// How the output is written; json is one object a clause
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn cases(command: Command) -> Result<u8> {
    match command {
        Command::List(arguments) => list(&arguments),
        Command::Show(arguments) => show(&arguments),
        Command::Lint(arguments) => lint(&arguments),
        Command::Schema => {
            let mut out = output::stdout();
            out.write_all(include_bytes!("../../schemas/cases.json"))?;
            Ok(OK)
        }
        Command::Coverage(arguments) => show_coverage(&arguments),
        Command::Seeds(arguments) => seeds(&arguments),
    }
}

fn list(arguments: &ListArguments) -> Result<u8> {
    let mut out = output::stdout();
    let checks = checks(&built_in()?, false);
    arguments.filters.refuse_idle(&checks)?;
    for check in checks.iter().filter(|check| arguments.filters.hold(check)) {
        let clauses: Vec<&str> = check.clauses.iter().map(|clause| clause.id.as_str()).collect();
        match arguments.format {
            Format::Human => {
                let expected = summary(check);
                writeln!(out, "{:<56} {:<28} {}", check.id, clauses.join(" "), styled(FAINT, expected))?;
            }
            Format::Json => {
                let expected: BTreeMap<EditionId, String> = check
                    .expected
                    .iter()
                    .map(|(&edition, expected)| (EditionId(edition), expected.to_string()))
                    .collect();
                let row = json!({
                    "id": check.id,
                    "clauses": clauses,
                    "google-specific": check.google_specific,
                    "expected": expected,
                });
                output::json(&mut out, &row)?;
            }
        }
    }
    Ok(OK)
}

/// What the editions expect, the same answers together.
fn summary(check: &Check) -> String {
    let mut by_answer: Vec<(String, Vec<&str>)> = Vec::new();
    for (edition, expected) in &check.expected {
        let expected = expected.to_string();
        match by_answer.iter_mut().find(|(answer, _)| *answer == expected) {
            Some((_, editions)) => editions.push(edition.id()),
            None => by_answer.push((expected, vec![edition.id()])),
        }
    }
    match by_answer.as_slice() {
        [(answer, editions)] if editions.len() == Edition::ALL.len() => answer.clone(),
        _ => {
            let parts: Vec<String> = by_answer
                .iter()
                .map(|(answer, editions)| format!("{answer} in {}", editions.join(", ")))
                .collect();
            parts.join("; ")
        }
    }
}

fn show(arguments: &ShowArguments) -> Result<u8> {
    let id = &arguments.id;
    let checks = checks(&built_in()?, true);
    let is_of_case =
        |check: &&Check| check.variant.is_none() && check.row.split('#').next() == Some(id.as_str());
    let row = checks.iter().find(|check| check.id == *id);
    let shown: Vec<&Check> =
        if row.is_some() { row.into_iter().collect() } else { checks.iter().filter(is_of_case).collect() };
    if shown.is_empty() {
        bail!("there is no row and no case `{id}`; `robotspec cases list` shows them all");
    }
    let mut out = output::stdout();
    for (place, check) in shown.into_iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        show_row(check, &mut out)?;
    }
    Ok(OK)
}

fn show_row(check: &Check, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", styled(STRONG, &check.id))?;
    for line in asked_lines(check, check.expected.keys().next().copied()) {
        writeln!(out, "  {line}")?;
    }
    for (edition, expected) in &check.expected {
        writeln!(out, "  {:<16} {expected}", edition.id())?;
    }
    for clause in &check.clauses {
        writeln!(out, "  {:<16} {}", clause.id, clause.statement)?;
        for edition in check.expected.keys() {
            if let Some(section) = clause.section(*edition) {
                writeln!(out, "  {:<16} {}", "", styled(FAINT, format!("{edition}: {section}")))?;
            }
        }
    }
    Ok(())
}

/// The suites in files.
///
/// # Errors
///
/// One cannot be read, is no suite, or has the id of another.
pub(super) fn load_all(files: &[PathBuf]) -> Result<Vec<Suite>> {
    let mut suites: Vec<Suite> = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let suite = load(file, &text)?;
        if suites.iter().any(|earlier| earlier.id == suite.id) {
            bail!("{}: another file has the suite `{}`; choose another id", file.display(), suite.id);
        }
        suites.push(suite);
    }
    Ok(suites)
}

fn lint(arguments: &LintArguments) -> Result<u8> {
    let suites = if arguments.files.is_empty() { built_in()? } else { load_all(&arguments.files)? };
    let rows: usize = suites.iter().flat_map(|suite| &suite.cases).map(|case| case.rows.len()).sum();
    let cases: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let all = checks(&suites, true).len();
    writeln!(
        output::stdout(),
        "{}, {}, {}, {}: no error",
        counted(suites.len(), "suite"),
        counted(cases, "case"),
        counted(rows, "row"),
        counted(all - rows, "variant")
    )?;
    Ok(OK)
}

fn show_coverage(arguments: &CoverageArguments) -> Result<u8> {
    let coverage = coverage(&built_in()?);
    let mut out = output::stdout();
    if arguments.format == Format::Json {
        for clause in &coverage {
            output::json(&mut out, clause)?;
        }
    } else {
        writeln!(out, "{}", coverage_table(&coverage))?;
        writeln!(
            out,
            "{}",
            styled(FAINT, "rows that could fail, + rows that the edition leaves open; · not in that edition")
        )?;
    }
    let missing: Vec<String> = coverage
        .iter()
        .flat_map(|clause| {
            clause.missing().into_iter().map(move |edition| format!("{} in {edition}", clause.clause))
        })
        .collect();
    if missing.is_empty() {
        return Ok(OK);
    }
    if arguments.format == Format::Human {
        writeln!(out, "{} {}", styled(BAD, "without a row that could fail:"), missing.join(", "))?;
    }
    Ok(FAILED)
}

fn coverage_table(coverage: &[ClauseCoverage]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(
        std::iter::once("clause".to_owned()).chain(Edition::ALL.map(|edition| edition.id().to_owned())),
    );
    let count = |rows: Option<&Rows>, is_testable: bool| match rows {
        None => "·".to_owned(),
        Some(_) if !is_testable => "-".to_owned(),
        Some(Rows { definite, unspecified: 0 }) => definite.to_string(),
        Some(Rows { definite, unspecified }) => format!("{definite} + {unspecified}"),
    };
    for clause in coverage {
        let cells =
            Edition::ALL.map(|edition| count(clause.editions.get(&EditionId(edition)), clause.is_testable));
        table.add_row(std::iter::once(clause.clause.clone()).chain(cells));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What a check asks, with its file and a mark at the lines that decide in an edition.
pub(super) fn asked_lines(check: &Check, edition: Option<Edition>) -> Vec<String> {
    let mut lines = request_lines(&check.request);
    let decisive = |robots: &[u8]| {
        let explanation = explained(&check.request, robots, edition?)?;
        Some(deciding(&explanation.decision))
    };
    match &check.request {
        Request::Match { robots, .. } => {
            lines.extend(numbered_lines(robots, &decisive(robots).unwrap_or_default()));
        }
        Request::Alike { robots, twin, .. } => {
            lines.push("the file".to_owned());
            lines.extend(numbered_lines(robots, &decisive(robots).unwrap_or_default()));
            lines.push("its twin".to_owned());
            lines.extend(numbered_lines(twin, &decisive(twin).unwrap_or_default()));
        }
        _ => {}
    }
    lines
}

/// A request in a line or two.
fn request_lines(request: &Request) -> Vec<String> {
    match request {
        Request::Match { agent, url, .. } | Request::Alike { agent, url, .. } => {
            vec![format!("agent {agent}"), format!("url   {url}")]
        }
        Request::Scope { robots_url, url } => {
            vec![format!("robots.txt {robots_url}"), format!("url        {url}")]
        }
        Request::Sitemaps { robots } => numbered_lines(robots, &[]),
        Request::Access { visits, agent, paths } => {
            let mut lines = vec![format!("agent {agent}"), format!("paths {}", paths.join(" "))];
            lines.extend(visits.iter().map(|visit| visit.to_string()));
            lines
        }
        Request::Grammar { text } => numbered_lines(text, &[]),
    }
}

/// How much of a line is shown, in characters.
const LINE_SHOWN: usize = 100;

/// The lines of a file with their numbers, and a mark at those that decide.
fn numbered_lines(file: &[u8], decisive: &[usize]) -> Vec<String> {
    let lines: Vec<&[u8]> = split_lines(file).map(|line| line.text).collect();
    let (numbers, rest) = excerpt(lines.len(), decisive);
    let mut shown: Vec<String> = Vec::new();
    for number in numbers {
        let line = lines[number - 1];
        let text = robotspec_cases::suite::bytes::escaped(&line[..line.len().min(4 * LINE_SHOWN)]);
        let cut: String = text.chars().take(LINE_SHOWN).collect();
        let more = if cut.len() < text.len() { "…" } else { "" };
        let mark = if decisive.contains(&number) { styled(OPEN, "▸") } else { " ".to_owned() };
        shown.push(format!("{mark}{number:>4} | {cut}{more}"));
    }
    shown.extend(rest.map(|rest| format!("      {rest} ({} lines, {} octets)", lines.len(), file.len())));
    shown
}
