//! The ruling of an edition: allow, disallow or unspecified.

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;

use crate::answer::{InvalidBytes, OwnUrl};
use crate::edition::Edition;
use crate::group::{Followed, WhichGroups, followed};
use crate::line::Lines;
use crate::path::Target;
use crate::plain::{Head, Plainness};
use crate::precedence::{Prevailing, Prevails, Rule, most_specific};
use crate::question::Choice;
use crate::question::typed::{InvalidUtf8, RobotsTxtItself, RobotsTxtNamed};
use crate::reading::{Explorer, Reader, Reading, TooManyReadings, common_outcome, explore};
use crate::scan::RuleKind;
use crate::target::{NotAUrl, is_robots_txt};

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
    lines: Lines<'b>,
    /// The text of a file with the byte order mark of UTF-16.
    decoded: Option<String>,
}

impl<'b> RobotsTxt<'b> {
    /// Parses a file. Every sequence of bytes is a file.
    pub fn parse(file: &'b [u8]) -> Self {
        RobotsTxt { lines: Lines::parse(file), decoded: from_utf_16(file) }
    }

    /// Returns the lines of the file as a reader decodes it.
    pub(crate) fn lines(&self, reader: &mut impl Reader) -> Cow<'_, Lines<'_>> {
        match &self.decoded {
            Some(text) if reader.answer(InvalidUtf8) == InvalidBytes::Decode => {
                Cow::Owned(Lines::parse(text.as_bytes()))
            }
            _ => Cow::Borrowed(&self.lines),
        }
    }

    /// Returns what an agent follows.
    fn followed(&self, agent: &str, reader: &mut impl Reader) -> Followed<'_> {
        match self.lines(reader) {
            Cow::Borrowed(lines) => followed(lines, agent, reader),
            Cow::Owned(lines) => followed(&lines, agent, reader).into_owned(),
        }
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
        let target = Target::of(url)?;
        let verdict = common_outcome(Explorer::in_detail(edition), |explorer| {
            AppliedRules::new(self.followed(agent, explorer)).verdict(&target, explorer).0
        });
        Ok(verdict.map_or(Ruling::Unspecified, Ruling::from))
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
        let is_same = common_outcome(Explorer::in_detail(edition), |explorer| {
            let [verdict, other] = [self, other]
                .map(|file| AppliedRules::new(file.followed(agent, explorer)).verdict(&target, explorer).0);
            verdict == other
        });
        Ok(is_same == Some(true))
    }

    /// Returns whether the agent follows the same rules in another file as in this one, in the same order, in every reading,
    /// also where a reading answers a question for each of its subjects separately. Then the files agree about every URL.
    pub fn agrees_about_agent(&self, other: &RobotsTxt, edition: Edition, agent: &str) -> bool {
        let is_same = common_outcome(Explorer::in_detail(edition), |explorer| {
            let [rules, other] = [self, other].map(|file| file.followed(agent, explorer));
            rules.has_rules_of(&other)
        });
        is_same == Some(true)
    }

    /// Returns the rules of one agent, for rulings about many URLs.
    pub fn for_agent(&self, edition: Edition, agent: &str) -> AgentRules<'_> {
        let mut ways: Vec<Way> = Vec::new();
        let explored = explore(
            &mut Explorer::new(edition),
            |explorer| self.followed(agent, explorer),
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
        Ok(self.decide_target(reading, agent, &Target::of(url)?))
    }

    /// Returns the same for a text in place of the path and query of a URL, such as a whole URL: what a parser does that is
    /// given one.
    pub fn decide_text(&self, reading: &Reading, agent: &str, text: &str) -> Decision {
        self.decide_target(reading, agent, &Target::new(Cow::Borrowed(text)))
    }

    /// Returns the same for a URL that is prepared for matching.
    pub(crate) fn decide_target(&self, reading: &Reading, agent: &str, target: &Target) -> Decision {
        let mut reading = reading.clone();
        let rules = AppliedRules::new(self.followed(agent, &mut reading));
        rules.decision(target, &mut reading)
    }
}

