//! Lists of known failures, with reasons. A list hides no failure: it separates known failures from new ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use globset::{Glob, GlobMatcher};
use robotspec_reference::Edition;
use serde::Deserialize;

use robotspec_cases::yaml::{Document, FileError};
use robotspec_cases::{BadCheckId, CheckId, Variant};

use crate::event::Judgement;
pub use update::{Updated, update};

mod update;

/// The start of a reason that a person still has to write.
const TODO: &str = "TODO say why";

/// A list of known failures.
#[derive(Debug, Clone, Default)]
pub struct KnownFailures {
    entries: BTreeMap<Failing, Vec<Entry>>,
    /// The globs, in their order.
    globs: Vec<GlobMatcher>,
    /// The rows that failed as they are written.
    failed: BTreeSet<(Edition, CheckId)>,
}

/// What an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Failing {
    /// A row, with all its variants.
    Row(CheckId),
    /// The rows that match a glob, fail and have no entry of their own, with all their variants.
    Rows(String),
    /// A variant of every row that does not fail as it is written.
    Variant(Variant),
}

#[derive(Debug, Clone)]
struct Entry {
    reason: Arc<str>,
    /// The editions in which it fails; all that judge it, if empty.
    editions: Vec<Edition>,
    /// The place in the file, such as `known-failures[2].rows[0]`.
    part: String,
    was_judged: bool,
    has_failed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ListFormat {
    /// Absent in an empty file.
    #[serde(default, rename = "known-failures")]
    known_failures: Vec<ReasonFormat>,
}

/// Failures with a common reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ReasonFormat {
    reason: String,
    /// The editions in which they fail; all that judge them, if absent.
    editions: Option<Vec<String>>,
    /// The rows that fail, or globs that match them.
    rows: Option<Vec<String>>,
    /// Instead of rows: the variants that fail although their rows pass.
    variants: Option<Vec<String>>,
}

impl KnownFailures {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// The file is not such a list, an entry has no reason, or an entry occurs twice.
    pub fn read(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let todo = list.known_failures.iter().position(|reason| reason.reason.starts_with("TODO"));
        if let Some(index) = todo {
            let part = format!("known-failures[{index}].reason");
            return Err(document.error(&part, "replace TODO by the reason of these failures"));
        }
        Self::read_unreasoned(file, text)
    }

    /// Reads a list in which some reasons are not written yet.
    fn read_unreasoned(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let mut known = KnownFailures::default();
        for (index, reason) in list.known_failures.iter().enumerate() {
            let part = format!("known-failures[{index}]");
            if reason.reason.trim().is_empty() {
                return Err(document.error(&format!("{part}.reason"), "say why these fail"));
            }
            let editions = reason.editions(&document, &part)?;
            let why: Arc<str> = reason.reason.trim().into();
            for (part, failing) in reason.failing(&document, &part)? {
                known
                    .add(failing, &why, editions.clone(), &part)
                    .map_err(|message| document.error(&part, message))?;
            }
        }
        Ok(known)
    }

    fn add(
        &mut self,
        failing: Failing,
        reason: &Arc<str>,
        editions: Vec<Edition>,
        part: &str,
    ) -> Result<(), String> {
        if let Failing::Rows(glob) = &failing {
            let glob = Glob::new(glob).map_err(|error| error.to_string())?;
            self.globs.push(glob.compile_matcher());
        }
        let entries = self.entries.entry(failing.clone()).or_default();
        if entries.iter().any(|entry| entry.editions == editions) {
            return Err(format!("`{}` is listed twice; remove one", failing.name()));
        }
        entries.push(Entry {
            reason: Arc::clone(reason),
            editions,
            part: part.to_owned(),
            was_judged: false,
            has_failed: false,
        });
        Ok(())
    }

    /// Annotates the judgement of a check in an edition: a failure that the list has gets the reason that the list
    /// gives. A row must be annotated before its variants, which shows whether a failure of a variant is that of the row.
    pub fn annotate(&mut self, id: &CheckId, edition: Edition, judgement: &mut Judgement) {
        judgement.known = self.take(id, edition, judgement.status.is_failure());
    }

    /// Records whether a check failed. Returns the reason of the list, if it has the failure.
    fn take(&mut self, id: &CheckId, edition: Edition, failed: bool) -> Option<Arc<str>> {
        let failing = self.failing(id, edition);
        if id.variant.is_none() && failed {
            self.failed.insert((edition, id.clone()));
        }
        let mut reason = None;
        for entry in self.entries.get_mut(&failing).into_iter().flatten() {
            if entry.is_about(edition) {
                entry.was_judged = true;
                entry.has_failed |= failed;
                reason = reason.or_else(|| failed.then(|| Arc::clone(&entry.reason)));
            }
        }
        reason
    }

