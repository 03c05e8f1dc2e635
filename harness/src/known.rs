//! Lists of known failures: what an implementation is known to get wrong, and
//! why. A list keeps nobody from seeing a failure; it tells the old from the new.

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

/// How the reason of an entry starts that nobody has written yet.
const TODO: &str = "TODO say why";

/// A list of known failures.
#[derive(Debug, Clone, Default)]
pub struct KnownFailures {
    entries: BTreeMap<Failing, Vec<Entry>>,
    /// What its globs fit, in their order.
    globs: Vec<GlobMatcher>,
    /// The rows that have failed as they are written.
    failed: BTreeSet<(Edition, CheckId)>,
}

/// What fails.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Failing {
    /// A row, with all its variants.
    Row(CheckId),
    /// Those of the rows that a glob fits which fail and have no entry of their own, with all their variants.
    Rows(String),
    /// A variant, of whichever row does not fail itself.
    Variant(Variant),
}

#[derive(Debug, Clone)]
struct Entry {
    reason: Arc<str>,
    /// Where it fails; wherever it is judged, if empty.
    editions: Vec<Edition>,
    /// Where in its file it stands.
    part: String,
    was_judged: bool,
    has_failed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ListFormat {
    /// None in an empty file.
    #[serde(default, rename = "known-failures")]
    known_failures: Vec<ReasonFormat>,
}

/// What fails for one reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ReasonFormat {
    reason: String,
    /// The editions in which it fails; in whichever judge it, if absent.
    editions: Option<Vec<String>>,
    /// The rows that fail, or globs that fit them.
    rows: Option<Vec<String>>,
    /// Instead of rows: the variants that fail, though their rows do not.
    variants: Option<Vec<String>>,
}

impl KnownFailures {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// It is no such list, has an entry without a reason, or has one twice.
    pub fn read(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let todo = list.known_failures.iter().position(|reason| reason.reason.starts_with("TODO"));
        if let Some(index) = todo {
            let part = format!("known-failures[{index}].reason");
            return Err(document.error(&part, "say why these fail; a reason to be written is none yet"));
        }
        Self::read_unreasoned(file, text)
    }

    /// Reads a list in which reasons are still to be written.
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

    /// What the list says that is not so, after a run of all checks of some editions, where it is about these and
    /// maybe others. What may fail in one of the others is left alone; but what was not judged and is no row at all
    /// fails in none.
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
                stale.push(format!("{row} is no row of any edition"));
                continue;
            }
            let outdated = entries.iter().filter(|entry| entry.is_stale(run, about));
            stale.extend(outdated.map(|entry| failing.stale(entry.was_judged)));
        }
        stale
    }
}

impl KnownFailures {
    /// The parts of the file that are not so, after a run of all checks of some editions, in
    /// their order.
    fn stale_parts(&self, run: &[Edition]) -> Vec<&str> {
        let entries = self.entries.values().flatten().filter(|entry| entry.is_stale(run, run));
        let mut parts: Vec<&str> = entries.map(|entry| entry.part.as_str()).collect();
        // Numbers of more digits come later: `rows[9]`, `rows[10]`.
        parts.sort_by_key(|part| part.split('[').map(|number| (number.len(), number)).collect::<Vec<_>>());
        parts
    }
}

