//! Grouping of lines and rules, and the one group that a crawler follows.
//!
//! *Google, "Grouping of lines and rules" and "Order of precedence for user agents"; RFC 9309, 2.1, 2.2.1 and 2.2.4.*

use std::borrow::Cow;

use crate::agent::{Token, crawler_token, specificity, token};
use crate::answer::{Acceptance, GroupChoice, LineBetween, YesOrNo};
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
    /// Not empty.
    pub(crate) path: Cow<'r, [u8]>,
}

/// One or more user-agent lines and the rules that follow them.
#[derive(Debug, Default)]
struct Group<'r> {
    agents: Vec<(usize, Token)>,
    rules: Vec<RuleLine<'r>>,
    /// Whether the head of the group has ended. A rule without a path ends it too, but has no other effect.
    has_rule_line: bool,
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
fn groups<'r>(lines: &'r Lines<'_>, reader: &mut impl Reader) -> Vec<Group<'r>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut between = Between::default();
    let limit = lines.size_limit(reader);
    for line in lines.before(limit) {
        let record = line.record(reader);
        match &*record {
            Record::Blank => between.blank = true,
            Record::Sitemap(_) | Record::Other => between.other = true,
            Record::UserAgent(value) => {
                let Some(token) = named_by(value, reader) else {
                    between.other = true;
                    continue;
                };
                match groups.last_mut() {
                    Some(group) if !group.has_rule_line && !between.ends_run(reader) => {
                        group.agents.push((line.number, token));
                    }
                    _ => groups.push(Group { agents: vec![(line.number, token)], ..Group::default() }),
                }
                between = Between::default();
            }
            Record::Rule(..) => {
                let Some(group) = groups.last_mut() else { continue };
                group.has_rule_line = true;
                group.rules.extend(RuleLine::with_path(line.number, record));
            }
        }
    }
    groups
}

fn named_by(value: &[u8], reader: &mut impl Reader) -> Option<Token> {
    if value.is_empty() {
        return (reader.answer(EmptyAgent) == Acceptance::Accept).then_some(Token::Empty);
    }
    token(value, reader)
}

impl<'r> RuleLine<'r> {
    /// Returns a rule without a path is ignored.
    fn with_path(line: usize, record: Cow<'r, Record<'_>>) -> Option<Self> {
        let (kind, path) = match record {
            Cow::Borrowed(Record::Rule(kind, path)) => (*kind, Cow::Borrowed(&**path)),
            Cow::Owned(Record::Rule(kind, path)) => (kind, Cow::Owned(path.into_owned())),
            _ => return None,
        };
        (!path.is_empty()).then_some(RuleLine { line, kind, path })
    }
}

/// Returns the rules that a crawler follows: the rules of the groups with the most specific token that names the
/// crawler, else the rules of the groups for `*`, else none.
pub(crate) fn followed<'r>(lines: &'r Lines<'_>, agent: &str, reader: &mut impl Reader) -> Followed<'r> {
    let groups = groups(lines, reader);
    let crawler = crawler_token(agent, reader);

    let mut most_specific = None;
    let mut named: Vec<(usize, usize)> = Vec::new(); // (place of the group, number of the line)
    for (index, group) in groups.iter().enumerate() {
        for (line, token) in &group.agents {
            let specificity = specificity(token, &crawler, reader);
            if specificity.is_none() || specificity < most_specific {
                continue;
            }
            if specificity > most_specific {
                most_specific = specificity;
                named.clear();
            }
            named.push((index, *line));
        }
    }
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
    let first_only = first != last && reader.answer(question) == GroupChoice::FirstOnly;
    let chosen = chosen.iter().filter(|(index, _)| !first_only || *index == first);
    let mut belongs = vec![false; groups.len()];
    let mut agent_lines = Vec::new();
    for &(index, line) in chosen {
        belongs[index] = true;
        agent_lines.push(line);
    }
    let rules =
        groups.into_iter().zip(belongs).filter(|(_, belongs)| *belongs).flat_map(|(group, _)| group.rules);
    Followed { groups: which, agent_lines, rules: rules.collect() }
}
