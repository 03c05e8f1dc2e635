//! The rules that one agent follows in every reading, for rulings about many URLs.
//!
//! Most questions that a file raises do not decide a verdict. So only the [lines](crate::fast::relevant_lines) that may have an
//! effect on what the agent follows are read in each reading, and readings of paths are enumerated only for a URL that some
//! of the rules match in some reading.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::agent::crawler_token;
use crate::answer::BrokenUrl;
use crate::edition::Edition;
use crate::enumeration::Readings;
use crate::fast::relevant_lines::relevant_lines;
use crate::group::{RuleLine, are_same_rules, selected_rules, settle_starts};
use crate::lines::LineRecords;
use crate::path::Target;
use crate::reading::{Explorer, Reader, Reading, SingleReader, common_outcome, explore};
use crate::rule::{Match, Rule, Rules};
use crate::ruling::{AppliedRules, Decision, RobotsTxt, Ruling, Verdict, broken_url, verdict};
use crate::scan::RuleKind;
use crate::target::{NotAUrl, is_robots_txt};

/// The rules that an agent follows, in every reading.
#[derive(Debug, Clone)]
pub struct AgentRules<'r> {
    pub(crate) robots: &'r RobotsTxt<'r>,
    pub(crate) edition: Edition,
    /// Whether each subject of a question has an answer of its own.
    is_detailed: bool,
    pub(crate) agent: String,
    /// Nothing where there are too many readings.
    followed: Option<PossibleRules<'r>>,
    /// All readings, once an explanation needs them.
    pub(crate) readings: OnceLock<Readings<'r>>,
    /// What the agent follows in single readings, once an explanation needs it.
    single: RefCell<Vec<(Reading, AppliedRules<'r>)>>,
}

/// The number of single readings that are kept. An explanation needs the plainest, and others with a different answer or two.
const KEPT: usize = 16;

/// The rules that an agent follows in some reading.
#[derive(Debug, Clone)]
struct PossibleRules<'r> {
    /// In the order of the file.
    rules: Rules<'r>,
    /// The places of those that it follows in some readings, in ascending order. None where it follows all in every reading.
    ways: Vec<Vec<usize>>,
}

/// A rule that matches a URL in some reading.
struct Candidate<'m> {
    place: usize,
    line: &'m RuleLine<'m>,
    /// Whether it matches in every reading.
    is_certain: bool,
}

impl RobotsTxt<'_> {
    /// Returns whether the agent may fetch the URL.
    ///
    /// `agent` is a product token such as `FooBot`. `url` is an absolute URL, or starts with its path.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        self.for_agent(edition, agent).ruling(url)
    }

    /// Returns the same for readings that answer a question for each of its subjects separately: a reading that accepts
    /// one misspelling need not accept another. The ruling is definite only where [`ruling`](RobotsTxt::ruling) is, and
    /// then it is the same.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling_in_detail(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        self.for_agent_in_detail(edition, agent).ruling(url)
    }

    /// Returns whether another file has the same verdict as this one in every reading, also where a reading answers a
    /// question for each of its subjects separately.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn agrees_in_every_reading(
        &self,
        other: &RobotsTxt,
        edition: Edition,
        agent: &str,
        url: &str,
    ) -> Result<bool, NotAUrl> {
        let target = Target::of(url)?;
        let mut explorer = Explorer::in_detail(edition);
        let rulings = [self, other]
            .map(|file| AgentRules::new(file, agent, &mut explorer).ruling_about(&target, &mut explorer));
        if rulings != [Ruling::Unspecified; 2] {
            return Ok(rulings[0] == rulings[1]);
        }
        let is_same = common_outcome(&mut Explorer::in_detail(edition), |explorer| {
            let [verdict, other] = [self, other]
                .map(|file| AppliedRules::new(file.followed(agent, explorer)).verdict(&target, explorer));
            verdict == other
        });
        Ok(is_same == Some(true))
    }

    /// Returns the rules of one agent, for rulings about many URLs.
    pub fn for_agent(&self, edition: Edition, agent: &str) -> AgentRules<'_> {
        AgentRules::new(self, agent, &mut Explorer::new(edition))
    }

    /// Returns the same for readings that answer a question for each of its subjects separately, as
    /// [`ruling_in_detail`](RobotsTxt::ruling_in_detail) does.
    pub fn for_agent_in_detail(&self, edition: Edition, agent: &str) -> AgentRules<'_> {
        AgentRules::new(self, agent, &mut Explorer::in_detail(edition))
    }
}

