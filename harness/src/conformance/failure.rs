//! The message of a test that failed.

use robotspec_cases::{Check, Clause};
use robotspec_reference::Edition;
use robotspec_text::inert::inert_line;
use robotspec_text::visible;

use crate::event::Judgement;
use crate::failing::{by_row, describe_variants};
use crate::failure::{failure, in_a_line};
use robotspec_text::document::{Block, plain_lines};
use robotspec_text::excerpt::cut;
use robotspec_text::sentences::counted;

/// The number of further rows of a case that are shown, one line each.
const ROWS: usize = 8;

/// The number of characters of a line that are shown. A URL or an answer may be as long as a file.
const WIDTH: usize = 240;

/// A check that failed.
pub(super) struct Failure<'c> {
    pub(super) check: &'c Check,
    pub(super) judgement: Judgement,
}

/// Returns the message for the rows of a case that fail in an edition: the clause, the answers, and what decides.
pub(super) fn describe_failures(test: &str, edition: Edition, failures: &[Failure<'_>]) -> String {
    let mut blocks = Vec::new();
    if let Some(clause) = broken_clause(failures) {
        let section = clause.section(edition).map(|section| format!("  ({edition}: {section})"));
        let statement = format!("{}: {}{}", clause.id, clause.statement, section.unwrap_or_default());
        blocks.push(Block::Paragraph(statement.into()));
    }
    // Most rows are about the same file and fail for the same reason, so only the first is shown in full.
    let mut rows = by_row(failures, |failure| &failure.check.id).into_iter();
    let empty_line = || Block::Paragraph("".into());
    if let Some(row) = rows.next() {
        let Failure { check, judgement } = row[0];
        blocks.push(empty_line());
        blocks.extend(failure(0, &check.id, &[(edition, judgement)], Some(check)));
        let variants: Vec<_> = row[1..].iter().filter_map(|other| other.check.id.variant).collect();
        let others = describe_variants(&variants, check.id.variant.is_some());
        blocks.extend(others.map(|others| Block::Item(1, others.into())));
    }
    let others: Vec<&Failure<'_>> = rows.filter_map(|row| row.into_iter().next()).collect();
    if !others.is_empty() {
        blocks.push(empty_line());
    }
    for Failure { check, judgement } in others.iter().take(ROWS) {
        blocks.push(Block::Paragraph(in_a_line(check, edition, judgement).into()));
    }
    if others.len() > ROWS {
        let more = format!("… and {}", counted(others.len() - ROWS, "more row"));
        blocks.push(Block::Paragraph(more.into()));
    }
    blocks.extend([empty_line(), Block::Command(0, "rerun", again(test))]);
    plain_lines(&blocks, WIDTH).join("\n")
}

/// Returns a line about the rows of a case that fail in an edition: the clause, and the first row.
pub(super) fn describe_briefly(edition: Edition, failures: &[Failure<'_>]) -> String {
    let Some(Failure { check, judgement }) = failures.first() else { return String::new() };
    let clause = broken_clause(failures).map(|clause| format!("{}: ", clause.id)).unwrap_or_default();
    let others = by_row(failures, |failure| &failure.check.id).len() - 1;
    let others = if others > 0 { format!(", and {}", counted(others, "more row")) } else { String::new() };
    let line = format!("{clause}{}{others}", in_a_line(check, edition, judgement));
    cut(&inert_line(&visible(&line)), WIDTH)
}

/// Returns the clause that the first failure breaks: where rows fail only as variants, the one that allows the rewriting.
pub(super) fn broken_clause(failures: &[Failure<'_>]) -> Option<&'static Clause> {
    let first = failures.first()?;
    let is_only_in_variants = failures.iter().all(|failure| failure.check.id.variant.is_some());
    match first.check.id.variant {
        Some(variant) if is_only_in_variants => Clause::find(variant.clause()),
        _ => first.check.clauses.first().copied(),
    }
}

/// Returns the command that runs a test of this program again.
pub(super) fn again(test: &str) -> String {
    let file = std::env::current_exe().unwrap_or_default();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    // Cargo appends a hash to the name.
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts = name.rsplit_once('-').filter(|(_, hash)| is_hash(hash));
    format!("cargo test --test {} -- --exact '{test}'", parts.map_or(&*name, |(name, _)| name))
}
