//! Grouping of lines and rules, and the one group that a crawler follows.
//!
//! *Google, "Grouping of lines and rules" and "Order of precedence for user agents"; RFC 9309, 2.1, 2.2.1 and 2.2.4.*

use std::borrow::Cow;

use crate::agent::{Token, crawler_token, may_name, may_name_in_a_reading, specificity, token};
use crate::answer::{
    Acceptance, EmptyAllow as AllowWithoutPath, GroupChoice, GroupPrecedence, LineBetween, PathStart,
    Wildcard, YesOrNo,
};
use crate::bytes::escape;
use crate::line::Record;
use crate::lines::{CountedLine, Lines};
use crate::question::TypedQuestion;
use crate::question::typed::*;
use crate::reading::Reader;
use crate::scan::RuleKind;

/// A rule with a path, as it is written in the file. A file may have millions of them, so that this is small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleLine<'r> {
    /// The number of the line, from 1.
    pub(crate) line: u32,
    pub(crate) kind: RuleKind,
    /// Empty only where a rule without a path has an effect.
    pub(crate) path: Cow<'r, [u8]>,
    /// What a path that does not start with `/` stands for, once that is read.
    pub(crate) start: Option<PathStart>,
    /// Whether it is a record of an extension, which not every crawler knows.
    pub(crate) is_extension: bool,
}

/// One or more user-agent lines and the rules that follow them, while they are read.
#[derive(Debug, Default)]
struct OpenGroup<'r> {
    /// The user-agent lines that name the crawler, or every crawler.
    names: Vec<Name>,
    rules: Vec<RuleLine<'r>>,
    /// The values of its usage rules.
    usages: Vec<Cow<'r, [u8]>>,
    /// Whether the head of the group has ended. A rule without a path may end it, but has no other effect.
    has_rule_line: bool,
    /// Whether the group has ended.
    is_closed: bool,
}

/// A group that a crawler may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group<'r> {
    names: Vec<Name>,
    pub(crate) rules: Vec<RuleLine<'r>>,
    /// The values of its usage rules.
    usages: Vec<Cow<'r, [u8]>>,
}

/// A user-agent line that names the crawler, or every crawler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Name {
    /// The number of the line, from 1.
    line: u32,
    /// How specifically it names the crawler. Nothing for `*`.
    specificity: Option<usize>,
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

/// Some of the groups that a crawler may follow: those that it follows.
pub(crate) struct Selection {
    which: WhichGroups,
    /// The names that count, with the places of their groups in ascending order.
    names: Vec<(usize, Name)>,
}

impl Selection {
    /// Returns whether the crawler follows the group at this place.
    pub(crate) fn contains(&self, place: usize) -> bool {
        self.names.binary_search_by_key(&place, |(place, _)| *place).is_ok()
    }

    /// Returns the rules of the groups, which are some of these.
    fn rules<'r>(&self, groups: impl IntoIterator<Item = Group<'r>>) -> Vec<RuleLine<'r>> {
        let mut rules = Vec::new();
        for (_, group) in groups.into_iter().enumerate().filter(|(place, _)| self.contains(*place)) {
            if rules.is_empty() {
                rules = group.rules;
            } else {
                rules.extend(group.rules);
            }
        }
        rules
    }
}

/// The numbers of the lines of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupLines {
    /// The user-agent lines, whomever they name.
    pub agents: Vec<usize>,
    /// The rules that have an effect.
    pub rules: Vec<usize>,
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
    invalid: bool,
}

impl Between {
    /// Returns what the lines do to a user-agent line after them.
    fn effect(&self, reader: &mut impl Reader) -> LineBetween {
        if self.blank && reader.answer(BlankBetweenAgents) == LineBetween::EndsRun {
            return LineBetween::EndsRun;
        }
        let of_records =
            if self.other { reader.answer(OtherRecordBetweenAgents) } else { LineBetween::Transparent };
        match of_records {
            LineBetween::Transparent if self.invalid => reader.answer(InvalidLineBetweenAgents),
            of_records => of_records,
        }
    }
}

