//! From a divergence to a finding.

use std::slice;
use std::time::Duration;

use robotspec_reference::Edition;

use crate::explain::cause::{Agreements, find_cause};
use crate::explain::finding::{Class, Finding};
use crate::minimise::again::Examiner;
use crate::minimise::reduce;
use crate::oracle::divergence::Divergence;
use crate::oracle::divergence::FindingKind;

/// The time that one divergence may take. What is found until then is a finding, too, only not as small as it could be.
const MOST_TIME: Duration = Duration::from_secs(10);

/// What became of a divergence.
pub(crate) enum Examined {
    Finding(Box<Finding>),
    /// The query does not always show it.
    Unrepeated,
    /// The implementation was not available, or the time was over.
    Unexamined,
}

/// Asks the implementation again; then minimises the divergence, finds its cause, and judges it by all editions.
pub(crate) fn examine(
    examiner: &mut Examiner,
    editions: &[Edition],
    divergence: &Divergence,
    after: u64,
    agreements: &mut Agreements,
) -> Examined {
    examiner.deadline = examiner.deadline.within(MOST_TIME);
    let Some(seen) = examiner.first_like(divergence, slice::from_ref(&divergence.query)) else {
        let is_answered = examiner.is_available(&divergence.query) && !examiner.deadline.is_over();
        return if is_answered { Examined::Unrepeated } else { Examined::Unexamined };
    };
    let minimal = reduce(examiner, seen);
    let cause = find_cause(examiner, &minimal, agreements);
    let class = Class::new(&examiner.endpoint.info().name, &minimal, cause);
    let is_broken = |&edition: &Edition| match minimal.kind {
        // No edition says which of the two implementations is right, nor how long an answer may take.
        FindingKind::Disagreement | FindingKind::Timeout => false,
        // Every edition expects an answer.
        FindingKind::Crash | FindingKind::ProtocolError => true,
        _ => {
            edition == minimal.edition
                || examiner.shows(edition, minimal.kind, minimal.relation, &minimal.query)
        }
    };
    let editions = editions.iter().copied().filter(is_broken).collect();
    let first_seen = divergence.query.clone();
    let against = examiner.oracle.implementation();
    Examined::Finding(Box::new(Finding::new(class, minimal, editions, against, after, first_seen)))
}
