//! The bytes of a file, in the forms in which a case may write them.

use std::cell::Cell;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::suite::format::{BytesForm, BytesFormat, PartForm, PartFormat};

/// The largest file that a case may generate, in bytes.
const LARGEST: usize = 64 << 20;

/// The largest size of all files, URLs and agents of a document together, in bytes.
const LARGEST_TOGETHER: usize = 128 << 20;

/// A written form that does not describe a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BadBytes {
    /// The form does not have exactly one of `escaped`, `base64` and `parts`.
    FileForm,
    /// The part does not have exactly one of `escaped`, `base64`, `repeat` with `times`, and `fill` with `to`.
    PartForm,
    /// The file would be larger than a case may generate.
    TooLarge,
    /// The files, URLs and agents of the document would be larger together than a document may describe.
    TooLargeTogether,
    /// The file cannot be filled up to a size.
    Fill {
        /// The size of the file before the part, in bytes.
        from: usize,
        /// The size to fill up to, in bytes.
        to: usize,
    },
    /// The text is not padded Base64.
    Base64(base64::DecodeError),
    /// Two hexadecimal digits do not follow `\x`, but this text does.
    HexDigits(String),
    /// This text is not an escape.
    Escape(String),
}

impl fmt::Display for BadBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadBytes::FileForm => f.write_str("give one of `escaped`, `base64` and `parts`"),
            BadBytes::PartForm => {
                f.write_str("give one of `escaped`, `base64`, `repeat` with `times`, and `fill` with `to`")
            }
            BadBytes::TooLarge => {
                write!(f, "the file would be larger than {LARGEST} bytes; repeat the text fewer times")
            }
            BadBytes::TooLargeTogether => write!(
                f,
                "the files, URLs and agents up to here have more than {LARGEST_TOGETHER} bytes together; split the document"
            ),
            BadBytes::Fill { from, to } => write!(
                f,
                "a file of {from} bytes cannot be filled up to {to} bytes; give a text that is not empty, and a size from {from} to {LARGEST}"
            ),
            BadBytes::Base64(error) => write!(f, "the text is not padded Base64: {error}"),
            BadBytes::HexDigits(digits) => {
                write!(f, "`\\x` needs two hexadecimal digits, not `{digits}`")
            }
            BadBytes::Escape(escape) => {
                write!(f, "unknown escape `{escape}`; write `\\n`, `\\r`, `\\t`, `\\\\` or `\\xNN`")
            }
        }
    }
}

impl std::error::Error for BadBytes {}

/// Counts the bytes of the files, URLs and agents that a document describes. A short document can describe gigabytes,
/// because each file may repeat a text, and each row may have the agent of its suite.
#[derive(Debug, Default)]
pub(crate) struct TotalSize {
    bytes: Cell<usize>,
}

impl TotalSize {
    /// Counts bytes.
    ///
    /// # Errors
    ///
    /// There are more bytes than a document may describe.
    pub(crate) fn add(&self, bytes: usize) -> Result<(), BadBytes> {
        let total = self.bytes.get().saturating_add(bytes);
        self.bytes.set(total);
        if total > LARGEST_TOGETHER { Err(BadBytes::TooLargeTogether) } else { Ok(()) }
    }
}

/// Returns the bytes that a case writes in one of the forms.
///
/// # Errors
///
/// The form does not describe a file.
pub(crate) fn decode_bytes(bytes: &BytesFormat) -> Result<Vec<u8>, BadBytes> {
    match bytes {
        BytesFormat::Text(text) => Ok(text.clone().into_bytes()),
        BytesFormat::Form(BytesForm { escaped: Some(escaped), base64: None, parts: None }) => {
            unescape(escaped)
        }
        BytesFormat::Form(BytesForm { escaped: None, base64: Some(base64), parts: None }) => {
            decode_base64(base64)
        }
        BytesFormat::Form(BytesForm { escaped: None, base64: None, parts: Some(parts) }) => {
            let mut file = Vec::new();
            for part in parts {
                append_part(&mut file, part)?;
            }
            Ok(file)
        }
        BytesFormat::Form(_) => Err(BadBytes::FileForm),
    }
}

