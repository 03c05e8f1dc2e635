//! The failures of an implementation: likely causes, then crashes and broken replies, then clauses with examples, then
//! timeouts and answers that change.

use std::io::Write;

use anyhow::Result;
use robotspec::event::{CheckFinished, LikelyCause, Status};
use robotspec::sentences::reasons;
use robotspec_cases::{CheckId, Clause, Query, brief, visible, visible_lines};

use super::Section;
use crate::output::{BAD, FAINT, GOOD, STRONG, command_line, counted, styled};
use crate::report::failing::{ClauseFailures, FailingRow, blamed_clause, by_clause, failing_rows};
use crate::report::query::{explain, lines};

/// The number of clauses with examples, and the number of examples of each.
const CLAUSES_SHOWN: usize = 3;
const ROWS_SHOWN: usize = 3;

/// The number of rows that are shown for each of [`BROKEN`].
const BROKEN_SHOWN: usize = 5;

/// The statuses that no parser should cause, whatever the file, with their headings. A slow machine may cause the latter
/// ones.
const BROKEN: [(Status, &str); 4] = [
    (Status::Crash, "crashes"),
    (Status::ProtocolError, "replies that break the protocol"),
    (Status::Timeout, "timeouts"),
    (Status::Flaky, "flaky: two answers to the same query"),
];

/// How many of them come before the clauses.
const BEFORE_CLAUSES: usize = 2;

