//! A run, told to a person.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use robotspec_reference::Edition;

use crate::clause::Clause;
use crate::cli::cases::{numbered_lines, request_lines};
use crate::cli::output::{BAD, FAINT, GOOD, OPEN, STRONG, styled};
use crate::cli::subjects::Subjects;
use crate::event::{CheckFinished, EditionId, Event, Status, Totals};
use crate::implementation::{Incident, Info};
use crate::run::Plan;
use crate::suite::{Check, Request};

/// How many new failures of a clause are shown, unless all are asked for.
const SHOWN: usize = 3;

/// Gathers the events of a run.
pub(super) struct HumanReport<'r> {
    checks: BTreeMap<&'r str, &'r Check>,
    editions: &'r [Edition],
    subjects: &'r Subjects,
    show_all: bool,
    reports: Vec<SubjectReport>,
    outcome: Option<(Totals, usize, usize)>,
}

struct SubjectReport {
    info: Info,
    failures: Vec<CheckFinished>,
    incidents: Vec<Incident>,
    totals: BTreeMap<EditionId, Totals>,
    stale: Vec<String>,
}

impl<'r> HumanReport<'r> {
    pub(super) fn new(plan: &'r Plan, subjects: &'r Subjects, show_all: bool) -> Self {
        HumanReport {
            checks: plan.checks.iter().map(|check| (check.id.as_str(), check)).collect(),
            editions: &plan.editions,
            subjects,
            show_all,
            reports: Vec::new(),
            outcome: None,
        }
    }

    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted { .. } => {}
            Event::ImplementationStarted { info } => self.reports.push(SubjectReport {
                info: info.clone(),
                failures: Vec::new(),
                incidents: Vec::new(),
                totals: BTreeMap::new(),
                stale: Vec::new(),
            }),
            Event::CheckFinished(check) => {
                if let Some(report) = self.reports.last_mut()
                    && check.editions.values().any(|judged| judged.status.is_failure())
                {
                    report.failures.push(check.clone());
                }
            }
            Event::Incident { incident, .. } => {
                if let Some(report) = self.reports.last_mut() {
                    report.incidents.push(incident.clone());
                }
            }
            Event::ImplementationFinished { totals, stale_known_failures, .. } => {
                if let Some(report) = self.reports.last_mut() {
                    report.totals.clone_from(totals);
                    report.stale.clone_from(stale_known_failures);
                }
            }
            Event::RunFinished { totals, unexpected, stale, .. } => {
                self.outcome = Some((totals.clone(), *unexpected, *stale));
            }
        }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> Result<()> {
        self.write_matrix(out)?;
        for report in &self.reports {
            self.write_subject(report, out)?;
        }
        self.write_totals(out)
    }

    fn write_matrix(&self, out: &mut impl Write) -> Result<()> {
        let mut table = Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        let editions = self.editions.iter().map(|edition| edition.id().to_owned());
        table.set_header(std::iter::once("implementation".to_owned()).chain(editions));
        for report in &self.reports {
            let version = report.info.version.as_deref().unwrap_or_default();
            let mut row = vec![format!("{} {version}", report.info.name).trim_end().to_owned()];
            row.extend(self.editions.iter().map(|&edition| {
                let totals = report.totals.get(&EditionId(edition)).cloned().unwrap_or_default();
                let cells = [
                    totals.of(Status::Pass),
                    totals.failures(),
                    totals.of(Status::Unspecified),
                    totals.of(Status::NotSupported),
                ];
                cells.map(|count| count.to_string()).join(" / ")
            }));
            table.add_row(row);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{table}")?;
        writeln!(out, "{}", styled(FAINT, "passed / failed / unspecified in that edition / not supported"))?;
        Ok(())
    }

    fn write_subject(&self, report: &SubjectReport, out: &mut impl Write) -> Result<()> {
        if report.failures.is_empty() && report.incidents.is_empty() && report.stale.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", styled(STRONG, &report.info.name))?;
        for incident in &report.incidents {
            match incident {
                Incident::Restarted { reason } => writeln!(out, "  restarted after {reason}")?,
                Incident::GaveUp { reason } => {
                    writeln!(out, "  {} {reason}", styled(BAD, "could not be run:"))?
                }
                Incident::BadExit { status } => writeln!(out, "  {} {status}", styled(BAD, "bad exit:"))?,
            }
        }
        let mut by_clause: BTreeMap<(usize, &str), Vec<&CheckFinished>> = BTreeMap::new();
        for failure in &report.failures {
            let place =
                Clause::all().iter().position(|clause| clause.id == failure.clause).unwrap_or_default();
            by_clause.entry((place, &failure.clause)).or_default().push(failure);
        }
        for ((_, clause), failures) in by_clause {
            self.write_clause(report, clause, &failures, out)?;
        }
        for entry in &report.stale {
            writeln!(
                out,
                "  {} {entry}; take it off the list",
                styled(BAD, "known failures are out of date:")
            )?;
        }
        Ok(())
    }

    fn write_clause(
        &self,
        report: &SubjectReport,
        clause: &str,
        failures: &[&CheckFinished],
        out: &mut impl Write,
    ) -> Result<()> {
        let new: Vec<&&CheckFinished> = failures.iter().filter(|failure| failure.has_new_failure()).collect();
        let count = if new.is_empty() {
            styled(FAINT, format!("{:>5} known", failures.len()))
        } else {
            format!("{:>5} {}", failures.len(), styled(BAD, format!("{} new", new.len())))
        };
        let statement = Clause::find(clause).map(|clause| clause.statement.as_str()).unwrap_or_default();
        writeln!(out, "  {clause:<18} {count}  {}", styled(FAINT, statement))?;
        let shown = if self.show_all { new.len() } else { SHOWN };
        for failure in new.iter().take(shown) {
            self.write_failure(report, failure, out)?;
        }
        if new.len() > shown {
            writeln!(out, "      … and {} more of {clause}; --all shows them\n", new.len() - shown)?;
        }
        Ok(())
    }

    fn write_failure(
        &self,
        report: &SubjectReport,
        failure: &CheckFinished,
        out: &mut impl Write,
    ) -> Result<()> {
        writeln!(out, "\n      {}", styled(BAD, &failure.id))?;
        let Some(check) = self.checks.get(failure.id.as_str()) else { return Ok(()) };
        let mut first_edition = None;
        for (edition, judged) in
            failure.editions.iter().filter(|(_, judged)| judged.status.is_failure() && !judged.known)
        {
            first_edition.get_or_insert(edition.0);
            let clause = Clause::find(&failure.clause);
            let section = clause.and_then(|clause| clause.section(edition.0)).unwrap_or_default();
            let expected = styled(GOOD, &judged.expected);
            let got = styled(BAD, &judged.got);
            writeln!(
                out,
                "      {:<16} expected {expected}, got {got}  {}",
                edition.0.id(),
                styled(FAINT, format!("({section})"))
            )?;
        }
        for line in request_lines(&check.request) {
            writeln!(out, "        {line}")?;
        }
        let Some(edition) = first_edition else { return Ok(()) };
        if let Request::Match { robots, .. } = &check.request {
            for line in numbered_lines(robots, &deciding_lines(check, edition)) {
                writeln!(out, "        {line}")?;
            }
        }
        let subject = self.subjects.words(&report.info.name);
        writeln!(
            out,
            "        again: robotspec run {subject} --edition {edition} --filter 'id:{}'\n",
            failure.id
        )?;
        Ok(())
    }

    fn write_totals(&self, out: &mut impl Write) -> Result<()> {
        let Some((totals, unexpected, stale)) = &self.outcome else { return Ok(()) };
        let counts: Vec<String> = Status::ALL
            .into_iter()
            .filter(|&status| totals.of(status) > 0)
            .map(|status| format!("{} {}", totals.of(status), status.id()))
            .collect();
        writeln!(out, "\n{} judgements: {}", totals.sum(), counts.join(", "))?;
        let not_run = totals.of(Status::NotRun);
        let verdict = match (*unexpected, *stale, not_run) {
            (0, 0, 0) if totals.known == 0 => styled(GOOD, "all as expected"),
            (0, 0, 0) => styled(GOOD, format!("all as expected: {} failures, all known", totals.known)),
            (unexpected, stale, not_run) => {
                let parts = [
                    (unexpected, format!("{unexpected} failures that no list knows")),
                    (stale, format!("{stale} known failures that are none")),
                    (not_run, format!("{not_run} checks not run")),
                ];
                let parts: Vec<String> =
                    parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
                styled(if unexpected + not_run > 0 { BAD } else { OPEN }, parts.join(", "))
            }
        };
        writeln!(out, "{verdict}")?;
        Ok(())
    }
}

impl CheckFinished {
    fn has_new_failure(&self) -> bool {
        self.editions.values().any(|judged| judged.status.is_failure() && !judged.known)
    }
}

/// The lines that decide in an edition, as the reference sees it.
pub(super) fn deciding_lines(check: &Check, edition: Edition) -> Vec<usize> {
    let Request::Match { robots, agent, url } = &check.request else { return Vec::new() };
    let robots = robotspec_reference::RobotsTxt::parse(robots);
    robots.explain(edition, agent, url).map(|explanation| explanation.decision.lines()).unwrap_or_default()
}