impl Entry {
    fn is_stale(&self, run: &[Edition], about: &[Edition]) -> bool {
        // A row that was not judged at all may be one of any edition.
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

    /// What is wrong with an entry that has not failed.
    fn stale(&self, was_judged: bool) -> String {
        match self {
            Failing::Row(row) if was_judged => format!("{row} does not fail any more"),
            Failing::Row(row) => format!("{row} is no row of these editions"),
            Failing::Rows(glob) if was_judged => format!("{glob} fits no row that fails any more"),
            Failing::Rows(glob) => format!("{glob} fits no row of these editions"),
            Failing::Variant(variant) => {
                format!("{variant} is a variant in which no row fails that passes itself")
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

    /// The rows or variants that it lists.
    fn names(&self) -> &[String] {
        self.rows.as_deref().or(self.variants.as_deref()).unwrap_or_default()
    }

    /// What fails, each with its part of the document.
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
                let message = "a row is listed with all its variants; make two entries of these";
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

    const ROW_AND_VARIANT: &str = "
known-failures:
  - reason: No wildcards.
    rows: [a/b#c]
  - reason: No byte order mark.
    variants: [bom]
";

    #[test]
    fn a_row_is_known_with_its_variants() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(known.judge("a/b#c", None, RFC, true));
        assert!(known.judge("a/b#c", Some(Variant::Cr), RFC, true));
        assert!(!known.judge("a/b#d", None, RFC, true));
    }

    #[test]
    fn a_known_failure_has_a_reason() {
        let mut known = list(ROW_AND_VARIANT);
        known.judge("a/b#c", None, RFC, true);
        known.judge("a/b#c", Some(Variant::Bom), RFC, true);
        known.judge("a/b#d", Some(Variant::Bom), RFC, true);
        assert_eq!(known.reason("a/b#c", None, RFC), Some("No wildcards."));
        assert_eq!(known.reason("a/b#c", Some(Variant::Bom), RFC), Some("No wildcards."));
        assert_eq!(known.reason("a/b#d", Some(Variant::Bom), RFC), Some("No byte order mark."));
        assert_eq!(known.reason("a/b#d", None, RFC), None);
    }

    #[test]
    fn a_variant_is_known_of_every_row() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(known.judge("a/b#d", Some(Variant::Bom), RFC, true));
        assert!(!known.judge("a/b#d", Some(Variant::Cr), RFC, true));
        assert!(!known.judge("a/b#d", None, RFC, true));
    }

    #[test]
    fn a_glob_is_of_the_rows_that_fail_and_have_no_entry_of_their_own() {
        let mut known = list(
            "
known-failures:
  - {reason: All of these., rows: ['a/*', 'z/*#?']}
  - {reason: In the RFC., editions: [rfc9309], rows: ['b/*']}
  - {reason: This one., rows: [a/b#c]}
",
        );
        for (row, variant, is_known) in [
            ("a/b#c", None, true),
            ("a/b#d", None, true),
            ("a/b#d", Some(Variant::Cr), true),
            ("c/b#d", None, false),
        ] {
            assert_eq!(known.judge(row, variant, RFC, true), is_known, "{row}");
        }
        assert!(
            !known.judge("a/b#e", None, RFC, false),
            "it passes, and is no reason to take off the others"
        );
        assert_eq!(known.reason("a/b#c", None, RFC), Some("This one."));
        assert_eq!(known.reason("a/b#d", None, RFC), Some("All of these."));
        assert!(!known.judge("b/b#c", None, Edition::Google2026, true));
        assert!(!known.judge("b/b#c", None, RFC, false));
        let stale = ["b/* fits no row that fails any more", "z/*#? fits no row of these editions"];
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| false), stale);
    }

    #[test]
    fn what_passes_is_no_known_failure() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(!known.judge("a/b#c", None, RFC, false));
        assert!(!known.judge("a/b#d", Some(Variant::Bom), RFC, false));
        let stale =
            ["a/b#c does not fail any more", "bom is a variant in which no row fails that passes itself"];
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| true), stale);
    }

