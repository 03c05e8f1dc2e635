//! What fails: first what dies, hangs or answers nothing, then the clauses, then examples of the first few.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use anyhow::Result;
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{Edition, RobotsTxt};

use super::{HumanReport, SubjectReport};
use crate::command::cases::asked_lines;
use crate::command::output::{BAD, FAINT, GOOD, STRONG, styled};
use crate::report::{FailingRow, blamed, failing_rows};
use robotspec::event::{CheckFinished, Status};
use robotspec::sentences::reasons;
use robotspec_cases::clause::Clause;
use robotspec_cases::suite::{Request, row_and_variant};

/// Of how many clauses examples are shown, and how many of each, unless all are asked for.
const CLAUSES_SHOWN: usize = 3;
const ROWS_SHOWN: usize = 3;

/// How many rows that end in the same bad way are shown.
const BROKEN_SHOWN: usize = 5;

/// What no parser should do whatever the file, and what the heading calls it.
const BROKEN: [(Status, &str); 3] = [
    (Status::Crash, "it crashes"),
    (Status::Timeout, "it takes too long"),
    (Status::ProtocolError, "it answers what is no answer"),
];

/// The failures of a clause.
struct OfClause<'f> {
    clause: &'f str,
    /// The rows with a failure that no list knows.
    new: Vec<FailingRow<'f>>,
    /// How many others fail.
    known: usize,
}

impl HumanReport<'_> {
    /// What the likely causes do not explain.
    pub(super) fn write_failures(
        &self,
        again: &str,
        report: &SubjectReport,
        out: &mut impl Write,
    ) -> Result<()> {
        let (failures, likely) = (report.failures.iter(), &report.likely);
        let left: Vec<&CheckFinished> =
            failures.filter(|failure| self.show_all || !self.is_explained(likely, failure)).collect();
        let mut is_cut = false;
        for (status, heading) in BROKEN {
            is_cut |= self.write_broken(again, status, heading, &left, out)?;
        }
        let fail_as_written: HashSet<&str> =
            report.failures.iter().map(|failure| failure.id.as_str()).collect();
        let clauses = by_clause(&left, &fail_as_written);
        if clauses.is_empty() {
            return Ok(());
        }
        let besides = if likely.is_empty() || self.show_all { "" } else { ", but for what may come of that" };
        writeln!(out, "  {}", styled(STRONG, format!("rows that fail, by clause{besides}:")))?;
        for clause in &clauses {
            write_count(clause, out)?;
        }
        if left.iter().any(|failure| blamed(failure, &fail_as_written) != failure.clause) {
            let told = "what passes as it is written, and fails once its file is rewritten, is under the clause of that";
            writeln!(out, "  {}", styled(FAINT, told))?;
        }
        let mut examined = 0;
        for clause in &clauses {
            let rows: Vec<&FailingRow> =
                clause.new.iter().filter(|row| broken(row.example).is_none()).collect();
            if rows.is_empty() {
                continue;
            }
            examined += 1;
            if examined > CLAUSES_SHOWN && !self.show_all {
                is_cut = true;
                break;
            }
            writeln!(out, "\n  {}", styled(STRONG, clause.clause))?;
            let more = format!(" of {}", clause.clause);
            is_cut |= self.write_rows(again, &rows, ROWS_SHOWN, &more, out)?;
        }
        if is_cut {
            writeln!(out, "\n  --all shows every failure, --filter clause:ID those of a clause")?;
        }
        Ok(())
    }

    /// What ends in such a way is shown with its file, whatever clause it is of. Whether something is left out.
    fn write_broken(
        &self,
        again: &str,
        status: Status,
        heading: &str,
        left: &[&CheckFinished],
        out: &mut impl Write,
    ) -> Result<bool> {
        let failures = left.iter().copied().filter(|failure| broken(failure) == Some(status));
        let rows = failing_rows(failures);
        if rows.is_empty() {
            return Ok(false);
        }
        let count = styled(BAD, format!("{} new", rows.len()));
        writeln!(out, "  {}: {count}", styled(STRONG, heading))?;
        let is_cut = self.write_rows(again, &rows.iter().collect::<Vec<_>>(), BROKEN_SHOWN, "", out)?;
        writeln!(out)?;
        Ok(is_cut)
    }

    fn write_rows(
        &self,
        again: &str,
        rows: &[&FailingRow<'_>],
        shown: usize,
        more: &str,
        out: &mut impl Write,
    ) -> Result<bool> {
        let shown = if self.show_all { rows.len() } else { shown };
        for row in rows.iter().take(shown) {
            self.write_failure(again, row.example, row.others(), out)?;
        }
        let is_cut = rows.len() > shown;
        if is_cut {
            writeln!(out, "\n      … and {} more{more}", rows.len() - shown)?;
        }
        Ok(is_cut)
    }

    pub(super) fn write_failure(
        &self,
        again: &str,
        failure: &CheckFinished,
        others: Option<String>,
        out: &mut impl Write,
    ) -> Result<()> {
        writeln!(out, "\n      {}", styled(BAD, &failure.id))?;
        let Some(check) = self.checks.get(failure.id.as_str()) else { return Ok(()) };
        let mut first_edition = None;
        for (edition, judged) in failure.editions.iter().filter(|(_, judged)| judged.is_new_failure()) {
            first_edition.get_or_insert(edition.0);
            let clause = Clause::find(&failure.clause);
            let section = clause.and_then(|clause| clause.section(edition.0)).unwrap_or_default();
            let expected = styled(GOOD, &judged.expected);
            let (got, more) = judged.got.split_once('\n').unwrap_or((&judged.got, ""));
            let (got, section) = (styled(BAD, got), styled(FAINT, format!("({section})")));
            writeln!(out, "      {:<16} expected {expected}, got {got}  {section}", edition.0.id())?;
            for line in more.lines() {
                writeln!(out, "        {line}")?;
            }
        }
        for line in asked_lines(check, first_edition) {
            writeln!(out, "        {line}")?;
        }
        let Some(edition) = first_edition else { return Ok(()) };
        if let Request::Match { robots, .. } = &check.request {
            let explanation = explained(&check.request, robots, edition);
            for reason in explanation.iter().flat_map(reasons) {
                writeln!(out, "        {}", styled(FAINT, format!("{edition}: {reason}")))?;
            }
        }
        if let Some(others) = others {
            writeln!(out, "        {others}")?;
        }
        // The filter for a row lets its variants through.
        let alone = if check.variant.is_none() { "--no-variants " } else { "" };
        writeln!(
            out,
            "        again: robotspec run {again} --edition {edition} {alone}--filter 'id:{}'",
            failure.id
        )?;
        Ok(())
    }
}