impl Section<'_> {
    /// Writes a likely cause with one of the failures that it explains.
    pub(super) fn write_likely_cause(&self, likely: &LikelyCause, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "  {} {}", styled(BAD, "likely cause:"), visible(&likely.observed))?;
        writeln!(
            out,
            "    evidence: {}. {}",
            counted(likely.evidence, likely.of.id()),
            visible(&likely.advice)
        )?;
        let example = likely.example.as_ref().and_then(|id| self.record.find(id));
        if let Some(example) = example.filter(|_| !self.options.show_all) {
            let is_explained = |failure: &&CheckFinished| {
                failure.has_new_failure() && self.explain(std::slice::from_ref(likely), failure)
            };
            let rows = failing_rows(self.record.failures().filter(is_explained));
            let row = rows.iter().find(|row| row.example.id == example.id);
            let count = counted(likely.rows, "row");
            writeln!(out, "    {count} may fail for this cause; one follows, and --all shows all")?;
            self.write_failure(example, row.and_then(FailingRow::describe_others), out)?;
        }
        Ok(())
    }

    /// Writes the failures that no likely cause explains.
    pub(super) fn write_failures(&self, out: &mut dyn Write) -> Result<()> {
        let failures = self.unexplained_failures();
        let (first, last) = BROKEN.split_at(BEFORE_CLAUSES);
        let mut is_cut = self.write_broken(first, &failures, out)?;
        let mut others = Vec::new();
        is_cut |= self.write_clauses(&failures, &mut others)?;
        if !others.is_empty() {
            others.push(b'\n');
        }
        is_cut |= self.write_broken(last, &failures, &mut others)?;
        out.write_all(others.trim_ascii_end())?;
        if !others.is_empty() {
            writeln!(out)?;
        }
        if is_cut {
            writeln!(out, "\n  --all shows every failure, --filter clause:ID those of a clause")?;
        }
        Ok(())
    }

    /// Writes the clauses with their numbers of failures, and examples. Returns whether some are left out.
    fn write_clauses(&self, failures: &[&CheckFinished], out: &mut dyn Write) -> Result<bool> {
        let mut clauses = by_count(by_clause(self.record, failures.iter().copied()));
        clauses.retain(|clause| self.options.show_known || !clause.new.is_empty());
        if clauses.is_empty() {
            return Ok(false);
        }
        let has_causes = !self.record.likely_causes.is_empty() && !self.options.show_all;
        let cite_clauses = clauses.iter().any(|clause| Clause::find(clause.clause).is_some());
        let by = if cite_clauses { "by clause" } else { "by case" };
        let which = match (self.options.only_in_variants, has_causes) {
            (true, _) => format!("rows that fail only in a variant, {by}:"),
            (false, true) => format!("rows that fail, {by}, without those that a likely cause explains:"),
            (false, false) => format!("rows that fail, {by}:"),
        };
        writeln!(out, "  {}", styled(STRONG, which))?;
        for clause in &clauses {
            write_count(clause, out)?;
        }
        let is_moved = |failure: &&CheckFinished| {
            self.is_counted(failure)
                && !failure.is_flaky()
                && blamed_clause(failure, self.record) != &*failure.clause
        };
        if failures.iter().any(is_moved) {
            let note =
                "a row that fails only in a variant counts for the clause that allows to rewrite its file";
            writeln!(out, "  {}", styled(FAINT, note))?;
        }
        self.write_examples(&clauses, out)
    }

    /// Writes the rows with each of these statuses, whatever their clauses. Returns whether some are left out.
    fn write_broken(
        &self,
        statuses: &[(Status, &str)],
        failures: &[&CheckFinished],
        out: &mut dyn Write,
    ) -> Result<bool> {
        let mut is_cut = false;
        for (status, heading) in statuses {
            let broken = failures.iter().copied().filter(|failure| broken_status(failure) == Some(*status));
            let rows = failing_rows(broken);
            if rows.is_empty() {
                continue;
            }
            let count = styled(BAD, format!("{} new", rows.len()));
            writeln!(out, "  {}: {count}", styled(STRONG, heading))?;
            if *status == Status::Timeout
                && let Some((suite, count)) = slow_suite(rows.iter().map(|row| &row.example.id))
            {
                let advice = format!(
                    "{count} of them in the suite {suite}: `--skip 'id:{suite}/*'` leaves it out, `--timeout` allows more time"
                );
                writeln!(out, "  {}", styled(FAINT, advice))?;
            }
            is_cut |= self.write_rows(&Vec::from_iter(&rows), BROKEN_SHOWN, "", out)?;
            writeln!(out)?;
        }
        Ok(is_cut)
    }

    /// Writes examples of the first clauses. Returns whether some are left out.
    fn write_examples(&self, clauses: &[ClauseFailures], out: &mut dyn Write) -> Result<bool> {
        let mut is_cut = false;
        let mut count = 0;
        for clause in clauses {
            let rows: Vec<&FailingRow> =
                clause.new.iter().filter(|row| broken_status(row.example).is_none()).collect();
            if rows.is_empty() {
                continue;
            }
            count += 1;
            if count > CLAUSES_SHOWN && !self.options.show_all {
                return Ok(true);
            }
            writeln!(out, "\n  {}", styled(STRONG, visible(clause.clause)))?;
            is_cut |= self.write_rows(&rows, ROWS_SHOWN, &format!(" of {}", visible(clause.clause)), out)?;
        }
        Ok(is_cut)
    }

    /// Writes the first of some rows. Returns whether some are left out.
    fn write_rows(&self, rows: &[&FailingRow], shown: usize, of: &str, out: &mut dyn Write) -> Result<bool> {
        let shown = if self.options.show_all { rows.len() } else { shown };
        for row in rows.iter().take(shown) {
            self.write_failure(row.example, row.describe_others(), out)?;
        }
        let is_cut = rows.len() > shown;
        if is_cut {
            writeln!(out, "\n      … and {} more{of}", rows.len() - shown)?;
        }
        Ok(is_cut)
    }

    /// Writes a failure with its query, the reasons of an edition, and the command that repeats it.
    fn write_failure(
        &self,
        failure: &CheckFinished,
        others: Option<String>,
        out: &mut dyn Write,
    ) -> Result<()> {
        writeln!(out, "\n      {}", styled(BAD, &failure.id))?;
        let Some(check) = self.catalog.find(&failure.id) else { return Ok(()) };
        let mut first_edition = None;
        for (&edition, judgement) in failure.editions.iter().filter(|(_, judged)| judged.is_new_failure()) {
            first_edition.get_or_insert(edition);
            let clause = Clause::find(&failure.clause);
            let section = clause.filter(|_| judgement.status != Status::Flaky);
            let section = section.and_then(|clause| clause.section(edition));
            let level = clause.and_then(|clause| clause.level(edition));
            let broken = check.broken_clause(edition).filter(|_| level != Some(judgement.level));
            let section = match broken.map(|clause| (&clause.id, clause.section(edition))) {
                Some((id, Some(section))) => format!("  ({id}: {section})"),
                _ => section.map(|section| format!("  ({section})")).unwrap_or_default(),
            };
            let recommended = if judgement.is_departure() { " (should)" } else { "" };
            let expected = styled(GOOD, visible(&brief(&judgement.expected.to_string())));
            let got = visible_lines(&judgement.describe_got());
            let (got, more) = got.split_once('\n').unwrap_or((&got, ""));
            let (got, section) = (styled(BAD, brief(got)), styled(FAINT, section));
            writeln!(out, "      {edition:<16} expected {expected}{recommended}, got {got}{section}")?;
            for line in more.lines() {
                writeln!(out, "        {}", brief(line))?;
            }
        }
        for line in lines(&check.query, first_edition) {
            writeln!(out, "        {line}")?;
        }
        let Some(edition) = first_edition else { return Ok(()) };
        if let Query::Match { robots, .. } = &check.query {
            for reason in explain(&check.query, robots, edition).iter().flat_map(reasons) {
                writeln!(out, "        {}", styled(FAINT, format!("{edition}: {reason}")))?;
            }
        }
        if let Some(others) = others {
            writeln!(out, "        {others}")?;
        }
        // A filter for a row also matches its variants.
        let alone = if check.id.variant.is_none() { "--no-variants " } else { "" };
        let (again, id) = (visible(self.again), &failure.id);
        let command = format!("robotspec run {again} --edition {edition} {alone}--filter 'id:{id}'");
        const LABEL: &str = "        again: ";
        writeln!(out, "{LABEL}{}", command_line(LABEL.len(), &command))?;
        Ok(())
    }
}

