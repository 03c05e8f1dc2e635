//! The output of `robotspec expect` for people: each expectation that does not hold, with every answer.

use std::io::Write;

use anyhow::Result;
use robotspec::event::CheckFinished;
use robotspec::{Plan, RunRecord};
use robotspec_cases::expectation_table::{Expectation, ExpectationTable};
use robotspec_cases::{Check, Query, visible, visible_path};
use robotspec_reference::RobotsTxt;

use crate::command::check::{Ruled, describe_got};
use crate::output::{BAD, GOOD, STRONG, counted, full_name, styled, table};

/// Writes the expectations that do not hold, then a summary.
pub(super) fn write(
    expectations: &ExpectationTable,
    plan: &Plan,
    record: &RunRecord,
    out: &mut dyn Write,
) -> Result<()> {
    let mut broken = 0;
    for (row, check) in expectations.rows.iter().zip(&plan.checks) {
        let judged =
            record.implementations.iter().filter_map(|implementation| implementation.find(&check.id));
        if judged.clone().any(|judged| judged.has_failure() || judged.has_not_run()) {
            broken += 1;
            write_row(expectations, row, check, plan, record, out)?;
        }
    }
    for incident in record.implementations.iter().flat_map(|implementation| &implementation.incidents) {
        writeln!(out, "{}", visible(&incident.to_string()))?;
    }
    let count = counted(expectations.rows.len(), "expectation");
    let editions: Vec<&str> = plan.editions.iter().map(|edition| edition.id()).collect();
    // The first one is the reference.
    let others = match record.implementations.len().saturating_sub(1) {
        0 => String::new(),
        others => format!(" and {}", counted(others, "implementation")),
    };
    let asked = format!("{count}, answered by {}{others}", editions.join(", "));
    match broken {
        0 => writeln!(out, "{}", styled(GOOD, format!("{asked}: all hold")))?,
        1 => writeln!(out, "{}", styled(BAD, format!("{asked}: 1 does not hold")))?,
        _ => writeln!(out, "{}", styled(BAD, format!("{asked}: {broken} do not hold")))?,
    }
    Ok(())
}

/// Writes an expectation with the answer of each edition and implementation.
fn write_row(
    expectations: &ExpectationTable,
    row: &Expectation,
    check: &Check,
    plan: &Plan,
    record: &RunRecord,
    out: &mut dyn Write,
) -> Result<()> {
    let Query::Match { robots, agent, url } = &check.query else { return Ok(()) };
    let (file, line) = (visible_path(&expectations.file), row.line);
    let query = format!("{} {}: expected {}", visible(agent), visible(&row.url), row.verdict);
    writeln!(out, "{}", styled(STRONG, format!("{file}:{line}: {query}")))?;
    let robots = RobotsTxt::parse(robots);
    let mut cells = Vec::new();
    for &edition in &plan.editions {
        let ruled = Ruled::new(&robots, edition, agent, url, false)?;
        cells.push([format!("  {edition}"), ruled.answer(), ruled.because()]);
    }
    for implementation in record.implementations.iter().skip(1) {
        let judgements =
            implementation.find(&check.id).map(|judged: &CheckFinished| judged.editions.values());
        for judgement in judgements.into_iter().flatten() {
            let name = format!("  {}", full_name(&implementation.info));
            cells.push([name, describe_got(&judgement.got), String::new()]);
        }
    }
    writeln!(out, "{}\n", table(["  answer of", "answer", "because"], cells, 0..0))?;
    Ok(())
}