/// Returns the groups of lines, in order, with the names of one crawler, or else of all. Rules before the first group are
/// ignored.
fn open_groups<'l, 'r: 'l>(
    lines: impl Iterator<Item = CountedLine<'l, 'r>>,
    crawler: Option<&[u8]>,
    reader: &mut impl Reader,
) -> Vec<OpenGroup<'r>> {
    let mut groups: Vec<OpenGroup> = Vec::new();
    let mut between = Between::default();
    // Whether a group ends at the first user-agent line after its first rule, and nowhere else.
    let ends_after_rule = reader.always(AgentAfterRule, LineBetween::EndsRun)
        && are_records_transparent(reader)
        && !reader.admits(InvalidLineBetweenAgents, LineBetween::Ignore);
    for line in lines {
        if !reader.spend(1) {
            break;
        }
        reader.at_line(line.number());
        let record = line.record(reader);
        // A group of other crawlers, whose head has ended, or none. Its rules have no effect, nor does it matter whether
        // another such group starts.
        let is_of_others = crawler.is_some()
            && ends_after_rule
            && groups.last().is_none_or(|group| group.names.is_empty() && group.has_rule_line);
        match record {
            Record::UserAgent(value)
                if is_of_others && !may_name_in_a_reading(&value, crawler.unwrap_or_default(), reader) => {}
            Record::Rule(..) | Record::UsageRule(_) if is_of_others => {}
            Record::Blank => {
                between.blank = true;
                if let Some(group) = groups.last_mut().filter(|group| !group.is_closed) {
                    group.is_closed = reader.answer(BlankLine) == LineBetween::EndsRun;
                }
            }
            Record::Comment => between.blank = true,
            Record::Sitemap(_) | Record::Other => between.other = true,
            Record::Invalid => between.invalid = true,
            Record::Extension(paths) => {
                between.other = true;
                if let Some(group) = groups.last_mut().filter(|group| !group.is_closed)
                    && reader.admits(KnownExtension, Acceptance::Accept)
                {
                    let rule = RuleLine::new(line.number(), RuleKind::Disallow, paths);
                    group.rules.push(RuleLine { is_extension: true, ..rule });
                }
            }
            Record::UserAgent(value) => {
                let Some(token) = named_by(&value, crawler.unwrap_or(&value), reader) else {
                    // With a name that no grammar derives, it is a record.
                    *(if value.is_empty() { &mut between.invalid } else { &mut between.other }) = true;
                    continue;
                };
                let name = match crawler {
                    Some(crawler) => Name::of(line.number(), &token, crawler, reader),
                    None => Some(Name { line: line.number(), specificity: None }),
                };
                let effect = groups.last().map(|group| group.effect_on_agent(&between, reader));
                match (effect, groups.last_mut()) {
                    (Some(LineBetween::Transparent), Some(group)) => group.names.extend(name),
                    // Nor do the lines after it belong to a head.
                    (Some(LineBetween::Ignore), _) => continue,
                    _ => groups.push(OpenGroup { names: Vec::from_iter(name), ..OpenGroup::default() }),
                }
                between = Between::default();
            }
            Record::UsageRule(value) => {
                if let Some(group) = groups.last_mut() {
                    group.has_rule_line = true;
                    group.usages.push(value);
                }
            }
            Record::Rule(kind, path) if is_ignored_rule(kind, &path, reader) => between.other = true,
            Record::Rule(kind, path) => {
                let Some(group) = groups.last_mut().filter(|group| !group.is_closed) else { continue };
                // Where the head has ended, it makes no difference whether a line is ignored or matches nothing.
                let mut rule = RuleLine::new(line.number(), kind, path);
                if !group.has_rule_line && rule.start.is_none() && may_be_ignored(&rule.path, reader) {
                    rule.start = Some(path_start(&rule.path, reader));
                }
                if rule.start == Some(PathStart::Ignore) {
                    between.other = true;
                    continue;
                }
                group.has_rule_line |=
                    !rule.path.is_empty() || reader.answer(EmptyRule) == LineBetween::EndsRun;
                if rule.has_effect(reader) {
                    group.rules.push(rule);
                }
            }
        }
    }
    reader.at_line(0);
    groups
}

