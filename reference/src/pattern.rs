//! Path patterns: the values of allow and disallow lines.
//!
//! *Google, "URL matching based on path values"; RFC 9309, 2.2.2 and 2.2.3.*

use std::borrow::Cow;
use std::sync::OnceLock;

use memchr::memchr;

use crate::answer::*;
use crate::fast::path::PlainPattern;
use crate::part::{EncodedLengths, Part, SLASH, parts, parts_as_written};
use crate::path::{Path, Target, matches_with_wildcards};
use crate::path_byte::with_replaced_bytes;
use crate::question::typed::*;
use crate::reading::Reader;
use crate::target::{has_dot_segments, without_dot_segments_in_rule};

/// A path pattern: the value of an allow or disallow line.
#[derive(Debug, Clone)]
pub(crate) struct Pattern<'r> {
    /// The path as it is written, with the slash that is assumed at its start, if one is.
    path: Cow<'r, [u8]>,
    has_assumed_slash: bool,
    /// Where matching the pattern raises few questions.
    plain: Option<PlainPattern>,
    /// Its parts, once they are needed.
    parts: OnceLock<Vec<Part>>,
    has_dot_segments: OnceLock<bool>,
    /// Its lengths, once they are needed.
    lengths: OnceLock<EncodedLengths>,
}

impl<'r> Pattern<'r> {
    /// Parses the path of a rule.
    pub(crate) fn parse(path: Cow<'r, [u8]>, has_assumed_slash: bool) -> Self {
        let path = if has_assumed_slash { Cow::Owned([b"/", &*path].concat()) } else { path };
        let plain = PlainPattern::new(&path);
        let (parts, has_dot_segments, lengths) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Pattern { path, has_assumed_slash, plain, parts, has_dot_segments, lengths }
    }

    fn parts(&self) -> &[Part] {
        self.parts.get_or_init(|| parts(&self.path))
    }

    fn has_dot_segments(&self) -> bool {
        *self.has_dot_segments.get_or_init(|| self.path.starts_with(b"/") && has_dot_segments(&self.path))
    }

    fn lengths(&self) -> &EncodedLengths {
        self.lengths.get_or_init(|| EncodedLengths::of(self.parts()))
    }

    /// The path as it is written in the file.
    fn written(&self) -> &[u8] {
        &self.path[usize::from(self.has_assumed_slash)..]
    }

    fn characters(&self) -> usize {
        let characters = |chunk: std::str::Utf8Chunk| chunk.valid().chars().count() + chunk.invalid().len();
        self.written().utf8_chunks().map(characters).sum()
    }

    /// Returns the number of `*` at its end.
    fn trailing_stars(&self) -> usize {
        self.path.iter().rev().take_while(|&&byte| byte == b'*').count()
    }

    /// Returns whether it ends with a wildcard, which does not change what it matches.
    pub(crate) fn has_trailing_star(&self) -> bool {
        self.path.ends_with(b"*")
    }

    /// Returns whether it has a wildcard. Wildcards at its end may count or not.
    pub(crate) fn has_star(&self, trailing_too: bool) -> bool {
        let trailing = if trailing_too { 0 } else { self.trailing_stars() };
        memchr(b'*', &self.path[..self.path.len() - trailing]).is_some()
    }

    /// Its length in bytes for the order of precedence. Escaped unreserved characters may be decoded before it is
    /// percent-encoded, or not.
    pub(crate) fn length(&self, of: PathLength, trailing_too: bool, decodes: bool) -> usize {
        let escapes = || if decodes { 0 } else { 2 * self.lengths().escapes };
        let whole = match of {
            PathLength::Written | PathLength::Matched => self.written().len(),
            PathLength::Encoded => self.lengths().encoded + escapes(),
            PathLength::EncodedUnsafe => self.lengths().encoded_unsafe + escapes(),
            PathLength::EncodedReserved => self.lengths().encoded_reserved + escapes(),
            PathLength::Characters => self.characters(),
        };
        if trailing_too { whole } else { whole - self.trailing_stars() }
    }

    /// Returns the number of bytes of a path that it matches.
    pub(crate) fn matched_length(&self, target: &Target) -> usize {
        target.path().longest_match(self.parts()).unwrap_or_else(|| self.written().len())
    }

    /// Returns whether it has a wildcard at all.
    pub(crate) fn has_wildcard(&self) -> bool {
        self.parts().iter().any(|part| !matches!(part, Part::Byte(_)))
    }

    /// Returns whether two ways to count its length differ.
    pub(crate) fn has_two_lengths(&self) -> bool {
        let EncodedLengths { encoded, encoded_unsafe, encoded_reserved, .. } = *self.lengths();
        self.has_escapes()
            || [encoded, encoded_unsafe, encoded_reserved, self.characters()]
                .iter()
                .any(|length| *length != self.written().len())
    }

