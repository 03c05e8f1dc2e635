//! Rules that belong to no group.

use super::facts::{Facts, ORDINARY, example};
use super::groups::RuleText;
use super::{Advice, Meaning, Severity};
use crate::ruling::Ruling;
use crate::scan::RuleKind;
use crate::witness::path_of;

/// Returns advice about the first `disallow` that no user-agent line precedes, where the edition allows what it disallows.
/// An `allow` there changes nothing.
pub(super) fn without_group(facts: &Facts) -> Option<Advice> {
    let rules = &facts.groups.first().filter(|group| group.names.is_empty())?.rules;
    let is_idle = |(rule, path): &(&RuleText, String)| {
        rule.kind == RuleKind::Disallow && facts.rulings(ORDINARY, [path.as_str()]) == [Ruling::Allow]
    };
    let mut with_path = rules.iter().filter_map(|rule| Some((rule, path_of(&rule.path)?)));
    let (rule, path) = with_path.find(is_idle)?;
    Some(Advice {
        line: rule.line,
        other_line: None,
        severity: Severity::Error,
        meaning: Meaning::RuleWithoutGroup,
        example: example(ORDINARY, &path),
    })
}