/// Returns the text of a file that starts with the byte order mark of UTF-16.
fn from_utf_16(file: &[u8]) -> Option<String> {
    let from_bytes: fn([u8; 2]) -> u16 = match file {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = file[2..].as_chunks::<2>().0.iter().map(|unit| from_bytes(*unit)).collect();
    Some(String::from_utf16_lossy(&units))
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
        let complete = self.visit(url, |_, _, verdict| {
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
        self.visit(url, |first, further, verdict| {
            outcomes.push(([first, further].concat(), verdict));
            ControlFlow::Continue(())
        })?;
        Ok(outcomes)
    }

    /// Visits each combination of choices, about the groups and about the paths, with its verdict. Returns whether it
    /// visited all of them.
    fn visit(
        &self,
        url: &str,
        mut visit: impl FnMut(&[Choice], &[Choice], Verdict) -> ControlFlow<()>,
    ) -> Result<bool, NotAUrl> {
        let target = Target::of(url)?;
        let mut complete = self.explored.is_ok();
        let mut explorer = Explorer::new(self.edition);
        for way in &self.ways {
            let mut flow = ControlFlow::Continue(());
            explorer.restart();
            let explored = explore(
                &mut explorer,
                |explorer| way.rules.verdict(&target, explorer).0,
                |choices, verdict| {
                    flow = visit(&way.choices, choices, verdict);
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
    /// The head of each pattern: most rules do not match, and need no further comparison.
    heads: Vec<Head>,
}

impl<'r> AppliedRules<'r> {
    fn new(followed: Followed<'r>) -> Self {
        let Followed { groups, agent_lines, rules } = followed;
        let heads = rules.iter().map(|line| Head::of_pattern(&line.path)).collect();
        AppliedRules { groups, agent_lines, rules: rules.into_iter().map(Rule::new).collect(), heads }
    }

    /// Returns whether these are the rules that a reading leads to.
    fn are_of(&self, followed: &Followed) -> bool {
        self.groups == followed.groups
            && self.agent_lines == followed.agent_lines
            && self.rules.iter().map(|rule| &rule.line).eq(&followed.rules)
    }

    /// Returns the rules that match a URL.
    fn matching(&self, target: &Target, reader: &mut impl Reader) -> Vec<&Rule<'r>> {
        if !reader.spend(self.rules.len()) {
            return Vec::new();
        }
        if target.plainness() == Plainness::Questionable {
            return self.rules.iter().filter(|rule| rule.pattern().matches(target, reader)).collect();
        }
        let of_target = Head::of_path(target.text());
        let rules = self.heads.iter().zip(&self.rules);
        let may_match = rules.filter(|(head, _)| of_target.may_match(**head)).map(|(_, rule)| rule);
        may_match.filter(|rule| rule.pattern().matches(target, reader)).collect()
    }

    fn verdict(&self, target: &Target, reader: &mut impl Reader) -> (Verdict, By<'_, 'r>) {
        let matching = self.matching(target, reader);
        match most_specific(&matching, reader) {
            None => (Verdict::Allow, By::Default),
            Some(prevailing) if prevailing.rule.line.effect() == RuleKind::Allow => {
                (Verdict::Allow, By::Rule(prevailing))
            }
            Some(_) if is_robots_txt(target.text(), reader) && allows_robots_txt(&matching, reader) => {
                (Verdict::Allow, By::RobotsTxtItself)
            }
            Some(prevailing) => (Verdict::Disallow, By::Rule(prevailing)),
        }
    }

    fn decision(&self, target: &Target, reader: &mut impl Reader) -> Decision {
        let (verdict, by) = self.verdict(target, reader);
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

/// Returns whether a crawler may fetch the robots.txt itself, which these rules disallow.
fn allows_robots_txt(matching: &[&Rule], reader: &mut impl Reader) -> bool {
    let is_named = matching.iter().any(|rule| rule.pattern().is_path(b"/robots.txt"));
    reader.answer(if is_named { RobotsTxtNamed } else { RobotsTxtItself }) == OwnUrl::Allow
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
