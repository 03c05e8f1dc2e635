//! The octets of a file, from the forms in which a case may write them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::suite::format::{BytesForm, BytesFormat, PartForm, PartFormat};

/// The largest file that a case may generate, in octets.
const MOST_OCTETS: usize = 64 << 20;

/// Why a form stands for no file; the message says how to mend it.
type Result<T> = std::result::Result<T, String>;

/// The file that a case gives.
pub fn file(bytes: &BytesFormat) -> Result<Vec<u8>> {
    match bytes {
        BytesFormat::Text(text) => Ok(text.clone().into_bytes()),
        BytesFormat::Form(BytesForm { escaped: Some(escaped), base64: None, parts: None }) => {
            unescaped(escaped)
        }
        BytesFormat::Form(BytesForm { escaped: None, base64: Some(base64), parts: None }) => decoded(base64),
        BytesFormat::Form(BytesForm { escaped: None, base64: None, parts: Some(parts) }) => {
            let mut file = Vec::new();
            for part in parts {
                append(&mut file, part)?;
            }
            Ok(file)
        }
        BytesFormat::Form(_) => Err("give one of `escaped`, `base64` and `parts`".to_owned()),
    }
}

fn append(file: &mut Vec<u8>, part: &PartFormat) -> Result<()> {
    let form = match part {
        PartFormat::Text(text) => {
            file.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        PartFormat::Form(form) => form,
    };
    match form {
        PartForm {
            escaped: Some(escaped),
            base64: None,
            repeat: None,
            times: None,
            fill: None,
            to: None,
        } => {
            file.extend(unescaped(escaped)?);
        }
        PartForm { escaped: None, base64: Some(base64), repeat: None, times: None, fill: None, to: None } => {
            file.extend(decoded(base64)?);
        }
        PartForm {
            escaped: None,
            base64: None,
            repeat: Some(text),
            times: Some(times),
            fill: None,
            to: None,
        } => {
            if text.len().saturating_mul(*times) > MOST_OCTETS {
                return Err(format!("the file would be larger than {MOST_OCTETS} octets; repeat less often"));
            }
            file.extend(text.repeat(*times).into_bytes());
        }
        PartForm {
            escaped: None,
            base64: None,
            repeat: None,
            times: None,
            fill: Some(text),
            to: Some(size),
        } => {
            let rest = size.checked_sub(file.len()).filter(|_| !text.is_empty() && *size <= MOST_OCTETS).ok_or_else(|| {
                format!(
                    "cannot fill up to {size} octets: there are {} already, at most {MOST_OCTETS} may be asked for, and the text must not be empty",
                    file.len()
                )
            })?;
            file.extend(text.bytes().cycle().take(rest));
        }
        _ => {
            return Err(
                "give one of `escaped`, `base64`, `repeat` with `times`, and `fill` with `to`".to_owned()
            );
        }
    }
    Ok(())
}

fn decoded(base64: &str) -> Result<Vec<u8>> {
    STANDARD.decode(base64).map_err(|error| format!("this is no padded Base64: {error}"))
}

/// Reads `\n`, `\r`, `\t`, `\\` and `\xNN`.
pub fn unescaped(text: &str) -> Result<Vec<u8>> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        octets.extend_from_slice(before.as_bytes());
        let mut characters = escape.chars();
        match characters.next() {
            Some('n') => octets.push(b'\n'),
            Some('r') => octets.push(b'\r'),
            Some('t') => octets.push(b'\t'),
            Some('\\') => octets.push(b'\\'),
            Some('x') => {
                let digits: String = characters.by_ref().take(2).collect();
                let is_octet = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let octet = u8::from_str_radix(&digits, 16).ok().filter(|_| is_octet);
                octets.push(
                    octet.ok_or_else(|| format!("`\\x` wants two hexadecimal digits, not `{digits}`"))?,
                );
            }
            other => {
                let other = other.map(String::from).unwrap_or_default();
                return Err(format!(
                    "there is no escape `\\{other}`; write `\\n`, `\\r`, `\\t`, `\\\\` or `\\xNN`"
                ));
            }
        }
        rest = characters.as_str();
    }
    octets.extend_from_slice(rest.as_bytes());
    Ok(octets)
}

/// Writes octets as a person can read them, and as [`unescaped`] reads them.
pub fn escaped(octets: &[u8]) -> String {
    let mut text = String::new();
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                '\t' => text.push_str("\\t"),
                '\\' => text.push_str("\\\\"),
                c if is_invisible(c) => push_octets(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => text.push(c),
            }
        }
        push_octets(&mut text, chunk.invalid());
    }
    text
}

/// What a reader does not see, takes for a space, or is led astray by: controls,
/// odd white space, the byte order mark, what has no width, and what turns the
/// direction of the text (Unicode, 23.2 and UAX #9).
fn is_invisible(c: char) -> bool {
    c.is_control()
        || c.is_whitespace() && c != ' '
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}
fn push_octets(text: &mut String, octets: &[u8]) {
    for octet in octets {
        text.push_str(&format!("\\x{octet:02x}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_unescaped_to_the_same() {
        let octets: Vec<u8> = (0..=255).chain("/fish é\u{85}".bytes()).collect();
        assert_eq!(unescaped(&escaped(&octets)), Ok(octets));
    }

    #[test]
    fn what_nobody_sees_is_written_in_octets() {
        assert_eq!(escaped("\u{FEFF}a\u{A0}b c\0".as_bytes()), r"\xef\xbb\xbfa\xc2\xa0b c\x00");
        assert_eq!(escaped("a\u{202E}b".as_bytes()), r"a\xe2\x80\xaeb");
    }

    #[test]
    fn a_broken_escape_is_told() {
        for (text, says) in [
            (r"\q", r"no escape `\q`"),
            (r"\x9", "two hexadecimal digits, not `9`"),
            (r"\x+9", "two hexadecimal digits, not `+9`"),
            (r"\x9é", "two hexadecimal digits, not `9é`"),
            ("\\", "no escape"),
        ] {
            let error = unescaped(text).expect_err(text);
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_fill_stops_at_its_size() {
        let part = |fill: &str, to| {
            PartFormat::Form(PartForm {
                escaped: None,
                base64: None,
                repeat: None,
                times: None,
                fill: Some(fill.to_owned()),
                to: Some(to),
            })
        };
        let mut bytes = b"abc".to_vec();
        append(&mut bytes, &part("xy", 8)).expect("fits");
        assert_eq!(bytes, b"abcxyxyx");
        assert!(append(&mut bytes, &part("xy", 7)).is_err());
        assert!(append(&mut bytes, &part("", 9)).is_err());
    }
}
