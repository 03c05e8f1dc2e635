//! Agents with several groups. RFC 9309, 2.2.1, combines them; the texts of 1994 and 1996 do not, and neither do all
//! crawlers.

use super::facts::{Facts, ORDINARY, example};
use super::{Advice, Meaning, Severity};
use crate::edition::Edition;
use crate::ruling::Ruling;

/// The number of paths about which all editions are queried, at most.
const DISPUTED: usize = 20;

/// Returns advice about each agent, and `*`, for which a crawler that obeys only the first or the last group gives another
/// answer. It is a warning where some edition does not combine the groups either.
pub(super) fn groups(facts: &Facts) -> Vec<Advice> {
    let all = ["*".to_owned()].into_iter().chain(facts.agents.iter().cloned());
    all.filter_map(|agent| advice(facts, &agent)).collect()
}

fn advice(facts: &Facts, agent: &str) -> Option<Advice> {
    let groups = facts.groups_of(agent);
    let [first, .., last] = &groups[..] else { return None };
    let queried = if agent == "*" { ORDINARY } else { agent };
    let paths = Facts::paths_of(&groups);
    let of_first = facts.rulings_of(&[first], &paths);
    let of_last = facts.rulings_of(&[last], &paths);
    let whole = facts.rulings(queried, paths.iter().map(|(_, path)| path.as_str()));
    // For `*`, RFC 9309 does not say that they are combined.
    let differs = |place: &usize| of_first[*place] != whole[*place] || of_last[*place] != whole[*place];
    let places: Vec<usize> = (0..paths.len()).filter(differs).take(DISPUTED).collect();
    let disputed = disputed(facts, queried, &places, &paths, &whole);
    let place = disputed.or_else(|| places.first().copied())?;
    let mut names = groups.iter().filter_map(|group| group.names.iter().find(|name| name.is(agent)));
    let (earlier, name) = (names.next()?, names.next()?);
    Some(Advice {
        line: name.line,
        other_line: Some(earlier.line),
        severity: if disputed.is_some() { Severity::Warning } else { Severity::Note },
        meaning: Meaning::SplitGroup { agent: name.text.clone() },
        example: example(queried, &paths[place].1),
    })
}

/// Returns the first of some places whose path some edition rules otherwise.
fn disputed(
    facts: &Facts,
    agent: &str,
    places: &[usize],
    paths: &[(usize, String)],
    whole: &[Ruling],
) -> Option<usize> {
    let is_unspecified = |place: &usize| whole[*place] == Ruling::Unspecified;
    let of_edition = |edition: Edition| {
        let rules = facts.robots.for_agent(edition, agent);
        places.iter().copied().find(|place| rules.ruling(&paths[*place].1) != Ok(whole[*place]))
    };
    places.iter().copied().find(is_unspecified).or_else(|| Edition::ALL.into_iter().find_map(of_edition))
}
