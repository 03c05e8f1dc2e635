//! The rules that one agent follows in every reading, for rulings about many URLs.
//!
//! Most questions that a file raises do not decide a verdict. So a verdict is proven by bounds first: the groups that each
//! [section](crate::section) has in every reading, and the rules that match the URL in every reading, in some or in none.
//! Readings are enumerated only for what the bounds leave open.

use std::iter;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use crate::agent::crawler_token;
use crate::answer::BrokenUrl;
use crate::edition::Edition;
use crate::enumeration::Readings;
use crate::group::{Group, RuleLine, are_same_rules, select, selected_rules};
use crate::line::Lines;
use crate::outcomes::Outcomes;
use crate::path::Target;
use crate::question::{Choice, Question};
use crate::reading::{Explorer, Reader, TooManyReadings, common_outcome, explore};
use crate::rule::{Match, Rule, Rules};
use crate::ruling::{AppliedRules, RobotsTxt, Ruling, Verdict, broken_url, verdict};
use crate::scan::RuleKind;
use crate::section::Section;
use crate::target::{NotAUrl, is_robots_txt};

/// The rules that an agent follows, in every reading.
#[derive(Debug, Clone)]
pub struct AgentRules<'r> {
    robots: &'r RobotsTxt<'r>,
    edition: Edition,
    /// Whether each subject of a question has an answer of its own.
    is_detailed: bool,
    agent: String,
    bound: Bound<'r>,
    /// What is followed in each reading, once the bound does not decide.
    ways: OnceLock<Result<Ways<'r>, TooManyReadings>>,
    /// All readings, once an explanation needs them.
    readings: OnceLock<Readings<'r>>,
}

/// What is known about the rules without enumerating the readings.
#[derive(Debug, Clone)]
enum Bound<'r> {
    /// They are these rules in every reading.
    Exact(Rules<'r>),
    /// They are some of these rules in each reading.
    Upper(Rules<'r>),
    /// Nothing.
    Unknown,
}

/// The rules that an agent follows in each reading.
#[derive(Debug, Clone)]
struct Ways<'r> {
    /// The rules of all groups that the agent follows in some reading.
    rules: Rules<'r>,
    ways: Vec<Way>,
}

/// The rules that an agent follows in some readings.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Way {
    /// The places of the rules, in ascending order.
    rules: Vec<Range<usize>>,
    /// The choices that also have an effect on these rules.
    given: Vec<Choice>,
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
        let bound = match settled_parts(robots, agent, explorer) {
            Some((lines, crawler)) => Bound::of(lines, crawler, explorer),
            None => Bound::Unknown,
        };
        let (ways, readings) = (OnceLock::new(), OnceLock::new());
        let (edition, is_detailed) = (explorer.edition(), explorer.is_detailed());
        AgentRules { robots, edition, is_detailed, agent: agent.to_owned(), bound, ways, readings }
    }

    /// Returns an explorer of the readings that the rules are of.
    fn explorer(&self) -> Explorer {
        if self.is_detailed { Explorer::in_detail(self.edition) } else { Explorer::new(self.edition) }
    }

    /// Returns all readings.
    pub(crate) fn readings(&self) -> &Readings<'r> {
        self.readings.get_or_init(|| Readings::new(self.robots, self.edition, &self.agent))
    }

    /// Returns the rules that the agent follows, where they are the same in every reading.
    pub(crate) fn settled(&self) -> Option<&[RuleLine<'r>]> {
        if let Bound::Exact(rules) = &self.bound { Some(rules.lines()) } else { None }
    }

    /// Returns whether the agent may fetch the URL.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling(&self, url: &str) -> Result<Ruling, NotAUrl> {
        Ok(self.ruling_about(&Target::of(url)?, &mut self.explorer()))
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
        let verdict = match &self.bound {
            Bound::Exact(rules) => {
                verdict_of(rules, &candidates(rules, target, explorer), &[], target, explorer)
            }
            Bound::Upper(rules) if self.ways.get().is_none() && !may_disallow(rules, target, explorer) => {
                Some(Verdict::Allow)
            }
            _ => self.explore(explorer).and_then(|ways| ways.verdict(target, explorer)),
        };
        verdict.map_or(Ruling::Unspecified, Ruling::from)
    }

    fn explore(&self, explorer: &mut Explorer) -> Option<&Ways<'r>> {
        let explored = self.ways.get_or_init(|| match settled_parts(self.robots, &self.agent, explorer) {
            Some((lines, crawler)) => Ways::by_section(lines, crawler, explorer),
            None => Ways::of_readings(self.robots, &self.agent, explorer),
        });
        explored.as_ref().ok()
    }
}

