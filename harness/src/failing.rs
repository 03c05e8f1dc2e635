//! Failures by row and by clause. A row and its variants usually fail for one reason, so one of them stands for all.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use robotspec_cases::{CheckId, Clause, Variant};

use crate::event::{CheckFinished, Judgement};
use crate::record::{ImplementationRecord, RunRecord};
use robotspec_text::sentences::counted;

/// A row that fails as it is written or in a variant.
#[derive(Debug)]
pub struct FailingRow<'f> {
    /// The row as it is written, or, where that passes, its first variant that fails.
    pub example: &'f CheckFinished,
    /// The other variants that fail.
    others: Vec<Variant>,
}

/// The rows that fail under a clause.
#[derive(Debug)]
pub struct ClauseFailures<'f> {
    /// The id of the clause.
    pub clause: &'f str,
    /// The rows with a new failure; rows that are about the clause come before variants of other rows.
    pub new: Vec<FailingRow<'f>>,
    /// The other rows.
    pub known: Vec<FailingRow<'f>>,
}

/// How many rows fail as they are written, and how many only when their file is rewritten.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowCount {
    /// How many fail as they are written.
    pub written: usize,
    /// How many fail only when their file is rewritten.
    pub rewritten: usize,
}

/// How many rows of all implementations violate the specification, and how many only depart from recommendations.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct FailureCounts {
    /// The rows with a violation.
    pub violations: RowCount,
    /// The rows with departures alone.
    pub departures: RowCount,
}

/// Groups items by row, in the order of the first item of each row.
pub fn by_row<T>(items: impl IntoIterator<Item = T>, id: impl Fn(&T) -> &CheckId) -> Vec<Vec<T>> {
    let mut rows: Vec<Vec<T>> = Vec::new();
    let mut places: HashMap<CheckId, usize> = HashMap::new();
    for item in items {
        let place = *places.entry(id(&item).as_written()).or_insert(rows.len());
        if place == rows.len() {
            rows.push(Vec::new());
        }
        rows[place].push(item);
    }
    rows
}

/// Returns the rows of failures, in their order.
pub fn failing_rows<'f>(failures: impl IntoIterator<Item = &'f CheckFinished>) -> Vec<FailingRow<'f>> {
    let row = |row: Vec<&'f CheckFinished>| FailingRow {
        example: row[0],
        others: row[1..].iter().filter_map(|failure| failure.id.variant).collect(),
    };
    by_row(failures, |failure| &failure.id).into_iter().map(row).collect()
}

/// Returns some failures of an implementation by clause, in the order of the clauses. No clause is to blame for flaky ones.
pub fn by_clause<'f>(
    record: &'f ImplementationRecord,
    failures: impl IntoIterator<Item = &'f CheckFinished>,
) -> Vec<ClauseFailures<'f>> {
    let mut clauses: BTreeMap<(usize, &str), Vec<&CheckFinished>> = BTreeMap::new();
    for failure in failures.into_iter().filter(|failure| !failure.is_flaky()) {
        let clause = blamed_clause(failure, record);
        let order = Clause::all().iter().position(|other| other.id == clause).unwrap_or(usize::MAX);
        clauses.entry((order, clause)).or_default().push(failure);
    }
    let count = |((_, clause), failures): ((usize, &'f str), Vec<&'f CheckFinished>)| {
        let mut new = failing_rows(failures.iter().copied().filter(|failure| failure.has_new_failure()));
        new.sort_by_key(|row| row.example.id.variant.is_some());
        let of_new: HashSet<CheckId> = new.iter().map(|row| row.example.id.as_written()).collect();
        let is_known = |failure: &&CheckFinished| !of_new.contains(&failure.id.as_written());
        ClauseFailures { clause, known: failing_rows(failures.into_iter().filter(is_known)), new }
    };
    clauses.into_iter().map(count).collect()
}

/// Returns the clause that a failure is reported under: where only a variant fails, the clause that allows to rewrite
/// the file.
pub fn blamed_clause<'f>(failure: &'f CheckFinished, record: &ImplementationRecord) -> &'f str {
    match failure.id.variant {
        Some(variant) if is_only_in_variants(failure, record) => variant.clause(),
        _ => &failure.clause,
    }
}

/// Returns whether a failure is one of a variant whose row passes as it is written.
pub fn is_only_in_variants(failure: &CheckFinished, record: &ImplementationRecord) -> bool {
    let row_fails = || record.find(&failure.id.as_written()).is_some_and(CheckFinished::has_failure);
    failure.id.variant.is_some() && !row_fails()
}

impl<'f> ClauseFailures<'f> {
    /// Returns all rows, the new ones first.
    pub fn rows(&self) -> impl Iterator<Item = &FailingRow<'f>> {
        self.new.iter().chain(&self.known)
    }
}

impl RowCount {
    /// Counts rows.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r FailingRow<'r>>) -> RowCount {
        let is_rewritten = |row: &&FailingRow| row.example.id.variant.is_some();
        let (rewritten, written): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_rewritten);
        RowCount { written: written.len(), rewritten: rewritten.len() }
    }

    /// Returns the number of all rows.
    pub fn sum(self) -> usize {
        self.written + self.rewritten
    }
}

impl FailureCounts {
    /// Counts the rows of all implementations with judgements that count.
    pub fn of(record: &RunRecord, is_counted: impl Fn(&Judgement) -> bool) -> FailureCounts {
        let fails = |failure: &&CheckFinished| failure.editions.values().any(&is_counted);
        let departs = |row: &FailingRow| {
            let mut judged = row.example.editions.values().filter(|judged| is_counted(judged));
            judged.all(Judgement::is_departure)
        };
        let implementations = record.implementations.iter();
        let rows = implementations.flat_map(|one| failing_rows(one.failures().filter(fails)));
        let (departures, violations): (Vec<_>, Vec<_>) = rows.partition(departs);
        FailureCounts { violations: RowCount::of(&violations), departures: RowCount::of(&departures) }
    }

    /// Returns the counts that are not 0, in words. `which` is `new ` or nothing.
    pub fn describe(&self, which: &str) -> Vec<String> {
        let kinds = [(self.violations, "violations"), (self.departures, "departures from recommendations")];
        let kinds = kinds.into_iter().filter(|(count, _)| count.sum() > 0);
        kinds.map(|(count, kind)| format!("{count} with {which}{kind}")).collect()
    }
}

impl fmt::Display for RowCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RowCount { written, rewritten: 0 } => f.write_str(&counted(written, "row")),
            RowCount { written: 0, rewritten } => {
                write!(f, "{} only when rewritten", counted(rewritten, "row"))
            }
            RowCount { written, rewritten } => {
                write!(f, "{} (+{rewritten} when rewritten)", counted(written, "row"))
            }
        }
    }
}

impl FailingRow<'_> {
    /// Returns the other variants in which the row fails, in words.
    pub fn describe_others(&self) -> Option<String> {
        describe_variants(&self.others, self.example.id.variant.is_some())
    }
}

/// `and in 2 variants: crlf, cr`
pub fn describe_variants(variants: &[Variant], are_others: bool) -> Option<String> {
    let counted = counted(variants.len(), if are_others { "other variant" } else { "variant" });
    let names: Vec<&str> = variants.iter().map(|variant| variant.id()).collect();
    (!names.is_empty()).then(|| format!("and in {counted}: {}", names.join(", ")))
}