/// The number of timeouts from which on it is said how to do without them.
const MANY_TIMEOUTS: usize = 4;

/// Returns the suite of most of these rows, and the number of its rows, where it has many.
fn slow_suite<'a>(rows: impl Iterator<Item = &'a CheckId> + Clone) -> Option<(&'a str, usize)> {
    let count = |suite: &str| rows.clone().filter(|id| &*id.suite == suite).count();
    let (suite, count) =
        rows.clone().map(|id| (&*id.suite, count(&id.suite))).max_by_key(|(_, count)| *count)?;
    (count >= MANY_TIMEOUTS).then_some((suite, count))
}

/// Returns the first of [`BROKEN`] that is a new failure of the check.
fn broken_status(failure: &CheckFinished) -> Option<Status> {
    let has = |status: Status| {
        failure.editions.values().any(|judged| judged.is_new_failure() && judged.status == status)
    };
    BROKEN.into_iter().map(|(status, _)| status).find(|&status| has(status))
}

/// Returns the clauses, those with the most rows that newly fail first.
fn by_count(mut clauses: Vec<ClauseFailures>) -> Vec<ClauseFailures> {
    clauses.sort_by_key(|clause| std::cmp::Reverse((clause.new.len(), clause.known.len())));
    clauses
}

fn write_count(failures: &ClauseFailures, out: &mut dyn Write) -> Result<()> {
    let ClauseFailures { clause, new, known } = failures;
    let count = match (known.len(), new.len()) {
        (known, 0) => styled(FAINT, format!("{known:>5} known")),
        (0, new) => styled(BAD, format!("{new:>5} new")),
        (known, new) => {
            format!("{} {}", styled(BAD, format!("{new:>5} new,")), styled(FAINT, format!("{known} known")))
        }
    };
    let statement = Clause::find(clause).map(|clause| format!("  {}", styled(FAINT, &clause.statement)));
    writeln!(out, "  {:<18} {count}{}", visible(clause), statement.unwrap_or_default())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_with_many_timeouts_is_named() {
        let ids: Vec<CheckId> = ["size/a#1", "agents/a#1", "size/a#2", "size/b#1", "size/b#2"]
            .iter()
            .map(|id| id.parse().expect("an id"))
            .collect();
        assert_eq!(slow_suite(ids.iter()), Some(("size", 4)));
        assert_eq!(slow_suite(ids[..4].iter()), None);
    }
}
