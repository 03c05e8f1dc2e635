//! A test that failed, told to a person.

use std::collections::BTreeMap;

use robotspec_reference::{Edition, RobotsTxt, split_lines};

use crate::event::Judged;
use crate::excerpt::{deciding, excerpt};
use crate::sentences::{counted, reasons};
use robotspec_cases::suite::{Check, Request, bytes};

/// How many further rows of a case are told, a line each.
const ROWS: usize = 8;

/// How much of a line of a file is shown, in characters.
const LINE: usize = 100;

/// How much of any line is shown, in characters: a URL or an answer may be as long as a file.
const WIDTH: usize = 240;

/// A check that failed.
pub(super) struct Failure<'c> {
    pub(super) check: &'c Check,
    pub(super) judged: Judged,
}

/// The rows of a case that fail in an edition: what it says, what was answered, and what decides.
pub(super) fn told(test: &str, edition: Edition, failures: &[Failure<'_>]) -> String {
    let mut lines = Vec::new();
    if let Some(clause) = failures.first().and_then(|failure| failure.check.clauses.first()) {
        let section = clause.section(edition).map(|section| format!("  ({edition}: {section})"));
        lines.push(format!("{}: {}{}", clause.id, clause.statement, section.unwrap_or_default()));
    }
    // Those of a row stand together: the row as it is written, then its variants.
    let mut rows: Vec<(&str, Vec<&Failure<'_>>)> = Vec::new();
    for failure in failures {
        match rows.iter_mut().find(|(row, _)| *row == failure.check.row) {
            Some((_, of_row)) => of_row.push(failure),
            None => rows.push((&failure.check.row, vec![failure])),
        }
    }
    // They mostly are about the same file, and fail for the same reason: the first stands for them.
    let mut rows = rows.into_iter().map(|(_, failures)| failures);
    if let Some(failures) = rows.next() {
        lines.push(String::new());
        lines.extend(row(edition, &failures));
    }
    let others: Vec<&Failure<'_>> = rows.filter_map(|failures| failures.into_iter().next()).collect();
    if !others.is_empty() {
        lines.push(String::new());
        lines.extend(others.iter().take(ROWS).map(|failure| in_a_line(failure)));
    }
    if others.len() > ROWS {
        lines.push(format!("… and {}", counted(others.len() - ROWS, "more row")));
    }
    lines.push(String::new());
    lines.push(format!("rerun: cargo test --test {} -- --exact '{test}'", program()));
    let lines: Vec<String> = lines.iter().map(|line| cut(line, WIDTH)).collect();
    lines.join("\n")
}

/// The start of a line.
fn cut(line: &str, width: usize) -> String {
    match line.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn in_a_line(Failure { check, judged }: &Failure<'_>) -> String {
    let got = judged.got.lines().next().unwrap_or_default();
    let about = match &check.request {
        Request::Match { agent, url, .. } | Request::Alike { agent, url, .. } => {
            format!("  ({agent}, {url})")
        }
        Request::Scope { url, .. } => format!("  ({url})"),
        Request::Sitemaps { .. } | Request::Access { .. } | Request::Grammar { .. } => String::new(),
    };
    format!("{}: expected {}, got {got}{about}", check.id, judged.expected)
}

fn row(edition: Edition, failures: &[&Failure<'_>]) -> Vec<String> {
    let Some((Failure { check, judged }, variants)) = failures.split_first() else { return Vec::new() };
    let (got, more) = judged.got.split_once('\n').unwrap_or((&judged.got, ""));
    let mut lines = vec![check.id.clone(), format!("  expected {}, got {got}", judged.expected)];
    lines.extend(more.lines().map(|line| format!("    {line}")));
    lines.extend(asked(edition, &check.request).into_iter().map(|line| format!("  {line}")));
    let mut by_answer: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Failure { check, judged: of_variant } in variants {
        let answer =
            if of_variant.got == judged.got { "" } else { of_variant.got.lines().next().unwrap_or_default() };
        by_answer.entry(answer).or_default().extend(check.variant.map(|variant| variant.id()));
    }
    let noun = if check.variant.is_some() { "more variant" } else { "variant" };
    for (answer, variants) in by_answer {
        let got = if answer.is_empty() { String::new() } else { format!(", got {answer}") };
        lines.push(format!("  and in {}{got}: {}", counted(variants.len(), noun), variants.join(", ")));
    }
    lines
}

/// What was asked, and how the edition answers.
fn asked(edition: Edition, request: &Request) -> Vec<String> {
    match request {
        Request::Match { robots, agent, url } => {
            let explanation = RobotsTxt::parse(robots).explain(edition, agent, url).ok();
            let deciding =
                explanation.as_ref().map(|explanation| deciding(&explanation.decision)).unwrap_or_default();
            let reasons = explanation.as_ref().map(reasons).unwrap_or_default();
            [asked_of(agent, url), file(robots, &deciding), reasons].concat()
        }
        Request::Alike { robots, twin, agent, url } => {
            let twins = vec!["and its twin, which means the same:".to_owned()];
            [asked_of(agent, url), file(robots, &[]), twins, file(twin, &[])].concat()
        }
        Request::Sitemaps { robots } => file(robots, &[]),
        Request::Scope { robots_url, url } => {
            vec![format!("robots.txt {robots_url}"), format!("url        {url}")]
        }
        Request::Access { visits, agent, paths } => {
            let about = [format!("agent {agent}"), format!("paths {}", paths.join(" "))];
            about.into_iter().chain(visits.iter().map(ToString::to_string)).collect()
        }
        Request::Grammar { text } => file(text, &[]),
    }
}

fn asked_of(agent: &str, url: &str) -> Vec<String> {
    vec![format!("agent {agent}"), format!("url   {url}")]
}

/// The lines of a file with their numbers, and a mark at those that decide.
fn file(file: &[u8], deciding: &[usize]) -> Vec<String> {
    let lines: Vec<&[u8]> = split_lines(file).map(|line| line.text).collect();
    let (numbers, rest) = excerpt(lines.len(), deciding);
    let mut shown = Vec::new();
    for number in numbers {
        let line = lines[number - 1];
        let text = bytes::escaped(&line[..line.len().min(4 * LINE)]);
        let mark = if deciding.contains(&number) { "▸" } else { " " };
        shown.push(format!("{mark}{number:>4} | {}", cut(&text, LINE)));
    }
    shown.extend(rest.map(|rest| format!("      {rest} ({} lines, {} octets)", lines.len(), file.len())));
    shown
}

/// The name of this test program: that of its file, without the hash that cargo puts behind it.
fn program() -> String {
    let file = std::env::current_exe().unwrap_or_default();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match name.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|octet| octet.is_ascii_hexdigit()) => {
            name.to_owned()
        }
        _ => name,
    }
}
