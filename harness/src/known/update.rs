//! Updates a list of known failures without a change to the reasons, comments and order of entries that still hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use robotspec_cases::yaml::{Document, FileError};
use robotspec_cases::{CheckId, Variant};
use robotspec_reference::Edition;

use super::{KnownFailures, ListFormat, TODO};
use crate::event::CheckFinished;

/// A variant that fails for at least this number of rows is listed for all rows.
const ROWS_OF_A_VARIANT: usize = 4;

/// An updated list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    /// The new text of the file.
    pub text: String,
    /// The number of rows and variants that were added.
    pub added: usize,
    /// The rows and variants that were removed.
    pub removed: Vec<Removed>,
    /// The number of rows and variants that the list had.
    pub before: usize,
}

impl Updated {
    /// Returns whether more than half of the list is removed. That is rather a broken run than a better parser.
    pub fn removes_most(&self) -> bool {
        self.removed.len() * 2 > self.before
    }
}

/// A row or a variant that no longer fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Its name, or a glob of rows.
    pub name: String,
    /// Why it failed, as the list said.
    pub reason: Arc<str>,
}

/// A failure that the list does not have.
struct New {
    id: CheckId,
    clause: Arc<str>,
    edition: Edition,
}

/// Updates a list after a run of all checks of these editions. The checks are in the order in which they were judged.
/// A failure is added where its check `is_of_project`. The reason of a new entry is a TODO for a person. An entry that may
/// fail in another edition is not changed, and neither is one that may be about rows of other suites, where only some
/// suites were run.
///
/// # Errors
///
/// The text is not a list, or is written in a style that cannot be edited.
pub fn update(
    file: &Path,
    text: &str,
    checks: &[CheckFinished],
    run: &[Edition],
    suites: Option<&BTreeSet<Arc<str>>>,
    is_of_project: impl Fn(&CheckId) -> bool,
) -> Result<Updated, FileError> {
    let before = KnownFailures::read_list(file, text, true)?.entries.values().map(Vec::len).sum();
    let mut updated = Updated { text: text.to_owned(), added: 0, removed: Vec::new(), before };
    // The file may contain only comments.
    let (_, document): (ListFormat, Document) = Document::read(file, text)?;
    if document.place("known-failures").is_none() {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        updated.text = format!("{text}{gap}known-failures: []\n");
    }
    // A new entry for a variant may make an entry for a row stale, which the next pass removes.
    for _ in 0..3 {
        let mut known = KnownFailures::read_list(file, &updated.text, true)?;
        known.suites = suites.cloned();
        let mut new = Vec::new();
        let mut judged_in: BTreeMap<CheckId, BTreeSet<Edition>> = BTreeMap::new();
        for check in checks {
            let row = check.id.as_written();
            for (&edition, judgement) in check.editions.iter() {
                let has_failed = judgement.status.is_failure();
                judged_in.entry(row.clone()).or_default().insert(edition);
                let is_known = known.take(&check.id, edition, judgement.status).is_some();
                if !is_known && has_failed && is_of_project(&check.id) {
                    // An entry for a row covers its variants.
                    let id = if known.failed.contains(&(edition, row.clone())) { &row } else { &check.id };
                    new.push(New { id: id.clone(), clause: Arc::clone(&check.clause), edition });
                }
            }
        }
        let stale = known.stale_entries(run);
        if stale.is_empty() && new.is_empty() {
            break;
        }
        updated.removed.extend(
            stale
                .iter()
                .map(|(failing, entry)| Removed { name: failing.name(), reason: Arc::clone(&entry.reason) }),
        );
        let parts: Vec<&str> = stale.iter().map(|(_, entry)| entry.part.as_str()).collect();
        let kept = remove_parts(file, &updated.text, &parts)?;
        let entries = new_entries(&new, &judged_in, run);
        updated.added += entries.values().map(BTreeSet::len).sum::<usize>();
        updated.text = append_entries(file, &kept, &entries)?;
    }
    Ok(updated)
}

