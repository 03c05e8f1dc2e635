//! Finds the cases that an implementation does not support, before the tests are listed, so that they are listed as
//! ignored.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use robotspec_cases::{Case, Query};

use super::{Make, in_process};
use crate::again::send;
use crate::answer::Fault;
use crate::endpoint::Batch;

/// The time limit for an answer. A query that takes longer counts as supported; its test judges the answer.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the names of the cases of which no row is supported. Match queries are supported by every implementation.
pub(super) fn unsupported<'c>(make: &Arc<Make>, mut undecided: Vec<&'c Case>) -> BTreeSet<&'c str> {
    undecided.retain(|case| query(case, 0).is_some());
    let mut unsupported = BTreeSet::new();
    if undecided.is_empty() {
        return unsupported;
    }
    let mut implementation = in_process(make, TIMEOUT);
    let mut row = 0;
    while !undecided.is_empty() {
        let batches: Vec<Batch> =
            undecided.iter().filter_map(|case| query(case, row).cloned().map(Batch::single)).collect();
        let mut answers = send(&mut implementation, &batches).into_iter();
        undecided.retain(|_| answers.next().is_some_and(|answer| answer.contains(&Err(Fault::NotSupported))));
        row += 1;
        unsupported.extend(
            undecided.extract_if(.., |case| query(case, row).is_none()).map(|case| case.name.as_str()),
        );
    }
    unsupported
}

/// Returns the query of a row, unless every implementation supports it.
fn query(case: &Case, row: usize) -> Option<&Query> {
    let query = &case.rows.get(row)?.query;
    (!matches!(query, Query::Match { .. } | Query::Alike { .. })).then_some(query)
}
