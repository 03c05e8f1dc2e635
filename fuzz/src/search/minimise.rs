//! From a divergence to a finding.

use std::slice;
use std::time::Duration;

use robotspec_reference::Edition;

use crate::explain::cause::{Agreements, find_cause};
use crate::explain::finding::{Class, Finding};
use crate::minimise::examine::Examiner;
use crate::minimise::reduce;
use crate::oracle::divergence::Divergence;
use crate::oracle::kind::Kind;

/// The time that one divergence may take. What is found until then is a finding, too, only not as small as it could be.
const MOST_TIME: Duration = Duration::from_secs(10);

/// The result of minimising a divergence.
pub(crate) enum Minimised {
    Finding(Box<Finding>),
    /// The implementation answered the same query in another way, alone.
    Flaky,
    /// The implementation was not available, or the run is over.
    Unexamined,
}

/// Returns the smallest form of a divergence as a finding.
pub(crate) fn minimise(
    examiner: &mut Examiner,
    editions: &[Edition],
    divergence: &Divergence,
    after: u64,
    agreements: &mut Agreements,
) -> Minimised {
    examiner.deadline = examiner.deadline.within(MOST_TIME);
    let Some(seen) = examiner.first_like(divergence, slice::from_ref(&divergence.query)) else {
        let is_flaky = examiner.is_available(&divergence.query);
        return if is_flaky { Minimised::Flaky } else { Minimised::Unexamined };
    };
    let minimal = reduce(examiner, seen);
    let cause = find_cause(examiner, &minimal, agreements);
    let class = Class::new(&examiner.endpoint.info().name, &minimal, cause);
    let editions = match minimal.kind {
        // No edition says which of the two implementations is right.
        Kind::Disagreement => Vec::new(),
        // Every edition expects an answer.
        Kind::Crash | Kind::Timeout | Kind::ProtocolError => editions.to_vec(),
        kind => {
            let mut editions = editions.to_vec();
            editions.retain(|&edition| examiner.shows(edition, kind, minimal.relation, &minimal.query));
            editions
        }
    };
    Minimised::Finding(Box::new(Finding::new(class, minimal, editions, after, divergence.query.clone())))
}
