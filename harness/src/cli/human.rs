//! A run, told to a person.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use robotspec_reference::Edition;

use crate::clause::Clause;
use crate::cli::cases::{numbered_lines, request_lines};
use crate::cli::output::{BAD, FAINT, GOOD, OPEN, STRONG, counted, styled};
use crate::event::{CheckFinished, EditionId, Event, Status, Totals};
use crate::implementation::{Incident, Info};
use crate::likely::{Answered, likely_causes};
use crate::run::Plan;
use crate::suite::{Check, Request};

mod likely;

/// How many new failures of a clause are shown, unless all are asked for.
const SHOWN: usize = 3;

/// Gathers the events of a run.
pub(super) struct HumanReport<'r> {
    checks: BTreeMap<&'r str, &'r Check>,
    editions: &'r [Edition],
    /// The words of the command line that name each implementation.
    words: Vec<String>,
    show_all: bool,
    reports: Vec<SubjectReport<'r>>,
    outcome: Option<(Totals, usize, usize)>,
}

struct SubjectReport<'r> {
    info: Info,
    answers: Vec<Answered<'r>>,
    failures: Vec<CheckFinished>,
    incidents: Vec<Incident>,
    totals: BTreeMap<EditionId, Totals>,
    /// Of these, the ones about access, in all editions together.
    access: Totals,
    stale: Vec<String>,
}

fn is_of_access(check: &Check) -> bool {
    matches!(check.request, Request::Access { .. })
}

