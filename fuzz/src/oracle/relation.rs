//! Relations: rewritings of a file that change no answer, in any reading of an edition.
//!
//! They need no reference: an implementation that answers differently for two files which mean the same breaks the
//! specification, even where the specification does not specify the answer.

use std::fmt;
use std::sync::Arc;

use robotspec_cases::{Clause, Query, Variant};
use robotspec_reference::bytes::hex_digits;
use robotspec_reference::scan::{Field, LineKind};
use robotspec_reference::{Edition, RobotsTxt, RuleKind, named_enum, split_lines};

/// A rewriting of a file that does not change its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// A variant of a case.
    Variant(Variant),
    /// A rewriting of the paths of rules.
    Paths(PathRewrite),
}

named_enum! {
    /// A rewriting of the paths of rules.
    pub enum PathRewrite: "relation" {
        /// Percent-encodes bytes outside ASCII.
        NonAscii = "non-ascii",
        /// Appends a wildcard.
        TrailingStar = "trailing-star",
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl Relation {
    /// Returns every relation.
    pub fn all() -> impl Iterator<Item = Relation> {
        let variants = Variant::ALL.into_iter().map(Relation::Variant);
        variants.chain(PathRewrite::ALL.into_iter().map(Relation::Paths))
    }

    /// Returns the permanent name.
    pub fn id(self) -> &'static str {
        match self {
            Relation::Variant(variant) => variant.id(),
            Relation::Paths(rewrite) => rewrite.id(),
        }
    }

    /// Returns the clause from which the relation follows.
    pub fn clause(self) -> &'static str {
        match self {
            Relation::Variant(variant) => variant.clause(),
            Relation::Paths(PathRewrite::NonAscii) => "M-non-ascii",
            Relation::Paths(PathRewrite::TrailingStar) => "M-trailing-star",
        }
    }

    /// Returns whether the relation holds in an edition.
    pub fn holds_in(self, edition: Edition) -> bool {
        Clause::find(self.clause()).is_some_and(|clause| clause.section(edition).is_some())
    }

    /// Returns whether no reading of an edition answers a match query differently for the two forms of its file.
    pub(crate) fn is_safe(self, edition: Edition, query: &Query) -> bool {
        let Query::Match { robots, agent, url } = query else { return false };
        let Some(twin) = self.rewrite(robots) else { return false };
        let (robots, twin) = (RobotsTxt::parse(robots), RobotsTxt::parse(&twin));
        robots.agrees_in_every_reading(&twin, edition, agent, url).unwrap_or(false)
    }

    /// Returns the query about the other form of its file. `None` where the file cannot be rewritten.
    pub(crate) fn twin(self, query: &Query) -> Option<Query> {
        query.with_robots(self.rewrite(query.file()?)?)
    }

    /// Another file that means the same. `None` where this file cannot be rewritten.
    pub fn rewrite(self, robots: &[u8]) -> Option<Arc<[u8]>> {
        match self {
            Relation::Variant(variant) => variant.rewrite(robots),
            Relation::Paths(rewrite) => rewrite_paths(robots, |path| rewrite.apply(path)),
        }
    }
}

impl PathRewrite {
    /// Returns the rewritten path. The result is `None` where the path stays the same.
    fn apply(self, path: &[u8]) -> Option<Vec<u8>> {
        match self {
            PathRewrite::NonAscii => {
                let is_text = std::str::from_utf8(path).is_ok();
                (is_text && !path.is_ascii()).then(|| percent_encode(path))
            }
            PathRewrite::TrailingStar => {
                let may_go_on = path.starts_with(b"/") && !path.ends_with(b"*");
                // A `$` at the end of the path would then be in its middle.
                (may_go_on && !path.contains(&b'$')).then(|| [path, b"*"].concat())
            }
        }
    }
}

/// Returns the file with other paths. The result is `None` where that could change the meaning of the file.
///
/// The length of paths decides between `allow` and `disallow` rules, so the file may contain rules of one kind only.
fn rewrite_paths(robots: &[u8], rewrite: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Arc<[u8]>> {
    let mut rewritten = Vec::with_capacity(robots.len() + 64);
    let mut kinds: Vec<RuleKind> = Vec::new();
    let mut is_rewritten = false;
    for line in split_lines(robots) {
        if line.end != b"\n" || std::str::from_utf8(line.text).is_err() {
            return None;
        }
        let parts = line.parts();
        match parts.kind() {
            LineKind::Known(Field::Rule(kind)) => {
                let start = parts.value.start;
                let path = robots[start..line.start + line.text.len()].trim_ascii();
                let path = std::str::from_utf8(path).ok()?;
                // Such a character can end the path in some readings; after the rewriting it need not be at an end.
                if path.contains(|c: char| c.is_whitespace() || c.is_control() || c == '#') {
                    return None;
                }
                let other = rewrite(path.as_bytes());
                is_rewritten |= other.is_some();
                kinds.push(kind);
                rewritten.extend_from_slice(&robots[line.start..=parts.colon?]);
                rewritten.push(b' ');
                rewritten.extend_from_slice(other.as_deref().unwrap_or(path.as_bytes()));
            }
            // Some readings take any other line for a rule.
            LineKind::Known(Field::UserAgent)
                if parts.field.start == line.start && parts.colon == Some(parts.field.span().end) =>
            {
                rewritten.extend_from_slice(line.text);
            }
            LineKind::Comment if line.text.starts_with(b"#") => rewritten.extend_from_slice(line.text),
            LineKind::Blank if line.text.is_empty() => {}
            _ => return None,
        }
        rewritten.push(b'\n');
    }
    kinds.dedup();
    (is_rewritten && kinds.len() == 1).then(|| rewritten.into())
}

/// Returns the path with its bytes outside ASCII as escapes.
fn percent_encode(path: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(3 * path.len());
    for &byte in path {
        if byte.is_ascii() {
            encoded.push(byte);
        } else {
            encoded.push(b'%');
            encoded.extend(hex_digits(byte));
        }
    }
    encoded
}