/// What a new entry is about: rows of a clause, or variants where it is `None`, in these editions, or in all if there are
/// none.
type NewEntry = (Option<String>, Vec<Edition>);

/// Returns the entries for new failures.
fn new_entries(
    new: &[New],
    judged_in: &BTreeMap<CheckId, BTreeSet<Edition>>,
    run: &[Edition],
) -> BTreeMap<NewEntry, BTreeSet<String>> {
    let mut rows_of: BTreeMap<(Variant, Edition), BTreeSet<CheckId>> = BTreeMap::new();
    for failure in new {
        if let Some(variant) = failure.id.variant {
            rows_of.entry((variant, failure.edition)).or_default().insert(failure.id.as_written());
        }
    }
    rows_of.retain(|_, rows| rows.len() >= ROWS_OF_A_VARIANT);
    let mut rows: BTreeMap<(&str, CheckId), BTreeSet<Edition>> = BTreeMap::new();
    let mut variants: BTreeMap<Variant, BTreeSet<Edition>> = BTreeMap::new();
    for New { id, clause, edition } in new {
        match id.variant.filter(|variant| rows_of.contains_key(&(*variant, *edition))) {
            Some(variant) => variants.entry(variant).or_default().insert(*edition),
            None => rows.entry((&**clause, id.as_written())).or_default().insert(*edition),
        };
    }
    let mut entries: BTreeMap<NewEntry, BTreeSet<String>> = BTreeMap::new();
    let unless = |is_everywhere: bool, editions: BTreeSet<Edition>| {
        if is_everywhere { Vec::new() } else { Vec::from_iter(editions) }
    };
    for ((clause, row), editions) in rows {
        let editions = unless(judged_in.get(&row) == Some(&editions), editions);
        entries.entry((Some(clause.to_owned()), editions)).or_default().insert(row.to_string());
    }
    for (variant, editions) in variants {
        let editions = unless(editions.len() == run.len(), editions);
        entries.entry((None, editions)).or_default().insert(variant.id().to_owned());
    }
    entries
}

/// Returns the text with entries at its end.
fn append_entries(
    file: &Path,
    list_text: &str,
    entries: &BTreeMap<NewEntry, BTreeSet<String>>,
) -> Result<String, FileError> {
    if entries.is_empty() {
        return Ok(list_text.to_owned());
    }
    let (list, document): (ListFormat, Document) = Document::read(file, list_text)?;
    let mut text = if list.known_failures.is_empty() {
        replace_key(list_text, &document, "known-failures: []", "known-failures:")
    } else if is_block(list_text, &document) {
        list_text.to_owned()
    } else {
        return Err(not_editable(&document, "known-failures"));
    };
    let indent =
        " ".repeat(document.place("known-failures[0]").map_or(2, |(_, column)| column.saturating_sub(3)));
    if !text.ends_with('\n') {
        text.push('\n');
    }
    for ((clause, editions), names) in entries {
        if !text.ends_with(":\n") {
            text.push('\n');
        }
        let (about, kind) = match clause {
            Some(clause) => (format!(" ({clause})"), "rows"),
            None => (String::new(), "variants"),
        };
        text.push_str(&format!("{indent}- reason: {TODO}{about}\n"));
        if !editions.is_empty() {
            let ids: Vec<&str> = editions.iter().map(|edition| edition.id()).collect();
            text.push_str(&format!("{indent}  editions: [{}]\n", ids.join(", ")));
        }
        text.push_str(&format!("{indent}  {kind}:\n"));
        for name in names {
            text.push_str(&format!("{indent}    - {name}\n"));
        }
    }
    Ok(text)
}

/// Returns whether each entry starts on a line of its own, after a hyphen.
fn is_block(text: &str, document: &Document) -> bool {
    let place = document.place("known-failures[0]");
    place.is_some_and(|(line, column)| text_before(text, line, column).trim() == "-")
}