    /// The entry that a failure belongs to: that of the variant, where the row itself does not fail.
    fn failing(&self, id: &CheckId, edition: Edition) -> Failing {
        let row = id.as_written();
        if let Some(variant) = id.variant.map(Failing::Variant)
            && self.has(&variant, edition)
            && !self.failed.contains(&(edition, row.clone()))
        {
            return variant;
        }
        let name = (!self.globs.is_empty()).then(|| row.to_string());
        let alone = Failing::Row(row);
        let Some(name) = name.filter(|_| !self.has(&alone, edition)) else { return alone };
        let fitting = self.globs.iter().filter(|glob| glob.is_match(&name));
        let mut rows = fitting.map(|glob| Failing::Rows(glob.glob().glob().to_owned()));
        rows.find(|rows| self.has(rows, edition)).unwrap_or(alone)
    }

    /// Whether the list has this row for this edition.
    pub fn has_row(&self, row: &CheckId, edition: Edition) -> bool {
        self.has(&self.failing(row, edition), edition)
    }

    fn has(&self, failing: &Failing, edition: Edition) -> bool {
        self.entries.get(failing).is_some_and(|entries| entries.iter().any(|entry| entry.is_about(edition)))
    }

    /// The entries that do not hold, after a run of all checks of some editions. `about` are the editions that the list
    /// is about. An entry that may fail in an edition that was not run holds, unless its row does not exist at all.
    pub fn stale(
        &self,
        run: &[Edition],
        about: &[Edition],
        is_row: impl Fn(&CheckId) -> bool,
    ) -> Vec<String> {
        let mut stale = Vec::new();
        for (failing, entries) in &self.entries {
            if let Failing::Row(row) = failing
                && !is_row(row)
                && !entries.iter().any(|entry| entry.was_judged)
            {
                stale.push(format!("{row} is not a row of any edition"));
                continue;
            }
            let outdated = entries.iter().filter(|entry| entry.is_stale(run, about));
            stale.extend(outdated.map(|entry| failing.stale(entry.was_judged)));
        }
        stale
    }
}

impl KnownFailures {
    /// The parts of the file that do not hold, after a run of all checks of some editions, in their order.
    fn stale_parts(&self, run: &[Edition]) -> Vec<&str> {
        let entries = self.entries.values().flatten().filter(|entry| entry.is_stale(run, run));
        let mut parts: Vec<&str> = entries.map(|entry| entry.part.as_str()).collect();
        // Numbers with more digits follow: `rows[9]`, `rows[10]`.
        parts.sort_by_key(|part| part.split('[').map(|number| (number.len(), number)).collect::<Vec<_>>());
        parts
    }
}

impl Entry {
    fn is_stale(&self, run: &[Edition], about: &[Edition]) -> bool {
        // A row that was not judged at all may belong to any edition.
        let may_fail_in = |edition: &Edition| {
            self.is_about(*edition) && (!self.was_judged || about.contains(edition)) && !run.contains(edition)
        };
        !self.has_failed && !Edition::ALL.iter().any(may_fail_in)
    }
}

impl Failing {
    /// A row, or the rows of a glob: no id of a row has such a character.
    fn row(written: &str) -> Result<Self, BadCheckId> {
        match written.contains(['*', '?', '[', '{']) {
            true => Ok(Failing::Rows(written.to_owned())),
            false => written.parse().map(Failing::Row),
        }
    }

    fn name(&self) -> String {
        match self {
            Failing::Row(row) => row.to_string(),
            Failing::Rows(glob) => glob.clone(),
            Failing::Variant(variant) => variant.to_string(),
        }
    }

