//! Rules that decide about no URL, because another rule prevails for each URL that they match.

use std::collections::{BTreeSet, HashMap};

use super::facts::{Facts, ORDINARY, example};
use super::groups::RuleText;
use super::{Advice, Meaning, Severity};
use crate::ruling::{DecidedBy, Ruling};
use crate::scan::RuleKind;
use crate::witness::path_of;

/// The number of rules of an agent, of rules with a wildcard that are compared with each, and of the bytes of their paths,
/// at most.
const RULES: usize = 2000;
const WIDE: usize = 50;
const LONGEST: usize = 200;

/// The number of rules about which there is advice, at most.
const ADVICE: usize = 100;

/// Returns advice about each rule that decides about no URL, for the first agent that obeys it.
pub(super) fn unreachable(facts: &Facts) -> Vec<Advice> {
    let mut seen = BTreeSet::new();
    let mut compared = BTreeSet::new();
    let mut advice = Vec::new();
    for agent in ["*"].into_iter().chain(facts.agents.iter().map(String::as_str)) {
        let groups = facts.groups_of(agent);
        // Several agents often share their groups.
        if !compared.insert(groups.iter().map(|group| group.names[0].line).collect::<Vec<_>>()) {
            continue;
        }
        let rules: Vec<&RuleText> = groups
            .iter()
            .flat_map(|group| &group.rules)
            .filter(|rule| is_comparable(&rule.path))
            .take(RULES)
            .collect();
        let is_wide = |rule: &&&RuleText| rule.path.contains(['*', '$']);
        let wide: Vec<&RuleText> = rules.iter().filter(is_wide).take(WIDE).copied().collect();
        // Of two rules with the same path, the `allow` prevails.
        let allows = rules.iter().filter(|rule| rule.kind == RuleKind::Allow);
        let allowed: HashMap<&str, &RuleText> = allows.map(|rule| (rule.path.as_str(), *rule)).collect();
        let queried = if agent == "*" { ORDINARY } else { agent };
        for narrow in &rules {
            let same = allowed.get(narrow.path.as_str());
            let mut others = wide.iter().chain(same);
            let by = others.find(|wide| prevails_everywhere(wide, narrow)).copied();
            if advice.len() == ADVICE {
                return advice;
            }
            if let Some(by) = by
                && seen.insert(narrow.line)
            {
                advice.extend(confirm(facts, queried, narrow, by));
            }
        }
    }
    advice
}

/// Returns whether a path has one form, so that its length and what it matches are the same in every reading.
fn is_comparable(path: &str) -> bool {
    path.starts_with('/')
        && path.len() <= LONGEST
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'%')
}

/// Returns whether a rule prevails over another for each URL that the other matches (RFC 9309, 2.2.2): it is longer, or is
/// an `allow` of the same length, and it matches these URLs too.
fn prevails_everywhere(wide: &RuleText, narrow: &RuleText) -> bool {
    let is_first = wide.path.len() > narrow.path.len()
        || (wide.path.len() == narrow.path.len() && wide.kind == RuleKind::Allow);
    wide.kind != narrow.kind && is_first && covers(wide.path.as_bytes(), narrow.path.as_bytes())
}

/// Returns whether a pattern matches each URL that another one matches: it matches the other one as a text in which `*` is
/// a character that no literal of a pattern is.
fn covers(wide: &[u8], narrow: &[u8]) -> bool {
    let whole = |pattern: &[u8]| match pattern.strip_suffix(b"$") {
        Some(start) => start.to_vec(),
        None => [pattern, b"*"].concat(),
    };
    let (wide, narrow) = (whole(wide), whole(narrow));
    let (mut at_wide, mut at_narrow) = (0, 0);
    // The last `*` of the wide pattern, and where the text that it stands for ends.
    let mut star: Option<(usize, usize)> = None;
    while at_narrow < narrow.len() {
        if wide.get(at_wide) == Some(&b'*') {
            star = Some((at_wide, at_narrow));
            at_wide += 1;
        } else if narrow[at_narrow] != b'*' && wide.get(at_wide) == Some(&narrow[at_narrow]) {
            at_wide += 1;
            at_narrow += 1;
        } else if let Some((place, end)) = star {
            star = Some((place, end + 1));
            at_wide = place + 1;
            at_narrow = end + 1;
        } else {
            return false;
        }
    }
    wide[at_wide..].iter().all(|byte| *byte == b'*')
}

/// Returns the advice, where the reference decides about a URL of the rule by another rule.
fn confirm(facts: &Facts, agent: &str, narrow: &RuleText, by: &RuleText) -> Option<Advice> {
    let path = path_of(&narrow.path)?;
    let decision = facts.decision(agent, &path)?;
    let is_by_another = matches!(&decision.by, DecidedBy::Rule { rule, .. } if rule.line != narrow.line);
    let is_definite = facts.rulings(agent, [path.as_str()]) != [Ruling::Unspecified];
    (is_by_another && is_definite).then(|| Advice {
        line: narrow.line,
        other_line: Some(by.line),
        severity: Severity::Warning,
        meaning: Meaning::UnreachableRule { kind: by.kind, path: by.path.clone() },
        example: example(agent, &path),
    })
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn a_pattern_covers_another_if_it_matches_each_of_its_urls() {
        for (wide, narrow, expected) in [
            ("/a", "/a/b", true),
            ("/a*", "/a", true),
            ("/*.php", "/a/*.php$", true),
            ("/*.php$", "/a/*.php", false),
            ("/*b*", "/a*b", true),
            ("/a*b", "/a*", false),
            ("/a$", "/a", false),
            ("/a", "/a$", true),
            ("/*a*a", "/a*a", true),
            ("/*a*b", "/a*", false),
            ("/*", "/", true),
        ] {
            assert_eq!(covers(wide.as_bytes(), narrow.as_bytes()), expected, "{wide} {narrow}");
        }
    }
}
