//! Lists of known failures, with reasons. A list hides no failure: it separates known failures from new ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use globset::Glob;
use robotspec_cases::CheckId;
use robotspec_cases::yaml::{Document, FileError};
use robotspec_reference::Edition;

use crate::event::{Judgement, Status};
use failing::Failing;
use format::ListFormat;
use globs::Globs;
pub use update::{Removed, Updated, update};

mod failing;
mod format;
mod globs;
mod update;

/// The start of a reason that a person still has to write.
const TODO: &str = "TODO say why";

/// A list of known failures.
#[derive(Debug, Clone, Default)]
pub struct KnownFailures {
    entries: BTreeMap<Failing, Vec<Entry>>,
    globs: Globs,
    /// The globs that match each row that was judged: it is judged in several editions and variants.
    matching: HashMap<CheckId, Vec<Failing>>,
    /// The rows that failed as they are written.
    failed: BTreeSet<(Edition, CheckId)>,
    /// The suites that are run; `None` for all built-in ones.
    suites: Option<BTreeSet<Arc<str>>>,
}

#[derive(Debug, Clone)]
struct Entry {
    reason: Arc<str>,
    /// The editions in which the checks fail; all that judge them, if empty.
    editions: Vec<Edition>,
    /// The place in the file, such as `known-failures[2].rows[0]`.
    part: String,
    was_judged: bool,
    /// Whether a check failed, or was not judged.
    may_hold: bool,
}

impl KnownFailures {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// The file is not such a list, an entry has no reason, or an entry occurs twice.
    pub fn read(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let todo = list.known_failures.iter().position(|entry| entry.reason.starts_with("TODO"));
        if let Some(index) = todo {
            let part = format!("known-failures[{index}].reason");
            return Err(document.error(&part, "replace TODO with the reason of these failures"));
        }
        Self::read_unreasoned(file, text)
    }

    /// Reads a list in which some reasons are not written yet.
    fn read_unreasoned(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let mut known = KnownFailures::default();
        let mut globs = Vec::new();
        for (index, entry) in list.known_failures.iter().enumerate() {
            let part = format!("known-failures[{index}]");
            if entry.reason.trim().is_empty() {
                return Err(
                    document.error(&format!("{part}.reason"), "the reason is empty; write why these fail")
                );
            }
            let editions = entry.editions(&document, &part)?;
            let reason: Arc<str> = entry.reason.trim().into();
            for (part, failing) in entry.failing(&document, &part)? {
                if let Failing::Rows(glob) = &failing {
                    globs.push(Glob::new(glob).map_err(|error| document.error(&part, error.to_string()))?);
                }
                known.add(failing, &reason, editions.clone(), part, &document)?;
            }
        }
        known.globs =
            Globs::new(&globs).map_err(|error| document.error("known-failures", error.to_string()))?;
        Ok(known)
    }

    fn add(
        &mut self,
        failing: Failing,
        reason: &Arc<str>,
        editions: Vec<Edition>,
        part: String,
        document: &Document,
    ) -> Result<(), FileError> {
        let entries = self.entries.entry(failing.clone()).or_default();
        if entries.iter().any(|entry| entry.editions == editions) {
            let message = format!("`{}` is listed twice; remove one", failing.name());
            return Err(document.error(&part, message));
        }
        entries.push(Entry {
            reason: Arc::clone(reason),
            editions,
            part,
            was_judged: false,
            may_hold: false,
        });
        Ok(())
    }

    /// Limits what can be stale to the rows of these suites: the run has no others, where entries for a glob or a variant
    /// may hold.
    pub fn limit_to(&mut self, suites: impl IntoIterator<Item = Arc<str>>) {
        self.suites = Some(suites.into_iter().collect());
    }

    /// Returns whether the run has everything that an entry can be about.
    fn was_run(&self, failing: &Failing) -> bool {
        match (&self.suites, failing) {
            (None, _) => true,
            (Some(suites), Failing::Row(row)) => suites.contains(&row.suite),
            (Some(_), Failing::Rows(_) | Failing::Variant(_)) => false,
        }
    }

    /// Annotates the judgement of a check in an edition: a failure that the list has gets the reason that the list
    /// gives. A row must be annotated before its variants, which shows whether a failure of a variant is that of the row.
    pub fn annotate(&mut self, id: &CheckId, edition: Edition, judgement: &mut Judgement) {
        judgement.known = self.take(id, edition, judgement.status);
    }

