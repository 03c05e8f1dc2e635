//! The message of a test that failed.

use std::collections::BTreeMap;

use robotspec_cases::inert::inert_line;
use robotspec_cases::{Check, Clause, Query, visible};
use robotspec_reference::{Edition, RobotsTxt};

use crate::event::Judgement;
use crate::excerpt::{MARK, cut, deciding, query_lines};
use crate::sentences::{counted, reasons};

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
    let mut lines = Vec::new();
    if let Some(clause) = broken_clause(failures) {
        let section = clause.section(edition).map(|section| format!("  ({edition}: {section})"));
        lines.push(format!("{}: {}{}", clause.id, clause.statement, section.unwrap_or_default()));
    }
    // Most rows are about the same file and fail for the same reason, so only the first is shown in full.
    let mut rows = by_row(failures).into_iter();
    if let Some(failures) = rows.next() {
        lines.push(String::new());
        lines.extend(describe_row(edition, &failures));
    }
    let others: Vec<&Failure<'_>> = rows.filter_map(|failures| failures.into_iter().next()).collect();
    if !others.is_empty() {
        lines.push(String::new());
        lines.extend(others.iter().take(ROWS).map(|failure| describe_in_a_line(failure)));
    }
    if others.len() > ROWS {
        lines.push(format!("… and {}", counted(others.len() - ROWS, "more row")));
    }
    lines.push(String::new());
    lines.push(format!("rerun: {}", again(test)));
    let lines: Vec<String> = lines.iter().map(|line| cut(&inert_line(&visible(line)), WIDTH)).collect();
    lines.join("\n")
}

/// Returns a line about the rows of a case that fail in an edition: the clause, and the first row.
pub(super) fn describe_briefly(failures: &[Failure<'_>]) -> String {
    let Some(first) = failures.first() else { return String::new() };
    let clause = broken_clause(failures).map(|clause| format!("{}: ", clause.id)).unwrap_or_default();
    let others = by_row(failures).len() - 1;
    let others = if others > 0 { format!(", and {}", counted(others, "more row")) } else { String::new() };
    cut(&inert_line(&visible(&format!("{clause}{}{others}", describe_in_a_line(first)))), WIDTH)
}

/// Returns the failures of each row: the row as it is written, then its variants.
fn by_row<'f, 'c>(failures: &'f [Failure<'c>]) -> Vec<Vec<&'f Failure<'c>>> {
    let mut rows: Vec<Vec<&Failure<'_>>> = Vec::new();
    for failure in failures {
        match rows.iter_mut().find(|row| row[0].check.id.is_same_row(&failure.check.id)) {
            Some(row) => row.push(failure),
            None => rows.push(vec![failure]),
        }
    }
    rows
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

fn describe_in_a_line(Failure { check, judgement }: &Failure<'_>) -> String {
    let difference = judgement.describe_difference();
    let about = match &check.query {
        Query::Match { agent, url, .. }
        | Query::Alike { agent, url, .. }
        | Query::Usage { agent, url, .. } => format!("  ({agent}, {url})"),
        Query::Scope { url, .. } => format!("  ({url})"),
        Query::Sitemaps { .. } | Query::Access { .. } | Query::Grammar { .. } => String::new(),
    };
    format!("{}: {}{about}", check.id, difference.lines().next().unwrap_or_default())
}

fn describe_row(edition: Edition, failures: &[&Failure<'_>]) -> Vec<String> {
    let Some((Failure { check, judgement }, variants)) = failures.split_first() else { return Vec::new() };
    let mut lines = vec![check.id.to_string()];
    for (number, line) in judgement.describe_difference().lines().enumerate() {
        lines.push(format!("{}{line}", if number == 0 { "  " } else { "    " }));
    }
    lines.extend(query_and_reasons(edition, &check.query).into_iter().map(|line| format!("  {line}")));
    let mut by_answer: BTreeMap<Option<String>, Vec<&str>> = BTreeMap::new();
    for failure in variants {
        let got = failure.judgement.describe_got();
        let got = (failure.judgement.got != judgement.got)
            .then(|| got.lines().next().unwrap_or_default().to_owned());
        by_answer.entry(got).or_default().extend(failure.check.id.variant.map(|variant| variant.id()));
    }
    let noun = if check.id.variant.is_some() { "more variant" } else { "variant" };
    for (got, variants) in by_answer {
        let got = got.map(|got| format!(", got {got}")).unwrap_or_default();
        lines.push(format!("  and in {}{got}: {}", counted(variants.len(), noun), variants.join(", ")));
    }
    lines
}

/// Returns the query, and the reasons of the ruling of the edition.
fn query_and_reasons(edition: Edition, query: &Query) -> Vec<String> {
    let explanation = match query {
        Query::Match { robots, agent, url } => RobotsTxt::parse(robots).explain(edition, agent, url).ok(),
        _ => None,
    };
    let deciding =
        explanation.as_ref().map(|explanation| deciding(&explanation.decision)).unwrap_or_default();
    let reasons = explanation.as_ref().map(reasons).unwrap_or_default();
    [query_lines(query, |_| deciding.clone(), MARK), reasons].concat()
}

/// Returns the command that runs a test again.
pub(super) fn again(test: &str) -> String {
    format!("cargo test --test {} -- --exact '{test}'", program())
}

/// Returns the name of this test program: the name of its file, without the hash that cargo appends.
fn program() -> String {
    let file = std::env::current_exe().unwrap_or_default();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match name.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            name.to_owned()
        }
        _ => name,
    }
}
