//! The ruling of an edition: allow, disallow or unspecified.

use std::borrow::Cow;
use std::fmt;

use crate::answer::{BrokenUrl, EmptyPath, InvalidBytes, LineEnd, OwnUrl, Removal};
use crate::edition::Edition;
use crate::group::{Followed, WhichGroups, followed};
use crate::lines::Lines;
use crate::path::Target;
use crate::pattern::compares_plainly;
use crate::precedence::{Prevailing, Prevails, equals_of, most_specific};
use crate::question::Question;
use crate::question::typed::*;
use crate::reading::{Asked, Explorer, Reader, Reading, SingleReader, common_outcome};
use crate::rule::{Match, Rule, Rules};
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
        Allow = "allow": "Every admitted reading allows.",
        Disallow = "disallow": "Every admitted reading disallows.",
        Unspecified = "unspecified": "Admitted readings differ.",
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
            _ if !self.lines.is_text && reader.admits(InvalidUtf8, InvalidBytes::IgnoreFile) => {
                Cow::Owned(Lines::parse(&[]))
            }
            _ if reader.admits(Comment, Removal::Keep) => Cow::Owned(self.lines.with_comments()),
            _ if self.lines.has_other_end() && reader.answer(OtherLineEnd) == LineEnd::Yes => {
                Cow::Owned(self.lines.split_further())
            }
            _ if reader.admits(OtherLineEnd, LineEnd::LineFeed) => Cow::Owned(self.lines.split_less()),
            _ => Cow::Borrowed(&self.lines),
        }
    }

    /// Returns what an agent follows.
    pub(crate) fn followed(&self, agent: &str, reader: &mut impl Reader) -> Followed<'_> {
        followed(&self.lines(reader), agent, reader)
    }

    /// Returns the lines, where every reading counts all of the file and decodes it alike.
    pub(crate) fn settled_lines(&self) -> Option<&Lines<'b>> {
        (self.decoded.is_none() && self.lines.is_below_limits()).then_some(&self.lines)
    }

    /// Returns the verdict of one reading, and how the reading reaches it.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn decide(&self, reading: &Reading, agent: &str, url: &str) -> Result<Decision, NotAUrl> {
        Ok(self.decide_target(reading, agent, &Target::of(url)?))
    }

    /// Returns the subjects of a question, such as the misspellings of a file, for which another answer changes the verdict of
    /// a reading: one after the other, or together.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn subjects(
        &self,
        reading: &Reading,
        question: Question,
        agent: &str,
        url: &str,
    ) -> Result<Vec<Vec<u8>>, NotAUrl> {
        Ok(self.subjects_of(reading, question, agent, &Target::of(url)?))
    }

    /// Returns the same for a URL that is prepared for matching.
    pub(crate) fn subjects_of(
        &self,
        reading: &Reading,
        question: Question,
        agent: &str,
        target: &Target,
    ) -> Vec<Vec<u8>> {
        let mut asked = SingleReader::note(reading, |reader| drop(self.decision(agent, target, reader)));
        let subjects = asked.remove(&question).unwrap_or_default();
        if subjects.len() <= 1 {
            return Vec::from_iter(subjects);
        }
        let expected = self.decide_target(reading, agent, target).verdict;
        let matters = |subject: &Vec<u8>| {
            question.choices().any(|answer| {
                let mut reader = SingleReader::new(reading).except(subject, answer);
                self.decision(agent, target, &mut reader).verdict != expected
            })
        };
        // Each is looked for in the whole file, and a file may consist of them.
        const MOST_TRIED: usize = 16;
        subjects.into_iter().take(MOST_TRIED).filter(matters).collect()
    }

    /// Returns the numbers of the lines of the rules of which each may be said to decide: those that are as specific as the
    /// rule that prevails, or none where no rule matches. The result is `None` where readings differ, and where another
    /// reason than the rules decides.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn deciding_rules(
        &self,
        edition: Edition,
        agent: &str,
        url: &str,
    ) -> Result<Option<Vec<usize>>, NotAUrl> {
        let target = Target::of(url)?;
        let common = common_outcome(&mut Explorer::new(edition), |explorer| {
            AppliedRules::new(self.followed(agent, explorer)).deciding(&target, explorer)
        });
        Ok(common.flatten())
    }

    /// Returns the same for a text in place of the path and query of a URL, such as a whole URL: what a parser does that is
    /// given one.
    pub fn decide_text(&self, reading: &Reading, agent: &str, text: &str) -> Decision {
        self.decide_target(reading, agent, &Target::new(Cow::Borrowed(text)))
    }

    /// Returns the same for a URL that is prepared for matching.
    pub(crate) fn decide_target(&self, reading: &Reading, agent: &str, target: &Target) -> Decision {
        self.decision(agent, target, &mut SingleReader::new(reading))
    }

    fn decision(&self, agent: &str, target: &Target, reader: &mut SingleReader) -> Decision {
        AppliedRules::new(self.followed(agent, reader)).decision(target, reader)
    }

    /// Returns what one reading answers on the way to its verdict.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn asked(&self, reading: &Reading, agent: &str, url: &str) -> Result<Asked, NotAUrl> {
        let target = Target::of(url)?;
        Ok(SingleReader::note(reading, |reader| drop(self.decision(agent, &target, reader))))
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

/// The rules that an agent follows in one reading.
#[derive(Debug, Clone)]
pub(crate) struct AppliedRules<'r> {
    groups: WhichGroups,
    agent_lines: Vec<usize>,
    rules: Rules<'r>,
}

