//! Which cases ask what an implementation does not do: found out by asking, before the tests are listed, so that
//! they can be listed as ignored.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use robotspec_cases::{Case, Query};
use robotspec_reference::Edition;

use super::{Make, in_process};
use crate::answer::Fault;
use crate::endpoint::{Batch, Endpoint};

/// How long an answer is waited for. What takes longer is supported, and judged in its test.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The ids of the cases of which no row is supported. Matching is what every implementation does.
pub(super) fn unsupported<'c>(make: &Arc<Make>, edition: Edition, cases: &[&'c Case]) -> BTreeSet<&'c str> {
    let mut open: Vec<&'c Case> = cases.iter().copied().filter(|case| query(case, 0).is_some()).collect();
    let mut unsupported = BTreeSet::new();
    if open.is_empty() {
        return unsupported;
    }
    let mut implementation = in_process(make, TIMEOUT);
    implementation.read_as(edition);
    let mut row = 0;
    while !open.is_empty() {
        let batches: Vec<Batch> =
            open.iter().filter_map(|case| query(case, row).cloned().map(Batch::single)).collect();
        let mut refused = BTreeSet::new();
        implementation.answer(&batches, &mut |index, answer| {
            if answer == Err(Fault::NotSupported) {
                refused.insert(open[index].name.as_str());
            }
        });
        row += 1;
        open.retain(|case| refused.contains(case.name.as_str()));
        unsupported
            .extend(open.extract_if(.., |case| query(case, row).is_none()).map(|case| case.name.as_str()));
    }
    unsupported
}

/// The query of a row, if it is not about a verdict on a URL.
fn query(case: &Case, row: usize) -> Option<&Query> {
    let query = &case.rows.get(row)?.query;
    (!matches!(query, Query::Match { .. } | Query::Alike { .. })).then_some(query)
}