/// Returns whether the reading ignores a rule because of its field, or of characters of its path.
fn is_ignored_rule(kind: RuleKind, path: &[u8], reader: &mut impl Reader) -> bool {
    let is_ignored_allow = kind == RuleKind::Allow
        && (reader.answer(AllowField) == Acceptance::Ignore
            || path.is_empty() && reader.answer(EmptyAllow) == AllowWithoutPath::Ignore);
    is_ignored_allow
        || reader.admits(UnsafeInRule, Acceptance::Ignore)
            && !is_url_path(path)
            && reader.answer(UnsafeInRule) == Acceptance::Ignore
}

/// Returns whether a path has the characters of the path of a URL alone (RFC 1738, 5).
fn is_url_path(path: &[u8]) -> bool {
    let is_unsafe = |(at, byte): (usize, &u8)| match byte {
        b'%' => escape(&path[at..]).is_none(),
        byte => b"\"<>[\\]^`{|};?".contains(byte),
    };
    !path.iter().enumerate().any(is_unsafe)
}

/// Returns what the path of a rule stands for where it does not start with `/`. A rule that is ignored does not end the
/// head of a group.
pub(crate) fn path_start(path: &[u8], reader: &mut impl Reader) -> PathStart {
    match path.first() {
        None | Some(b'/') => PathStart::Keep,
        Some(b'*') if reader.answer(StarInPath) == Wildcard::Special => reader.answer(LeadingStar),
        Some(_) => reader.answer(LeadingSlash),
    }
}

/// Returns whether some reading ignores a rule whose path does not start with `/`.
pub(crate) fn may_be_ignored(path: &[u8], reader: &impl Reader) -> bool {
    let has_star = path.starts_with(b"*");
    has_star && reader.admits(LeadingStar, PathStart::Ignore)
        || !(has_star && reader.always(StarInPath, Wildcard::Special))
            && reader.admits(LeadingSlash, PathStart::Ignore)
}

/// Returns whether blank lines, comments and other records between user-agent lines have no effect in every reading.
pub(crate) fn are_records_transparent(reader: &impl Reader) -> bool {
    [OtherRecordBetweenAgents, BlankBetweenAgents, BlankLine]
        .iter()
        .all(|&question| reader.always(question, LineBetween::Transparent))
}

/// Returns whether a rule ends the head of its group in every reading.
pub(crate) fn always_ends_head(kind: RuleKind, path: &[u8], reader: &impl Reader) -> bool {
    path.starts_with(b"/")
        && (kind == RuleKind::Disallow || reader.always(AllowField, Acceptance::Accept))
        && reader.always(AgentAfterRule, LineBetween::EndsRun)
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
        Record::Rule(..) | Record::UsageRule(_) => {
            is_in_head = false;
            is_named
        }
        Record::Extension(_) => is_named,
        Record::Sitemap(_) | Record::Other | Record::Invalid | Record::Blank | Record::Comment => false,
    }
}

impl Name {
    /// Returns the name, where the token of the line names the crawler, or every crawler.
    fn of(line: u32, token: &Token, crawler: &[u8], reader: &mut impl Reader) -> Option<Self> {
        let specificity = match token {
            Token::Star => None,
            token => Some(specificity(token, crawler, reader)?),
        };
        Some(Name { line, specificity })
    }
}

impl OpenGroup<'_> {
    /// Returns whether the group counts: in koster-1994 and koster-1996 a record has a rule.
    fn is_record(&self, reader: &mut impl Reader) -> bool {
        self.has_rule_line || reader.answer(EmptyRecord) == Acceptance::Accept
    }

    /// Returns what the lines of this group, which is the last so far, do to a user-agent line after them.
    fn effect_on_agent(&self, between: &Between, reader: &mut impl Reader) -> LineBetween {
        if self.is_closed {
            return LineBetween::EndsRun;
        }
        let of_rules =
            if self.has_rule_line { reader.answer(AgentAfterRule) } else { LineBetween::Transparent };
        if of_rules == LineBetween::Transparent { between.effect(reader) } else { of_rules }
    }
}

fn named_by<'v>(value: &'v [u8], crawler: &[u8], reader: &mut impl Reader) -> Option<Token<'v>> {
    match if value.is_empty() { Some(Token::Empty) } else { token(value, crawler, reader) } {
        Some(Token::Empty) => (reader.answer(EmptyAgent) == Acceptance::Accept).then_some(Token::Empty),
        token => token,
    }
}

