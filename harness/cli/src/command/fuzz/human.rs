//! The output of the fuzzer for people.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use robotspec_cases::{Level, Query};
use robotspec_fuzz::{Finding, Report, SearchPlan};
use robotspec_reference::Edition;
use robotspec_text::document::Block;
use robotspec_text::{visible, visible_path};

use super::{by_frequency, is_departure, levels};
use crate::command::values::joined;
use crate::output::{BAD, FAINT, GOOD, OPEN, STRONG, counted, styled, table, write_document};
use crate::report::share;
use crate::report::summary::repeat_inline;

/// Writes a finding, with the file that showed it if the inputs are files, and the command that repeats it, where these
/// arguments name the implementation.
pub(super) fn write_finding(
    finding: &Finding,
    is_known: bool,
    file: Option<&Path>,
    arguments: &str,
    out: &mut dyn Write,
) -> Result<()> {
    let (mark, style) = if is_known { ("known", FAINT) } else { ("FOUND", BAD) };
    let name = visible(&finding.class.implementation);
    writeln!(out, "{} {name}: {}", styled(style, mark), styled(STRONG, &finding.class))?;
    write_document(2, &finding.explain(), out)?;
    if let Some(command) = repeat_inline(&finding.query, finding.edition, arguments) {
        write_document(2, &[Block::Command(0, "again", command)], out)?;
    }
    let levels = levels(finding);
    let name = |edition: &Edition| match levels.get(edition) {
        None | Some(Level::Must) => edition.id().to_owned(),
        Some(level) => format!("{edition} ({level})"),
    };
    let editions = joined(finding.editions.iter().map(name));
    let broken = match (editions.is_empty(), is_departure(finding)) {
        (true, _) => String::new(),
        (false, true) => format!("departs from a recommendation of {editions}; "),
        (false, false) => format!("breaks {editions}; "),
    };
    let place = match file {
        Some(file) => format!("seen in {}", visible_path(file)),
        None => format!("found after {}", counted(finding.after as usize, "check")),
    };
    writeln!(out, "  {}\n", styled(FAINT, format!("{broken}{place}")))?;
    out.flush()?;
    Ok(())
}

/// Writes the shares of files and of queries with a wrong answer, for each judge and implementation.
pub(super) fn write_accuracy(
    report: &Report,
    files: usize,
    against: Option<&str>,
    out: &mut dyn Write,
) -> Result<()> {
    let files = match report.inputs as usize {
        sent if sent < files => format!("{sent} of {}", counted(files, "file")),
        _ => counted(files, "file"),
    };
    let accuracy: Vec<_> = report.accuracy.iter().collect();
    for of_edition in accuracy.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
        let ((edition, _), _) = of_edition[0];
        let judge = against.map_or_else(|| edition.to_string(), visible);
        let header = [
            &*styled(STRONG, format!("{files}, judged by {judge}")),
            "files with a\nwrong answer",
            "queries with a\nwrong answer",
            "queries without\nan answer",
        ];
        let rows = of_edition.iter().map(|((_, implementation), accuracy)| {
            [
                format!("  {}", visible(implementation)),
                describe_share(accuracy.wrong_inputs, accuracy.inputs),
                describe_share(accuracy.wrong_queries, accuracy.queries),
                accuracy.unanswered.to_string(),
            ]
        });
        writeln!(out, "{}\n", table(header, rows, 1..4))?;
        // Another implementation is the same judge in each edition.
        if against.is_some() {
            break;
        }
    }
    Ok(())
}

/// Returns how many of all there are, in colour where there is one.
fn describe_share(part: u64, whole: u64) -> String {
    let share = share(part as usize, whole as usize).map(|share| format!(" ({share})")).unwrap_or_default();
    let text = format!("{part} of {whole}{share}");
    if part > 0 { styled(BAD, text) } else { text }
}

