//! How strongly the editions require what a finding breaks.

use std::collections::BTreeMap;

use robotspec_cases::{Clause, Level};
use robotspec_fuzz::{Finding, FindingKind};
use robotspec_reference::Edition;

/// Returns how strongly each edition that a finding breaks requires its clauses. Only violations break an edition. Where no
/// cause is proven, the clause in play may be the cause, so that the weaker level counts.
pub(super) fn levels(finding: &Finding) -> BTreeMap<Edition, Level> {
    let class = &finding.class;
    let clauses: Vec<&Clause> =
        [class.clause, class.in_play].into_iter().flatten().filter_map(Clause::find).collect();
    match class.kind {
        FindingKind::Violation => {
            let level = |edition| Clause::weakest_level(&clauses, edition);
            finding.editions.iter().map(|&edition| (edition, level(edition))).collect()
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
