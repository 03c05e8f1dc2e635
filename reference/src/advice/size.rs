//! Rules that follow the bytes that every crawler reads.

use super::facts::Facts;
use super::{Advice, Meaning, Severity};

/// The number of bytes that a crawler has to read, at least: 500 KiB (RFC 9309, 2.5).
const LIMIT: usize = 500 << 10;

/// Returns advice about the first rule that is not in these bytes.
pub(super) fn beyond(facts: &Facts) -> Option<Advice> {
    if facts.file.len() <= LIMIT {
        return None;
    }
    let rules = facts.groups.iter().flat_map(|group| &group.rules);
    let beyond: Vec<_> = rules.filter(|rule| rule.start >= LIMIT).collect();
    let first = beyond.first()?;
    Some(Advice {
        line: first.line,
        other_line: None,
        severity: Severity::Warning,
        meaning: Meaning::BeyondSizeLimit { rules: beyond.len() },
        example: None,
    })
}
