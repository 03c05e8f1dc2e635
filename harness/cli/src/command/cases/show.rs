//! `robotspec cases show`

use std::collections::HashSet;
use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use robotspec::failure::{explain, query};
use robotspec_cases::suite::{built_in, built_in_suite};
use robotspec_cases::{Check, CheckId, Level, Query, select_checks};
use robotspec_reference::Edition;
use robotspec_text::document::Block;
use robotspec_text::excerpt::file_lines;
use robotspec_text::sentences::reasons;
use robotspec_text::{brief, visible};

use crate::command::exit::OK;
use crate::command::values::{names, nearest};
use crate::output::{self, FAINT, STRONG, styled, write_document};
use crate::report::by_value;

/// Show a row with its file, its query, and the answer of each edition with its reasons; or all rows of a case
///
/// Examples:
///   robotspec cases show path-values/fish#exact
///   robotspec cases show path-values/fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(in crate::command) struct ShowArguments {
    /// The id of a row, such as `path-values/fish#exact`, of a variant of it, or of its case: `path-values/fish`
    id: String,
}

pub(super) fn show(arguments: &ShowArguments) -> Result<u8> {
    let id: CheckId = arguments.id.parse()?;
    // The id of a case has neither a row nor a variant.
    let is_row = |check: &Check| check.id.variant.is_none() && check.id.case_name() == arguments.id;
    let suite = built_in_suite(&id.suite)?;
    let checks =
        select_checks(suite.as_slice(), true, &Edition::ALL, |check| check.id == id || is_row(check));
    let mut shown: Vec<&Check> = checks.iter().filter(|check| check.id == id).collect();
    if shown.is_empty() {
        shown = checks.iter().collect();
    }
    if shown.is_empty() {
        let rows = select_checks(built_in()?, false, &Edition::ALL, |_| true);
        let name = |row: &Check| if id.row.is_some() { row.id.to_string() } else { row.id.case_name() };
        let names: Vec<String> = rows.iter().map(name).collect();
        let meant = nearest(names.iter().map(String::as_str), &arguments.id);
        let advice = meant.map_or("`robotspec cases list` lists all rows".to_owned(), |meant| {
            format!("did you mean `{meant}`?")
        });
        bail!("unknown row or case `{id}`; {advice}");
    }
    let mut out = output::stdout();
    for rows in shown.chunk_by(|a, b| file(a).is_some() && file(a) == file(b)) {
        // The rows decide by different lines, so that none is marked.
        if let ([first, _, ..], Some(file)) = (rows, file(rows[0])) {
            writeln!(out, "{}", styled(STRONG, first.id.case_name()))?;
            write_document(0, &[Block::Lines(1, file_lines(file, &[]))], &mut out)?;
            writeln!(out)?;
        }
        for check in rows {
            write_row(check, rows.len() > 1, &mut out)?;
            writeln!(out)?;
        }
    }
    write_clauses(&shown, &mut out)
}

/// Returns the file of a query about an agent and a URL.
fn file(check: &Check) -> Option<&[u8]> {
    match &check.query {
        Query::Match { robots, .. } => Some(robots),
        _ => None,
    }
}

/// Writes a row: its query, the answers of the editions, and the reasons for them.
fn write_row(check: &Check, without_file: bool, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", styled(STRONG, &check.id))?;
    match &check.query {
        Query::Match { agent, url, .. } if without_file => {
            writeln!(out, "  agent {}\n  url   {}", visible(&brief(agent)), visible(&brief(url)))?;
        }
        shown => write_document(0, &[query(1, shown, check.expected.keys().next().copied())], out)?,
    }
    let answers = check.expected.iter().map(|(&edition, expected)| {
        let level = mark(check.level(edition));
        (edition, format!("{expected}{level}"))
    });
    for (answer, editions) in by_value(answers) {
        writeln!(out, "  {}  in {}", styled(STRONG, answer), names(&editions, check.expected.len()))?;
        let explanation = file(check).and_then(|file| explain(&check.query, file, editions[0]));
        for reason in explanation.iter().flat_map(reasons) {
            writeln!(out, "    {}", styled(FAINT, reason))?;
        }
    }
    Ok(())
}

/// Writes the clauses of the rows, with their section in each edition.
fn write_clauses(shown: &[&Check], out: &mut impl Write) -> Result<u8> {
    let mut written = HashSet::new();
    let clauses = shown.iter().flat_map(|check| &check.clauses);
    for clause in clauses.filter(|clause| written.insert(&clause.id)) {
        writeln!(out, "{}: {}", styled(STRONG, &clause.id), clause.statement)?;
        let sections = Edition::ALL.into_iter().filter_map(|edition| {
            let is_shown = shown.iter().any(|check| check.expected.contains_key(&edition));
            let (section, level) = (clause.section(edition)?, clause.level(edition)?);
            is_shown.then(|| (edition, format!("{section}{}", mark(level))))
        });
        for (section, editions) in by_value(sections) {
            let place = format!("{section}: {}", names(&editions, Edition::ALL.len()));
            writeln!(out, "  {}", styled(FAINT, place))?;
        }
    }
    Ok(OK)
}

/// Returns a mark for a level at which an edition does not require something.
fn mark(level: Level) -> String {
    if level == Level::Must { String::new() } else { format!(" ({level})") }
}
