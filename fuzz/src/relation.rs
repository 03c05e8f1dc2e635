//! Relations: what must not change an answer, in any reading of an edition.
//!
//! They need no reference: an implementation that answers differently for two files which mean
//! the same breaks the text, be the answer itself left open or not.

use std::sync::Arc;

use robotspec_reference::{Edition, split_lines};

use robotspec_cases::clause::Clause;
use robotspec_cases::suite::Variant;

/// Two files that mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The file and one of its variants.
    Variant(Variant),
    /// Octets outside ASCII in paths, and their percent-encoding.
    NonAscii,
    /// Paths, and the same with a wildcard at their end.
    TrailingStar,
}

impl Relation {
    /// Every relation.
    pub fn all() -> impl Iterator<Item = Relation> {
        Variant::ALL.into_iter().map(Relation::Variant).chain([Relation::NonAscii, Relation::TrailingStar])
    }

    /// What it is called.
    pub fn id(self) -> &'static str {
        match self {
            Relation::Variant(variant) => variant.id(),
            Relation::NonAscii => "non-ascii",
            Relation::TrailingStar => "trailing-star",
        }
    }

    /// The relation of this name.
    pub fn from_id(id: &str) -> Option<Relation> {
        Relation::all().find(|relation| relation.id() == id)
    }

    /// The clause that it follows from.
    pub fn clause(self) -> &'static str {
        match self {
            Relation::Variant(variant) => variant.clause(),
            Relation::NonAscii => "M-non-ascii",
            Relation::TrailingStar => "M-trailing-star",
        }
    }

    /// Whether it holds in an edition.
    pub fn holds_in(self, edition: Edition) -> bool {
        Clause::find(self.clause()).is_some_and(|clause| clause.section(edition).is_some())
    }

    /// Another file that means the same, where this one lets itself be rewritten.
    pub fn rewrite(self, robots: &[u8]) -> Option<Arc<[u8]>> {
        match self {
            Relation::Variant(variant) => variant.rewrite(robots),
            Relation::NonAscii => with_paths(robots, |path| {
                let is_text = std::str::from_utf8(path).is_ok();
                (is_text && !path.is_ascii()).then(|| percent_encoded(path))
            }),
            Relation::TrailingStar => with_paths(robots, |path| {
                let is_open = path.starts_with(b"/") && !path.ends_with(b"$") && !path.ends_with(b"*");
                // A `$` that was the last character would then be one in the middle.
                (is_open && !path.contains(&b'$')).then(|| [path, b"*"].concat())
            }),
        }
    }
}

/// The file with other paths. Their length decides between an `allow` and a `disallow`, so only a
/// file that has one kind of rule lets its paths be rewritten.
fn with_paths(robots: &[u8], rewrite: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Arc<[u8]>> {
    let text =
        std::str::from_utf8(robots).ok().filter(|text| text.ends_with('\n') && !text.contains('\r'))?;
    let mut rewritten = Vec::with_capacity(robots.len() + 64);
    let (mut kinds, mut is_rewritten) = ([false; 2], false);
    for line in split_lines(text.as_bytes()) {
        let path = line.text.iter().position(|&octet| octet == b':').and_then(|colon| {
            let kind = [&b"allow"[..], b"disallow"]
                .iter()
                .position(|name| line.text[..colon].trim_ascii().eq_ignore_ascii_case(name))?;
            Some((kind, colon + 1))
        });
        let Some((kind, value)) = path else {
            // A line that some reading takes for a rule would be left as it is.
            let is_plain = line.text.is_empty()
                || line.text.starts_with(b"#")
                || line.text.to_ascii_lowercase().starts_with(b"user-agent:");
            if !is_plain {
                return None;
            }
            rewritten.extend_from_slice(line.text);
            rewritten.push(b'\n');
            continue;
        };
        kinds[kind] = true;
        let path = line.text[value..].trim_ascii();
        // What stands at an edge, or is cut there in some reading, need not stand there afterwards.
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || c == '#';
        if std::str::from_utf8(path).map_or(true, |path| path.contains(is_odd)) {
            return None;
        }
        let path_rewritten = rewrite(path);
        is_rewritten |= path_rewritten.is_some();
        rewritten.extend_from_slice(&line.text[..value]);
        rewritten.push(b' ');
        rewritten.extend_from_slice(&path_rewritten.unwrap_or_else(|| path.to_vec()));
        rewritten.push(b'\n');
    }
    (is_rewritten && kinds != [true; 2]).then(|| rewritten.into())
}

fn percent_encoded(path: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(3 * path.len());
    for &octet in path {
        match octet.is_ascii() {
            true => encoded.push(octet),
            false => encoded.extend_from_slice(format!("%{octet:02X}").as_bytes()),
        }
    }
    encoded
}
