//! What an implementation makes of the clauses of one edition: the measure by which implementations are compared.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::ImplementationRecord;
use robotspec::event::Status;
use robotspec_cases::CheckId;
use robotspec_reference::Edition;

use crate::report::failing::blamed_clause;

/// How many clauses of an edition an implementation keeps. Clauses that none of its answers is about do not apply to it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ClauseCounts {
    /// The number of clauses under which nothing fails that the edition requires.
    pub(crate) kept: usize,
    /// The number of clauses under which something fails that the edition requires.
    pub(crate) violated: usize,
    /// The number of clauses that are kept, but with departures from recommendations.
    pub(crate) departed: usize,
    /// The number of rows that fail, as they are written or rewritten.
    pub(crate) wrong: usize,
    /// The number of rows on which the implementation crashed or gave no answer in time.
    pub(crate) crashed: usize,
}

impl ClauseCounts {
    /// Counts the clauses that judge the implementation in an edition. A failure of a rewritten file alone counts for the
    /// clause that allows to rewrite it.
    pub(crate) fn of(record: &ImplementationRecord, edition: Edition) -> ClauseCounts {
        #[derive(Default)]
        struct Seen {
            is_violated: bool,
            is_departed: bool,
        }
        let mut clauses: BTreeMap<&str, Seen> = BTreeMap::new();
        let (mut wrong, mut crashed) = (BTreeSet::<CheckId>::new(), BTreeSet::<CheckId>::new());
        for check in record.checks.iter().filter(|check| !check.is_flaky()) {
            let Some(judgement) = check.editions.get(&edition) else { continue };
            if judgement.status == Status::Pass {
                clauses.entry(&check.clause).or_default();
            } else if judgement.status.is_failure() {
                let seen = clauses.entry(blamed_clause(check, record)).or_default();
                seen.is_violated |= !judgement.is_departure();
                seen.is_departed |= judgement.is_departure();
                wrong.insert(check.id.as_written());
                if let Status::Crash | Status::Timeout = judgement.status {
                    crashed.insert(check.id.as_written());
                }
            }
        }
        let violated = clauses.values().filter(|seen| seen.is_violated).count();
        let departed = clauses.values().filter(|seen| seen.is_departed && !seen.is_violated).count();
        ClauseCounts {
            kept: clauses.len() - violated,
            violated,
            departed,
            wrong: wrong.len(),
            crashed: crashed.len(),
        }
    }

    /// Returns the number of clauses that apply.
    pub(crate) fn applicable(&self) -> usize {
        self.kept + self.violated
    }
}

/// Returns the edition by which an implementation is compared with others: RFC 9309, or, where that does not judge it, the
/// latest edition that does.
pub(crate) fn compared_by(record: &ImplementationRecord) -> Option<Edition> {
    let totals = record.totals();
    let is_judged = |edition: &&Edition| totals.contains_key(*edition);
    [Edition::Rfc9309].iter().find(is_judged).or_else(|| totals.keys().next_back()).copied()
}