impl<'r> AppliedRules<'r> {
    pub(crate) fn new(followed: Followed<'r>) -> Self {
        let Followed { groups, agent_lines, rules } = followed;
        AppliedRules { groups, agent_lines, rules: Rules::new(rules) }
    }

    /// Returns whether these are the rules that a reading leads to.
    pub(crate) fn are_of(&self, followed: &Followed) -> bool {
        self.groups == followed.groups
            && self.agent_lines == followed.agent_lines
            && self.rules.lines() == followed.rules
    }

    /// Returns the rules that may match a URL.
    pub(crate) fn near(&self, target: &Target, reader: &impl Reader) -> Vec<Rule<'_, 'r>> {
        let rule = |place| self.rules.rule(place);
        match compares_plainly(reader) {
            true => self.rules.near(target).into_iter().map(rule).collect(),
            false => (0..self.rules.lines().len()).map(rule).collect(),
        }
    }

    /// Returns the verdict about a URL.
    pub(crate) fn verdict(&self, target: &Target, reader: &mut impl Reader) -> Verdict {
        let near = self.near(target, reader);
        self.verdict_of(&near, target, reader).0
    }

    /// Returns the verdict of the rules that may match a URL, and the reason.
    pub(crate) fn verdict_of<'m>(
        &self,
        near: &'m [Rule],
        target: &'m Target,
        reader: &mut impl Reader,
    ) -> (Verdict, By<'m>) {
        if !reader.spend(self.rules.lines().len()) {
            return (Verdict::Allow, By::Default);
        }
        let is_apart = |answer| match answer {
            EmptyPath::Equal => false,
            EmptyPath::Different => true,
            EmptyPath::DifferentWithQuery => target.text() != b"/",
        };
        if target.is_without_path() && is_apart(reader.answer(RootPath)) {
            return (Verdict::Allow, By::Default);
        }
        match broken_url(target, reader) {
            Some(BrokenUrl::Allow) => return (Verdict::Allow, By::Default),
            Some(BrokenUrl::Disallow) => return (Verdict::Disallow, By::Default),
            Some(BrokenUrl::Keep) | None => {}
        }
        let matching: Vec<Match> = near.iter().filter_map(|rule| rule.matches(target, reader)).collect();
        reader.at_line(0);
        verdict(&matching, target, reader)
    }

    /// Returns the lines of the rules that decide about a URL; `None` where another reason does.
    fn deciding(&self, target: &Target, reader: &mut impl Reader) -> Option<Vec<usize>> {
        let near = self.near(target, reader);
        if !reader.spend(self.rules.lines().len()) || broken_url(target, reader).is_some() {
            return None;
        }
        let matching: Vec<Match> = near.iter().filter_map(|rule| rule.matches(target, reader)).collect();
        match verdict(&matching, target, reader).1 {
            By::Default => Some(Vec::new()),
            By::RobotsTxtItself => None,
            By::Rule(prevailing) => {
                let rules = equals_of(prevailing, &matching, reader);
                Some(rules.into_iter().map(|rule| rule.line.line as usize).collect())
            }
        }
    }

    pub(crate) fn decision(&self, target: &Target, reader: &mut impl Reader) -> Decision {
        let near = self.near(target, reader);
        let (verdict, by) = self.verdict_of(&near, target, reader);
        Decision {
            verdict,
            groups: self.groups,
            agent_lines: self.agent_lines.clone(),
            rules: self.rules.lines().len(),
            by: match by {
                By::Default => DecidedBy::Default,
                By::RobotsTxtItself => DecidedBy::RobotsTxtItself,
                By::Rule(Prevailing { rule, over, why }) => {
                    DecidedBy::Rule { rule: rule.cite(), over: over.map(Match::cite), why }
                }
            },
        }
    }
}

/// Returns what a crawler makes of a text with a `%` that starts no escape, which is not a URL.
pub(crate) fn broken_url(target: &Target, reader: &mut impl Reader) -> Option<BrokenUrl> {
    target.has_broken_escape().then(|| reader.answer(BrokenEscape))
}

/// Returns the verdict of the rules that match a URL, and the reason.
pub(crate) fn verdict<'m>(
    matching: &[Match<'m>],
    target: &Target,
    reader: &mut impl Reader,
) -> (Verdict, By<'m>) {
    match most_specific(matching, reader) {
        None => (Verdict::Allow, By::Default),
        Some(prevailing) if prevailing.rule.line.effect() == RuleKind::Allow => {
            (Verdict::Allow, By::Rule(prevailing))
        }
        Some(_)
            if is_robots_txt(target.compared(reader).text(), reader)
                && allows_robots_txt(matching, reader) =>
        {
            (Verdict::Allow, By::RobotsTxtItself)
        }
        Some(prevailing) => (Verdict::Disallow, By::Rule(prevailing)),
    }
}

/// Returns whether a crawler may fetch the robots.txt itself, which these rules disallow.
fn allows_robots_txt(matching: &[Match], reader: &mut impl Reader) -> bool {
    let is_named = matching.iter().any(|rule| rule.pattern.is_path(b"/robots.txt"));
    reader.answer(if is_named { RobotsTxtNamed } else { RobotsTxtItself }) == OwnUrl::Allow
}

/// The reason for a verdict, before it is cited.
pub(crate) enum By<'m> {
    Default,
    RobotsTxtItself,
    Rule(Prevailing<'m>),
}

impl Match<'_> {
    fn cite(self) -> RuleCitation {
        RuleCitation {
            line: self.line.line as usize,
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
    /// No rule: allowed by default, or a text that is not a URL.
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
