//! A run without what passed: what several reports are made of.

use std::collections::BTreeMap;

use serde::Serialize;

use robotspec::event::{CheckFinished, EditionId, Event, LikelyCause, Totals};
use robotspec::implementation::{Incident, Info};
use robotspec_cases::clause::{Clause, Kind};
use robotspec_cases::suite::row_and_variant;

/// The version of the format of a summary: raised when something that stood
/// there is gone or means something else.
const FORMAT: u32 = 1;

/// How a run came out: totals, and what failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Summary {
    /// The version of this format.
    pub format: u32,
    /// The version of the program that ran.
    pub robotspec: String,
    /// The editions that judged.
    pub editions: Vec<EditionId>,
    /// How many checks each implementation was put to.
    pub checks: usize,
    /// The implementations, in the order in which they were asked.
    pub implementations: Vec<ImplementationSummary>,
    /// All implementations and editions together.
    pub totals: Totals,
    /// Failures that no list of known failures has.
    pub unexpected: usize,
    /// Entries of lists of known failures that are not so.
    pub stale: usize,
    /// The exit code of the run: see `robotspec run --help`.
    pub exit_code: u8,
}

/// How an implementation came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ImplementationSummary {
    /// Who it is.
    #[serde(flatten)]
    pub info: Info,
    /// How often each status came out in each edition, variants included.
    pub totals: BTreeMap<EditionId, Totals>,
    /// The same of the rows as they are written.
    pub rows: BTreeMap<EditionId, Totals>,
    /// The same for each clause that a check is reported under.
    pub clauses: BTreeMap<String, BTreeMap<EditionId, Totals>>,
    /// Of the rows as they are written, in all editions together, for each kind of clause.
    #[serde(skip)]
    pub(super) row_kinds: BTreeMap<Kind, Totals>,
    /// The checks that failed in an edition, known failures included, with
    /// what became of them in each.
    pub failures: Vec<CheckFinished>,
    /// What happened to it.
    pub incidents: Vec<Incident>,
    /// What likely makes many checks fail, the first to mend first.
    pub likely_causes: Vec<LikelyCause>,
    /// What the list of known failures says that is not so.
    pub stale_known_failures: Vec<String>,
}

impl Default for Summary {
    fn default() -> Self {
        Summary {
            format: FORMAT,
            robotspec: String::new(),
            editions: Vec::new(),
            checks: 0,
            implementations: Vec::new(),
            totals: Totals::default(),
            unexpected: 0,
            stale: 0,
            exit_code: 0,
        }
    }
}

impl Summary {
    /// How often rows as they are written fail, in all editions together: those that no list knows, and the others.
    pub(super) fn failing_rows(&self) -> (usize, usize) {
        let mut rows = Totals::default();
        let all = self.implementations.iter().flat_map(|implementation| implementation.rows.values());
        all.for_each(|of_edition| rows.extend(of_edition));
        (rows.new_failures(), rows.known)
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted { robotspec, editions, checks, .. } => {
                self.robotspec.clone_from(robotspec);
                self.editions.clone_from(editions);
                self.checks = *checks;
            }
            Event::ImplementationStarted { info } => self.implementations.push(ImplementationSummary {
                info: info.clone(),
                totals: BTreeMap::new(),
                rows: BTreeMap::new(),
                clauses: BTreeMap::new(),
                row_kinds: BTreeMap::new(),
                failures: Vec::new(),
                incidents: Vec::new(),
                likely_causes: Vec::new(),
                stale_known_failures: Vec::new(),
            }),
            Event::RunFinished { totals, unexpected, stale, exit_code } => {
                self.totals.clone_from(totals);
                (self.unexpected, self.stale, self.exit_code) = (*unexpected, *stale, *exit_code);
            }
            event => {
                if let Some(implementation) = self.implementations.last_mut() {
                    implementation.take(event);
                }
            }
        }
    }
}

impl ImplementationSummary {
    fn take(&mut self, event: &Event) {
        match event {
            Event::CheckFinished(check) => {
                if row_and_variant(&check.id).1.is_none() {
                    self.take_row(check);
                }
                if !self.clauses.contains_key(&check.clause) {
                    self.clauses.insert(check.clause.clone(), BTreeMap::new());
                }
                let Some(clause) = self.clauses.get_mut(&check.clause) else { return };
                for (edition, judged) in &check.editions {
                    clause.entry(*edition).or_default().add(judged);
                }
                if check.editions.values().any(|judged| judged.status.is_failure()) {
                    self.failures.push(check.clone());
                }
            }
            Event::Incident { incident, .. } => self.incidents.push(incident.clone()),
            Event::LikelyCause { likely, .. } => self.likely_causes.push(likely.clone()),
            Event::ImplementationFinished { totals, stale_known_failures, .. } => {
                self.totals.clone_from(totals);
                self.stale_known_failures.clone_from(stale_known_failures);
            }
            _ => {}
        }
    }

    /// Takes what came of a row as it is written.
    fn take_row(&mut self, check: &CheckFinished) {
        let kind = Clause::find(&check.clause).map(|clause| clause.kind);
        for (edition, judged) in &check.editions {
            self.rows.entry(*edition).or_default().add(judged);
            if let Some(kind) = kind {
                self.row_kinds.entry(kind).or_default().add(judged);
            }
        }
    }

    /// How often each status came out, in all editions together, for each
    /// kind of clause that was tested.
    pub fn by_kind(&self) -> BTreeMap<Kind, Totals> {
        let mut kinds: BTreeMap<Kind, Totals> = BTreeMap::new();
        for (clause, editions) in &self.clauses {
            let Some(clause) = Clause::find(clause) else { continue };
            let kind = kinds.entry(clause.kind).or_default();
            editions.values().for_each(|totals| kind.extend(totals));
        }
        kinds
    }
}
