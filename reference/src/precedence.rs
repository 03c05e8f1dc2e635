//! Order of precedence for rules: the most specific match.
//!
//! *Google, "Order of precedence for group-member lines"; RFC 9309, 2.2.2.*

use std::cmp::{Ordering, Reverse};

use crate::group::RuleLine;
use crate::path::Pattern;
use crate::question::Answer;
use crate::question::Question::*;
use crate::reading::Ask;
use crate::scan::RuleKind;

/// A rule with its path read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule<'r> {
    pub(crate) line: RuleLine<'r>,
    pub(crate) pattern: Pattern,
}

/// Why a rule prevailed over the rules of the other kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prevails {
    /// No rule of the other kind matches.
    Alone,
    /// It has the longest path of all that match.
    Longest,
    /// As long as the longest of the other kind.
    EqualLength,
    /// A wildcard takes part, and the reading does not go by length then.
    Wildcard,
}

/// Which of the matching rules decides, and over which.
pub(crate) struct Prevailing<'m, 'r> {
    pub(crate) rule: &'m Rule<'r>,
    pub(crate) over: Option<&'m Rule<'r>>,
    pub(crate) why: Prevails,
}

/// How a reading counts lengths.
#[derive(Clone, Copy)]
struct Count {
    of: Answer,
    trailing_stars: bool,
}

impl Count {
    fn length(self, rule: &Rule) -> usize {
        rule.pattern.length(self.of, self.trailing_stars)
    }

    fn has_star(self, rule: &Rule) -> bool {
        rule.pattern.has_star(self.trailing_stars)
    }
}

/// The rule that decides among those that match, if any does.
pub(crate) fn most_specific<'m, 'r>(
    matching: &[&'m Rule<'r>],
    ask: &mut impl Ask,
) -> Option<Prevailing<'m, 'r>> {
    let count = Count {
        of: if matching.iter().any(|rule| rule.pattern.has_two_lengths()) && conflict(matching) {
            ask.ask(LengthOf)
        } else {
            Answer::Written
        },
        trailing_stars: matching.iter().any(|rule| rule.pattern.has_trailing_star())
            && conflict(matching)
            && ask.ask(TrailingStarCounts) == Answer::Yes,
    };
    // The first of equals, so that an explanation names the line a reader finds first.
    let longest = |kind: RuleKind| {
        let of_kind = matching.iter().copied().filter(|rule| rule.line.kind == kind);
        of_kind.min_by_key(|rule| Reverse(count.length(rule)))
    };
    let (allow, disallow) = match (longest(RuleKind::Allow), longest(RuleKind::Disallow)) {
        (Some(allow), Some(disallow)) => (allow, disallow),
        (rule, other) => {
            return rule.or(other).map(|rule| Prevailing { rule, over: None, why: Prevails::Alone });
        }
    };
    let allowed = Prevailing { rule: allow, over: Some(disallow), why: Prevails::Longest };
    let disallowed = Prevailing { rule: disallow, over: Some(allow), why: Prevails::Longest };
    let by_length = match count.length(allow).cmp(&count.length(disallow)) {
        Ordering::Greater => allowed,
        Ordering::Less => disallowed,
        Ordering::Equal => {
            let prevailing = if ask.ask(EqualLength) == Answer::Allow { allowed } else { disallowed };
            return Some(Prevailing { why: Prevails::EqualLength, ..prevailing });
        }
    };
    if !wildcard_takes_part(matching, by_length.rule, count) {
        return Some(by_length);
    }
    Some(match ask.ask(WildcardPrecedence) {
        Answer::LeastRestrictive => Prevailing { rule: allow, over: Some(disallow), why: Prevails::Wildcard },
        Answer::MostRestrictive => Prevailing { rule: disallow, over: Some(allow), why: Prevails::Wildcard },
        _ => by_length,
    })
}

fn conflict(matching: &[&Rule]) -> bool {
    matching.iter().any(|rule| rule.line.kind != matching[0].line.kind)
}

/// A wildcard takes part where one of the longest matches has one, or where
/// some match of the other kind has one: that one might prevail.
fn wildcard_takes_part(matching: &[&Rule], longest: &Rule, count: Count) -> bool {
    matching.iter().any(|rule| {
        let contends = rule.line.kind != longest.line.kind || count.length(rule) == count.length(longest);
        contends && count.has_star(rule)
    })
}
