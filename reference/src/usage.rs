//! Usage rules: lines with the field `content-usage`.
//!
//! *draft-ietf-aipref-attach-05, "Robots Exclusion Protocol Content-Usage Rule".*

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use memchr::memchr;

use crate::answer::{GroupChoice, RecordKind};
use crate::bytes::{is_blank, trim};
use crate::doubt::{Doubt, doubts};
use crate::edition::Edition;
use crate::field_name::{CONTENT_USAGE, resembles_usage};
use crate::group::followed_usages;
use crate::path::Target;
use crate::pattern::Pattern;
use crate::precedence::Count;
use crate::question::typed::{ContentUsage, UsageTie};
use crate::reading::{Explorer, Reader, Reading, common_outcome, explore};
use crate::ruling::{AppliedRules, RobotsTxt, Verdict};
use crate::target::NotAUrl;

/// How the field is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UsageName {
    /// In any letter case.
    Exact,
    /// With a misspelling, as a longer word, or without a colon.
    Misspelt,
}

/// Splits a line whose field is `content-usage`, or resembles it, into the form of its name and its value.
pub(crate) fn usage_line(text: &[u8]) -> Option<(UsageName, &[u8])> {
    let Some(colon) = memchr(b':', text) else {
        let text = trim(text);
        let end = text.iter().position(|&byte| is_blank(byte))?;
        return resembles_usage(&text[..end]).then(|| (UsageName::Misspelt, trim(&text[end..])));
    };
    let (name, value) = (trim(&text[..colon]), trim(&text[colon + 1..]));
    if name.eq_ignore_ascii_case(CONTENT_USAGE.as_bytes()) {
        return Some((UsageName::Exact, value));
    }
    resembles_usage(name).then_some((UsageName::Misspelt, value))
}

/// Returns the path of a usage rule, which may be absent, and its preference.
fn path_and_preference(value: &[u8]) -> (&[u8], &[u8]) {
    if value.first() != Some(&b'/') {
        return (b"", value);
    }
    let end = value.iter().position(|&byte| is_blank(byte)).unwrap_or(value.len());
    (&value[..end], trim(&value[end..]))
}

/// Returns whether the value of a line consists of a path, which may be absent, and a preference: a dictionary of keys with
/// values (RFC 9651, 3.2). Parameters and quoted values are not preferences of the draft.
pub(crate) fn is_usage_value(value: &[u8]) -> bool {
    let (_, preference) = path_and_preference(value);
    preference.split(|&byte| byte == b',').map(trim).all(is_member)
}

/// Returns whether the text is a member of a dictionary: `train-ai=n`.
fn is_member(text: &[u8]) -> bool {
    let Some(sign) = memchr(b'=', text) else { return false };
    let (key, value) = (&text[..sign], &text[sign + 1..]);
    let is_start = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'*';
    let is_key = |byte: &u8| is_start(byte) || byte.is_ascii_digit() || b"_-.".contains(byte);
    key.first().is_some_and(is_start)
        && key.iter().all(is_key)
        && !value.is_empty()
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:%*/".contains(byte))
}

/// What a usage rule says of the resources that its path matches.
struct UsageRule<'r> {
    pattern: Pattern<'r>,
    path: &'r [u8],
    preference: &'r [u8],
}

impl<'r> UsageRule<'r> {
    fn parse(value: &'r [u8]) -> Self {
        let (path, preference) = path_and_preference(value);
        UsageRule { pattern: Pattern::parse(Cow::Borrowed(path), false), path, preference }
    }
}

/// Returns the members of a statement of preference. Of members with one key, the last counts (RFC 9651, 3.2). What is not
/// a dictionary is one member, as it is written; an empty statement has none.
fn members(preference: &[u8]) -> impl Iterator<Item = String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut members = BTreeMap::new();
    if preference.split(|&byte| byte == b',').map(trim).all(is_member) {
        for member in preference.split(|&byte| byte == b',').map(trim) {
            let sign = memchr(b'=', member).unwrap_or(member.len());
            members.insert(&member[..sign], text(member));
        }
    } else if !preference.is_empty() {
        members.insert(preference, text(preference));
    }
    members.into_values()
}

/// The preferences that apply to a URL: the members of their dictionaries, such as `train-ai=n`. Two of them may contradict
/// each other, because preferences of rules with the same path apply separately.
pub type Preferences = BTreeSet<String>;

/// What an edition says about the usage preferences for a URL, with the reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// The preferences; `None` where readings differ, or where the edition has no usage rules.
    pub preferences: Option<Preferences>,
    /// The questions that the preferences depend on, where readings differ.
    pub doubts: Vec<Doubt<Preferences>>,
}

/// Returns the members of statements of preference, such as `train-ai=n, search=y`.
pub fn preferences<'s>(statements: impl IntoIterator<Item = &'s str>) -> Preferences {
    statements.into_iter().flat_map(|statement| members(trim(statement.as_bytes()))).collect()
}

