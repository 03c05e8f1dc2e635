//! The ruling of an edition: allow, disallow or unspecified.

use std::fmt;
use std::ops::ControlFlow;

use crate::answer::OwnUrl;
use crate::edition::Edition;
use crate::group::{Followed, WhichGroups, followed};
use crate::line::Lines;
use crate::path::{Pattern, Target};
use crate::precedence::{Prevailing, Prevails, Rule, most_specific};
use crate::question::Choice;
use crate::question::typed::RobotsTxtItself;
use crate::reading::{Explorer, Reader, Reading, TooManyReadings, common_outcome, explore};
use crate::scan::RuleKind;
use crate::target::{NotAUrl, path_and_query};

/// Whether an agent may fetch a URL, in one reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The agent may fetch the URL.
    Allow,
    /// The agent must not fetch the URL.
    Disallow,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ruling::from(*self).fmt(f)
    }
}

named_enum! {
    /// What an edition says about an agent and a URL.
    pub enum Ruling: "ruling" {
        /// Every admitted reading allows.
        Allow = "allow",
        /// Every admitted reading disallows.
        Disallow = "disallow",
        /// Admitted readings differ.
        Unspecified = "unspecified",
    }
}

impl From<Verdict> for Ruling {
    fn from(verdict: Verdict) -> Ruling {
        match verdict {
            Verdict::Allow => Ruling::Allow,
            Verdict::Disallow => Ruling::Disallow,
        }
    }
}

/// A parsed robots.txt.
///
/// ```
/// use robotspec_reference::{Edition, RobotsTxt, Ruling};
///
/// let robots = RobotsTxt::parse(b"user-agent: *\ndisallow: /fish\n");
/// let ruling = robots.ruling(Edition::Rfc9309, "FooBot", "https://example.com/fish.html")?;
/// assert_eq!(ruling, Ruling::Disallow);
/// # Ok::<(), robotspec_reference::NotAUrl>(())
/// ```
#[derive(Debug, Clone)]
pub struct RobotsTxt<'b> {
    pub(crate) lines: Lines<'b>,
}

impl<'b> RobotsTxt<'b> {
    /// Parses a file. Every sequence of bytes is a file.
    pub fn parse(file: &'b [u8]) -> Self {
        RobotsTxt { lines: Lines::parse(file) }
    }

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
        let path = path_and_query(url)?;
        let target = Target::new(&path);
        let verdict = common_outcome(Explorer::in_detail(edition), |explorer| {
            AppliedRules::new(followed(&self.lines, agent, explorer)).verdict(&path, &target, explorer).0
        });
        Ok(verdict.map_or(Ruling::Unspecified, Ruling::from))
    }

    /// Returns the rules of one agent, for rulings about many URLs.
    pub fn for_agent(&self, edition: Edition, agent: &str) -> AgentRules<'_> {
        let mut ways: Vec<Way> = Vec::new();
        let explored = explore(
            Explorer::new(edition),
            |explorer| followed(&self.lines, agent, explorer),
            |choices, followed| {
                if !ways.iter().any(|way| way.rules.are_of(&followed)) {
                    ways.push(Way { choices: choices.to_vec(), rules: AppliedRules::new(followed) });
                }
                ControlFlow::Continue(())
            },
        );
        AgentRules { edition, ways, explored }
    }

    /// Returns the verdict of one reading, and how the reading reaches it.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn decide(&self, reading: &Reading, agent: &str, url: &str) -> Result<Decision, NotAUrl> {
        let path = path_and_query(url)?;
        Ok(self.decide_path(reading, agent, &path, &Target::new(&path)))
    }

    /// Returns the same for a path and query, and the target made from it.
    pub(crate) fn decide_path(
        &self,
        reading: &Reading,
        agent: &str,
        path: &str,
        target: &Target,
    ) -> Decision {
        let mut reading = reading.clone();
        let rules = AppliedRules::new(followed(&self.lines, agent, &mut reading));
        rules.decision(path, target, &mut reading)
    }
}

/// The rules that an agent follows, in every reading.
#[derive(Debug, Clone)]
pub struct AgentRules<'r> {
    edition: Edition,
    /// The different sets of rules.
    ways: Vec<Way<'r>>,
    explored: Result<(), TooManyReadings>,
}

/// A set of rules, and the first choices that lead to it.
#[derive(Debug, Clone)]
struct Way<'r> {
    choices: Vec<Choice>,
    rules: AppliedRules<'r>,
}

