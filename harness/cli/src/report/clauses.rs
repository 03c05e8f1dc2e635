//! What an implementation makes of the clauses of one edition: the measure by which implementations are compared.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::ImplementationRecord;
use robotspec::event::{CheckFinished, Status};
use robotspec::failing::{blamed_clause, is_only_in_variants};
use robotspec_cases::CheckId;
use robotspec_reference::Edition;
use robotspec_text::sentences::counted;

/// What the results of an implementation under a clause say about it, the outcome that outweighs the others last. Rows
/// that the edition does not specify, or that the implementation does not support, are not results.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ClauseOutcome {
    /// Nothing fails.
    #[default]
    Kept,
    /// Only departures from recommendations fail.
    Departed,
    /// An answer is missing or was given in two ways, and nothing is violated.
    Undecided,
    /// Something fails that the edition requires.
    Violated,
}

/// Returns the outcome of each clause that applies to an implementation in an edition. A failure of a rewritten file alone
/// counts for the clause that allows to rewrite it.
fn clause_outcomes(record: &ImplementationRecord, edition: Edition) -> BTreeMap<&str, ClauseOutcome> {
    let mut clauses: BTreeMap<&str, ClauseOutcome> = BTreeMap::new();
    for check in &record.checks {
        let Some(judgement) = check.editions.get(&edition) else { continue };
        let is_counted = || check.id.variant.is_none() || is_only_in_variants(check, record);
        let (clause, outcome) = match judgement.status {
            status if check.is_flaky() || status == Status::NotRun => {
                (&*check.clause, ClauseOutcome::Undecided)
            }
            Status::Pass => (&*check.clause, ClauseOutcome::Kept),
            status if !status.is_failure() => continue,
            _ if !is_counted() => (blamed_clause(check, record), ClauseOutcome::Kept),
            _ if judgement.is_departure() => (blamed_clause(check, record), ClauseOutcome::Departed),
            _ => (blamed_clause(check, record), ClauseOutcome::Violated),
        };
        let before = clauses.entry(clause).or_default();
        *before = outcome.max(*before);
    }
    clauses
}

/// How many clauses of an edition an implementation keeps. Clauses that none of its answers is about do not apply to it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ClauseCounts {
    /// The number of clauses under which nothing fails that the edition requires.
    pub(crate) kept: usize,
    /// The number of clauses under which something fails that the edition requires.
    pub(crate) violated: usize,
    /// The number of clauses that are kept, but with departures from recommendations.
    pub(crate) departed: usize,
    /// The number of other clauses about which an answer is missing, or was given in two ways.
    pub(crate) undecided: usize,
    /// The number of rows that fail, as they are written or rewritten.
    pub(crate) wrong: usize,
    /// The number of rows on which the implementation crashed or gave no answer in time, where the edition specifies one.
    pub(crate) crashed: usize,
    /// Whether the rows cite no clause, so that they are counted by case.
    pub(crate) are_cases: bool,
}

impl ClauseCounts {
    /// Counts the clauses that judge the implementation in an edition.
    pub(crate) fn of(record: &ImplementationRecord, edition: Edition) -> ClauseCounts {
        let outcomes = clause_outcomes(record, edition);
        let count = |wanted| outcomes.values().filter(|outcome| **outcome == wanted).count();
        let rows = |is_counted: fn(Status) -> bool| {
            let is_counted = |check: &&CheckFinished| {
                let judgement = check.editions.get(&edition).filter(|_| !check.is_flaky());
                judgement.is_some_and(|judgement| is_counted(judgement.status))
            };
            let counted = record.checks.iter().filter(is_counted).map(|check| check.id.as_written());
            counted.collect::<BTreeSet<CheckId>>().len()
        };
        ClauseCounts {
            kept: count(ClauseOutcome::Kept) + count(ClauseOutcome::Departed),
            violated: count(ClauseOutcome::Violated),
            departed: count(ClauseOutcome::Departed),
            undecided: count(ClauseOutcome::Undecided),
            wrong: rows(Status::is_failure),
            crashed: rows(|status| matches!(status, Status::Crash | Status::Timeout)),
            // The name of a case has a slash after that of its suite.
            are_cases: !outcomes.is_empty() && outcomes.keys().all(|name| name.contains('/')),
        }
    }

    /// Returns how many clauses, or cases without clauses, are kept.
    pub(crate) fn describe_kept(&self) -> String {
        let ClauseCounts { kept, violated, are_cases, .. } = *self;
        let all = self.applicable();
        match kept + violated {
            0 if self.undecided == 0 => "none judged".to_owned(),
            0 => "not run".to_owned(),
            _ if are_cases => format!("{kept} of {}", counted(all, "case")),
            _ => format!("{kept} of {all}"),
        }
    }

    /// Returns the number of clauses that apply.
    pub(crate) fn applicable(&self) -> usize {
        self.kept + self.violated + self.undecided
    }
}

/// Returns the edition by which an implementation is compared with others: RFC 9309, or, where that does not judge it, the
/// latest edition that does.
pub(crate) fn compared_by(record: &ImplementationRecord) -> Option<Edition> {
    let totals = record.totals();
    let is_judged = |edition: &&Edition| totals.contains_key(*edition);
    [Edition::Rfc9309].iter().find(is_judged).or_else(|| totals.keys().next_back()).copied()
}