    #[test]
    fn a_failing_row_keeps_no_variant_listed() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(known.judge("a/b#c", None, RFC, true));
        assert!(known.judge("a/b#c", Some(Variant::Bom), RFC, true));
        assert_eq!(
            known.stale(&Edition::ALL, &Edition::ALL, |_| true),
            ["bom is a variant in which no row fails that passes itself"]
        );
    }

    #[test]
    fn a_failing_variant_keeps_no_row_listed() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(!known.judge("a/b#c", None, RFC, false));
        assert!(known.judge("a/b#c", Some(Variant::Bom), RFC, true));
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| true), ["a/b#c does not fail any more"]);
    }

    #[test]
    fn what_may_fail_in_an_edition_that_was_not_run_is_not_stale() {
        let stale = |editions: &str, run: &[Edition], about: &[Edition]| {
            let mut known =
                list(&format!("known-failures:\n  - {{reason: No., editions: {editions}, rows: [a/b#c]}}\n"));
            for &edition in run {
                known.judge("a/b#c", None, edition, false);
            }
            known.stale(run, about, |_| true)
        };
        let gone = ["a/b#c does not fail any more"];
        let both = [RFC, Edition::Google2026];
        assert_eq!(stale("[rfc9309]", &[RFC], &Edition::ALL), gone);
        assert_eq!(stale("[rfc9309, google-2026]", &[RFC], &Edition::ALL), [""; 0]);
        assert_eq!(stale("[rfc9309, google-2026]", &both, &Edition::ALL), gone);
        assert_eq!(stale("[google-2026]", &[RFC], &Edition::ALL), [""; 0]);
        assert_eq!(stale("null", &[RFC], &Edition::ALL), [""; 0]);
        // Who is about one edition alone has a list that is.
        assert_eq!(stale("null", &[RFC], &[RFC]), gone);
        assert_eq!(stale("[rfc9309, google-2026]", &[RFC], &[RFC]), gone);
        // A row that was not judged may be one of another edition.
        let nowhere = list("known-failures:\n  - {reason: No., rows: [a/b#c]}\n");
        assert_eq!(nowhere.stale(&[RFC], &[RFC], |_| true), [""; 0]);
        assert_eq!(
            nowhere.stale(&Edition::ALL, &Edition::ALL, |_| true),
            ["a/b#c is no row of these editions"]
        );
    }

    #[test]
    fn a_row_may_be_listed_for_a_variant() {
        let mut known = list(ROW_AND_VARIANT);
        assert!(!known.judge("a/b#c", None, RFC, false));
        assert!(known.judge("a/b#c", Some(Variant::Cr), RFC, true));
        assert!(known.judge("a/b#d", Some(Variant::Bom), RFC, true));
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
    fn a_row_that_is_none_is_stale_whatever_editions_are_run() {
        let mut known = list("known-failures: [{reason: Why., rows: [a/b#c, a/b#d]}]");
        known.judge("a/b#d", None, RFC, true);
        // A row of a suite from elsewhere is one, as it was judged.
        assert_eq!(known.stale(&[RFC], &[RFC], |_| false), ["a/b#c is no row of any edition"]);
        assert_eq!(known.stale(&[RFC], &[RFC], |_| true), [""; 0]);
    }

    #[test]
    fn a_row_that_is_never_judged_is_stale() {
        let known = list("known-failures: [{reason: Gone., rows: [a/b#c]}]");
        assert_eq!(
            known.stale(&Edition::ALL, &Edition::ALL, |_| true),
            ["a/b#c is no row of these editions"]
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
            assert_eq!(known.judge("a/b#c", None, edition, true), is_known);
            assert_eq!(known.judge("a/b#d", Some(Variant::Cr), edition, true), is_known);
        }
    }

    #[test]
    fn errors_have_their_place() {
        for (entry, place, message) in [
            ("reason: A., rows: [a/b#c, a/b#c]", "1:45", "`a/b#c` is listed twice; remove one"),
            ("reason: A., rows: ['a/*', 'a/*']", "1:45", "`a/*` is listed twice; remove one"),
            ("reason: A., rows: ['a/[']", "1:38", "error parsing glob 'a/[': unclosed character class"),
            ("reason: A., variants: [cr, cr]", "1:46", "`cr` is listed twice; remove one"),
            ("reason: A., variants: [cr, lf]", "1:46", "unknown variant `lf`; the variants are crlf, cr, "),
            ("reason: A.", "1:18", "say what fails: `rows` or `variants`"),
            ("reason: A., rows: [], variants: []", "1:41", "a row is listed with all its variants"),
            ("reason: ' ', rows: []", "1:19", "say why these fail"),
            ("reason: A., editions: [rfc], rows: []", "1:42", "unknown edition `rfc`"),
        ] {
            let error = read(&format!("known-failures: [{{{entry}}}]")).expect_err(entry).to_string();
            assert!(error.starts_with(&format!("list.yaml:{place}: {message}")), "{entry}: {error}");
        }
    }
}