impl RobotsTxt<'_> {
    /// Returns the usage preferences for a URL that an agent may fetch. There are none for one that it may not fetch.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn usage(&self, edition: Edition, agent: &str, url: &str) -> Result<Usage, NotAUrl> {
        let target = Target::of(url)?;
        let plainest = Reading::plainest(edition);
        if plainest.clone().answer(ContentUsage) == RecordKind::Other {
            return Ok(Usage { preferences: None, doubts: Vec::new() });
        }
        let common = common_outcome(&mut Explorer::new(edition), |explorer| {
            self.preferences(agent, &target, explorer)
        });
        if common.is_some() {
            return Ok(Usage { preferences: common, doubts: Vec::new() });
        }
        let mut outcomes = Vec::new();
        // Of too many readings, the first ones show what the preferences depend on.
        let _ = explore(
            &mut Explorer::new(edition),
            |explorer| self.preferences(agent, &target, explorer),
            |choices, preferences| {
                outcomes.push((choices.to_vec(), preferences));
                ControlFlow::Continue(())
            },
        );
        let of_reading = |reading: &Reading| self.preferences(agent, &target, &mut reading.clone());
        Ok(Usage { preferences: None, doubts: doubts(&plainest, outcomes, of_reading) })
    }

    /// Returns the preferences of one reading.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn usage_of(&self, reading: &Reading, agent: &str, url: &str) -> Result<Preferences, NotAUrl> {
        Ok(self.preferences(agent, &Target::of(url)?, &mut reading.clone()))
    }

    /// Returns the preferences that all readings share, also those that answer a question for each of its subjects
    /// separately, as [`ruling_in_detail`](RobotsTxt::ruling_in_detail) does.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn usage_in_detail(
        &self,
        edition: Edition,
        agent: &str,
        url: &str,
    ) -> Result<Option<Preferences>, NotAUrl> {
        let target = Target::of(url)?;
        Ok(common_outcome(&mut Explorer::in_detail(edition), |explorer| {
            self.preferences(agent, &target, explorer)
        }))
    }

    fn preferences(&self, agent: &str, target: &Target, reader: &mut impl Reader) -> Preferences {
        if AppliedRules::new(self.followed(agent, reader)).verdict(target, reader) == Verdict::Disallow {
            return Preferences::new();
        }
        let lines = self.lines(reader);
        let values = followed_usages(&lines, agent, reader);
        let rules: Vec<UsageRule> = values.iter().map(|value| UsageRule::parse(value)).collect();
        most_specific(&rules, target, reader).flat_map(|rule| members(rule.preference)).collect()
    }
}

/// Returns the rules with the longest path that matches: the same matching rules as for allow and disallow.
fn most_specific<'m, 'r>(
    rules: &'m [UsageRule<'r>],
    target: &Target,
    reader: &mut impl Reader,
) -> impl Iterator<Item = &'m UsageRule<'r>> {
    let mut matching: Vec<&UsageRule> =
        rules.iter().filter(|rule| rule.pattern.matches(target.compared(reader), reader)).collect();
    let differ = matching.iter().any(|rule| rule.path != matching[0].path);
    let count = Count::of(matching.iter().map(|rule| &rule.pattern), differ, reader);
    let longest = matching.iter().map(|rule| count.length_of(&rule.pattern)).max();
    matching.retain(|rule| Some(count.length_of(&rule.pattern)) == longest);
    if let [first, .., last] = matching[..]
        && matching.iter().any(|rule| rule.path != first.path)
    {
        match reader.answer(UsageTie) {
            GroupChoice::Combine => {}
            GroupChoice::FirstOnly => matching.retain(|rule| rule.path == first.path),
            GroupChoice::LastOnly => matching.retain(|rule| rule.path == last.path),
        }
    }
    matching.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_preference_perhaps_after_a_path() {
        for value in ["train-ai=n", "/ai-ok/ train-ai=y", "train-ai=n, search=y", "/a\ttrain-ai=n,*=y"] {
            assert!(is_usage_value(value.as_bytes()), "{value}");
        }
        for value in ["", "/a", "no", "/a b c=d", "train-ai=", "=n", "train-ai=n,", "Train-AI=n", "a=\"b\""] {
            assert!(!is_usage_value(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn the_last_of_members_with_one_key_counts() {
        let members = |value: &str| Vec::from_iter(preferences([value]));
        assert_eq!(members("train-ai=n, search=y,train-ai=y"), ["search=y", "train-ai=y"]);
        assert_eq!(members("no training"), ["no training"]);
        assert!(members(" ").is_empty());
    }

    #[test]
    fn a_name_may_be_misspelt() {
        let name = |line: &'static str| usage_line(line.as_bytes()).map(|(name, _)| name);
        assert_eq!(name(" Content-Usage : a=b"), Some(UsageName::Exact));
        for line in ["contentusage: a=b", "content usage: a=b", "content-usages: a=b", "content-usage a=b"] {
            assert_eq!(name(line), Some(UsageName::Misspelt), "{line}");
        }
        assert_eq!(name("content-signal: a=b"), None);
        assert_eq!(name("content-usage"), None);
    }
}
