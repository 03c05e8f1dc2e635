//! Groups that drop the rules of the `*` group: a crawler that a group names ignores the group for `*` (RFC 9309, 2.2.1).

use super::facts::{Facts, ORDINARY, example};
use super::groups::{Group, RuleText};
use super::{Advice, Meaning, Severity};
use crate::ruling::Ruling;
use crate::scan::RuleKind;

/// Returns advice about each agent that may fetch what the `*` group disallows, unless its own group says that it may fetch
/// everything.
pub(super) fn dropped(facts: &Facts) -> Vec<Advice> {
    let paths = Facts::paths_of(&facts.groups_of("*"));
    let rulings = facts.rulings(ORDINARY, paths.iter().map(|(_, path)| path.as_str()));
    let disallowed = paths.iter().zip(rulings).filter(|(_, ruling)| *ruling == Ruling::Disallow);
    let disallowed: Vec<&(usize, String)> = disallowed.map(|(path, _)| path).collect();
    facts.agents.iter().filter_map(|agent| advice(facts, agent, &disallowed)).collect()
}

fn advice(facts: &Facts, agent: &str, disallowed: &[&(usize, String)]) -> Option<Advice> {
    let groups = facts.groups_of(agent);
    // The same lines name both, or the group grants everything on purpose.
    if groups.iter().any(|group| group.names.iter().any(|name| name.text == "*"))
        || groups.iter().any(grants_all)
    {
        return None;
    }
    let rulings = facts.rulings(agent, disallowed.iter().map(|(_, path)| path.as_str()));
    let dropped = disallowed.iter().zip(rulings).filter(|(_, ruling)| *ruling == Ruling::Allow);
    let dropped: Vec<&(usize, String)> = dropped.map(|(path, _)| *path).collect();
    let (line, path) = dropped.first()?;
    let restricts = |rule: &RuleText| rule.kind == RuleKind::Disallow && !rule.path.is_empty();
    let has_restriction = groups.iter().any(|group| group.rules.iter().any(restricts));
    let name = groups.iter().flat_map(|group| &group.names).find(|name| name.is(agent))?;
    Some(Advice {
        line: name.line,
        other_line: Some(*line),
        // A group with a crawl-delay alone, or with an exception to the rules of the other group, restricts nothing.
        severity: if has_restriction { Severity::Note } else { Severity::Warning },
        meaning: Meaning::DropsStarRules { agent: name.text.clone(), rules: dropped.len() },
        example: example(&name.text, path),
    })
}

/// Returns whether a group says that an agent may fetch everything, and nothing else.
fn grants_all(group: &&Group) -> bool {
    let grants = |kind: RuleKind, path: &str| match kind {
        RuleKind::Allow => matches!(path, "" | "/" | "*" | "/*"),
        RuleKind::Disallow => path.is_empty(),
    };
    !group.rules.is_empty() && group.rules.iter().all(|rule| grants(rule.kind, &rule.path))
}