/// The way in which it ends, where no list knows that and it is one of [`BROKEN`].
fn broken(failure: &CheckFinished) -> Option<Status> {
    let has = |status: Status| {
        failure.editions.values().any(|judged| judged.is_new_failure() && judged.status == status)
    };
    BROKEN.into_iter().map(|(status, _)| status).find(|&status| has(status))
}

/// The clauses, those with the most rows that newly fail first.
fn by_clause<'f>(failures: &[&'f CheckFinished], fail_as_written: &HashSet<&str>) -> Vec<OfClause<'f>> {
    let mut by_clause: BTreeMap<(usize, &str), Vec<&CheckFinished>> = BTreeMap::new();
    for failure in failures {
        let clause = blamed(failure, fail_as_written);
        let order = Clause::all().iter().position(|known| known.id == clause).unwrap_or_default();
        by_clause.entry((order, clause)).or_default().push(failure);
    }
    let of_clause = |((_, clause), failures): ((usize, &'f str), Vec<&'f CheckFinished>)| {
        let mut new = failing_rows(failures.iter().copied().filter(|failure| failure.has_new_failure()));
        // The rows that are about the clause show it best.
        new.sort_by_key(|row| row_and_variant(&row.example.id).1.is_some());
        let known = failing_rows(failures).len() - new.len();
        OfClause { clause, new, known }
    };
    let mut clauses: Vec<OfClause> = by_clause.into_iter().map(of_clause).collect();
    clauses.sort_by_key(|of| std::cmp::Reverse((of.new.len(), of.known)));
    clauses
}

fn write_count(of: &OfClause, out: &mut impl Write) -> Result<()> {
    let count = match (of.known, of.new.len()) {
        (known, 0) => styled(FAINT, format!("{known:>5} known")),
        (0, new) => styled(BAD, format!("{new:>5} new")),
        (known, new) => {
            format!("{} {}", styled(BAD, format!("{new:>5} new,")), styled(FAINT, format!("{known} known")))
        }
    };
    let statement = Clause::find(of.clause).map(|clause| clause.statement.as_str()).unwrap_or_default();
    writeln!(out, "  {:<18} {count}  {}", of.clause, styled(FAINT, statement))?;
    Ok(())
}

/// What the reference makes of a request about a URL, given this file.
pub(in crate::command) fn explained(
    request: &Request,
    robots: &[u8],
    edition: Edition,
) -> Option<Explanation> {
    let (Request::Match { agent, url, .. } | Request::Alike { agent, url, .. }) = request else {
        return None;
    };
    RobotsTxt::parse(robots).explain(edition, agent, url).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotspec::event::{EditionId, Judged};

    fn failure(id: &str) -> CheckFinished {
        let (expected, got) = ("allow".to_owned(), "disallow".to_owned());
        let judged = Judged { status: Status::Fail, expected, got, known: false, reason: None };
        CheckFinished {
            implementation: String::new(),
            id: id.to_owned(),
            clause: "M-star".to_owned(),
            editions: BTreeMap::from([(EditionId(Edition::Rfc9309), judged)]),
        }
    }

    #[test]
    fn what_fails_only_rewritten_is_put_down_to_the_clause_of_that() {
        let failures = ["s/c#a~cr", "s/c#b", "s/c#b~cr", "s/c#c~cr", "s/c#c~bom"].map(failure);
        let all: Vec<&CheckFinished> = failures.iter().collect();
        let fail_as_written: HashSet<&str> = failures.iter().map(|failure| failure.id.as_str()).collect();
        let clauses = by_clause(&all, &fail_as_written);
        let told: Vec<(&str, Vec<&str>)> = clauses
            .iter()
            .map(|of| (of.clause, of.new.iter().map(|row| row.example.id.as_str()).collect()))
            .collect();
        assert_eq!(
            told,
            [
                ("L-eol", vec!["s/c#a~cr", "s/c#c~cr"]),
                ("L-bom", vec!["s/c#c~bom"]),
                ("M-star", vec!["s/c#b"]),
            ]
        );
    }
}