/// Returns the lines of a file and the token of a crawler, where they are the same in every reading.
fn settled_parts<'r, 'a>(
    robots: &'r RobotsTxt<'r>,
    agent: &'a str,
    explorer: &mut Explorer,
) -> Option<(&'r Lines<'r>, &'a [u8])> {
    let crawler = common_outcome(explorer, |explorer| crawler_token(agent, explorer))?;
    Some((robots.settled_lines()?, crawler))
}

impl<'r> Bound<'r> {
    fn of(lines: &Lines<'r>, crawler: &[u8], explorer: &mut Explorer) -> Self {
        let sections = Section::of(lines, crawler, explorer);
        let selected = explorer.settled_outcome(|explorer| {
            selected_rules(sections.iter().flat_map(Section::lines), crawler, explorer)
        });
        if let Some((_, rules)) = selected {
            return Bound::Exact(Rules::new(rules));
        }
        let rules = sections.iter().map(|section| section.possible_rules(explorer));
        match rules.collect::<Result<Vec<_>, _>>() {
            Ok(rules) => Bound::Upper(Rules::new(rules.concat())),
            Err(TooManyReadings) => Bound::Unknown,
        }
    }
}

/// Returns the rules that match a URL in some reading.
fn candidates<'m>(rules: &'m Rules, target: &Target, explorer: &mut Explorer) -> Vec<Candidate<'m>> {
    let mut candidates = Vec::new();
    for place in rules.near(target) {
        let matches = rules.matches(place, target, explorer);
        if matches != Some(false) {
            let line = &rules.lines()[place];
            candidates.push(Candidate { place, line, is_certain: matches.is_some() });
        }
    }
    candidates
}

/// Returns whether one of the rules disallows a URL in some reading.
fn may_disallow(rules: &Rules, target: &Target, explorer: &mut Explorer) -> bool {
    rules.near(target).any(|place| {
        rules.lines()[place].effect() == RuleKind::Disallow
            && rules.matches(place, target, explorer) != Some(false)
    })
}

/// Returns the verdict that all readings with these choices share about rules of which they may follow each.
fn verdict_of<'m>(
    rules: &'m Rules,
    candidates: impl IntoIterator<Item = &'m Candidate<'m>> + Clone,
    given: &[Choice],
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
    explorer.give(given);
    let common = common_outcome(explorer, |explorer| {
        let matching: Vec<Match> =
            candidates.iter().filter_map(|rule| rule.matches(target, explorer)).collect();
        verdict(&matching, target, explorer).0
    });
    explorer.give(&[]);
    common
}

impl<'r> Ways<'r> {
    /// Returns the verdict that all readings share.
    fn verdict(&self, target: &Target, explorer: &mut Explorer) -> Option<Verdict> {
        let candidates = candidates(&self.rules, target, explorer);
        if candidates.iter().all(|candidate| candidate.line.effect() == RuleKind::Allow) {
            return Some(Verdict::Allow);
        }
        let mut verdicts = self.ways.iter().map(|way| {
            let is_followed = |candidate: &&Candidate| {
                let next = way.rules.partition_point(|rules| rules.end <= candidate.place);
                way.rules.get(next).is_some_and(|rules| rules.contains(&candidate.place))
            };
            verdict_of(&self.rules, candidates.iter().filter(is_followed), &way.given, target, explorer)
        });
        let first = verdicts.next().flatten();
        first.filter(|_| verdicts.all(|other| other == first))
    }

