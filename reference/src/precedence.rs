//! Order of precedence for rules: the most specific match.
//!
//! *Google, "Order of precedence for group-member lines"; RFC 9309, 2.2.2.*

use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;

use crate::answer::{PathLength, RulePrecedence, Tie, UnreservedEscape, WildcardConflict, YesOrNo};
use crate::part::Part;
use crate::pattern::Pattern;
use crate::question::TypedQuestion;
use crate::question::typed::*;
use crate::reading::Reader;
use crate::rule::Match;
use crate::scan::RuleKind;

/// Why a rule prevails over the rules of the other kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prevails {
    /// No rule of the other kind matches.
    Alone,
    /// Its path is longer than that of any matching rule of the other kind.
    Longest,
    /// Its path is as long as the longest of the other kind.
    EqualLength,
    /// The reading does not compare lengths, and it is the first rule that matches or, in a reading that no edition admits,
    /// another one.
    First,
    /// It is the record of an extension, which no rule overrides.
    Extension,
    /// A wildcard is involved, and the reading does not compare lengths then.
    Wildcard,
}

/// The matching rule that decides, and the rule that it prevails over.
#[derive(Clone, Copy)]
pub(crate) struct Prevailing<'m> {
    pub(crate) rule: Match<'m>,
    pub(crate) over: Option<Match<'m>>,
    pub(crate) why: Prevails,
}

/// How a reading counts the length of a path.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    of: PathLength,
    trailing_stars: bool,
    /// Whether escaped unreserved characters are decoded before paths are percent-encoded.
    decodes: bool,
}

/// Returns the matching rules that are as specific as the one that prevails, and of its kind.
pub(crate) fn equals_of<'m>(
    prevailing: Prevailing<'m>,
    matching: &[Match<'m>],
    reader: &mut impl Reader,
) -> Vec<Match<'m>> {
    let (rule, why) = (prevailing.rule, prevailing.why);
    if matches!(why, Prevails::First | Prevails::Extension) {
        return vec![rule];
    }
    let of_kind: Vec<Match> =
        matching.iter().copied().filter(|other| other.line.effect() == rule.line.effect()).collect();
    let count = Count::of(LengthOf, of_kind.iter().map(|rule| rule.pattern), of_kind.len() > 1, reader);
    let longest = of_kind.iter().map(|rule| count.length(*rule)).max();
    of_kind.into_iter().filter(|rule| Some(count.length(*rule)) == longest).collect()
}

impl Count {
    /// Returns how a reading counts the lengths of these patterns, where it compares them.
    pub(crate) fn of<'m>(
        question: TypedQuestion<PathLength>,
        mut patterns: impl Iterator<Item = &'m Pattern<'m>> + Clone,
        compares: bool,
        reader: &mut impl Reader,
    ) -> Self {
        let may_differ = |pattern: &Pattern| {
            pattern.has_two_lengths()
                || pattern.has_wildcard() && reader.admits(question, PathLength::Matched)
        };
        let of = match compares && patterns.clone().any(may_differ) {
            true => reader.answer(question),
            false => PathLength::Written,
        };
        Count {
            of,
            decodes: matches!(of, PathLength::Written | PathLength::Characters | PathLength::Matched)
                || !patterns.clone().any(Pattern::has_escapes)
                || reader.answer(AsciiEscape) == UnreservedEscape::Equal,
            trailing_stars: compares
                && patterns.any(Pattern::has_trailing_star)
                && reader.answer(TrailingStarCounts) == YesOrNo::Yes,
        }
    }

    /// Returns the length of a pattern.
    pub(crate) fn length_of(self, pattern: &Pattern) -> usize {
        pattern.length(self.of, self.trailing_stars, self.decodes)
    }

    fn length(self, rule: Match) -> usize {
        match self.of {
            PathLength::Matched => rule.pattern.matched_length(rule.target),
            _ => self.length_of(rule.pattern),
        }
    }

    fn has_star(self, rule: Match) -> bool {
        rule.pattern.has_star(self.trailing_stars)
    }
}