/// Returns the text of a line before a column.
fn text_before(text: &str, line: usize, column: usize) -> String {
    text.lines().nth(line - 1).unwrap_or_default().chars().take(column - 1).collect()
}

fn not_editable(document: &Document, part: &str) -> FileError {
    let message = "the list cannot be edited; write each entry and each row on a line of its own, after `-`";
    document.error(part, message)
}

/// Returns the text without these parts, such as `known-failures[2].rows[0]`.
fn remove_parts(file: &Path, text: &str, parts: &[&str]) -> Result<String, FileError> {
    let (list, document): (ListFormat, Document) = Document::read(file, text)?;
    if !parts.is_empty() && !is_block(text, &document) {
        return Err(not_editable(&document, "known-failures"));
    }
    let mut lines: Vec<Option<String>> = text.lines().map(|line| Some(line.to_owned())).collect();
    let mut removed = 0;
    for (index, entry) in list.known_failures.iter().enumerate() {
        let start = format!("known-failures[{index}].");
        let mut stale: Vec<&str> = parts.iter().copied().filter(|part| part.starts_with(&start)).collect();
        if !stale.is_empty() && stale.len() == entry.names().len() {
            remove_entry(&mut lines, &document, index);
            removed += 1;
            continue;
        }
        // From the last to the first: what is removed from a line moves the rest of the line.
        stale.reverse();
        for part in stale {
            let place =
                document.place(part).filter(|&(line, column)| remove_item(&mut lines[line - 1], column));
            place.ok_or_else(|| not_editable(&document, part))?;
        }
    }
    let kept: Vec<String> = lines.into_iter().flatten().collect();
    let text = kept.join("\n").trim_end().to_owned() + "\n";
    // A key without entries would not be a list.
    let is_empty = removed > 0 && removed == list.known_failures.len();
    Ok(if is_empty { replace_key(&text, &document, "known-failures:", "known-failures: []") } else { text })
}

/// Returns the text with its key replaced. Only the line of the key is changed, because a comment may contain the same
/// text.
fn replace_key(text: &str, document: &Document, from: &str, to: &str) -> String {
    let Some((key, _)) = document.place("known-failures") else { return text.to_owned() };
    let lines = text.split_inclusive('\n').zip(1..);
    lines
        .map(|(line, number)| if number == key { line.replacen(from, to, 1) } else { line.to_owned() })
        .collect()
}

/// Removes an entry, but not the comments of the next one.
fn remove_entry(lines: &mut [Option<String>], document: &Document, index: usize) {
    let start_of =
        |index: usize| document.place(&format!("known-failures[{index}]")).map(|(line, _)| line - 1);
    let Some(start) = start_of(index) else { return };
    let mut end = start_of(index + 1).unwrap_or(lines.len());
    let is_between = |line: &Option<String>| {
        line.as_ref().is_none_or(|line| line.trim().is_empty() || line.trim().starts_with('#'))
    };
    while end > start + 1 && lines.get(end - 1).is_some_and(is_between) {
        end -= 1;
    }
    // The empty line after the entry is removed as well.
    if lines.get(end).is_some_and(|line| line.as_ref().is_some_and(|line| line.trim().is_empty())) {
        end += 1;
    }
    lines[start..end].fill(None);
}

/// Removes the item that starts at a column of a line. Returns whether it could.
fn remove_item(line: &mut Option<String>, column: usize) -> bool {
    let Some(text) = line else { return false };
    let before = text_before(text, 1, column);
    if before.trim() == "-" {
        *line = None;
        return true;
    }
    let rest: String = text.chars().skip(column - 1).collect();
    let Some(end) = rest.find([',', ']']) else { return false };
    let after = &rest[end..];
    *line = Some(match after.strip_prefix(',') {
        Some(after) => before + after.trim_start(),
        None => before.trim_end().trim_end_matches(',').to_owned() + after,
    });
    true
}
