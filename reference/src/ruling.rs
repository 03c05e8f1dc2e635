//! The answer of an edition: allow, disallow, or unspecified.

use std::fmt;
use std::ops::ControlFlow;

use crate::edition::Edition;
use crate::group::{Followed, WhichGroups, followed};
use crate::line::Lines;
use crate::path::{Pattern, Target};
use crate::precedence::{Prevailing, Prevails, Rule, most_specific};
use crate::question::Answer;
use crate::question::Question::RobotsTxtItself;
use crate::reading::{Ask, Choices, Reading, TooManyReadings, each_reading, each_reading_in_detail};
use crate::scan::RuleKind;
use crate::target::{NotAUrl, path_and_query};

/// What one reading says of an agent and a URL.
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

/// A robots.txt, read.
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
    /// Reads a file. Every sequence of octets is one.
    pub fn parse(file: &'b [u8]) -> Self {
        RobotsTxt { lines: Lines::parse(file) }
    }

    /// What the edition says: may the agent fetch the URL?
    ///
    /// `agent` is a product token such as `FooBot`; `url` is absolute, or
    /// starts with its path.
    ///
    /// # Errors
    ///
    /// `url` is no URL.
    pub fn ruling(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        self.for_agent(edition, agent).ruling(url)
    }

    /// The same for readers who answer a question anew for each thing that it
    /// is about: who take one misspelling for a field need not take another.
    /// Definite only where [`ruling`](RobotsTxt::ruling) is, and then the same.
    ///
    /// # Errors
    ///
    /// `url` is no URL.
    pub fn ruling_in_detail(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        let path = path_and_query(url)?;
        let target = Target::new(&path);
        let mut first = None;
        let mut differ = false;
        let exhausted = each_reading_in_detail(
            edition,
            |inquiry| {
                let rules = AppliedRules::new(followed(&self.lines, agent, inquiry));
                rules.verdict(&path, &target, inquiry).0
            },
            |_, verdict| {
                differ |= *first.get_or_insert(verdict) != verdict;
                if differ { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        Ok(match first {
            Some(verdict) if !differ && exhausted.is_ok() => verdict.into(),
            _ => Ruling::Unspecified,
        })
    }

    /// What concerns one agent, for asking about many URLs.
    pub fn for_agent(&self, edition: Edition, agent: &str) -> AgentRules<'_> {
        let mut ways: Vec<Way> = Vec::new();
        let mut different: Vec<Followed> = Vec::new();
        let exhausted = each_reading(
            edition,
            |inquiry| followed(&self.lines, agent, inquiry),
            |choices, followed| {
                if !different.contains(&followed) {
                    ways.push(Way { choices: choices.clone(), rules: AppliedRules::new(followed.clone()) });
                    different.push(followed);
                }
                ControlFlow::Continue(())
            },
        );
        AgentRules { edition, ways, exhausted }
    }

    /// What one reading says, and how it comes to that.
    ///
    /// # Errors
    ///
    /// `url` is no URL.
    pub fn decide(&self, reading: &Reading, agent: &str, url: &str) -> Result<Decision, NotAUrl> {
        let path = path_and_query(url)?;
        let mut reading = reading.clone();
        let rules = AppliedRules::new(followed(&self.lines, agent, &mut reading));
        Ok(rules.decision(&path, &Target::new(&path), &mut reading))
    }
}

/// The rules that an agent follows, in every reading.
#[derive(Debug, Clone)]
pub struct AgentRules<'r> {
    edition: Edition,
    /// The different outcomes of choosing groups, each with the first way
    /// through the questions that leads to it.
    ways: Vec<Way<'r>>,
    exhausted: Result<(), TooManyReadings>,
}

#[derive(Debug, Clone)]
struct Way<'r> {
    choices: Choices,
    rules: AppliedRules<'r>,
}

/// A way through the questions, and the verdict at its end.
pub(crate) struct Outcome {
    pub(crate) choices: Choices,
    pub(crate) verdict: Verdict,
}

impl AgentRules<'_> {
    /// What the edition says: may the agent fetch the URL?
    ///
    /// # Errors
    ///
    /// `url` is no URL.
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

    /// Every way through the questions with its verdict.
    pub(crate) fn outcomes(&self, url: &str) -> Result<Vec<Outcome>, NotAUrl> {
        let mut outcomes = Vec::new();
        self.visit(url, |choices, verdict| {
            outcomes.push(Outcome { choices, verdict });
            ControlFlow::Continue(())
        })?;
        Ok(outcomes)
    }

    /// Shows each way and verdict; `false` where that was not all of them.
    fn visit(
        &self,
        url: &str,
        mut visit: impl FnMut(Choices, Verdict) -> ControlFlow<()>,
    ) -> Result<bool, NotAUrl> {
        let path = path_and_query(url)?;
        let target = Target::new(&path);
        let mut complete = self.exhausted.is_ok();
        for way in &self.ways {
            let mut flow = ControlFlow::Continue(());
            let exhausted = each_reading(
                self.edition,
                |inquiry| way.rules.verdict(&path, &target, inquiry).0,
                |choices, verdict| {
                    flow = visit([&way.choices[..], choices].concat(), verdict);
                    flow
                },
            );
            complete &= exhausted.is_ok() && flow.is_continue();
            if flow.is_break() {
                break;
            }
        }
        Ok(complete)
    }
}

/// The rules that an agent follows in one reading, with their paths read.
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

    fn verdict(&self, path: &str, target: &Target, ask: &mut impl Ask) -> (Verdict, By<'_, 'r>) {
        let matching: Vec<&Rule> =
            self.rules.iter().filter(|rule| rule.pattern.matches(target, ask)).collect();
        match most_specific(&matching, ask) {
            None => (Verdict::Allow, By::Default),
            Some(prevailing) if prevailing.rule.line.kind == RuleKind::Allow => {
                (Verdict::Allow, By::Rule(prevailing))
            }
            Some(_) if path == "/robots.txt" && ask.ask(RobotsTxtItself) == Answer::Allow => {
                (Verdict::Allow, By::RobotsTxtItself)
            }
            Some(prevailing) => (Verdict::Disallow, By::Rule(prevailing)),
        }
    }

    fn decision(&self, path: &str, target: &Target, ask: &mut impl Ask) -> Decision {
        let (verdict, by) = self.verdict(path, target, ask);
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

/// What decided, before it is told to anybody.
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

/// How a reading comes to its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// Which groups the agent follows.
    pub groups: WhichGroups,
    /// The numbers of the user-agent lines that make it follow them.
    pub agent_lines: Vec<usize>,
    /// How many rules those groups have.
    pub rules: usize,
    /// What decided.
    pub by: DecidedBy,
}

/// What decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecidedBy {
    /// No rule matches: allowed by default.
    Default,
    /// The URL is that of the robots.txt.
    RobotsTxtItself,
    /// A rule.
    Rule {
        /// The rule that decided.
        rule: RuleCitation,
        /// The most specific match of the other kind.
        over: Option<RuleCitation>,
        /// Why the one prevailed over the other.
        why: Prevails,
    },
}

/// A rule, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleCitation {
    /// The number of its line, from 1.
    pub line: usize,
    /// Allow or disallow.
    pub kind: RuleKind,
    /// Its path, with U+FFFD for what is not UTF-8.
    pub path: String,
}
