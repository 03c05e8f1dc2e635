//! What an implementation makes of the clauses of one edition: the measure by which implementations are compared.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::ImplementationRecord;
use robotspec::event::Status;
use robotspec::sentences::counted;
use robotspec_cases::CheckId;
use robotspec_reference::Edition;
use serde::{Deserialize, Serialize};

use crate::report::failing::{blamed_clause, is_only_in_variants};

/// The results of an implementation under a clause, in an edition. Rows that the edition does not specify, or that the
/// implementation does not support, are not results.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct ClauseTally {
    /// The number of rows that are answered as the edition requires, as they are written.
    #[serde(skip_serializing_if = "is_zero")]
    passed: usize,
    /// The number of rows that violate a requirement, as they are written.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) violations: usize,
    /// The number of rows that depart from a recommendation alone, as they are written.
    #[serde(skip_serializing_if = "is_zero")]
    departures: usize,
    /// The number of rewritten files that violate a requirement, although their rows do not fail as they are written.
    #[serde(skip_serializing_if = "is_zero")]
    rewritten_violations: usize,
    /// The same for departures from recommendations.
    #[serde(skip_serializing_if = "is_zero")]
    rewritten_departures: usize,
    /// The number of answers that are missing, or were given in two ways.
    #[serde(skip_serializing_if = "is_zero")]
    undecided: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What the results under a clause say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClauseOutcome {
    /// Nothing fails.
    Kept,
    /// Only departures from recommendations fail.
    Departed,
    /// Something fails that the edition requires.
    Violated,
    /// An answer is missing or was given in two ways, and nothing is violated.
    Undecided,
}

impl ClauseOutcome {
    /// Returns whether nothing fails that the edition requires.
    pub(crate) fn is_kept(self) -> bool {
        matches!(self, ClauseOutcome::Kept | ClauseOutcome::Departed)
    }
}

impl ClauseTally {
    /// Returns the number of rows with a result, as they are written.
    pub(crate) fn judged(&self) -> usize {
        self.passed + self.violations + self.departures
    }

    pub(crate) fn outcome(&self) -> ClauseOutcome {
        if self.violations + self.rewritten_violations > 0 {
            ClauseOutcome::Violated
        } else if self.undecided > 0 {
            ClauseOutcome::Undecided
        } else if self.departures + self.rewritten_departures > 0 {
            ClauseOutcome::Departed
        } else {
            ClauseOutcome::Kept
        }
    }
}

