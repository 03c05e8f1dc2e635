//! Lines with the field `content-usage`: their names, paths and preferences.
//!
//! *draft-ietf-aipref-attach-05, "Processing Content-Usage Rules".*

use memchr::memchr;

use crate::bytes::{is_blank, trim};
use crate::field_name::{CONTENT_USAGE, resembles_usage};

/// How the field is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UsageName {
    /// In any letter case.
    Exact,
    /// With a misspelling, as a longer word, or without a colon.
    Misspelt,
}

/// Splits a line whose field is `content-usage`, or resembles it, into the form of its name and its value.
pub(crate) fn usage_line(text: &[u8]) -> Option<(UsageName, &[u8])> {
    let Some(colon) = memchr(b':', text) else {
        let text = trim(text);
        let end = text.iter().position(|&byte| is_blank(byte))?;
        return resembles_usage(&text[..end]).then(|| (UsageName::Misspelt, trim(&text[end..])));
    };
    let (name, value) = (trim(&text[..colon]), trim(&text[colon + 1..]));
    if name.eq_ignore_ascii_case(CONTENT_USAGE.as_bytes()) {
        return Some((UsageName::Exact, value));
    }
    resembles_usage(name).then_some((UsageName::Misspelt, value))
}

/// Returns the path of a usage rule, which may be absent, and its preference.
pub(crate) fn path_and_preference(value: &[u8]) -> (&[u8], &[u8]) {
    if value.first() != Some(&b'/') {
        return (b"", value);
    }
    let end = value.iter().position(|&byte| is_blank(byte)).unwrap_or(value.len());
    (&value[..end], trim(&value[end..]))
}

/// Returns whether the value of a line consists of a path, which may be absent, and a preference: a dictionary of keys with
/// values (RFC 9651, 3.2). Parameters and quoted values are not preferences of the draft.
pub(crate) fn is_usage_value(value: &[u8]) -> bool {
    let (_, preference) = path_and_preference(value);
    preference.split(|&byte| byte == b',').map(trim).all(is_member)
}

/// Returns whether the text is a member of a dictionary: `train-ai=n`.
pub(crate) fn is_member(text: &[u8]) -> bool {
    let Some(sign) = memchr(b'=', text) else { return false };
    let (key, value) = (&text[..sign], &text[sign + 1..]);
    let is_start = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'*';
    let is_key = |byte: &u8| is_start(byte) || byte.is_ascii_digit() || b"_-.".contains(byte);
    key.first().is_some_and(is_start)
        && key.iter().all(is_key)
        && !value.is_empty()
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:%*/".contains(byte))
}

#[cfg(test)]
#[path = "../tests/unit/usage_line.rs"]
mod tests;