impl AgentRules<'_> {
    /// Returns whether the agent may fetch the URL.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling(&self, url: &str) -> Result<Ruling, NotAUrl> {
        let mut first = None;
        let complete = self.visit(url, |_, verdict| {
            if *first.get_or_insert(verdict) == verdict {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        Ok(match first {
            Some(verdict) if complete => verdict.into(),
            _ => Ruling::Unspecified,
        })
    }

    /// Returns every combination of choices with its verdict.
    pub(crate) fn outcomes(&self, url: &str) -> Result<Vec<(Vec<Choice>, Verdict)>, NotAUrl> {
        let mut outcomes = Vec::new();
        self.visit(url, |choices, verdict| {
            outcomes.push((choices, verdict));
            ControlFlow::Continue(())
        })?;
        Ok(outcomes)
    }

    /// Visits each combination of choices with its verdict. Returns whether it visited all of them.
    fn visit(
        &self,
        url: &str,
        mut visit: impl FnMut(Vec<Choice>, Verdict) -> ControlFlow<()>,
    ) -> Result<bool, NotAUrl> {
        let path = path_and_query(url)?;
        let target = Target::new(&path);
        let mut complete = self.explored.is_ok();
        for way in &self.ways {
            let mut flow = ControlFlow::Continue(());
            let explored = explore(
                Explorer::new(self.edition),
                |explorer| way.rules.verdict(&path, &target, explorer).0,
                |choices, verdict| {
                    flow = visit([&way.choices[..], choices].concat(), verdict);
                    flow
                },
            );
            complete &= explored.is_ok() && flow.is_continue();
            if flow.is_break() {
                break;
            }
        }
        Ok(complete)
    }
}

/// The rules that an agent follows in one reading, with their paths parsed.
#[derive(Debug, Clone)]
struct AppliedRules<'r> {
    groups: WhichGroups,
    agent_lines: Vec<usize>,
    rules: Vec<Rule<'r>>,
}

impl<'r> AppliedRules<'r> {
    fn new(followed: Followed<'r>) -> Self {
        let Followed { groups, agent_lines, rules } = followed;
        let rules = rules.into_iter().map(|line| Rule { pattern: Pattern::parse(&line.path), line });
        AppliedRules { groups, agent_lines, rules: rules.collect() }
    }

    /// Returns whether these are the rules that a reading leads to.
    fn are_of(&self, followed: &Followed) -> bool {
        self.groups == followed.groups
            && self.agent_lines == followed.agent_lines
            && self.rules.iter().map(|rule| &rule.line).eq(&followed.rules)
    }

    fn verdict(&self, path: &str, target: &Target, reader: &mut impl Reader) -> (Verdict, By<'_, 'r>) {
        let matching: Vec<&Rule> =
            self.rules.iter().filter(|rule| rule.pattern.matches(target, reader)).collect();
        match most_specific(&matching, reader) {
            None => (Verdict::Allow, By::Default),
            Some(prevailing) if prevailing.rule.line.kind == RuleKind::Allow => {
                (Verdict::Allow, By::Rule(prevailing))
            }
            Some(_) if path == "/robots.txt" && reader.answer(RobotsTxtItself) == OwnUrl::Allow => {
                (Verdict::Allow, By::RobotsTxtItself)
            }
            Some(prevailing) => (Verdict::Disallow, By::Rule(prevailing)),
        }
    }

    fn decision(&self, path: &str, target: &Target, reader: &mut impl Reader) -> Decision {
        let (verdict, by) = self.verdict(path, target, reader);
        Decision {
            verdict,
            groups: self.groups,
            agent_lines: self.agent_lines.clone(),
            rules: self.rules.len(),
            by: match by {
                By::Default => DecidedBy::Default,
                By::RobotsTxtItself => DecidedBy::RobotsTxtItself,
                By::Rule(Prevailing { rule, over, why }) => {
                    DecidedBy::Rule { rule: rule.cite(), over: over.map(Rule::cite), why }
                }
            },
        }
    }
}

/// The reason for a verdict, before it is cited.
enum By<'m, 'r> {
    Default,
    RobotsTxtItself,
    Rule(Prevailing<'m, 'r>),
}

impl Rule<'_> {
    fn cite(&self) -> RuleCitation {
        RuleCitation {
            line: self.line.line,
            kind: self.line.kind,
            path: String::from_utf8_lossy(&self.line.path).into_owned(),
        }
    }
}

/// A verdict, and how a reading reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// Which groups the agent follows.
    pub groups: WhichGroups,
    /// The numbers of the user-agent lines that name the agent, or of those for `*`.
    pub agent_lines: Vec<usize>,
    /// The number of rules in those groups.
    pub rules: usize,
    /// The reason for the verdict.
    pub by: DecidedBy,
}

/// The reason for a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecidedBy {
    /// No rule matches: allowed by default.
    Default,
    /// The URL is the URL of the robots.txt itself.
    RobotsTxtItself,
    /// A rule.
    Rule {
        /// The rule that decided.
        rule: RuleCitation,
        /// The most specific matching rule of the other kind.
        over: Option<RuleCitation>,
        /// Why the rule prevails.
        why: Prevails,
    },
}

/// A rule as it is written in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleCitation {
    /// The number of its line, from 1.
    pub line: usize,
    /// Allow or disallow.
    pub kind: RuleKind,
    /// Its path, with U+FFFD for bytes that are not UTF-8.
    pub path: String,
}
