//! The rules that an agent follows, and the rules that match a URL.

use std::iter;
use std::sync::OnceLock;

use crate::answer::{Acceptance, PathStart};
use crate::fast::path::{PlainPattern, Sieve};
use crate::fast::starts::Starts;
use crate::group::{RuleLine, may_be_ignored, path_start};
use crate::path::Target;
use crate::pattern::Pattern;
use crate::question::typed::KnownExtension;
use crate::reading::{Explorer, Reader, common_outcome};

/// Rules in the order of the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules<'r> {
    lines: Vec<RuleLine<'r>>,
    /// Set by the first URL that is compared with the rules.
    has_first: OnceLock<()>,
    /// Each rule prepared for many URLs, once there is a second one.
    prepared: OnceLock<Vec<Prepared>>,
    /// The starts of many rules, once there is a second URL.
    starts: OnceLock<Starts>,
    /// The patterns of each rule, once a rule is compared with a URL in several readings.
    patterns: OnceLock<Vec<Patterns<'r>>>,
}

/// The number of rules that are looked through faster than the order of their starts is found.
const FEW: usize = 256;

/// The pattern of the path of a rule as it is written, and with a slash before it, once they are needed. Most rules need
/// none, so that this is small.
type Patterns<'r> = OnceLock<Box<[OnceLock<Pattern<'r>>; 2]>>;

/// What is known about the path of a rule.
#[derive(Debug, Clone)]
struct Prepared {
    /// Most rules do not match, and need no further comparison.
    sieve: Sieve,
    /// The pattern, where it is plain.
    plain: Option<PlainPattern>,
}

impl Prepared {
    fn new(line: &RuleLine) -> Self {
        let (sieve, plain) = Sieve::of_pattern(&line.path);
        Prepared { sieve, plain }
    }
}

impl<'r> Rules<'r> {
    pub(crate) fn new(lines: Vec<RuleLine<'r>>) -> Self {
        Rules { lines, ..Rules::default() }
    }

    pub(crate) fn lines(&self) -> &[RuleLine<'r>] {
        &self.lines
    }

    /// Returns the places of the rules that may match a URL in some reading.
    pub(crate) fn near(&self, target: &Target) -> Vec<usize> {
        let of_target = target.sieve();
        if self.has_first.set(()).is_ok() {
            let may_match = |line: &RuleLine| {
                !of_target.starts_otherwise(&line.path) && of_target.may_match(Prepared::new(line).sieve)
            };
            return (0..self.lines.len()).filter(|&place| may_match(&self.lines[place])).collect();
        }
        let prepared = self.prepared.get_or_init(|| self.lines.iter().map(Prepared::new).collect());
        let may_match = |place: &usize| of_target.may_match(prepared[*place].sieve);
        if self.lines.len() < FEW {
            return (0..prepared.len()).filter(may_match).collect();
        }
        let starts = self.starts.get_or_init(|| Starts::new(self.lines.iter().map(|line| &*line.path)));
        let mut near = starts.near(target.settled_start());
        near.retain(may_match);
        near.sort_unstable();
        near
    }

    fn plain(&self, place: usize) -> Option<PlainPattern> {
        match self.prepared.get() {
            Some(prepared) => prepared[place].plain,
            None => Prepared::new(&self.lines[place]).plain,
        }
    }

    /// Returns whether a rule matches a URL, where that is the same in every reading.
    pub(crate) fn matches(&self, place: usize, target: &Target, explorer: &mut Explorer) -> Option<bool> {
        let line = &self.lines[place];
        if let Some(plain) = self.plain(place)
            && !line.is_extension
            && target.with_fragment().is_none()
            && !target.may_be_shortened(explorer)
            && plain.is_plain_for(target.plainness(), explorer)
        {
            let matches = plain.matches(&line.path, target.text(), explorer);
            let is_settled = match (line.start, target.text()) {
                (Some(PathStart::Keep), _) => true,
                // Most of those with a star at their start match the same with a slash before it.
                (None, [b'/', rest @ ..]) => {
                    !may_be_ignored(&line.path, explorer)
                        && plain.matches(&line.path, rest, explorer) == matches
                }
                _ => false,
            };
            if is_settled {
                return Some(matches);
            }
        }
        let rule = self.rule(place);
        common_outcome(explorer, |explorer| rule.matches(target, explorer).is_some())
    }

    /// Returns a rule, for comparisons with a URL.
    pub(crate) fn rule(&self, place: usize) -> Rule<'_, 'r> {
        let none = || iter::repeat_with(Patterns::new).take(self.lines.len()).collect();
        Rule { line: &self.lines[place], patterns: &self.patterns.get_or_init(none)[place] }
    }
}

/// A rule that may match a URL.
#[derive(Clone, Copy)]
pub(crate) struct Rule<'m, 'r> {
    line: &'m RuleLine<'r>,
    patterns: &'m Patterns<'r>,
}

/// A rule that matches a URL in a reading.
#[derive(Clone, Copy)]
pub(crate) struct Match<'m> {
    pub(crate) line: &'m RuleLine<'m>,
    pub(crate) pattern: &'m Pattern<'m>,
    /// What it matches.
    pub(crate) target: &'m Target<'m>,
}

impl<'m, 'r> Rule<'m, 'r> {
    /// Returns the pattern that the path of the rule stands for. Nothing where the rule is ignored.
    fn pattern(self, reader: &mut impl Reader) -> Option<&'m Pattern<'r>> {
        let path = &self.line.path;
        let has_slash = match self.line.start.unwrap_or_else(|| path_start(path, reader)) {
            PathStart::Ignore => return None,
            PathStart::Keep => false,
            PathStart::AssumeSlash => !path.starts_with(b"/"),
        };
        let pattern = &self.patterns.get_or_init(Box::default)[usize::from(has_slash)];
        Some(pattern.get_or_init(|| Pattern::parse(path.clone(), has_slash)))
    }

    /// Returns the match, where the rule matches the URL.
    pub(crate) fn matches(self, target: &'m Target, reader: &mut impl Reader) -> Option<Match<'m>> {
        reader.at_line(self.line.line);
        let pattern = self.pattern(reader)?;
        let target = target.compared(reader);
        let matches = pattern.matches(target, reader)
            && (!self.line.is_extension || reader.answer(KnownExtension) == Acceptance::Accept);
        matches.then_some(Match { line: self.line, pattern, target })
    }
}