    /// Returns whether it has escaped unreserved characters.
    pub(crate) fn has_escapes(&self) -> bool {
        memchr(b'%', &self.path).is_some() && self.lengths().escapes > 0
    }

    /// Returns whether it names this path and nothing below it, other than by wildcards at its end.
    pub(crate) fn is_path(&self, path: &[u8]) -> bool {
        let parts = self.parts();
        let end = parts.len() - parts.iter().rev().take_while(|part| !matches!(part, Part::Byte(_))).count();
        let named = &parts[..end];
        let named = named.strip_prefix(&[SLASH]).unwrap_or(named);
        let path = path.strip_prefix(b"/").unwrap_or(path);
        let is_byte = |(part, byte): (&Part, &u8)| matches!(part, Part::Byte(part) if part.value() == *byte);
        named.len() == path.len() && named.iter().zip(path).all(is_byte)
    }

    /// Returns the path after percent-encoding (RFC 9309, 2.2.2): two rules are equivalent if it is the same. Wildcards at
    /// its end may count or not.
    pub(crate) fn percent_encoded(&self, trailing_too: bool) -> Vec<Part> {
        let parts = self.parts();
        let end = parts.len() - if trailing_too { 0 } else { self.trailing_stars() };
        let encoded = |part: &Part| match part {
            Part::Byte(byte) => Part::Byte(byte.percent_encoded()),
            other => *other,
        };
        parts[..end].iter().map(encoded).collect()
    }

    /// Returns whether the pattern matches the target from its first byte on.
    pub(crate) fn matches(&self, target: &Target, reader: &mut impl Reader) -> bool {
        if self.path.is_empty() {
            return true;
        }
        let target = match target.with_fragment() {
            Some(with_fragment) if reader.answer(Fragment) == Removal::Keep => with_fragment,
            _ => target,
        };
        if let Some(plain) = self.plain
            && compares_plainly(reader)
            && plain.is_plain_for(target.plainness(), reader)
        {
            return plain.matches(&self.path, target.text(), reader);
        }
        self.matches_in_detail(target, reader)
    }

    /// Returns the same for a pattern or a target that may raise any question.
    fn matches_in_detail(&self, target: &Target, reader: &mut impl Reader) -> bool {
        if reader.answer(Escapes) == EscapeMeaning::Written {
            let url = Path::as_written(target.text());
            return matches_with_wildcards(&parts_as_written(&self.path), &url, reader);
        }
        if reader.admits(ReplacedBytes, YesOrNo::Yes) {
            let [rule, url] = [&self.path, target.text()].map(with_replaced_bytes);
            return matches_with_wildcards(&parts(&rule), &Path::of(&url), reader);
        }
        let of_path = self.parts();
        if !self.has_dot_segments() && !target.has_dot_segments() {
            return matches_with_wildcards(of_path, target.path(), reader);
        }
        let answer = reader.answer(DotSegments);
        if answer == Normalisation::Keep {
            return matches_with_wildcards(of_path, target.path(), reader);
        }
        let parts = match self.without_dot_segments(answer, reader) {
            Some(path) => Cow::Owned(parts(&path)),
            None => Cow::Borrowed(of_path),
        };
        match target.without_dot_segments(reader) {
            Some(path) => matches_with_wildcards(&parts, &path, reader),
            None => matches_with_wildcards(&parts, target.path(), reader),
        }
    }

    /// Returns the pattern without the dot segments that a normalisation removes, if there are any.
    fn without_dot_segments(
        &self,
        normalisation: Normalisation,
        reader: &mut impl Reader,
    ) -> Option<Vec<u8>> {
        let path = self.has_dot_segments().then_some(&*self.path)?;
        match normalisation {
            Normalisation::Keep | Normalisation::NormaliseUrl => None,
            Normalisation::NormaliseWhole => Some(without_dot_segments_in_rule(path, reader)),
            // The last segment is a prefix, not a whole segment: `/.` matches `/.git`.
            Normalisation::NormaliseBoth => {
                let (directory, last) = path.split_at(path.iter().rposition(|&byte| byte == b'/')? + 1);
                Some([&without_dot_segments_in_rule(directory, reader), last].concat())
            }
        }
    }
}

/// Returns whether a reader compares the characters of a rule with those of a path, from the first on.
pub(crate) fn compares_plainly(reader: &impl Reader) -> bool {
    reader.always(MatchAnywhere, MatchStart::First)
        && reader.always(RuleCharacters, RuleText::Literal)
        && reader.always(DoubleSlash, Slashes::Keep)
        && reader.always(ReservedByte, ReservedCharacter::Equal)
}

#[cfg(test)]
#[path = "../tests/unit/pattern.rs"]
mod tests;
