//! Grouping of lines and rules, and the one group that a crawler follows.
//!
//! *Google, "Grouping of lines and rules" and "Order of precedence for user agents"; RFC 9309, 2.1, 2.2.1 and 2.2.4.*

use std::borrow::Cow;

use crate::agent::{Token, crawler_token, may_name, specificity, token};
use crate::answer::{Acceptance, GroupChoice, GroupPrecedence, LineBetween, PathStart, Wildcard, YesOrNo};
use crate::line::{Lines, Record};
use crate::question::TypedQuestion;
use crate::question::typed::*;
use crate::reading::Reader;
use crate::scan::RuleKind;

/// A rule with a path, as it is written in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleLine<'r> {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    pub(crate) kind: RuleKind,
    /// Empty only where a rule without a path has an effect.
    pub(crate) path: Cow<'r, [u8]>,
    /// What a path that does not start with `/` stands for, once that is read.
    pub(crate) start: Option<PathStart>,
}

/// One or more user-agent lines and the rules that follow them.
#[derive(Debug, Default)]
struct Group<'r> {
    agents: Vec<(usize, Token)>,
    rules: Vec<RuleLine<'r>>,
    /// Whether the head of the group has ended. A rule without a path may end it, but has no other effect.
    has_rule_line: bool,
    /// Whether the group has ended.
    is_closed: bool,
}

/// The groups that a crawler follows, combined into one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Followed<'r> {
    /// Which groups they are.
    pub(crate) groups: WhichGroups,
    /// The user-agent lines that name the crawler.
    pub(crate) agent_lines: Vec<usize>,
    pub(crate) rules: Vec<RuleLine<'r>>,
}

/// Which groups a crawler follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichGroups {
    /// The groups that name the crawler.
    Named,
    /// The groups for `*`, because no group names the crawler.
    Star,
    /// No group.
    None,
}

/// Which lines there are between one user-agent line and the next.
#[derive(Default)]
struct Between {
    blank: bool,
    other: bool,
}

impl Between {
    fn ends_run(&self, reader: &mut impl Reader) -> bool {
        self.blank && reader.answer(BlankBetweenAgents) == LineBetween::EndsRun
            || self.other && reader.answer(OtherRecordBetweenAgents) == LineBetween::EndsRun
    }
}

/// Returns the groups of the file, in order. Rules before the first group are ignored.
fn groups<'r>(lines: &'r Lines<'_>, crawler: &[u8], reader: &mut impl Reader) -> Vec<Group<'r>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut between = Between::default();
    let limit = lines.size_limit(is_relevant_to(crawler), reader);
    for line in lines.before(limit) {
        if !reader.spend(1) {
            break;
        }
        let record = line.record(reader);
        match &*record {
            Record::Blank => {
                between.blank = true;
                if let Some(group) = groups.last_mut().filter(|group| !group.is_closed) {
                    group.is_closed = reader.answer(BlankLine) == LineBetween::EndsRun;
                }
            }
            Record::Comment => between.blank = true,
            Record::Sitemap(_) | Record::Other => between.other = true,
            Record::UserAgent(value) => {
                let Some(token) = named_by(value, reader) else {
                    between.other = true;
                    continue;
                };
                match groups.last_mut() {
                    Some(group) if group.accepts_agent(&between, reader) => {
                        group.agents.push((line.number, token));
                    }
                    _ => groups.push(Group { agents: vec![(line.number, token)], ..Group::default() }),
                }
                between = Between::default();
            }
            Record::UsageRule => {
                if let Some(group) = groups.last_mut() {
                    group.has_rule_line = true;
                }
            }
            Record::Rule(RuleKind::Allow, _) if reader.answer(AllowField) == Acceptance::Ignore => {
                between.other = true;
            }
            Record::Rule(kind, path) => {
                let Some(group) = groups.last_mut().filter(|group| !group.is_closed) else { continue };
                // Where the head has ended, it makes no difference whether a line is ignored or matches nothing.
                let start = if group.has_rule_line { None } else { Some(path_start(path, reader)) };
                if start == Some(PathStart::Ignore) {
                    between.other = true;
                    continue;
                }
                group.has_rule_line |= !path.is_empty() || reader.answer(EmptyRule) == LineBetween::EndsRun;
                group.rules.extend(RuleLine::with_path(line.number, *kind, path_of(&record), start, reader));
            }
        }
    }
    groups
}