/// Returns the results under each clause that applies to an implementation in an edition. A failure of a rewritten file
/// alone counts for the clause that allows to rewrite it.
pub(crate) fn tally_clauses(record: &ImplementationRecord, edition: Edition) -> BTreeMap<&str, ClauseTally> {
    let mut clauses: BTreeMap<&str, ClauseTally> = BTreeMap::new();
    for check in &record.checks {
        let Some(judgement) = check.editions.get(&edition) else { continue };
        let is_written = check.id.variant.is_none();
        if check.is_flaky() || judgement.status == Status::NotRun {
            clauses.entry(&check.clause).or_default().undecided += 1;
        } else if judgement.status == Status::Pass {
            clauses.entry(&check.clause).or_default().passed += usize::from(is_written);
        } else if judgement.status.is_failure() {
            let tally = clauses.entry(blamed_clause(check, record)).or_default();
            let count = match (is_written, judgement.is_departure()) {
                (true, false) => &mut tally.violations,
                (true, true) => &mut tally.departures,
                (false, false) => &mut tally.rewritten_violations,
                (false, true) => &mut tally.rewritten_departures,
            };
            *count += usize::from(is_written || is_only_in_variants(check, record));
        }
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
    /// The number of rows on which the implementation crashed or gave no answer in time.
    pub(crate) crashed: usize,
    /// Whether the rows cite no clause, so that they are counted by case.
    pub(crate) are_cases: bool,
}

impl ClauseCounts {
    /// Counts the clauses that judge the implementation in an edition.
    pub(crate) fn of(record: &ImplementationRecord, edition: Edition) -> ClauseCounts {
        let tallies = tally_clauses(record, edition);
        let outcomes: Vec<ClauseOutcome> = tallies.values().map(ClauseTally::outcome).collect();
        let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let (mut wrong, mut crashed) = (BTreeSet::<CheckId>::new(), BTreeSet::<CheckId>::new());
        for check in record.checks.iter().filter(|check| !check.is_flaky()) {
            let Some(judgement) = check.editions.get(&edition) else { continue };
            if judgement.status.is_failure() {
                wrong.insert(check.id.as_written());
            }
            if let Status::Crash | Status::Timeout = judgement.status {
                crashed.insert(check.id.as_written());
            }
        }
        ClauseCounts {
            kept: outcomes.iter().filter(|outcome| outcome.is_kept()).count(),
            violated: count(ClauseOutcome::Violated),
            departed: count(ClauseOutcome::Departed),
            undecided: count(ClauseOutcome::Undecided),
            wrong: wrong.len(),
            crashed: crashed.len(),
            // The name of a case has a slash after that of its suite.
            are_cases: !tallies.is_empty() && tallies.keys().all(|name| name.contains('/')),
        }
    }

    /// Returns how many clauses, or cases without clauses, are kept.
    pub(crate) fn describe_kept(&self) -> String {
        let ClauseCounts { kept, violated, are_cases, .. } = *self;
        let all = self.applicable();
        match kept + violated {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use robotspec::event::{CheckFinished, Event, Judgement};
    use robotspec::{Answer, Info, RunRecord, Source, Verdict};
    use robotspec_cases::{Expected, Level};
    use robotspec_reference::Ruling;

    use super::*;

    fn counts(checks: &[(&str, &str, Status, Level)]) -> ClauseCounts {
        let check = |&(id, clause, status, level): &(&str, &str, Status, Level)| {
            let judgement = Judgement {
                status,
                level,
                expected: Expected::Ruling(Ruling::Allow),
                got: Ok(Answer::Match(Verdict::Allow)),
                known: None,
            };
            CheckFinished {
                implementation: "parser".into(),
                id: id.parse().expect("an id"),
                clause: clause.into(),
                editions: Arc::new(BTreeMap::from([(Edition::Rfc9309, judgement)])),
            }
        };
        let started = Event::ImplementationStarted { info: Info::named("parser"), source: Source::default() };
        let finished = checks.iter().map(check).map(Event::CheckFinished);
        let record = RunRecord::of(std::iter::once(started).chain(finished));
        ClauseCounts::of(&record.implementations[0], Edition::Rfc9309)
    }

    #[test]
    fn a_clause_is_kept_only_where_every_answer_is_there() {
        use Status::{Fail, Flaky, NotRun, NotSupported, Pass};
        let counts = counts(&[
            ("a/a#a", "M-prefix", Pass, Level::Must),
            ("a/a#b", "M-case", Fail, Level::Should),
            ("a/a#c", "M-star", Pass, Level::Must),
            ("a/a#d", "M-star", Fail, Level::Must),
            ("a/a#e", "O-tie", Pass, Level::Must),
            ("a/a#f", "O-tie", Flaky, Level::Must),
            ("a/a#g", "G-merge", NotRun, Level::Must),
            ("a/a#h", "S-origin", NotSupported, Level::Must),
        ]);
        let expected = ClauseCounts {
            kept: 2,
            violated: 1,
            departed: 1,
            undecided: 2,
            wrong: 2,
            ..ClauseCounts::default()
        };
        assert_eq!(counts, expected);
        assert_eq!(counts.applicable(), 5);
        assert_eq!(counts.describe_kept(), "2 of 5");
    }

    #[test]
    fn rows_that_cite_no_clause_are_counted_by_case() {
        let counts = counts(&[
            ("a/a#a", "a/a", Status::Pass, Level::Must),
            ("a/b#a", "a/b", Status::Fail, Level::Must),
        ]);
        assert_eq!(counts.describe_kept(), "1 of 2 cases");
    }
}
