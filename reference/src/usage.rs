//! Usage rules: which preferences apply to a URL.
//!
//! *draft-ietf-aipref-attach-05, "Content-Usage Rule Semantics".*

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use memchr::memchr;

use crate::answer::{GroupChoice, RecordKind, YesOrNo};
use crate::bytes::trim;
use crate::doubt::{Doubt, doubts};
use crate::edition::Edition;
use crate::group::followed_usages;
use crate::path::Target;
use crate::pattern::Pattern;
use crate::precedence::Count;
use crate::question::typed::{ContentUsage, UsageConflict, UsageLength, UsageTie};
use crate::reading::{Explorer, Reader, Reading, SingleReader, common_outcome, explore};
use crate::ruling::{AppliedRules, RobotsTxt, Verdict};
use crate::target::NotAUrl;
use crate::usage_line::{is_member, path_and_preference};

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
        if SingleReader::new(&plainest).answer(ContentUsage) == RecordKind::Other {
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
        let of_reading =
            |reading: &Reading| self.preferences(agent, &target, &mut SingleReader::new(reading));
        Ok(Usage { preferences: None, doubts: doubts(&plainest, outcomes, of_reading) })
    }

    /// Returns the preferences of one reading.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn usage_of(&self, reading: &Reading, agent: &str, url: &str) -> Result<Preferences, NotAUrl> {
        Ok(self.preferences(agent, &Target::of(url)?, &mut SingleReader::new(reading)))
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
        let most_specific = most_specific(&rules, target, reader);
        let mut preferences: Preferences = most_specific.flat_map(|rule| members(rule.preference)).collect();
        let denied = preferences.iter().filter_map(|member| member.strip_suffix("=n").map(str::to_owned));
        let denied: Vec<String> = denied.collect();
        let is_in_conflict = |key: &String| preferences.contains(&format!("{key}=y"));
        if denied.iter().any(is_in_conflict) && reader.answer(UsageConflict) == YesOrNo::Yes {
            denied.iter().for_each(|key| _ = preferences.remove(&format!("{key}=y")));
        }
        preferences
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
    let count = Count::of(UsageLength, matching.iter().map(|rule| &rule.pattern), differ, reader);
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
#[path = "../tests/unit/usage.rs"]
mod tests;