/// Returns whether a user-agent line with this value names the crawler, or every crawler.
pub(crate) fn names(value: &[u8], crawler: &[u8], reader: &mut impl Reader) -> bool {
    named_by(value, crawler, reader).is_some_and(|token| Name::of(0, &token, crawler, reader).is_some())
}

/// Returns whether rules of two files are the same, on whatever lines.
pub(crate) fn are_same_rules(rules: &[RuleLine], others: &[RuleLine]) -> bool {
    let is_same = |(a, b): (&RuleLine, &RuleLine)| {
        (a.kind, &a.path, a.start, a.is_extension) == (b.kind, &b.path, b.start, b.is_extension)
    };
    rules.len() == others.len() && rules.iter().zip(others).all(is_same)
}

impl<'r> RuleLine<'r> {
    pub(crate) fn new(line: u32, kind: RuleKind, path: Cow<'r, [u8]>) -> Self {
        let start = matches!(path.first(), None | Some(b'/')).then_some(PathStart::Keep);
        RuleLine { line, kind, path, start, is_extension: false }
    }

    /// What the rule does with the URLs that it matches. A disallow rule without a path allows every URL.
    pub(crate) fn effect(&self) -> RuleKind {
        if self.path.is_empty() { RuleKind::Allow } else { self.kind }
    }

    /// Returns whether the rule has an effect. A rule without a path has none, unless it allows everything.
    fn has_effect(&self, reader: &mut impl Reader) -> bool {
        !self.path.is_empty()
            || match self.kind {
                RuleKind::Allow => reader.answer(EmptyAllow) == AllowWithoutPath::Accept,
                RuleKind::Disallow => reader.answer(EmptyDisallow) == Acceptance::Accept,
            }
    }
}

/// Returns the groups of lines that a crawler may follow.
pub(crate) fn groups<'l, 'r: 'l>(
    lines: impl Iterator<Item = CountedLine<'l, 'r>>,
    crawler: &[u8],
    reader: &mut impl Reader,
) -> Vec<Group<'r>> {
    let open = open_groups(lines, Some(crawler), reader).into_iter();
    let counting = open.filter(|group| !group.names.is_empty() && group.is_record(reader));
    counting.map(|OpenGroup { names, rules, usages, .. }| Group { names, rules, usages }).collect()
}

/// Returns the lines of each group: its user-agent lines and its rules.
pub(crate) fn lines_of_groups(lines: &Lines, reader: &mut impl Reader) -> Vec<GroupLines> {
    let open = open_groups(lines.before(usize::MAX), None, reader).into_iter();
    let number = |line: u32| line as usize;
    open.map(|OpenGroup { names, rules, .. }| GroupLines {
        agents: names.iter().map(|name| number(name.line)).collect(),
        rules: rules.iter().filter(|rule| !rule.is_extension).map(|rule| number(rule.line)).collect(),
    })
    .collect()
}

/// Returns what a crawler follows.
pub(crate) fn followed<'r>(lines: &Lines<'r>, agent: &str, reader: &mut impl Reader) -> Followed<'r> {
    let crawler = crawler_token(agent, reader);
    let limit = lines.size_limit(is_relevant_to(crawler), reader);
    let (selection, mut rules) = selected_rules(lines.before(limit), crawler, reader);
    settle_starts(&mut rules, reader);
    let agent_lines = selection.names.iter().map(|(_, name)| name.line as usize).collect();
    Followed { groups: selection.which, agent_lines, rules }
}

/// Returns the values of the usage rules that a crawler follows.
pub(crate) fn followed_usages<'r>(
    lines: &Lines<'r>,
    agent: &str,
    reader: &mut impl Reader,
) -> Vec<Cow<'r, [u8]>> {
    let crawler = crawler_token(agent, reader);
    let limit = lines.size_limit(is_relevant_to(crawler), reader);
    let groups = groups(lines.before(limit), crawler, reader);
    let selection = select(&groups, crawler, reader);
    let followed = groups.into_iter().enumerate().filter(|(place, _)| selection.contains(*place));
    followed.flat_map(|(_, group)| group.usages).collect()
}

