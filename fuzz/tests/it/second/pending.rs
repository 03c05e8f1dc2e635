//! Points on which the reference does not yet give the ruling of the texts. The comparison leaves them out.

use robotspec_reference::Edition;

use super::questions::{Answer, Question};

/// Answers that the texts admit and the reference does not.
pub(crate) const ANSWERS: &[(Edition, Question, Answer)] = &[
    (Edition::Rfc9309, Question::EscapedDot, Answer::No),
    (Edition::Google2026, Question::EscapedDot, Answer::No),
];

/// Whether a rule may match a part of the escape of a reserved byte other than `*` and `$`.
pub(crate) const PART_OF_RESERVED: bool = false;

/// Whether a file that is not UTF-8 may be decoded as a whole, with the lines that are UTF-8.
pub(crate) const DECODE_WHOLE_FILE: bool = false;

/// Whether an escaped unreserved character counts as three bytes after percent-encoding in a reading that does not
/// decode it in a rule.
pub(crate) const ENCODED_KEEPS_ESCAPES: bool = false;

/// Whether dot segments may be removed from a path before which a slash is assumed.
pub(crate) const DOTS_AFTER_ASSUMED_SLASH: bool = false;

/// Whether every disallow rule of the greatest length is compared with the allow rules of that length, not only the
/// first of them.
pub(crate) const EQUIVALENT_AMONG_ALL: bool = false;

/// Whether a path that starts with `*` counts after percent-encoding without the slash that another reading assumes.
pub(crate) const LEADING_STAR_WITHOUT_SLASH: bool = false;

/// Whether a file in UTF-16 may be decoded for its sitemaps.
pub(crate) const SITEMAPS_IN_UTF_16: bool = false;

/// Whether a rule may match a part of an escape in a reading in which reserved characters are the same as their escapes.
pub(crate) const PARTS_AND_EQUAL_RESERVED: bool = false;