    /// Records whether a check failed. Returns the reason of the list, if it has the failure.
    fn take(&mut self, id: &CheckId, edition: Edition, status: Status) -> Option<Arc<str>> {
        let failed = status.is_failure();
        let row = id.as_written();
        if !self.globs.is_empty() && !self.matching.contains_key(&row) {
            self.matching.insert(row.clone(), self.matching(&row));
        }
        let failing = self.failing(id, edition, self.matching.get(&row).map_or(&[], Vec::as_slice));
        if id.variant.is_none() && failed {
            self.failed.insert((edition, id.clone()));
        }
        let mut reason = None;
        for entry in self.entries.get_mut(&failing).into_iter().flatten() {
            if entry.is_about(edition) {
                entry.was_judged = true;
                // Nothing is known of what was not judged.
                entry.may_hold |= failed || matches!(status, Status::NotSupported | Status::NotRun);
                reason = reason.or_else(|| failed.then(|| Arc::clone(&entry.reason)));
            }
        }
        reason
    }

    /// Returns the globs that match a row, in their order.
    fn matching(&self, row: &CheckId) -> Vec<Failing> {
        self.globs.matching(&row.to_string()).map(|glob| Failing::Rows(glob.to_owned())).collect()
    }

    /// Returns the entry that a failure belongs to: that of the variant, where the row itself does not fail. `matching` are
    /// the globs that match the row.
    fn failing(&self, id: &CheckId, edition: Edition, matching: &[Failing]) -> Failing {
        let row = id.as_written();
        if let Some(variant) = id.variant.map(Failing::Variant)
            && self.has(&variant, edition)
            && !self.failed.contains(&(edition, row.clone()))
        {
            return variant;
        }
        let alone = Failing::Row(row);
        if self.has(&alone, edition) {
            return alone;
        }
        matching.iter().find(|rows| self.has(rows, edition)).cloned().unwrap_or(alone)
    }

    /// Returns whether the list has this row for this edition.
    pub fn has_row(&self, row: &CheckId, edition: Edition) -> bool {
        self.has(&self.failing(row, edition, &self.matching(row)), edition)
    }

    fn has(&self, failing: &Failing, edition: Edition) -> bool {
        self.entries.get(failing).is_some_and(|entries| entries.iter().any(|entry| entry.is_about(edition)))
    }

    /// Returns the entries that do not hold, after a run of all checks of some editions. `about` are the editions that
    /// the list is about. An entry that may fail in an edition that was not run holds, unless its row does not exist at
    /// all.
    pub fn stale(
        &self,
        run: &[Edition],
        about: &[Edition],
        is_row: impl Fn(&CheckId) -> bool,
    ) -> Vec<String> {
        let mut stale = Vec::new();
        for (failing, entries) in self.entries.iter().filter(|(failing, _)| self.was_run(failing)) {
            if let Failing::Row(row) = failing
                && self.suites.is_none()
                && !is_row(row)
                && !entries.iter().any(|entry| entry.was_judged)
            {
                stale.push(format!("{row} is not a row of any edition"));
                continue;
            }
            let outdated = entries.iter().filter(|entry| entry.is_stale(run, about));
            stale.extend(outdated.map(|entry| failing.describe_stale(entry.was_judged)));
        }
        stale
    }

    /// Returns the entries that do not hold, after a run of all checks of some editions, in the order of the file, each
    /// with what it is about.
    fn stale_entries(&self, run: &[Edition]) -> Vec<(&Failing, &Entry)> {
        let covered = self.entries.iter().filter(|(failing, _)| self.was_run(failing));
        let entries =
            covered.flat_map(|(failing, entries)| entries.iter().map(move |entry| (failing, entry)));
        let mut stale: Vec<_> = entries.filter(|(_, entry)| entry.is_stale(run, run)).collect();
        // Numbers with more digits follow: `rows[9]`, `rows[10]`.
        stale.sort_by_key(|(_, entry)| {
            entry.part.split('[').map(|number| (number.len(), number)).collect::<Vec<_>>()
        });
        stale
    }

    /// Returns the number of entries.
    fn len(&self) -> usize {
        self.entries.values().map(Vec::len).sum()
    }
}

impl Entry {
    fn is_stale(&self, run: &[Edition], about: &[Edition]) -> bool {
        // A row that was not judged at all may belong to any edition.
        let may_fail_in = |edition: &Edition| {
            self.is_about(*edition) && (!self.was_judged || about.contains(edition)) && !run.contains(edition)
        };
        !self.may_hold && !Edition::USUAL.iter().chain(about).any(may_fail_in)
    }

    fn is_about(&self, edition: Edition) -> bool {
        self.editions.is_empty() || self.editions.contains(&edition)
    }
}
