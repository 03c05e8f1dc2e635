//! From a divergence to a finding.

use std::slice;

use robotspec_reference::Edition;

use crate::divergence::Divergence;
use crate::examine::Examiner;
use crate::finding::{Class, Finding};
use crate::kind::Kind;
use crate::reduce::reduce;

/// Returns the smallest form of a divergence as a finding.
///
/// `None` where the query alone does not show the divergence: then another query of its batch caused it, which shows it
/// alone.
pub(crate) fn minimise(
    examiner: &mut Examiner,
    editions: &[Edition],
    divergence: &Divergence,
    after: u64,
) -> Option<Finding> {
    let seen = examiner.first_like(divergence, slice::from_ref(&divergence.query))?;
    let minimal = reduce(examiner, seen);
    let class = Class::new(&examiner.endpoint.info().name, &minimal);
    let editions = match minimal.kind {
        // No edition says which of the two implementations is right.
        Kind::Disagreement => Vec::new(),
        kind => {
            let mut editions = editions.to_vec();
            editions.retain(|&edition| examiner.shows(edition, kind, minimal.relation, &minimal.query));
            editions
        }
    };
    Some(Finding::new(class, minimal, editions, after, divergence.query.clone()))
}
