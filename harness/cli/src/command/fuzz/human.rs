//! What a run of the fuzzer tells people.

use std::io::Write;

use anyhow::Result;

use crate::command::output::{BAD, FAINT, GOOD, OPEN, STRONG, counted, styled};
use robotspec_cases::clause::{Clause, Kind};
use robotspec_fuzz::{CLAUSES_IN_PLAY, Finding, Plan, Report};

pub(super) fn write_finding(finding: &Finding, is_known: bool, out: &mut impl Write) -> Result<()> {
    let explanation = finding.explain();
    let (mark, style) = if is_known { ("known", FAINT) } else { ("FOUND", BAD) };
    writeln!(
        out,
        "{} {}: {}",
        styled(style, mark),
        finding.class.implementation,
        styled(STRONG, &finding.class)
    )?;
    writeln!(out, "  {}", explanation.clause)?;
    for line in &explanation.request {
        writeln!(out, "    {line}")?;
    }
    write_lines("expected", GOOD, &explanation.expected, out)?;
    write_lines("got", BAD, &explanation.got, out)?;
    let editions: Vec<&str> = finding.editions.iter().map(|edition| edition.id()).collect();
    let broken =
        if editions.is_empty() { String::new() } else { format!("breaks {}; ", editions.join(", ")) };
    writeln!(
        out,
        "  {}\n",
        styled(FAINT, format!("{broken}found after {}", counted(finding.after as usize, "check")))
    )?;
    out.flush()?;
    Ok(())
}

fn write_lines(label: &str, style: anstyle::Style, lines: &[String], out: &mut impl Write) -> Result<()> {
    for (index, line) in lines.iter().enumerate() {
        match index {
            0 => writeln!(out, "  {label:<8} {}", styled(style, line))?,
            _ => writeln!(out, "           {line}")?,
        }
    }
    Ok(())
}

pub(super) fn write_report(
    plan: &Plan,
    report: &Report,
    new: usize,
    gone: &[String],
    out: &mut impl Write,
) -> Result<()> {
    let seconds = report.elapsed.as_secs_f64();
    writeln!(
        out,
        "{} in {seconds:.1} s ({:.0} a second), seed {}, {}",
        counted(report.checks as usize, "check"),
        report.checks as f64 / seconds.max(0.001),
        plan.seed,
        plan.editions.iter().map(|edition| edition.id()).collect::<Vec<_>>().join(", "),
    )?;
    let tally = &report.tally;
    let share = |count: u64| 100.0 * count as f64 / tally.sampled.max(1) as f64;
    writeln!(
        out,
        "a rule matched in {:.0} %, rules of both kinds in {:.0} %; a question arose in {:.0} %",
        share(tally.matched),
        share(tally.in_conflict),
        share(tally.open),
    )?;
    let in_reach = clauses_in_reach(plan);
    let reached = |count: usize, of: usize, what: &str| format!("{count} of {of} {what}");
    writeln!(
        out,
        "in play: {}, {}",
        reached(
            in_reach.iter().filter(|clause| tally.clauses.contains_key(**clause)).count(),
            in_reach.len(),
            "clauses"
        ),
        reached(tally.questions.len(), questions_in_reach(plan), "open questions of matching"),
    )?;
    for (question, open_end) in &report.open_ends {
        let verdicts: Vec<String> =
            open_end.verdicts.iter().map(|(name, verdict)| format!("{name} {verdict}")).collect();
        writeln!(out, "{} {question}: {}", styled(OPEN, "open"), verdicts.join(", "))?;
    }
    for (name, reason) in &report.incomplete {
        writeln!(out, "{} {name} was not asked to the end: {reason}", styled(BAD, "incomplete"))?;
    }
    if report.unexamined > 0 {
        let more = counted(report.unexamined as usize, "more answer");
        writeln!(out, "{} {more} depart, and were not looked at: the time was up", styled(OPEN, "left"))?;
    }
    for entry in gone {
        writeln!(out, "{} {entry} does not occur any more; remove it from the list", styled(BAD, "gone"))?;
    }
    if !report.findings.is_empty() {
        writeln!(out)?;
        for finding in &report.findings {
            let times = report.departed.get(&finding.class).copied().unwrap_or_default();
            writeln!(out, "{:>9}  {}: {}", times, finding.class.implementation, finding.class)?;
        }
        writeln!(out)?;
    }
    let style = if new > 0 { BAD } else { GOOD };
    writeln!(out, "{}, {new} not known", styled(style, counted(report.findings.len(), "finding")))?;
    Ok(())
}

/// The clauses that the inputs of this run can bring into play.
fn clauses_in_reach(plan: &Plan) -> Vec<&'static str> {
    let is_in_reach = |id: &&str| {
        let Some(clause) = Clause::find(id) else { return false };
        let is_of_access = matches!(clause.kind, Kind::H | Kind::C);
        (plan.shares.access > 0 || !is_of_access)
            && plan.editions.iter().any(|&edition| clause.section(edition).is_some())
    };
    CLAUSES_IN_PLAY.iter().copied().filter(is_in_reach).collect()
}

/// How many questions of matching the last edition leaves open.
fn questions_in_reach(plan: &Plan) -> usize {
    let Some(&edition) = plan.editions.last() else { return 0 };
    let rows = robotspec_reference::question::TABLE.iter();
    rows.filter(|row| row.question < robotspec_reference::Question::IdnHost && row.answers(edition).len() > 1)
        .count()
}