    /// Why an entry does not hold.
    fn stale(&self, was_judged: bool) -> String {
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

impl Entry {
    fn is_about(&self, edition: Edition) -> bool {
        self.editions.is_empty() || self.editions.contains(&edition)
    }
}

impl ReasonFormat {
    fn editions(&self, document: &Document, part: &str) -> Result<Vec<Edition>, FileError> {
        let read = |(at, id): (usize, &String)| {
            id.parse::<Edition>()
                .map_err(|error| document.error(&format!("{part}.editions[{at}]"), error.to_string()))
        };
        self.editions.iter().flatten().enumerate().map(read).collect()
    }

    /// The rows or variants of the entry.
    fn names(&self) -> &[String] {
        self.rows.as_deref().or(self.variants.as_deref()).unwrap_or_default()
    }

    /// What the entry is about, each with its place in the document.
    fn failing(&self, document: &Document, part: &str) -> Result<Vec<(String, Failing)>, FileError> {
        match (&self.rows, &self.variants) {
            (Some(rows), None) => {
                let read = |(at, id): (usize, &String)| {
                    let part = format!("{part}.rows[{at}]");
                    let row = Failing::row(id).map_err(|error| document.error(&part, error.to_string()))?;
                    Ok((part, row))
                };
                rows.iter().enumerate().map(read).collect()
            }
            (None, Some(variants)) => {
                let read = |(at, id): (usize, &String)| {
                    let part = format!("{part}.variants[{at}]");
                    let variant = id.parse().map_err(|error| document.error(&part, format!("{error}")))?;
                    Ok((part, Failing::Variant(variant)))
                };
                variants.iter().enumerate().map(read).collect()
            }
            (None, None) => Err(document.error(part, "say what fails: `rows` or `variants`")),
            (Some(_), Some(_)) => {
                let message = "an entry for a row covers its variants; write two entries";
                Err(document.error(&format!("{part}.variants"), message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RFC: Edition = Edition::Rfc9309;

    fn read(text: &str) -> Result<KnownFailures, FileError> {
        KnownFailures::read(Path::new("list.yaml"), text)
    }

    fn list(text: &str) -> KnownFailures {
        read(text).expect("a list")
    }

    fn id(check: &str) -> CheckId {
        check.parse().expect("an id")
    }

    /// Whether the list has a failure of the check, if the check failed.
    fn has(known: &mut KnownFailures, check: &str, edition: Edition, failed: bool) -> bool {
        known.take(&id(check), edition, failed).is_some()
    }

    const ROW_AND_VARIANT: &str = "
known-failures:
  - reason: No wildcards.
    rows: [a/b#c]
  - reason: No byte order mark.
    variants: [bom]
";

    #[test]
    fn an_entry_for_a_row_covers_its_variants() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(has(&mut known, "a/b#c", RFC, true));
        assert!(has(&mut known, "a/b#c~cr", RFC, true));
        assert!(!has(&mut known, "a/b#d", RFC, true));
    }

    #[test]
    fn a_known_failure_has_a_reason() {
        let mut known = list(ROW_AND_VARIANT);
        let mut reason = |check: &str| known.take(&id(check), RFC, true);
        assert_eq!(reason("a/b#c").as_deref(), Some("No wildcards."));
        assert_eq!(reason("a/b#c~bom").as_deref(), Some("No wildcards."));
        assert_eq!(reason("a/b#d~bom").as_deref(), Some("No byte order mark."));
        assert_eq!(reason("a/b#d"), None);
    }

    #[test]
    fn an_entry_for_a_variant_covers_every_row() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(has(&mut known, "a/b#d~bom", RFC, true));
        assert!(!has(&mut known, "a/b#d~cr", RFC, true));
        assert!(!has(&mut known, "a/b#d", RFC, true));
    }

    #[test]
    fn a_glob_covers_failing_rows_without_an_entry_of_their_own() {
        let mut known = list(
            "
known-failures:
  - {reason: All of these., rows: ['a/*', 'z/*#?']}
  - {reason: In the RFC., editions: [rfc9309], rows: ['b/*']}
  - {reason: This one., rows: [a/b#c]}
",
        );
        for (check, reason) in [
            ("a/b#c", Some("This one.")),
            ("a/b#d", Some("All of these.")),
            ("a/b#d~cr", Some("All of these.")),
            ("c/b#d", None),
        ] {
            assert_eq!(known.take(&id(check), RFC, true).as_deref(), reason, "{check}");
        }
        assert!(!has(&mut known, "a/b#e", RFC, false), "a row that passes does not make the entry stale");
        assert!(!has(&mut known, "b/b#c", Edition::Google2026, true));
        assert!(!has(&mut known, "b/b#c", RFC, false));
        let stale = ["b/* matches no row that still fails", "z/*#? matches no row of these editions"];
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| false), stale);
    }

    #[test]
    fn a_passing_check_is_not_a_known_failure() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(!has(&mut known, "a/b#c", RFC, false));
        assert!(!has(&mut known, "a/b#d~bom", RFC, false));
        let stale = [
            "a/b#c no longer fails",
            "bom: every row that fails in this variant also fails as it is written",
        ];
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| true), stale);
    }

    #[test]
    fn a_failing_row_does_not_keep_an_entry_for_a_variant() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(has(&mut known, "a/b#c", RFC, true));
        assert!(has(&mut known, "a/b#c~bom", RFC, true));
        assert_eq!(
            known.stale(&Edition::ALL, &Edition::ALL, |_| true),
            ["bom: every row that fails in this variant also fails as it is written"]
        );
    }

    #[test]
    fn a_failing_variant_does_not_keep_an_entry_for_its_row() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(!has(&mut known, "a/b#c", RFC, false));
        assert!(has(&mut known, "a/b#c~bom", RFC, true));
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| true), ["a/b#c no longer fails"]);
    }

    #[test]
    fn an_entry_that_may_fail_in_an_edition_that_was_not_run_is_not_stale() {
        let stale = |editions: &str, run: &[Edition], about: &[Edition]| {
            let mut known =
                list(&format!("known-failures:\n  - {{reason: No., editions: {editions}, rows: [a/b#c]}}\n"));
            for &edition in run {
                has(&mut known, "a/b#c", edition, false);
            }
            known.stale(run, about, |_| true)
        };
        let gone = ["a/b#c no longer fails"];
        let both = [RFC, Edition::Google2026];
        assert_eq!(stale("[rfc9309]", &[RFC], &Edition::ALL), gone);
        assert_eq!(stale("[rfc9309, google-2026]", &[RFC], &Edition::ALL), [""; 0]);
        assert_eq!(stale("[rfc9309, google-2026]", &both, &Edition::ALL), gone);
        assert_eq!(stale("[google-2026]", &[RFC], &Edition::ALL), [""; 0]);
        assert_eq!(stale("null", &[RFC], &Edition::ALL), [""; 0]);
        // A list may be about one edition only.
        assert_eq!(stale("null", &[RFC], &[RFC]), gone);
        assert_eq!(stale("[rfc9309, google-2026]", &[RFC], &[RFC]), gone);
        // A row that was not judged may be one of another edition.
        let nowhere = list("known-failures:\n  - {reason: No., rows: [a/b#c]}\n");
        assert_eq!(nowhere.stale(&[RFC], &[RFC], |_| true), [""; 0]);
        assert_eq!(
            nowhere.stale(&Edition::ALL, &Edition::ALL, |_| true),
            ["a/b#c is not a row of these editions"]
        );
    }

    #[test]
    fn a_row_may_be_listed_for_a_variant() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(!has(&mut known, "a/b#c", RFC, false));
        assert!(has(&mut known, "a/b#c~cr", RFC, true));
        assert!(has(&mut known, "a/b#d~bom", RFC, true));
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| true), [""; 0]);
    }

    #[test]
    fn an_empty_file_is_an_empty_list() {
        for empty in ["", "\n", "# None yet.\n", "known-failures: []\n"] {
            assert_eq!(list(empty).stale(&Edition::ALL, &Edition::ALL, |_| true), [""; 0], "{empty:?}");
        }
        assert!(read("known-failure: []").is_err());
    }

    #[test]
    fn an_unknown_row_is_stale_whatever_editions_are_run() {
        let mut known = list("known-failures: [{reason: Why., rows: [a/b#c, a/b#d]}]");
        has(&mut known, "a/b#d", RFC, true);
        // A judged row is a row, even of a suite that is not embedded.
        assert_eq!(known.stale(&[RFC], &[RFC], |_| false), ["a/b#c is not a row of any edition"]);
        assert_eq!(known.stale(&[RFC], &[RFC], |_| true), [""; 0]);
    }

    #[test]
    fn a_row_that_is_never_judged_is_stale() {
        let known = list("known-failures: [{reason: Gone., rows: [a/b#c]}]");
        assert_eq!(
            known.stale(&Edition::ALL, &Edition::ALL, |_| true),
            ["a/b#c is not a row of these editions"]
        );
    }

    #[test]
    fn an_entry_holds_in_its_editions() {
        let mut known = list(
            "
known-failures:
  - {reason: One., editions: [rfc9309], rows: [a/b#c]}
  - {reason: Two., editions: [rfc9309], variants: [cr]}
",
        );
        for (edition, is_known) in [(RFC, true), (Edition::Google2026, false)] {
            assert_eq!(has(&mut known, "a/b#c", edition, true), is_known);
            assert_eq!(has(&mut known, "a/b#d~cr", edition, true), is_known);
        }
    }

    #[test]
    fn errors_have_their_place() {
        for (entry, place, message) in [
            ("reason: A., rows: [a/b#c, a/b#c]", "1:45", "`a/b#c` is listed twice; remove one"),
            ("reason: A., rows: ['a/*', 'a/*']", "1:45", "`a/*` is listed twice; remove one"),
            ("reason: A., rows: ['a/[']", "1:38", "error parsing glob 'a/[': unclosed character class"),
            ("reason: A., variants: [cr, cr]", "1:46", "`cr` is listed twice; remove one"),
            ("reason: A., variants: [cr, lf]", "1:46", "unknown variant `lf`; available: crlf, cr, "),
            ("reason: A.", "1:18", "say what fails: `rows` or `variants`"),
            ("reason: A., rows: [], variants: []", "1:41", "an entry for a row covers its variants"),
            ("reason: ' ', rows: []", "1:19", "say why these fail"),
            ("reason: A., editions: [rfc], rows: []", "1:42", "unknown edition `rfc`"),
        ] {
            let error = read(&format!("known-failures: [{{{entry}}}]")).expect_err(entry).to_string();
            assert!(error.starts_with(&format!("list.yaml:{place}: {message}")), "{entry}: {error}");
        }
    }
}