fn append_part(file: &mut Vec<u8>, part: &PartFormat) -> Result<(), BadBytes> {
    let form = match part {
        PartFormat::Text(text) => {
            file.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        PartFormat::Form(form) => form,
    };
    let PartForm { escaped, base64, repeat, times, fill, to } = form;
    match (escaped, base64, (repeat, times), (fill, to)) {
        (Some(escaped), None, (None, None), (None, None)) => file.extend(unescape(escaped)?),
        (None, Some(base64), (None, None), (None, None)) => file.extend(decode_base64(base64)?),
        (None, None, (Some(text), Some(times)), (None, None)) => {
            if text.len().saturating_mul(*times).saturating_add(file.len()) > LARGEST {
                return Err(BadBytes::TooLarge);
            }
            file.extend(text.repeat(*times).into_bytes());
        }
        (None, None, (None, None), (Some(text), Some(to))) => {
            if text.is_empty() || !(file.len()..=LARGEST).contains(to) {
                return Err(BadBytes::Fill { from: file.len(), to: *to });
            }
            file.extend(text.repeat((to - file.len()).div_ceil(text.len())).into_bytes());
            file.truncate(*to);
        }
        _ => return Err(BadBytes::PartForm),
    }
    Ok(())
}

fn decode_base64(text: &str) -> Result<Vec<u8>, BadBytes> {
    STANDARD.decode(text).map_err(BadBytes::Base64)
}

/// Reads `\n`, `\r`, `\t`, `\\` and `\xNN`.
pub(super) fn unescape(text: &str) -> Result<Vec<u8>, BadBytes> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let mut characters = escape.chars();
        match characters.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('\\') => bytes.push(b'\\'),
            Some('x') => {
                let digits: String = characters.by_ref().take(2).collect();
                let is_byte = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let byte = u8::from_str_radix(&digits, 16).ok().filter(|_| is_byte);
                bytes.push(byte.ok_or(BadBytes::HexDigits(digits))?);
            }
            other => {
                return Err(BadBytes::Escape(format!("\\{}", other.map(String::from).unwrap_or_default())));
            }
        }
        rest = characters.as_str();
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use robotspec_text::escaped;

    use super::*;

    #[test]
    fn escaped_bytes_are_unescaped_to_the_same_bytes() {
        let bytes: Vec<u8> = (0..=255).chain("/fish é\u{85}".bytes()).collect();
        assert_eq!(unescape(&escaped(&bytes)), Ok(bytes));
    }

    #[test]
    fn invisible_characters_are_written_as_bytes() {
        assert_eq!(escaped("\u{FEFF}a\u{A0}b c\0".as_bytes()), r"\xef\xbb\xbfa\xc2\xa0b c\x00");
        assert_eq!(escaped("a\u{202E}b".as_bytes()), r"a\xe2\x80\xaeb");
    }

    #[test]
    fn a_broken_escape_is_an_error() {
        for (text, message) in [
            (r"\q", r"unknown escape `\q`"),
            (r"\x9", "two hexadecimal digits, not `9`"),
            (r"\x+9", "two hexadecimal digits, not `+9`"),
            (r"\x9é", "two hexadecimal digits, not `9é`"),
            ("\\", r"unknown escape `\`"),
        ] {
            let error = unescape(text).expect_err(text).to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn a_fill_stops_at_its_size() {
        let part = |fill: &str, to| {
            PartFormat::Form(PartForm { fill: Some(fill.to_owned()), to: Some(to), ..PartForm::default() })
        };
        let mut file = b"abc".to_vec();
        append_part(&mut file, &part("xy", 8)).expect("the size is possible");
        assert_eq!(file, b"abcxyxyx");
        assert_eq!(append_part(&mut file, &part("xy", 7)), Err(BadBytes::Fill { from: 8, to: 7 }));
        assert_eq!(append_part(&mut file, &part("", 9)), Err(BadBytes::Fill { from: 8, to: 9 }));
    }
}