impl<'r> HumanReport<'r> {
    pub(super) fn new(plan: &'r Plan, words: Vec<String>, show_all: bool) -> Self {
        HumanReport {
            checks: plan.checks.iter().map(|check| (check.id.as_str(), check)).collect(),
            editions: &plan.editions,
            words,
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
                answers: Vec::new(),
                failures: Vec::new(),
                incidents: Vec::new(),
                totals: BTreeMap::new(),
                access: Totals::default(),
                stale: Vec::new(),
            }),
            Event::CheckFinished(check) => {
                let asked = self.checks.get(check.id.as_str()).copied();
                let is_of_access = asked.is_some_and(is_of_access);
                let Some(report) = self.reports.last_mut() else { return };
                report.answers.extend(asked.and_then(|asked| Answered::new(asked, check)));
                if is_of_access {
                    check.editions.values().for_each(|judged| report.access.add(judged));
                }
                if check.editions.values().any(|judged| judged.status.is_failure()) {
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
        for (place, report) in self.reports.iter().enumerate() {
            self.write_subject(place, report, out)?;
        }
        self.write_totals(out)
    }

    fn write_matrix(&self, out: &mut impl Write) -> Result<()> {
        let mut table = Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        let has_access = self.checks.values().any(|check| is_of_access(check));
        let editions = self.editions.iter().map(|edition| edition.id().to_owned());
        let access = has_access.then(|| "access, in all".to_owned());
        table.set_header(
            ["implementation".to_owned(), String::new()].into_iter().chain(editions).chain(access),
        );
        for report in &self.reports {
            let version = report.info.version.as_deref().unwrap_or_default();
            let name = format!("{}\n{version}", report.info.name);
            let some_not_run = report.totals.values().any(|totals| totals.of(Status::NotRun) > 0);
            let not_run = |line: String| if some_not_run { line } else { String::new() };
            let counts = |totals: &Totals| {
                let of = |status| totals.of(status).to_string();
                let failed = totals.failures().to_string();
                [of(Status::Pass), failed, of(Status::Unspecified), of(Status::NotSupported)].join("\n")
                    + &not_run(format!("\n{}", of(Status::NotRun)))
            };
            let by_edition = self
                .editions
                .iter()
                .map(|&edition| counts(&report.totals.get(&EditionId(edition)).cloned().unwrap_or_default()));
            let access = has_access.then(|| counts(&report.access));
            let labels =
                "passed\nfailed\nunspecified\nnot supported".to_owned() + &not_run("\nnot run".to_owned());
            table.add_row([name, labels].into_iter().chain(by_edition).chain(access));
        }
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{table}")?;
        Ok(())
    }

    fn write_subject(&self, place: usize, report: &SubjectReport<'_>, out: &mut impl Write) -> Result<()> {
        if report.failures.is_empty() && report.incidents.is_empty() && report.stale.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", styled(STRONG, &report.info.name))?;
        let again = self.words.get(place).map(String::as_str).unwrap_or_default();
        let likely = likely_causes(&report.answers, &report.incidents);
        for likely in &likely {
            self.write_likely(again, likely, report, out)?;
        }
        let is_explained = |failure: &&CheckFinished| self.is_explained(&likely, failure);
        let mut by_clause: BTreeMap<(usize, &str), Vec<&CheckFinished>> = BTreeMap::new();
        for failure in report.failures.iter().filter(|failure| self.show_all || !is_explained(failure)) {
            let order =
                Clause::all().iter().position(|clause| clause.id == failure.clause).unwrap_or_default();
            by_clause.entry((order, &failure.clause)).or_default().push(failure);
        }
        let has_more = !by_clause.is_empty() || !report.incidents.is_empty();
        if has_more && !likely.is_empty() {
            writeln!(out)?;
        }
        self.write_incidents(&report.incidents, out)?;
        let mut gap = "";
        for ((_, clause), failures) in by_clause {
            write!(out, "{gap}")?;
            self.write_clause(again, clause, &failures, out)?;
            gap = if failures.iter().any(|failure| failure.has_new_failure()) { "\n" } else { "" };
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

    /// The same restart is told once, with how often it came.
    fn write_incidents(&self, incidents: &[Incident], out: &mut impl Write) -> Result<()> {
        let mut restarts: Vec<(&str, usize)> = Vec::new();
        let mut others = Vec::new();
        for incident in incidents {
            match incident {
                Incident::Restarted { reason } => {
                    match restarts.iter_mut().find(|(told, _)| told == reason) {
                        Some((_, times)) => *times += 1,
                        None => restarts.push((reason, 1)),
                    }
                }
                Incident::GaveUp { reason } => {
                    others.push(format!("{} {reason}", styled(BAD, "could not be run:")));
                }
                Incident::BadExit { status } => others.push(format!("{} {status}", styled(BAD, "bad exit:"))),
            }
        }
        let shown = if self.show_all { restarts.len() } else { SHOWN };
        for (reason, times) in restarts.iter().take(shown) {
            let times = if *times == 1 { String::new() } else { format!(" {times} times") };
            writeln!(out, "  started again{times} after {}", indented(reason))?;
        }
        if restarts.len() > shown {
            let times: usize = restarts[shown..].iter().map(|(_, times)| times).sum();
            writeln!(out, "  … and {} more; --all shows them", counted(times, "time"))?;
        }
        for other in others {
            writeln!(out, "  {}", indented(&other))?;
        }
        Ok(())
    }

    fn write_clause(
        &self,
        again: &str,
        clause: &str,
        failures: &[&CheckFinished],
        out: &mut impl Write,
    ) -> Result<()> {
        let new: Vec<&&CheckFinished> = failures.iter().filter(|failure| failure.has_new_failure()).collect();
        let known = failures.len() - new.len();
        let count = match (known, new.len()) {
            (known, 0) => styled(FAINT, format!("{known:>5} known")),
            (0, new) => styled(BAD, format!("{new:>5} new")),
            (known, new) => format!(
                "{} {}",
                styled(BAD, format!("{new:>5} new,")),
                styled(FAINT, format!("{known} known"))
            ),
        };
        let statement = Clause::find(clause).map(|clause| clause.statement.as_str()).unwrap_or_default();
        writeln!(out, "  {clause:<18} {count}  {}", styled(FAINT, statement))?;
        let shown = if self.show_all { new.len() } else { SHOWN };
        for failure in new.iter().take(shown) {
            self.write_failure(again, failure, out)?;
        }
        if new.len() > shown {
            writeln!(out, "\n      … and {} more of {clause}; --all shows them", new.len() - shown)?;
        }
        Ok(())
    }

    fn write_failure(&self, again: &str, failure: &CheckFinished, out: &mut impl Write) -> Result<()> {
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
            let (got, more) = judged.got.split_once('\n').unwrap_or((&judged.got, ""));
            let (got, section) = (styled(BAD, got), styled(FAINT, format!("({section})")));
            writeln!(out, "      {:<16} expected {expected}, got {got}  {section}", edition.0.id())?;
            for line in more.lines() {
                writeln!(out, "        {line}")?;
            }
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
        // The filter for a row lets its variants through.
        let alone = if check.variant.is_none() { "--no-variants " } else { "" };
        writeln!(
            out,
            "        again: robotspec run {again} --edition {edition} {alone}--filter 'id:{}'",
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
        writeln!(out, "\n{}: {}", counted(totals.sum(), "judgement"), counts.join(", "))?;
        let not_run = totals.of(Status::NotRun);
        let verdict = match (*unexpected, *stale, not_run) {
            (0, 0, 0) if totals.known == 0 => styled(GOOD, "all as expected"),
            (0, 0, 0) => {
                styled(GOOD, format!("all as expected: {}, all known", counted(totals.known, "failure")))
            }
            (unexpected, stale, not_run) => {
                let parts = [
                    (unexpected, format!("{} that no list knows", counted(unexpected, "failure"))),
                    (stale, format!("{} out of date on the list", counted(stale, "known failure"))),
                    (not_run, format!("{} not run", counted(not_run, "check"))),
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

/// A message of several lines, its further lines moved in.
fn indented(message: &str) -> String {
    message.replace('\n', "\n    ")
}

/// The lines that decide in an edition, as the reference sees it.
pub(super) fn deciding_lines(check: &Check, edition: Edition) -> Vec<usize> {
    let Request::Match { robots, agent, url } = &check.request else { return Vec::new() };
    let robots = robotspec_reference::RobotsTxt::parse(robots);
    robots.explain(edition, agent, url).map(|explanation| explanation.decision.lines()).unwrap_or_default()
}
