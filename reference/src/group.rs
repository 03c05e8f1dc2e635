//! Grouping of lines and rules, and the one group that a crawler follows.
//!
//! *Google, "Grouping of lines and rules" and "Order of precedence for user
//! agents"; RFC 9309, 2.1, 2.2.1 and 2.2.4.*

use std::borrow::Cow;

use crate::agent::{Token, crawler_token, specificity, token};
use crate::line::{Lines, Record};
use crate::question::Answer;
use crate::question::Question::{self, *};
use crate::reading::Ask;
use crate::scan::RuleKind;

/// A rule with a path, as it stands in the file.
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
    /// A rule without a path has no effect, but it ends the head of the group.
    has_rule_line: bool,
}

/// What a crawler follows: its groups, combined into one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Followed<'r> {
    /// Which groups these are.
    pub(crate) groups: WhichGroups,
    /// The user-agent lines that name the crawler.
    pub(crate) agent_lines: Vec<usize>,
    pub(crate) rules: Vec<RuleLine<'r>>,
}

/// How a crawler came by its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichGroups {
    /// Groups that name the crawler.
    Named,
    /// Groups for `*`, as none names the crawler.
    Star,
    /// There is none for it.
    None,
}

/// What stands between two user-agent lines that follow each other.
#[derive(Default)]
struct Between {
    blank: bool,
    other: bool,
}

impl Between {
    fn ends_run(&self, ask: &mut impl Ask) -> bool {
        self.blank && ask.ask(BlankBetweenAgents) == Answer::EndsRun
            || self.other && ask.ask(OtherRecordBetweenAgents) == Answer::EndsRun
    }
}

/// The groups of the file, in order. Rules before the first are dropped.
fn groups<'r>(lines: &'r Lines<'_>, ask: &mut impl Ask) -> Vec<Group<'r>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut between = Between::default();
    let limit = lines.size_limit(ask);
    for line in lines.before(limit) {
        let record = line.record(ask);
        match &*record {
            Record::Blank => between.blank = true,
            Record::Sitemap(_) | Record::Other => between.other = true,
            Record::UserAgent(value) => {
                let Some(token) = named_by(value, ask) else {
                    between.other = true;
                    continue;
                };
                match groups.last_mut() {
                    Some(group) if !group.has_rule_line && !between.ends_run(ask) => {
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

fn named_by(value: &[u8], ask: &mut impl Ask) -> Option<Token> {
    if value.is_empty() {
        return (ask.ask(EmptyAgent) == Answer::Accept).then_some(Token::Nobody);
    }
    token(value, ask)
}

impl<'r> RuleLine<'r> {
    /// A rule without a path is ignored.
    fn with_path(line: usize, record: Cow<'r, Record<'_>>) -> Option<Self> {
        let (kind, path) = match record {
            Cow::Borrowed(Record::Rule(kind, path)) => (*kind, Cow::Borrowed(&**path)),
            Cow::Owned(Record::Rule(kind, path)) => (kind, Cow::Owned(path.into_owned())),
            _ => return None,
        };
        (!path.is_empty()).then_some(RuleLine { line, kind, path })
    }
}

/// The rules that a crawler follows: those of the groups with the most
/// specific name that fits it; else those of `*`; else none.
pub(crate) fn followed<'r>(lines: &'r Lines<'_>, agent: &str, ask: &mut impl Ask) -> Followed<'r> {
    let groups = groups(lines, ask);
    let crawler = crawler_token(agent, ask);

    let mut most_specific = None;
    let mut named: Vec<(usize, usize)> = Vec::new(); // (group, line)
    for (index, group) in groups.iter().enumerate() {
        for (line, token) in &group.agents {
            let specificity = specificity(token, &crawler, ask);
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
        return combined(groups, &named, WhichGroups::Named, SameAgentGroups, ask);
    }

    let starred: Vec<(usize, usize)> = groups
        .iter()
        .enumerate()
        .flat_map(|(index, group)| group.agents.iter().map(move |(line, token)| (index, *line, token)))
        .filter(|(.., token)| **token == Token::Star)
        .map(|(index, line, _)| (index, line))
        .collect();
    if !starred.is_empty() && star_covers(&crawler, ask) {
        return combined(groups, &starred, WhichGroups::Star, StarGroups, ask);
    }
    Followed { groups: WhichGroups::None, agent_lines: Vec::new(), rules: Vec::new() }
}

/// AdsBot crawlers are an exception of Google's guide.
fn star_covers(crawler: &[u8], ask: &mut impl Ask) -> bool {
    const ADSBOT: &[u8] = b"adsbot";
    let is_adsbot = crawler.get(..ADSBOT.len()).is_some_and(|start| start.eq_ignore_ascii_case(ADSBOT));
    !is_adsbot || ask.ask(AdsBotStar) == Answer::Yes
}

/// The chosen groups as one.
fn combined<'r>(
    groups: Vec<Group<'r>>,
    chosen: &[(usize, usize)],
    which: WhichGroups,
    question: Question,
    ask: &mut impl Ask,
) -> Followed<'r> {
    let (first, last) = (chosen[0].0, chosen[chosen.len() - 1].0);
    let first_only = first != last && ask.ask(question) == Answer::FirstOnly;
    let chosen = chosen.iter().filter(|(index, _)| !first_only || *index == first);
    let mut belongs = vec![false; groups.len()];
    let mut agent_lines = Vec::new();
    for &(index, line) in chosen {
        belongs[index] = true;
        agent_lines.push(line);
    }
    let rules =
        groups.into_iter().zip(belongs).filter(|(_, belongs)| *belongs).flat_map(|(group, _)| group.rules);
    let rules = rules.collect();
    Followed { groups: which, agent_lines, rules }
}
