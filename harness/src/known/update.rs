//! Brings a list of known failures up to date, and leaves alone what still
//! holds: its reasons, its comments, its order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use robotspec_reference::Edition;

use crate::event::CheckFinished;
use crate::known::{KnownFailures, ListFormat, TODO};
use robotspec_cases::yaml::{Document, FileError};
use robotspec_cases::{CheckId, Variant};

/// From how many rows on a variant is listed for all rows instead of these.
const ROWS_OF_A_VARIANT: usize = 4;

/// A list that is up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    /// What stands in its file.
    pub text: String,
    /// How many rows and variants are new on it.
    pub added: usize,
    /// How many are gone.
    pub removed: usize,
}

/// A failure that no list knows.
struct New {
    id: CheckId,
    clause: Arc<str>,
    edition: Edition,
}

/// Brings a list up to date with all checks of a run in these editions, in the order in which
/// they were judged. A new entry has no reason: that is for a person to say. What may fail in
/// another edition is left alone.
///
/// # Errors
///
/// The text is no list, or so written that it cannot be edited.
pub fn update(
    file: &Path,
    text: &str,
    checks: &[CheckFinished],
    run: &[Edition],
) -> Result<Updated, FileError> {
    let mut updated = Updated { text: text.to_owned(), added: 0, removed: 0 };
    // Comments alone may stand there.
    let (_, document): (ListFormat, Document) = Document::read(file, text)?;
    if document.place("known-failures").is_none() {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        updated.text = format!("{text}{gap}known-failures: []\n");
    }
    // An entry for a variant may make one for a row needless: once more then.
    for _ in 0..3 {
        let mut known = KnownFailures::read_unreasoned(file, &updated.text)?;
        let mut new = Vec::new();
        let mut judged_in: BTreeMap<CheckId, BTreeSet<Edition>> = BTreeMap::new();
        let mut failed: BTreeSet<(CheckId, Edition)> = BTreeSet::new();
        for check in checks {
            let row = check.id.as_written();
            for (&edition, judgement) in check.editions.iter() {
                let has_failed = judgement.status.is_failure();
                judged_in.entry(row.clone()).or_default().insert(edition);
                if has_failed && check.id.variant.is_none() {
                    failed.insert((row.clone(), edition));
                }
                if known.take(&check.id, edition, has_failed).is_none() && has_failed {
                    // A row that fails is listed with its variants.
                    let id = if failed.contains(&(row.clone(), edition)) { &row } else { &check.id };
                    new.push(New { id: id.clone(), clause: Arc::clone(&check.clause), edition });
                }
            }
        }
        let stale = known.stale_parts(run);
        if stale.is_empty() && new.is_empty() {
            break;
        }
        updated.removed += stale.len();
        let kept = without(file, &updated.text, &stale)?;
        let entries = entries(&new, &judged_in);
        updated.added += entries.values().map(BTreeSet::len).sum::<usize>();
        updated.text = with(file, &kept, &entries)?;
    }
    Ok(updated)
}

/// What an entry is for: a clause, or a variant where there is none, in
/// editions; in all if there are none.
type Subject = (Option<String>, Vec<Edition>);

fn entries(
    new: &[New],
    judged_in: &BTreeMap<CheckId, BTreeSet<Edition>>,
) -> BTreeMap<Subject, BTreeSet<String>> {
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
    let mut entries: BTreeMap<Subject, BTreeSet<String>> = BTreeMap::new();
    for ((clause, row), editions) in rows {
        let is_everywhere = judged_in.get(&row) == Some(&editions);
        let editions = if is_everywhere { Vec::new() } else { editions.into_iter().collect() };
        entries.entry((Some(clause.to_owned()), editions)).or_default().insert(row.to_string());
    }
    for (variant, editions) in variants {
        let is_everywhere = editions.len() == Edition::ALL.len();
        let editions = if is_everywhere { Vec::new() } else { editions.into_iter().collect() };
        entries.entry((None, editions)).or_default().insert(variant.id().to_owned());
    }
    entries
}