pub(super) fn write_report(
    plan: &SearchPlan,
    report: &Report,
    new: usize,
    out: &mut impl Write,
) -> Result<()> {
    write_statistics(plan, report, out)?;
    let mut note =
        |style, word: &str, text: String| writeln!(out, "{} {}", styled(style, word), visible(&text));
    if report.is_interrupted {
        note(BAD, "incomplete", "the run was interrupted".to_owned())?;
    }
    for (question, answers) in &report.differing_answers {
        let verdicts = answers.verdicts.iter().map(|(name, verdict)| format!("{name} {verdict}"));
        note(OPEN, "unspecified", format!("{question}: {}", joined(verdicts)))?;
    }
    for (name, reason) in &report.incomplete {
        note(BAD, "incomplete", format!("{name} did not answer to the end: {reason}"))?;
    }
    for (name, &skipped) in &report.skipped {
        let checks = counted(skipped as usize, "check");
        note(OPEN, "skipped", format!("{name}: {checks} that resemble others that took too long"))?;
    }
    if report.unexamined > 0 {
        let more = counted(report.unexamined as usize, "more divergence");
        note(OPEN, "unexamined", format!("{more} not examined: the run was over, or they took too long"))?;
    }
    for (name, dependent) in &report.dependent {
        let times = counted(dependent.count as usize, "divergence");
        let when = match dependent.queries.len() {
            1 => "only in the first answer of a new process".to_owned(),
            2 => "only after another query".to_owned(),
            count => format!("only after {} other queries", count - 1),
        };
        writeln!(out, "{} {}: {times}, for example, {when}:", styled(BAD, "earlier"), visible(name))?;
        let hidden = dependent.queries.len().saturating_sub(MOST_SHOWN);
        if hidden > 0 {
            writeln!(out, "    … {hidden} before")?;
        }
        write_queries(&dependent.queries[hidden..], out)?;
    }
    for (name, flaky) in &report.flaky {
        let times = counted(flaky.count as usize, "divergence");
        let name = visible(name);
        writeln!(out, "{} {name}: {times} did not occur again, for example:", styled(BAD, "flaky"))?;
        write_queries(&flaky.queries, out)?;
    }
    if !report.findings.is_empty() {
        writeln!(out)?;
        for finding in by_frequency(report) {
            let times = report.divergences.get(&finding.class).copied().unwrap_or_default();
            writeln!(out, "{times:>9}  {}: {}", visible(&finding.class.implementation), finding.class)?;
        }
        writeln!(out)?;
    }
    let is_whole = !report.is_interrupted && report.unexamined == 0;
    let apart = report.dependent.values().chain(report.flaky.values()).map(|apart| apart.count).sum::<u64>();
    let style = if new > 0 || apart > 0 || !is_whole { BAD } else { GOOD };
    let so_far = if is_whole { "" } else { " so far" };
    let findings = match report.findings.len() {
        0 if !is_whole => "no finding".to_owned(),
        findings => counted(findings, "finding"),
    };
    let apart = match apart {
        0 => String::new(),
        apart => format!("; {} did not occur alone", counted(apart as usize, "divergence")),
    };
    writeln!(out, "{}{so_far}, {new} not known{apart}", styled(style, findings))?;
    Ok(())
}

/// The number of queries of a sequence that are shown.
const MOST_SHOWN: usize = 4;

fn write_queries(queries: &[Query], out: &mut impl Write) -> Result<()> {
    for (place, query) in queries.iter().enumerate() {
        if place > 0 {
            writeln!(out, "    then")?;
        }
        write_document(4, &[robotspec::failure::query(0, query, None)], out)?;
    }
    Ok(())
}

fn write_statistics(plan: &SearchPlan, report: &Report, out: &mut impl Write) -> Result<()> {
    let seconds = report.elapsed.as_secs_f64();
    let editions = joined(&plan.editions);
    if report.checks == 0 {
        writeln!(out, "no check was answered, seed {}, {editions}", plan.seed)?;
        return Ok(());
    }
    writeln!(
        out,
        "{} in {seconds:.1} s ({:.0} a second), seed {}, {editions}",
        counted(report.checks as usize, "check"),
        report.checks as f64 / seconds.max(0.001),
        plan.seed,
    )?;
    let tally = &report.tally;
    let share = |count: u64| 100.0 * count as f64 / tally.sampled.max(1) as f64;
    writeln!(
        out,
        "a rule matched in {:.0} %, rules of both kinds in {:.0} %; a question arose in {:.0} %",
        share(tally.matched),
        share(tally.in_conflict),
        share(tally.unspecified),
    )?;
    Ok(())
}