    /// Returns the ways to follow rules of a file whose sections are read independently of each other.
    fn by_section(
        lines: &Lines<'r>,
        crawler: &[u8],
        explorer: &mut Explorer,
    ) -> Result<Self, TooManyReadings> {
        let sections = Section::of(lines, crawler, explorer);
        let read = sections.iter().map(|section| section.readings(crawler, explorer));
        let sections: Vec<Outcomes<Vec<Group>>> = read.collect::<Result<_, _>>()?;
        let mut ways: Vec<(Vec<GroupPlace>, Vec<Choice>)> = Vec::new();
        explore(
            explorer,
            |explorer| {
                let mut read: Vec<(GroupPlace, &Group)> = Vec::new();
                for (section, outcomes) in sections.iter().enumerate() {
                    let outcome = outcomes.read(explorer);
                    let groups = outcomes.all()[outcome].iter().enumerate();
                    read.extend(groups.map(|(group, read)| ((section, outcome, group), read)));
                }
                explorer.spend(sections.len() + read.len());
                let selection = select(read.iter().map(|(_, group)| *group), crawler, explorer);
                let selected = read.iter().enumerate().filter(|(place, _)| selection.contains(*place));
                selected.map(|(_, (place, _))| *place).collect()
            },
            |choices, groups| {
                // What a path stands for that does not start with a slash may be read twice: where it may end the head of
                // a group, and where it is matched.
                let is_about_paths = |choice: &&Choice| {
                    matches!(choice.question, Question::LeadingSlash | Question::LeadingStar)
                };
                let way = (groups, choices.iter().filter(is_about_paths).copied().collect());
                if !ways.contains(&way) {
                    ways.push(way);
                }
                ControlFlow::Continue(())
            },
        )?;

        let mut rules = Vec::new();
        let mut ranges: Vec<(GroupPlace, Range<usize>)> = Vec::new();
        for (place, outcomes) in sections.into_iter().enumerate() {
            for (outcome, groups) in outcomes.into_all().into_iter().enumerate() {
                for (group, of_group) in groups.into_iter().enumerate() {
                    let group = (place, outcome, group);
                    if ways.iter().any(|(groups, _)| groups.binary_search(&group).is_ok()) {
                        let start = rules.len();
                        rules.extend(of_group.rules);
                        ranges.push((group, start..rules.len()));
                    }
                }
            }
        }
        let range = |group: GroupPlace| {
            let place = ranges.binary_search_by_key(&group, |(group, _)| *group).ok()?;
            Some(ranges[place].1.clone())
        };
        let way = |(groups, given): (Vec<GroupPlace>, Vec<Choice>)| Way {
            rules: groups.into_iter().filter_map(range).collect(),
            given,
        };
        Ok(Ways { ways: ways.into_iter().map(way).collect(), rules: Rules::new(rules) })
    }

    /// Returns the ways to follow rules of a file in each reading.
    fn of_readings(
        robots: &'r RobotsTxt,
        agent: &str,
        explorer: &mut Explorer,
    ) -> Result<Self, TooManyReadings> {
        let (mut rules, mut ways) = (Vec::new(), Vec::new());
        explore(
            explorer,
            |explorer| robots.followed(agent, explorer),
            |_, followed| {
                let is_known =
                    |way: &Way| way.rules.iter().any(|place| rules[place.clone()] == followed.rules);
                if !ways.iter().any(is_known) {
                    let start = rules.len();
                    rules.extend(followed.rules);
                    let places = start..rules.len();
                    ways.push(Way { rules: iter::once(places).collect(), given: Vec::new() });
                }
                ControlFlow::Continue(())
            },
        )?;
        Ok(Ways { rules: Rules::new(rules), ways })
    }
}

/// The place of a section, the place of an outcome of it, and the place of a group of that.
type GroupPlace = (usize, usize, usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explorer_forgets_the_choices_of_the_file_before() {
        // The path of the first rule ends the head of its group or not, and is matched.
        let first =
            RobotsTxt::parse(b"user-agent: foobot\ndisallow: fish\nuser-agent: *\nallow: /f\ndisallow: /\n");
        let second = RobotsTxt::parse(b"user-agent: foobot\nallow: /fis\ndisallow: fish\n");
        let target = Target::of("/fish").unwrap();
        let ruling = |file, explorer: &mut Explorer| {
            AgentRules::new(file, "foobot", explorer).ruling_about(&target, explorer)
        };
        for edition in Edition::ALL {
            let explorer = &mut Explorer::new(edition);
            ruling(&first, explorer);
            assert_eq!(ruling(&second, explorer), ruling(&second, &mut Explorer::new(edition)), "{edition}");
        }
    }
}
