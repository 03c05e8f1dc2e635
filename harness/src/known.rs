//! Lists of known failures, with reasons. A list hides no failure: it separates known failures from new ones.

mod update;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use globset::{Glob, GlobSet};
use robotspec_cases::yaml::{Document, FileError};
use robotspec_cases::{BadCheckId, CheckId, Variant};
use robotspec_reference::Edition;
use robotspec_reference::named::UnknownName;
use serde::Deserialize;
use url::Url;

use crate::event::Status;

pub use update::{Removed, Updated, update};

/// The start of a reason that a person still has to write.
const TODO: &str = "TODO say why";

/// A list of known failures.
#[derive(Debug, Clone, Default)]
pub struct KnownFailures {
    entries: BTreeMap<Failing, Vec<Entry>>,
    /// The globs, in the order of the list.
    globs: Vec<Glob>,
    /// The same, which are compared at once.
    set: GlobSet,
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
        Self::read_list(file, text, false)
    }

    /// Reads a list, in which some reasons may be not written yet.
    fn read_list(file: &Path, text: &str, allows_todo: bool) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let todo = list.known_failures.iter().position(|entry| entry.reason.starts_with("TODO"));
        if let Some(index) = todo.filter(|_| !allows_todo) {
            let part = format!("known-failures[{index}].reason");
            return Err(document.error(&part, "replace TODO with the reason of these failures"));
        }
        let mut known = KnownFailures::default();
        for (index, entry) in list.known_failures.iter().enumerate() {
            let part = format!("known-failures[{index}]");
            if entry.reason.trim().is_empty() {
                return Err(
                    document.error(&format!("{part}.reason"), "the reason is empty; write why these fail")
                );
            }
            let editions = entry.editions(&document, &part)?;
            let reason: Arc<str> = match &entry.issue {
                None => entry.reason.trim().into(),
                Some(issue) if issue.starts_with("https://") && Url::parse(issue).is_ok() => {
                    format!("{} ({issue})", entry.reason.trim()).into()
                }
                Some(_) => {
                    let message = "`issue` is the address of a report, which starts with https://";
                    return Err(document.error(&format!("{part}.issue"), message));
                }
            };
            for (part, failing) in entry.failing(&document, &part)? {
                if let Failing::Rows(glob) = &failing {
                    let glob = Glob::new(glob).map_err(|error| document.error(&part, error.to_string()))?;
                    known.globs.push(glob);
                }
                let name = failing.name();
                let entries = known.entries.entry(failing).or_default();
                if entries.iter().any(|entry| entry.editions == editions) {
                    return Err(document.error(&part, format!("`{name}` is listed twice; remove one")));
                }
                let (reason, editions) = (Arc::clone(&reason), editions.clone());
                entries.push(Entry { reason, editions, part, was_judged: false, may_hold: false });
            }
        }
        known.set = GlobSet::new(&known.globs)
            .map_err(|error| document.error("known-failures", error.to_string()))?;
        Ok(known)
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

    /// Records whether a check failed. Returns the reason of the list, if it has the failure. A row must be taken before its
    /// variants, which shows whether a failure of a variant is that of the row.
    pub fn take(&mut self, id: &CheckId, edition: Edition, status: Status) -> Option<Arc<str>> {
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
        let row = row.to_string();
        let matching = self.set.matches(&row).into_iter().map(|place| self.globs[place].glob().to_owned());
        matching.map(Failing::Rows).collect()
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

/// The checks that an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failing {
    /// A row, with all its variants.
    Row(CheckId),
    /// The rows that match a glob, fail and have no entry of their own, with all their variants.
    Rows(String),
    /// A variant of every row that does not fail as it is written.
    Variant(Variant),
}

impl Failing {
    /// Returns a row, or the rows that match a glob. No id contains one of these characters.
    fn read_row(written: &str) -> Result<Self, String> {
        match written.contains(['*', '?', '[', '{']) {
            true => Ok(Failing::Rows(written.to_owned())),
            false => written.parse().map(Failing::Row).map_err(|error: BadCheckId| error.to_string()),
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            Failing::Row(row) => row.to_string(),
            Failing::Rows(glob) => glob.clone(),
            Failing::Variant(variant) => variant.to_string(),
        }
    }

    /// Returns the reason why an entry does not hold.
    pub(super) fn describe_stale(&self, was_judged: bool) -> String {
        match self {
            Failing::Row(row) if was_judged => format!("{row} no longer fails"),
            Failing::Row(row) => format!("{row} is not a row of these editions"),
            Failing::Rows(glob) if was_judged => format!("{glob} matches no row that still fails"),
            Failing::Rows(glob) => format!("{glob} matches no row of these editions"),
            Failing::Variant(variant) => {
                format!("{variant}: every row that fails in this variant also fails as it is written")
            }
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ListFormat {
    /// Absent in an empty file.
    #[serde(default, rename = "known-failures")]
    pub(super) known_failures: Vec<EntryFormat>,
}

/// An entry: failures with a common reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct EntryFormat {
    pub(super) reason: String,
    /// The address of a report to those who maintain the implementation.
    issue: Option<String>,
    /// The editions in which the rows or variants fail; all that judge them, if absent.
    editions: Option<Vec<String>>,
    /// The rows that fail, or globs that match them.
    rows: Option<Vec<String>>,
    /// The variants that fail although their rows pass. An entry has either rows or variants.
    variants: Option<Vec<String>>,
}

impl EntryFormat {
    pub(super) fn editions(&self, document: &Document, part: &str) -> Result<Vec<Edition>, FileError> {
        let read = |(at, id): (usize, &String)| {
            id.parse::<Edition>()
                .map_err(|error| document.error(&format!("{part}.editions[{at}]"), error.to_string()))
        };
        self.editions.iter().flatten().enumerate().map(read).collect()
    }

    /// Returns the rows or variants of the entry.
    pub(super) fn names(&self) -> &[String] {
        self.rows.as_deref().or(self.variants.as_deref()).unwrap_or_default()
    }

    /// Returns the rows or variants that the entry is about, each with its part of the document.
    pub(super) fn failing(
        &self,
        document: &Document,
        part: &str,
    ) -> Result<Vec<(String, Failing)>, FileError> {
        let read = |key: &str, names: &[String], read: fn(&str) -> Result<Failing, String>| {
            let read = |(at, name): (usize, &String)| {
                let part = format!("{part}.{key}[{at}]");
                let failing = read(name).map_err(|error| document.error(&part, error))?;
                Ok((part, failing))
            };
            names.iter().enumerate().map(read).collect()
        };
        match (&self.rows, &self.variants) {
            (Some(rows), None) => read("rows", rows, Failing::read_row),
            (None, Some(variants)) => read("variants", variants, |id| {
                id.parse().map(Failing::Variant).map_err(|error: UnknownName| error.to_string())
            }),
            (None, None) => {
                Err(document.error(part, "the entry has neither `rows` nor `variants`; add one of them"))
            }
            (Some(_), Some(_)) => {
                let message = "an entry has either `rows` or `variants`, because an entry for a row covers its variants; write two entries";
                Err(document.error(&format!("{part}.variants"), message))
            }
        }
    }
}