/// Returns the path of the record of a rule.
fn path_of<'r>(record: &Cow<'r, Record<'_>>) -> Cow<'r, [u8]> {
    match record {
        Cow::Borrowed(Record::Rule(_, path)) => Cow::Borrowed(path),
        Cow::Owned(Record::Rule(_, path)) => Cow::Owned(path.to_vec()),
        _ => Cow::default(),
    }
}

/// Returns what the path of a rule stands for where it does not start with `/`. A rule that is ignored does not end the
/// head of a group.
fn path_start(path: &[u8], reader: &mut impl Reader) -> PathStart {
    match path.first() {
        None | Some(b'/') => PathStart::Keep,
        Some(b'*') if reader.answer(StarInPath) == Wildcard::Special => reader.answer(LeadingStar),
        Some(_) => reader.answer(LeadingSlash),
    }
}

/// Returns a function that shows, for each line of a file in order, whether what the crawler follows may depend on
/// whether the line is before the size limit: a user-agent line that may name the crawler, or a rule after one.
fn is_relevant_to(crawler: &[u8]) -> impl FnMut(&Record) -> bool {
    let mut is_in_head = false;
    let mut is_named = false;
    move |record| match record {
        Record::UserAgent(value) => {
            let names = may_name(value, crawler);
            is_named = names || is_in_head && is_named;
            is_in_head = true;
            names
        }
        Record::Rule(..) | Record::UsageRule => {
            is_in_head = false;
            is_named
        }
        Record::Sitemap(_) | Record::Other | Record::Blank | Record::Comment => false,
    }
}

impl Group<'_> {
    /// Returns whether a user-agent line belongs to the head of this group, which is the last so far.
    fn accepts_agent(&self, between: &Between, reader: &mut impl Reader) -> bool {
        !self.is_closed
            && (!self.has_rule_line || reader.answer(AgentAfterRule) == LineBetween::Transparent)
            && !between.ends_run(reader)
    }
}

fn named_by(value: &[u8], reader: &mut impl Reader) -> Option<Token> {
    match if value.is_empty() { Some(Token::Empty) } else { token(value, reader) } {
        Some(Token::Empty) => (reader.answer(EmptyAgent) == Acceptance::Accept).then_some(Token::Empty),
        token => token,
    }
}

impl Followed<'_> {
    /// Returns whether these are the rules of another file, on whatever lines.
    pub(crate) fn has_rules_of(&self, other: &Followed) -> bool {
        let is_same =
            |(a, b): (&RuleLine, &RuleLine)| (a.kind, &a.path, a.start) == (b.kind, &b.path, b.start);
        self.rules.len() == other.rules.len() && self.rules.iter().zip(&other.rules).all(is_same)
    }

    /// Returns the same without a reference to the file.
    pub(crate) fn into_owned(self) -> Followed<'static> {
        let into_owned = |rule: RuleLine<'_>| RuleLine { path: Cow::Owned(rule.path.into_owned()), ..rule };
        Followed {
            groups: self.groups,
            agent_lines: self.agent_lines,
            rules: self.rules.into_iter().map(into_owned).collect(),
        }
    }
}

impl<'r> RuleLine<'r> {
    /// Returns the rule with what its path stands for, or nothing where the rule is ignored.
    fn with_start(self, reader: &mut impl Reader) -> Option<Self> {
        let start = self.start.unwrap_or_else(|| path_start(&self.path, reader));
        (start != PathStart::Ignore).then_some(RuleLine { start: Some(start), ..self })
    }

    /// What the rule does with the URLs that it matches. A disallow rule without a path allows every URL.
    pub(crate) fn effect(&self) -> RuleKind {
        if self.path.is_empty() { RuleKind::Allow } else { self.kind }
    }

    /// Returns the rule. A rule without a path is ignored, unless it allows everything.
    fn with_path(
        line: usize,
        kind: RuleKind,
        path: Cow<'r, [u8]>,
        start: Option<PathStart>,
        reader: &mut impl Reader,
    ) -> Option<Self> {
        let has_effect = !path.is_empty()
            || kind == RuleKind::Disallow && reader.answer(EmptyDisallow) == Acceptance::Accept;
        has_effect.then_some(RuleLine { line, kind, path, start })
    }
}

