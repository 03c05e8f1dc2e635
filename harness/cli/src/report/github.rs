//! Annotations of a GitHub job. GitHub shows ten of a step, so that there are no more: the likely causes first, then the
//! clauses, each at the place of a row.
//!
//! GitHub obeys each line, so no text of a parser or a file may end a line or a property of it: its control characters are
//! visible, and the rest is escaped as the workflow commands require.

use std::io::Write;

use anyhow::Result;
use robotspec::event::CheckFinished;
use robotspec::failing::{ClauseFailures, RowCount, by_clause};
use robotspec::failure::in_a_line;
use robotspec::{Gap, ImplementationRecord, RunRecord};
use robotspec_cases::{CheckId, Clause};
use robotspec_text::inert::inert_line;
use robotspec_text::visible;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::summary::by_count;

/// How many annotations GitHub shows.
const MOST: usize = 10;

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    let gaps = record.gaps().into_iter().filter(|gap| !gap.is_of_checks());
    let gap = |gap: Gap| Annotation::new(None, "results are missing", gap.to_string());
    let mut annotations: Vec<Annotation> = gaps.map(gap).collect();
    let mut of_clauses = Vec::new();
    for implementation in &record.implementations {
        let name = full_name(&implementation.info);
        annotations.extend(implementation.likely_causes.iter().map(|likely| {
            Annotation::new(likely.example.clone(), format!("{name}: likely cause"), likely.describe())
        }));
        let message = format!("the list of known failures of {name} is out of date");
        let stale = implementation.stale_known_failures.iter();
        annotations.extend(stale.map(|entry| Annotation::new(None, entry, message.clone())));
        let fails = |failure: &&CheckFinished| {
            let mut judged = failure.editions.values();
            judged.any(|judged| judged.is_new_failure() && judged.is_failure_at(record.level()))
        };
        let clauses = by_count(by_clause(implementation, implementation.failures().filter(fails)));
        of_clauses.extend(clauses.iter().filter_map(|of| of_clause(implementation, of, catalog)));
    }
    annotations.extend(of_clauses);
    for annotation in annotations.iter().take(MOST) {
        let Annotation { row, title, message } = annotation;
        let place = row.as_ref().and_then(|id| catalog.place(id));
        let place =
            place.map(|(file, line)| format!("file={},line={line},", property(&file.to_string_lossy())));
        writeln!(out, "::error {}title={}::{}", place.unwrap_or_default(), property(title), data(message))?;
    }
    Ok(())
}

struct Annotation {
    row: Option<CheckId>,
    title: String,
    message: String,
}

impl Annotation {
    fn new(row: Option<CheckId>, title: impl Into<String>, message: String) -> Self {
        Annotation { row, title: title.into(), message }
    }
}

/// Returns the annotation of a clause: how many rows newly fail under it, and the first of them.
fn of_clause(record: &ImplementationRecord, of: &ClauseFailures, catalog: &Catalog) -> Option<Annotation> {
    let first = of.new.first()?.example;
    let (edition, judgement) = first.editions.iter().find(|(_, judged)| judged.is_new_failure())?;
    let statement =
        Clause::find(of.clause).map(|clause| format!(". {}", clause.statement)).unwrap_or_default();
    let row = match catalog.find(&first.id) {
        Some(check) => in_a_line(check, *edition, judgement),
        None => format!("{}: {}", first.id, judgement.describe_difference()),
    };
    let title = format!("{}: {} under {}", full_name(&record.info), RowCount::of(&of.new), of.clause);
    Some(Annotation::new(Some(first.id.clone()), title, format!("{row}{statement}")))
}

/// Returns a text as the message of a workflow command. Nothing in it is a command of the older form, `##[name]`.
fn data(text: &str) -> String {
    inert_line(&visible(text)).replace('%', "%25")
}

/// Returns a text as the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
