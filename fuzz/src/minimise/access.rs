//! Passes over the visits of access queries.

use robotspec_cases::visit::Visit;
use robotspec_cases::{Query, TimedVisit, paths};

/// Removes visits, and makes them plainer.
pub(super) fn simplify_visits(query: &Query) -> Vec<Query> {
    let Query::Access { visits, agent, .. } = query else { return Vec::new() };
    let with = |visits: Vec<TimedVisit>| Query::Access {
        paths: paths(&visits).into(),
        visits: visits.into(),
        agent: agent.clone(),
    };
    let mut smaller = Vec::new();
    if let [first, ..] = &visits[..]
        && first.at > 0
    {
        let start = first.at;
        let earlier = |visit: &TimedVisit| TimedVisit { at: visit.at - start, ..visit.clone() };
        smaller.push(with(visits.iter().map(earlier).collect()));
    }
    for index in 0..visits.len() {
        let mut fewer = visits.to_vec();
        fewer.remove(index);
        if !fewer.is_empty() {
            smaller.push(with(fewer));
        }
    }
    let plainer: [fn(&mut TimedVisit); 7] = [
        |visit| visit.visit = Visit::default(),
        |visit| visit.visit.hops.clear(),
        |visit| visit.visit.hops.truncate(1),
        |visit| visit.visit.response.fault = None,
        |visit| visit.visit.response.headers.clear(),
        |visit| visit.visit.response.missing_pages = 404,
        |visit| visit.site_answers = true,
    ];
    for index in 0..visits.len() {
        for write in plainer {
            let mut plainer = visits.to_vec();
            write(&mut plainer[index]);
            smaller.push(with(plainer));
        }
    }
    smaller
}
