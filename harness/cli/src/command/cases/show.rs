//! `robotspec cases show`

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Level, checks};

use crate::command::exit::OK;
use crate::output::{self, FAINT, STRONG, styled};
use crate::report::query::lines;

/// Show a row with its file, its query, and the answer of each edition; or all rows of a case
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
    let checks = checks(&built_in()?, true);
    let id = arguments.id.parse()?;
    let mut shown: Vec<&Check> = checks.iter().filter(|check| check.id == id).collect();
    if shown.is_empty() {
        // The id of a case has neither a row nor a variant.
        let is_row = |check: &&Check| check.id.variant.is_none() && check.id.case_name() == arguments.id;
        shown = checks.iter().filter(is_row).collect();
    }
    if shown.is_empty() {
        bail!("unknown row or case `{id}`; `robotspec cases list` lists all rows");
    }
    let mut out = output::stdout();
    for (place, check) in shown.into_iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        write_row(check, &mut out)?;
    }
    Ok(OK)
}

fn write_row(check: &Check, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", styled(STRONG, &check.id))?;
    for line in lines(&check.query, check.expected.keys().next().copied()) {
        writeln!(out, "  {line}")?;
    }
    for (&edition, expected) in &check.expected {
        writeln!(out, "  {:<16} {expected}{}", edition.id(), mark(check.level(edition)))?;
    }
    for clause in &check.clauses {
        writeln!(out, "  {:<16} {}", clause.id, clause.statement)?;
        for edition in check.expected.keys() {
            if let (Some(section), Some(level)) = (clause.section(*edition), clause.level(*edition)) {
                let place = format!("{edition}: {section}{}", mark(level));
                writeln!(out, "  {:<16} {}", "", styled(FAINT, place))?;
            }
        }
    }
    Ok(())
}

/// Returns a mark for a level at which an edition does not require something.
fn mark(level: Level) -> String {
    if level == Level::Must { String::new() } else { format!(" ({level})") }
}