impl<'r> AgentRules<'r> {
    pub(crate) fn new(robots: &'r RobotsTxt<'r>, agent: &str, explorer: &mut Explorer) -> Self {
        let crawler = common_outcome(explorer, |explorer| crawler_token(agent, explorer));
        let followed = match (robots.settled_lines(), crawler) {
            (Some(lines), Some(crawler)) => {
                let records = LineRecords::default();
                let relevant = relevant_lines(lines, &records, crawler, explorer);
                let lines = || relevant.iter().map(|&place| lines.at(place).remembering(&records));
                PossibleRules::explore(explorer, |explorer| {
                    let (_, mut rules) = selected_rules(lines(), crawler, explorer);
                    // Without other questions, those about the starts of paths are left to each URL.
                    if !explorer.is_settled() {
                        settle_starts(&mut rules, explorer);
                    }
                    rules
                })
            }
            _ => PossibleRules::explore(explorer, |explorer| robots.followed(agent, explorer).rules),
        };
        let (edition, is_detailed) = (explorer.edition(), explorer.is_detailed());
        AgentRules {
            robots,
            edition,
            is_detailed,
            agent: agent.to_owned(),
            followed,
            readings: OnceLock::new(),
            single: RefCell::default(),
        }
    }

    /// Returns an explorer of the readings that the rules are of.
    fn explorer(&self) -> Explorer {
        if self.is_detailed { Explorer::in_detail(self.edition) } else { Explorer::new(self.edition) }
    }

    /// Returns all readings.
    pub(crate) fn readings(&self) -> &Readings<'r> {
        self.readings.get_or_init(|| Readings::new(self.robots, self.edition, &self.agent))
    }

    /// Returns the decision of one reading.
    pub(crate) fn decide(&self, reading: &Reading, target: &Target) -> Decision {
        let (mut single, mut reader) = (self.single.borrow_mut(), SingleReader::new(reading));
        let known = single.iter().position(|(other, _)| other == reading);
        let place = known.unwrap_or_else(|| {
            single.truncate(KEPT - 1);
            let followed = self.robots.followed(&self.agent, &mut reader);
            single.push((reading.clone(), AppliedRules::new(followed)));
            single.len() - 1
        });
        single[place].1.decision(target, &mut reader)
    }

    /// Returns the rules that the agent follows, where they are the same in every reading.
    pub(crate) fn settled(&self) -> Option<&[RuleLine<'r>]> {
        self.followed
            .as_ref()
            .filter(|followed| followed.ways.is_empty())
            .map(|followed| followed.rules.lines())
    }

    /// Returns whether the agent may fetch the URL.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling(&self, url: &str) -> Result<Ruling, NotAUrl> {
        self.ruling_and_steps(url).map(|(ruling, _)| ruling)
    }

    /// Returns the same, and the number of steps that it takes, for a caller that bounds those of many rulings together.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling_and_steps(&self, url: &str) -> Result<(Ruling, usize), NotAUrl> {
        let mut explorer = self.explorer();
        let ruling = self.ruling_about(&Target::of(url)?, &mut explorer);
        Ok((ruling, explorer.steps()))
    }

    /// Returns whether the agent follows the same rules in another file, in the same order, in every reading. Then the files
    /// agree about every URL.
    pub fn are_those_of(&self, other: &RobotsTxt) -> bool {
        let of_other = AgentRules::new(other, &self.agent, &mut self.explorer());
        if let (Some(rules), Some(of_other)) = (self.settled(), of_other.settled())
            && are_same_rules(rules, of_other)
        {
            return true;
        }
        let is_same = common_outcome(&mut self.explorer(), |explorer| {
            let [rules, other] = [self.robots, other].map(|file| file.followed(&self.agent, explorer));
            are_same_rules(&rules.rules, &other.rules)
        });
        is_same == Some(true)
    }

    /// Returns the same for a URL that is prepared for matching, in the readings of this explorer.
    pub(crate) fn ruling_about(&self, target: &Target, explorer: &mut Explorer) -> Ruling {
        if target.has_broken_escape()
            && common_outcome(explorer, |explorer| broken_url(target, explorer))
                != Some(Some(BrokenUrl::Keep))
        {
            return Ruling::Unspecified;
        }
        let verdict = self.followed.as_ref().and_then(|followed| followed.verdict(target, explorer));
        verdict.map_or(Ruling::Unspecified, Ruling::from)
    }
}

