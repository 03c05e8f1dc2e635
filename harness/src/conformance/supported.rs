//! Which cases ask what an implementation does not do: found out by asking, before the tests are listed, so that
//! they can be listed as ignored.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use robotspec_reference::Edition;

use super::{Make, guarded};
use crate::implementation::{BatchRequest, Fault, Implementation};
use robotspec_cases::suite::{Case, Request};

/// How long an answer is waited for. What takes longer is supported, and judged in its test.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The ids of the cases of which no row is supported. Matching is what every implementation does.
pub(super) fn unsupported<'c>(make: &Arc<Make>, edition: Edition, cases: &[&'c Case]) -> BTreeSet<&'c str> {
    let mut open: Vec<&'c Case> = cases.iter().copied().filter(|case| request(case, 0).is_some()).collect();
    let mut unsupported = BTreeSet::new();
    if open.is_empty() {
        return unsupported;
    }
    let mut implementation = guarded(make, TIMEOUT);
    implementation.read_as(edition);
    let mut row = 0;
    while !open.is_empty() {
        let requests: Vec<BatchRequest> = open.iter().filter_map(|case| request(case, row)).collect();
        let mut refused = BTreeSet::new();
        implementation.answer_all(&requests, &mut |index, answer| {
            if answer == Err(Fault::NotSupported) {
                refused.insert(open[index].id.as_str());
            }
        });
        row += 1;
        open.retain(|case| refused.contains(case.id.as_str()));
        unsupported
            .extend(open.extract_if(.., |case| request(case, row).is_none()).map(|case| case.id.as_str()));
    }
    unsupported
}

/// What a row asks, if it is another thing than a match.
fn request(case: &Case, row: usize) -> Option<BatchRequest> {
    match &case.rows.get(row)?.request {
        Request::Match { .. } | Request::Alike { .. } => None,
        Request::Sitemaps { robots } => Some(BatchRequest::Sitemaps { robots: robots.clone() }),
        Request::Scope { robots_url, url } => {
            Some(BatchRequest::Scope { robots_url: robots_url.clone(), url: url.clone() })
        }
        Request::Access { visits, agent, paths } => {
            Some(BatchRequest::Access { visits: visits.clone(), agent: agent.clone(), paths: paths.clone() })
        }
        Request::Grammar { text } => Some(BatchRequest::Grammar { text: text.clone() }),
    }
}