/// The text with entries at its end.
fn with(file: &Path, text: &str, entries: &BTreeMap<Subject, BTreeSet<String>>) -> Result<String, FileError> {
    let mut text = text.to_owned();
    if entries.is_empty() {
        return Ok(text);
    }
    let (list, document): (ListFormat, Document) = Document::read(file, &text)?;
    if list.known_failures.is_empty() {
        text = with_key(&text, &document, "known-failures: []", "known-failures:");
    } else if !is_block(&text, &document) {
        return Err(not_editable(&document, "known-failures"));
    }
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

/// Whether each entry starts on a line of its own, behind a hyphen.
fn is_block(text: &str, document: &Document) -> bool {
    let place = document.place("known-failures[0]");
    place.is_some_and(|(line, column)| before(text, line, column).trim() == "-")
}

fn before(text: &str, line: usize, column: usize) -> String {
    text.lines().nth(line - 1).unwrap_or_default().chars().take(column - 1).collect()
}

fn not_editable(document: &Document, part: &str) -> FileError {
    document
        .error(part, "this is not written so that it can be edited: write an entry, a row a line, behind `-`")
}

/// The text without these parts, such as `known-failures[2].rows[0]`.
fn without(file: &Path, text: &str, parts: &[&str]) -> Result<String, FileError> {
    let (list, document): (ListFormat, Document) = Document::read(file, text)?;
    if !parts.is_empty() && !is_block(text, &document) {
        return Err(not_editable(&document, "known-failures"));
    }
    let mut lines: Vec<Option<String>> = text.lines().map(|line| Some(line.to_owned())).collect();
    let mut removed = 0;
    for (index, entry) in list.known_failures.iter().enumerate() {
        let start = format!("known-failures[{index}].");
        let mut gone: Vec<&str> = parts.iter().copied().filter(|part| part.starts_with(&start)).collect();
        if !gone.is_empty() && gone.len() == entry.names().len() {
            remove_entry(&mut lines, &document, index);
            removed += 1;
            continue;
        }
        // From the last to the first, as what is gone from a line moves what is behind it.
        gone.reverse();
        for part in gone {
            let place =
                document.place(part).filter(|&(line, column)| remove_item(&mut lines[line - 1], column));
            place.ok_or_else(|| not_editable(&document, part))?;
        }
    }
    let kept: Vec<String> = lines.into_iter().flatten().collect();
    let text = kept.join("\n").trim_end().to_owned() + "\n";
    // Without an entry it would be no list.
    let is_empty = removed > 0 && removed == list.known_failures.len();
    Ok(if is_empty { with_key(&text, &document, "known-failures:", "known-failures: []") } else { text })
}

/// The text with its key written otherwise; a comment before it may say the same.
fn with_key(text: &str, document: &Document, from: &str, to: &str) -> String {
    let Some((key, _)) = document.place("known-failures") else { return text.to_owned() };
    let lines = text.split_inclusive('\n').zip(1..);
    lines
        .map(|(line, number)| if number == key { line.replacen(from, to, 1) } else { line.to_owned() })
        .collect()
}

/// Removes an entry up to where the comments of the next one start.
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
    // The empty line behind it goes as well.
    if lines.get(end).is_some_and(|line| line.as_ref().is_some_and(|line| line.trim().is_empty())) {
        end += 1;
    }
    lines[start..end].fill(None);
}

/// Removes the item that starts at a column of a line; tells whether it could.
fn remove_item(line: &mut Option<String>, column: usize) -> bool {
    let Some(text) = line else { return false };
    let before: String = text.chars().take(column - 1).collect();
    if before.trim() == "-" {
        *line = None;
        return true;
    }
    let rest: String = text.chars().skip(column - 1).collect();
    let Some(end) = rest.find([',', ']']) else { return false };
    let behind = &rest[end..];
    *line = Some(match behind.strip_prefix(',') {
        Some(behind) => before + behind.trim_start(),
        None => before.trim_end().trim_end_matches(',').to_owned() + behind,
    });
    true
}