impl<'r> PossibleRules<'r> {
    /// Returns the rules that an evaluation leads to. Nothing where there are too many readings.
    fn explore(
        explorer: &mut Explorer,
        followed: impl FnMut(&mut Explorer) -> Vec<RuleLine<'r>>,
    ) -> Option<Self> {
        let mut ways: Vec<Vec<RuleLine>> = Vec::new();
        let explored = explore(explorer, followed, |_, rules| {
            if !ways.contains(&rules) {
                ways.push(rules);
            }
            ControlFlow::Continue(())
        });
        explored.ok()?;
        if let [_] = ways[..] {
            return Some(PossibleRules { rules: Rules::new(ways.remove(0)), ways: Vec::new() });
        }
        let mut rules: Vec<&RuleLine> = ways.iter().flatten().collect();
        rules.sort_unstable_by(|a, b| in_order(a, b));
        rules.dedup();
        let place = |rule: &RuleLine| rules.binary_search_by(|other| in_order(other, rule)).ok();
        let places = ways.iter().map(|way| way.iter().filter_map(place).collect()).collect();
        Some(PossibleRules { rules: Rules::new(rules.into_iter().cloned().collect()), ways: places })
    }

    /// Returns the verdict that all readings share.
    fn verdict(&self, target: &Target, explorer: &mut Explorer) -> Option<Verdict> {
        let candidates = candidates(&self.rules, target, explorer);
        if self.ways.is_empty() {
            return verdict_of(&self.rules, &candidates, target, explorer);
        }
        let mut verdicts = self.ways.iter().map(|way| {
            let is_followed = |candidate: &&Candidate| way.binary_search(&candidate.place).is_ok();
            verdict_of(&self.rules, candidates.iter().filter(is_followed), target, explorer)
        });
        let first = verdicts.next().flatten();
        first.filter(|_| verdicts.all(|other| other == first))
    }
}

/// Compares rules in the order of the file. One line may be different rules.
fn in_order(a: &RuleLine, b: &RuleLine) -> Ordering {
    let key = |rule: &RuleLine| (rule.line, rule.kind, rule.start.map(|start| start as u8));
    key(a).cmp(&key(b)).then_with(|| a.path.cmp(&b.path))
}

/// Returns the rules that match a URL in some reading.
fn candidates<'m>(rules: &'m Rules, target: &Target, explorer: &mut Explorer) -> Vec<Candidate<'m>> {
    let mut candidates = Vec::new();
    let near = rules.near(target);
    // A plain pattern is compared in less than the time of a step.
    explorer.spend(near.len() / 2);
    for place in near {
        let matches = rules.matches(place, target, explorer);
        if matches != Some(false) {
            let line = &rules.lines()[place];
            candidates.push(Candidate { place, line, is_certain: matches.is_some() });
        }
    }
    candidates
}

/// Returns the verdict that all readings share in which the agent follows these of the rules.
fn verdict_of<'m>(
    rules: &'m Rules,
    candidates: impl IntoIterator<Item = &'m Candidate<'m>> + Clone,
    target: &Target,
    explorer: &mut Explorer,
) -> Option<Verdict> {
    let (mut allows, mut disallows, mut surely_disallows) = (false, false, false);
    for candidate in candidates.clone() {
        match candidate.line.effect() {
            RuleKind::Allow => allows = true,
            RuleKind::Disallow => {
                disallows = true;
                surely_disallows |= candidate.is_certain;
            }
        }
    }
    if !disallows {
        return Some(Verdict::Allow);
    }
    if !allows
        && surely_disallows
        && common_outcome(explorer, |explorer| is_robots_txt(target.compared(explorer).text(), explorer))
            == Some(false)
    {
        return Some(Verdict::Disallow);
    }
    let candidates: Vec<Rule> = candidates.into_iter().map(|candidate| rules.rule(candidate.place)).collect();
    common_outcome(explorer, |explorer| {
        if !explorer.spend(candidates.len()) {
            return Verdict::Allow;
        }
        let matching: Vec<Match> =
            candidates.iter().filter_map(|rule| rule.matches(target, explorer)).collect();
        verdict(&matching, target, explorer).0
    })
}