/// Returns the rules that a crawler follows: the rules of the groups with the most specific token that names the
/// crawler, or of the first group with a token that names it, else the rules of the groups for `*`, else none.
pub(crate) fn followed<'r>(lines: &'r Lines<'_>, agent: &str, reader: &mut impl Reader) -> Followed<'r> {
    let crawler = crawler_token(agent, reader);
    let groups = groups(lines, &crawler, reader);

    let mut matches: Vec<(usize, usize, usize)> = Vec::new(); // (specificity, place of the group, number of the line)
    for (index, group) in groups.iter().enumerate() {
        for (line, token) in &group.agents {
            matches.extend(specificity(token, &crawler, reader).map(|length| (length, index, *line)));
        }
    }
    let named = preferred(&matches, reader);
    if !named.is_empty() {
        return combined(groups, &named, WhichGroups::Named, SameAgentGroups, reader);
    }

    let starred: Vec<(usize, usize)> = groups
        .iter()
        .enumerate()
        .flat_map(|(index, group)| group.agents.iter().map(move |(line, token)| (index, *line, token)))
        .filter(|(.., token)| **token == Token::Star)
        .map(|(index, line, _)| (index, line))
        .collect();
    if !starred.is_empty() && star_covers(&crawler, reader) {
        return combined(groups, &starred, WhichGroups::Star, StarGroups, reader);
    }
    Followed { groups: WhichGroups::None, agent_lines: Vec::new(), rules: Vec::new() }
}

/// Returns the matches that count: the place of each group and the number of its line.
fn preferred(matches: &[(usize, usize, usize)], reader: &mut impl Reader) -> Vec<(usize, usize)> {
    let longest = matches.iter().map(|(length, ..)| *length).max();
    let is_longest = |length: usize| Some(length) == longest;
    // Tokens of one length leave nothing to decide.
    let is_decided = matches.iter().all(|(length, ..)| is_longest(*length));
    let precedence = if is_decided { GroupPrecedence::All } else { reader.answer(AgentPrecedence) };
    let mut preferred = matches.to_vec();
    match precedence {
        GroupPrecedence::All => {}
        GroupPrecedence::First => preferred.truncate(1),
        GroupPrecedence::MostSpecific => preferred.retain(|(length, ..)| is_longest(*length)),
    }
    preferred.into_iter().map(|(_, index, line)| (index, line)).collect()
}

/// Returns whether `*` covers the crawler. Google's guide makes an exception for AdsBot crawlers.
fn star_covers(crawler: &[u8], reader: &mut impl Reader) -> bool {
    const ADSBOT: &[u8] = b"adsbot";
    let is_adsbot = crawler.get(..ADSBOT.len()).is_some_and(|start| start.eq_ignore_ascii_case(ADSBOT));
    !is_adsbot || reader.answer(AdsBotStar) == YesOrNo::Yes
}

/// Combines the chosen groups into one.
fn combined<'r>(
    groups: Vec<Group<'r>>,
    chosen: &[(usize, usize)],
    which: WhichGroups,
    question: TypedQuestion<GroupChoice>,
    reader: &mut impl Reader,
) -> Followed<'r> {
    let (first, last) = (chosen[0].0, chosen[chosen.len() - 1].0);
    let choice = if first == last { GroupChoice::Combine } else { reader.answer(question) };
    let chosen = chosen.iter().filter(|(index, _)| match choice {
        GroupChoice::Combine => true,
        GroupChoice::FirstOnly => *index == first,
        GroupChoice::LastOnly => *index == last,
    });
    let mut belongs = vec![false; groups.len()];
    let mut agent_lines = Vec::new();
    for &(index, line) in chosen {
        belongs[index] = true;
        agent_lines.push(line);
    }
    let rules =
        groups.into_iter().zip(belongs).filter(|(_, belongs)| *belongs).flat_map(|(group, _)| group.rules);
    let rules = rules.filter_map(|rule| rule.with_start(reader)).collect();
    Followed { groups: which, agent_lines, rules }
}
