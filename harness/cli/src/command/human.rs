//! A run, told to a person.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use robotspec_reference::Edition;

use crate::command::output::{BAD, GOOD, OPEN, STRONG, counted, styled};
use robotspec::event::{CheckFinished, EditionId, Event, LikelyCause, Status, Totals};
use robotspec::implementation::{Incident, Info};
use robotspec::run::Plan;
use robotspec_cases::suite::{Check, Request};

pub(super) use failures::explained;

mod failures;
mod likely;

/// How many reasons of restarts are shown, unless all are asked for.
const SHOWN: usize = 3;

/// Gathers the events of a run.
pub(super) struct HumanReport<'r> {
    checks: BTreeMap<&'r str, &'r Check>,
    editions: &'r [Edition],
    /// The words of the command line that name each implementation.
    words: Vec<String>,
    show_all: bool,
    reports: Vec<SubjectReport>,
    outcome: Option<(Totals, usize, usize)>,
}

struct SubjectReport {
    info: Info,
    failures: Vec<CheckFinished>,
    incidents: Vec<Incident>,
    likely: Vec<LikelyCause>,
    /// Of all checks, variants included.
    totals: BTreeMap<EditionId, Totals>,
    /// Of the rows as they are written.
    rows: BTreeMap<EditionId, Totals>,
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
                failures: Vec::new(),
                incidents: Vec::new(),
                likely: Vec::new(),
                totals: BTreeMap::new(),
                rows: BTreeMap::new(),
                access: Totals::default(),
                stale: Vec::new(),
            }),
            Event::CheckFinished(check) => {
                let asked = self.checks.get(check.id.as_str()).copied();
                let is_of_access = asked.is_some_and(is_of_access);
                let Some(report) = self.reports.last_mut() else { return };
                if asked.is_none_or(|asked| asked.variant.is_none()) {
                    for (edition, judged) in &check.editions {
                        report.rows.entry(*edition).or_default().add(judged);
                        if is_of_access {
                            report.access.add(judged);
                        }
                    }
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
            Event::LikelyCause { likely, .. } => {
                if let Some(report) = self.reports.last_mut() {
                    report.likely.push(likely.clone());
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
            let of_edition = |edition: &Edition| {
                let of = |totals: &BTreeMap<EditionId, Totals>| {
                    totals.get(&EditionId(*edition)).cloned().unwrap_or_default()
                };
                (of(&report.rows), of(&report.totals))
            };
            let some_of_variants =
                self.editions.iter().map(of_edition).any(|(rows, all)| fails_more(&all, &rows));
            let counts = |rows: &Totals, all: &Totals| {
                let mut counts = vec![rows.of(Status::Pass).to_string(), rows.failures().to_string()];
                counts.extend(some_of_variants.then(|| match fails_more(all, rows) {
                    true => format!("({})", all.failures()),
                    false => String::new(),
                }));
                counts.push(rows.of(Status::Unspecified).to_string());
                counts.push(rows.of(Status::NotSupported).to_string());
                counts.extend(some_not_run.then(|| rows.of(Status::NotRun).to_string()));
                counts.join("\n")
            };
            let by_edition = self.editions.iter().map(of_edition).map(|(rows, all)| counts(&rows, &all));
            // It is not rewritten.
            let access = has_access.then(|| counts(&report.access, &report.access));
            let labels = [
                Some("rows passed"),
                Some("rows failed"),
                some_of_variants.then_some("(with variants)"),
                Some("unspecified"),
                Some("not supported"),
                some_not_run.then_some("not run"),
            ];
            let labels: Vec<&str> = labels.into_iter().flatten().collect();
            let labels = labels.join("\n");
            table.add_row([name, labels].into_iter().chain(by_edition).chain(access));
        }
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{table}")?;
        Ok(())
    }

    fn write_subject(&self, place: usize, report: &SubjectReport, out: &mut impl Write) -> Result<()> {
        if report.failures.is_empty() && report.incidents.is_empty() && report.stale.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", styled(STRONG, &report.info.name))?;
        let again = self.words.get(place).map(String::as_str).unwrap_or_default();
        for likely in &report.likely {
            self.write_likely(again, likely, report, out)?;
        }
        let left = report
            .failures
            .iter()
            .any(|failure| self.show_all || !self.is_explained(&report.likely, failure));
        if (left || !report.incidents.is_empty()) && !report.likely.is_empty() {
            writeln!(out)?;
        }
        self.write_incidents(&report.incidents, out)?;
        self.write_failures(again, report, out)?;
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

    fn write_totals(&self, out: &mut impl Write) -> Result<()> {
        let Some((totals, unexpected, stale)) = &self.outcome else { return Ok(()) };
        let mut rows = Totals::default();
        self.reports.iter().flat_map(|report| report.rows.values()).for_each(|of| rows.extend(of));
        writeln!(out, "\n{}: {}", counted(rows.sum(), "judgement"), told(&rows))?;
        let has_variants = totals.sum() > rows.sum();
        if has_variants {
            writeln!(out, "with variants {}: {}", totals.sum(), told(totals))?;
        }
        let of_rows = |of_rows: usize, all: usize, thing: &str| match has_variants {
            true => format!("{} ({all} with variants)", counted(of_rows, thing)),
            false => counted(all, thing),
        };
        let not_run = totals.of(Status::NotRun);
        let verdict = match (*unexpected, *stale, not_run) {
            (0, 0, 0) if totals.known == 0 => styled(GOOD, "all as expected"),
            (0, 0, 0) => {
                let known = of_rows(rows.known, totals.known, "failure");
                styled(GOOD, format!("all as expected: {known}, all known"))
            }
            (unexpected, stale, not_run) => {
                let parts = [
                    (
                        unexpected,
                        format!("{} that no list knows", of_rows(rows.new_failures(), unexpected, "failure")),
                    ),
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

/// How often each status came out, where it did.
fn told(totals: &Totals) -> String {
    let counts = Status::ALL.into_iter().filter(|&status| totals.of(status) > 0);
    let counts: Vec<String> = counts.map(|status| format!("{} {}", totals.of(status), status.id())).collect();
    counts.join(", ")
}

/// Whether checks fail besides the rows as they are written.
fn fails_more(all: &Totals, rows: &Totals) -> bool {
    all.failures() > rows.failures()
}

/// A message of several lines, its further lines moved in.
fn indented(message: &str) -> String {
    message.replace('\n', "\n    ")
}
