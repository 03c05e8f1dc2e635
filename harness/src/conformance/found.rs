//! The results of the tests, and what is printed about them after the list of failed tests: the likely causes first, so
//! that they are not lost among hundreds of failures, then some failures in full.

#![allow(clippy::print_stdout)] // libtest-mimic prints the list of failed tests there

use std::collections::{BTreeMap, BTreeSet};

use robotspec_cases::Check;
use robotspec_reference::Edition;
use robotspec_text::visible;

use super::failure::again;
use crate::diagnosis::{checks_by_id, describe_other_rows, diagnose};
use crate::record::RunRecord;
use robotspec_text::sentences::counted;

/// The number of failed tests that are printed in full. Each has some 20 lines.
const IN_FULL: usize = 5;

/// The results of the tests.
#[derive(Default)]
pub(super) struct Found {
    /// The number of tests of cases that were run, and of those in which the parser answered.
    pub(super) run: usize,
    pub(super) answered: usize,
    /// The number of tests with known failures.
    pub(super) tests: usize,
    /// The number of their known failures.
    pub(super) failures: usize,
    /// The number of departures from recommendations, in each test that passes in spite of them.
    pub(super) departures: BTreeMap<String, usize>,
    /// The tests that failed, by their places in the list of tests.
    pub(super) failed: BTreeMap<usize, FailedTest>,
    /// The record of each edition.
    pub(super) records: BTreeMap<Edition, RunRecord>,
    /// The checks that were run.
    pub(super) checks: Vec<Check>,
}

/// A test that failed.
pub(super) struct FailedTest {
    pub(super) name: String,
    /// The clause that it breaks, if a clause is known.
    pub(super) clause: Option<&'static str>,
    pub(super) message: String,
}

impl Found {
    /// Prints the likely causes of the failures in an edition.
    pub(super) fn print_likely_causes(&self, edition: Edition) {
        let checks = checks_by_id(&self.checks);
        for record in self.records.get(&edition).into_iter().flat_map(|record| &record.implementations) {
            let causes = diagnose(record, &checks);
            for likely in &causes {
                println!("likely cause, in {edition}: {}\n", visible(&likely.describe()));
            }
            if let Some(others) = describe_other_rows(&causes, record, &checks) {
                println!("{others}\n");
            }
        }
    }

    /// Prints some of the failed tests in full: the first of each clause, then the next ones.
    pub(super) fn print_failures(&self) {
        let mut clauses = BTreeSet::new();
        let (firsts, others): (Vec<_>, Vec<_>) =
            self.failed.values().partition(|failed| clauses.insert(failed.clause));
        let mut failed = firsts.into_iter().chain(others);
        for FailedTest { name, message, .. } in failed.by_ref().take(IN_FULL) {
            println!("---- {name} ----\n{message}\n");
        }
        if let Some(next) = failed.next() {
            let more = counted(1 + failed.count(), "more test");
            println!("{more} failed; this command prints one of them in full: {}\n", again(&next.name));
        }
    }
}
