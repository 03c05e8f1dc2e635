//! The rules that an agent follows, and the rules that match a URL.

use std::cell::OnceCell;

use crate::answer::PathStart;
use crate::group::{RuleLine, path_start};
use crate::path::Target;
use crate::pattern::Pattern;
use crate::plain::{PlainPattern, Sieve, matches_plain};
use crate::reading::{Explorer, Reader, common_outcome};

/// Rules in the order of the file, prepared for many URLs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules<'r> {
    lines: Vec<RuleLine<'r>>,
    /// The sieve of each rule: most rules do not match, and need no further comparison.
    sieves: Vec<Sieve>,
    /// The pattern of each rule, where it is plain.
    plain: Vec<Option<PlainPattern>>,
}

impl<'r> Rules<'r> {
    pub(crate) fn new(lines: Vec<RuleLine<'r>>) -> Self {
        let (sieves, plain) = lines.iter().map(|line| Sieve::of_pattern(&line.path)).unzip();
        Rules { lines, sieves, plain }
    }

    pub(crate) fn lines(&self) -> &[RuleLine<'r>] {
        &self.lines
    }

    /// Returns the places of the rules that may match a URL in some reading.
    pub(crate) fn near(&self, target: &Target) -> impl Iterator<Item = usize> {
        let of_target = target.sieve();
        let sieves = self.sieves.iter().enumerate();
        sieves.filter(move |(_, sieve)| of_target.may_match(**sieve)).map(|(place, _)| place)
    }

    /// Returns whether a rule matches a URL, where that is the same in every reading.
    pub(crate) fn matches(&self, place: usize, target: &Target, explorer: &mut Explorer) -> Option<bool> {
        let line = &self.lines[place];
        match self.plain[place] {
            Some(plain)
                if line.start == Some(PathStart::Keep)
                    && target.with_fragment().is_none()
                    && !target.may_be_shortened(explorer)
                    && plain.is_plain_for(target.plainness(), explorer) =>
            {
                Some(matches_plain(&line.path, target.text()))
            }
            _ => {
                let rule = Rule::new(line);
                common_outcome(explorer, |explorer| rule.matches(target, explorer).is_some())
            }
        }
    }
}

/// A rule that may match a URL.
pub(crate) struct Rule<'r> {
    line: &'r RuleLine<'r>,
    /// The pattern of its path as it is written, and with a slash before it, once they are needed.
    patterns: [OnceCell<Pattern<'r>>; 2],
}

/// A rule that matches a URL in a reading.
#[derive(Clone, Copy)]
pub(crate) struct Match<'m> {
    pub(crate) line: &'m RuleLine<'m>,
    pub(crate) pattern: &'m Pattern<'m>,
}

impl<'r> Rule<'r> {
    pub(crate) fn new(line: &'r RuleLine<'r>) -> Self {
        Rule { line, patterns: [const { OnceCell::new() }; 2] }
    }

    /// Returns the pattern that the path of the rule stands for. Nothing where the rule is ignored.
    fn pattern(&self, reader: &mut impl Reader) -> Option<&Pattern<'_>> {
        let path = &*self.line.path;
        let has_slash = match self.line.start.unwrap_or_else(|| path_start(path, reader)) {
            PathStart::Ignore => return None,
            PathStart::Keep => false,
            PathStart::AssumeSlash => !path.starts_with(b"/"),
        };
        Some(self.patterns[usize::from(has_slash)].get_or_init(|| Pattern::parse(path, has_slash)))
    }

    /// Returns the match, where the rule matches the URL.
    pub(crate) fn matches(&self, target: &Target, reader: &mut impl Reader) -> Option<Match<'_>> {
        let pattern = self.pattern(reader)?;
        pattern.matches(target.compared(reader), reader).then_some(Match { line: self.line, pattern })
    }
}