/// Returns the groups of lines that a crawler follows, and their rules.
pub(crate) fn selected_rules<'l, 'r: 'l>(
    lines: impl Iterator<Item = CountedLine<'l, 'r>>,
    crawler: &[u8],
    reader: &mut impl Reader,
) -> (Selection, Vec<RuleLine<'r>>) {
    let groups = groups(lines, crawler, reader);
    let selection = select(&groups, crawler, reader);
    let rules = selection.rules(groups);
    (selection, rules)
}

/// Reads what the paths of rules stand for, and removes the rules that the reading ignores.
pub(crate) fn settle_starts(rules: &mut Vec<RuleLine>, reader: &mut impl Reader) {
    rules.retain_mut(|RuleLine { path, start, .. }| {
        *start.get_or_insert_with(|| path_start(path, reader)) != PathStart::Ignore
    });
}

/// Returns the groups that a crawler follows: the groups with the most specific token that names the crawler, or the first
/// group with a token that names it, else the groups for `*`, else none.
pub(crate) fn select<'g, 'r: 'g>(
    groups: impl IntoIterator<Item = &'g Group<'r>> + Clone,
    crawler: &[u8],
    reader: &mut impl Reader,
) -> Selection {
    let names = |is_star: bool| -> Vec<(usize, Name)> {
        let names = groups.clone().into_iter().enumerate();
        let names = names.flat_map(|(place, group)| group.names.iter().map(move |name| (place, *name)));
        names.filter(|(_, name)| name.specificity.is_none() == is_star).collect()
    };
    let mut named = names(false);
    retain_preferred(&mut named, reader);
    if !named.is_empty() {
        let is_short = named.iter().all(|(_, name)| name.specificity == Some(1));
        if is_short
            && reader.admits(StarIsShort, YesOrNo::Yes)
            && names(true).first().is_some_and(|(place, _)| *place < named[0].0)
        {
            return combined(names(true), WhichGroups::Star, StarGroups, reader);
        }
        let mut selection = combined(named, WhichGroups::Named, SameAgentGroups, reader);
        let starred = if reader.admits(StarAdded, YesOrNo::Yes) { names(true) } else { Vec::new() };
        if !starred.is_empty() && reader.answer(StarAdded) == YesOrNo::Yes {
            selection.names.extend(starred);
            selection.names.sort_by_key(|(place, _)| *place);
        }
        return selection;
    }
    let starred = names(true);
    if !starred.is_empty() && star_covers(crawler, reader) {
        return combined(starred, WhichGroups::Star, StarGroups, reader);
    }
    Selection { which: WhichGroups::None, names: Vec::new() }
}

/// Keeps the names that count.
fn retain_preferred(names: &mut Vec<(usize, Name)>, reader: &mut impl Reader) {
    let longest = names.iter().map(|(_, name)| name.specificity).max().flatten();
    // Tokens of one length leave nothing to decide.
    let is_decided = names.iter().all(|(_, name)| name.specificity == longest);
    let precedence = if is_decided { GroupPrecedence::All } else { reader.answer(AgentPrecedence) };
    match precedence {
        GroupPrecedence::All => {}
        GroupPrecedence::First => names.truncate(1),
        GroupPrecedence::MostSpecific => names.retain(|(_, name)| name.specificity == longest),
    }
}

/// Returns whether `*` covers the crawler. Google's guide makes an exception for AdsBot crawlers.
fn star_covers(crawler: &[u8], reader: &mut impl Reader) -> bool {
    const ADSBOT: &[u8] = b"adsbot";
    let is_adsbot = crawler.get(..ADSBOT.len()).is_some_and(|start| start.eq_ignore_ascii_case(ADSBOT));
    !is_adsbot || reader.answer(AdsBotStar) == YesOrNo::Yes
}

/// Combines the groups with these names into one.
fn combined(
    mut names: Vec<(usize, Name)>,
    which: WhichGroups,
    question: TypedQuestion<GroupChoice>,
    reader: &mut impl Reader,
) -> Selection {
    let (first, last) = (names[0].0, names[names.len() - 1].0);
    let choice = if first == last { GroupChoice::Combine } else { reader.answer(question) };
    names.retain(|(place, _)| match choice {
        GroupChoice::Combine => true,
        GroupChoice::FirstOnly => *place == first,
        GroupChoice::LastOnly => *place == last,
    });
    Selection { which, names }
}