/// Returns the rule that decides among the matching rules.
pub(crate) fn most_specific<'m>(matching: &[Match<'m>], reader: &mut impl Reader) -> Option<Prevailing<'m>> {
    if let Some(&rule) = matching.iter().find(|rule| rule.line.is_extension) {
        return Some(Prevailing { rule, over: None, why: Prevails::Extension });
    }
    if conflict(matching)
        && let Some(rule) = without_lengths(matching, reader.answer(FirstRule))
    {
        let over = matching.iter().copied().find(|other| other.line.effect() != rule.line.effect());
        return Some(Prevailing { rule, over, why: Prevails::First });
    }
    let count = Count::of(LengthOf, matching.iter().map(|rule| rule.pattern), conflict(matching), reader);
    // The first of equals, so that an explanation names the first of their lines.
    let longest = |kind: RuleKind| {
        let of_kind = matching.iter().copied().filter(|rule| rule.line.effect() == kind);
        of_kind.min_by_key(|rule| Reverse(count.length(*rule)))
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
            let tie = match have_equivalents(matching, count.length(allow), count) {
                true => reader.answer(EqualLength),
                false => reader.answer(Equivalent),
            };
            let of_length = |rule: &&Match| count.length(**rule) == count.length(allow);
            let rule = match tie {
                Tie::Allow => Some(&allow),
                Tie::Disallow => Some(&disallow),
                Tie::First => matching.iter().find(of_length),
                Tie::Last => matching.iter().rfind(of_length),
            };
            let is_allowed = rule.is_some_and(|rule| rule.line.effect() == RuleKind::Allow);
            let prevailing = if is_allowed { allowed } else { disallowed };
            return Some(Prevailing { why: Prevails::EqualLength, ..prevailing });
        }
    };
    if !involves_wildcard(matching, by_length.rule, count) {
        return Some(by_length);
    }
    let by_wildcard = match reader.answer(WildcardPrecedence) {
        WildcardConflict::LongerWins => return Some(by_length),
        WildcardConflict::LeastRestrictive => allowed,
        WildcardConflict::MostRestrictive => disallowed,
    };
    Some(Prevailing { why: Prevails::Wildcard, ..by_wildcard })
}

/// Returns the rule that decides in a reading that does not compare lengths.
fn without_lengths<'m>(matching: &[Match<'m>], precedence: RulePrecedence) -> Option<Match<'m>> {
    let first_of = |kind| matching.iter().find(move |rule| rule.line.effect() == kind);
    let rule = match precedence {
        RulePrecedence::MostSpecific => None,
        RulePrecedence::First => matching.first(),
        RulePrecedence::Last => matching.last(),
        RulePrecedence::AnyAllow => first_of(RuleKind::Allow),
        RulePrecedence::AnyDisallow => first_of(RuleKind::Disallow),
        RulePrecedence::FirstWildcard => matching.iter().find(|rule| rule.pattern.has_wildcard()),
        RulePrecedence::Shortest => matching.iter().min_by_key(|rule| rule.line.path.len()),
    };
    rule.copied()
}

/// Returns whether each disallow rule of this length is equivalent to an allow rule (RFC 9309, 2.2.2).
fn have_equivalents(matching: &[Match], length: usize, count: Count) -> bool {
    let paths = |kind| -> HashSet<Vec<Part>> {
        let of_kind = matching.iter().filter(|rule| rule.line.effect() == kind);
        let of_length = of_kind.filter(|rule| count.length(**rule) == length);
        of_length.map(|rule| rule.pattern.percent_encoded(count.trailing_stars)).collect()
    };
    paths(RuleKind::Disallow).is_subset(&paths(RuleKind::Allow))
}

/// Returns whether rules of both kinds match.
fn conflict(matching: &[Match]) -> bool {
    matching.iter().any(|rule| rule.line.effect() != matching[0].line.effect())
}

/// Returns whether a wildcard is involved: one of the longest matches has one, or a match of the other kind, which
/// might prevail, has one.
fn involves_wildcard(matching: &[Match], longest: Match, count: Count) -> bool {
    matching.iter().any(|rule| {
        let may_prevail =
            rule.line.effect() != longest.line.effect() || count.length(*rule) == count.length(longest);
        may_prevail && count.has_star(*rule)
    })
}
