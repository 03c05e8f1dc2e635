//! How strongly the editions require what a finding breaks.

use std::collections::BTreeMap;

use robotspec_cases::{Clause, Level};
use robotspec_fuzz::{Finding, Kind};
use robotspec_reference::Edition;

/// Returns how strongly each edition that a finding breaks requires the clause. Only violations break an edition.
pub(super) fn levels(finding: &Finding) -> BTreeMap<Edition, Level> {
    let level = |edition| Clause::find(finding.class.clause).and_then(|clause| clause.level(edition));
    match finding.class.kind {
        Kind::Violation => {
            finding.editions.iter().filter_map(|&edition| Some((edition, level(edition)?))).collect()
        }
        _ => BTreeMap::new(),
    }
}

/// Returns whether a finding departs only from recommendations, in every edition that it breaks.
pub(super) fn is_departure(finding: &Finding) -> bool {
    let levels = levels(finding);
    !levels.is_empty() && levels.values().all(|level| *level == Level::Should)
}

/// Returns whether a finding fails a run with this level.
pub(super) fn is_failure_at(finding: &Finding, level: Level) -> bool {
    level != Level::Must || !is_departure(finding)
}
