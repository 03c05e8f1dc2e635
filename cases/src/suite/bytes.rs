//! The bytes of a file, in the forms in which a case may write them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use serde::Deserialize;

/// Bytes: plain text, or one of the forms for bytes that YAML cannot represent.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Bytes"))]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a file or URL as a text, or as one of `escaped`, `base64` and `parts`"
)]
pub enum BytesFormat {
    /// The text itself.
    Text(String),
    /// Another form.
    #[cfg_attr(feature = "schema", schemars(extend("minProperties" = 1, "maxProperties" = 1)))]
    Form {
        /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
        escaped: Option<String>,
        /// The bytes in Base64.
        base64: Option<String>,
        /// Parts that are concatenated.
        parts: Option<Vec<PartFormat>>,
    },
}

/// A part of a file: plain text, or one of the other forms.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Part"))]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a text, or one of `escaped`, `base64`, `repeat` with `times`, and `fill` with `to`"
)]
pub enum PartFormat {
    /// The text itself.
    Text(String),
    /// Another form.
    #[cfg_attr(feature = "schema", schemars(extend("oneOf" = [
        { "required": ["escaped"] },
        { "required": ["base64"] },
        { "required": ["repeat", "times"] },
        { "required": ["fill", "to"] },
    ], "dependentRequired" = { "repeat": ["times"], "times": ["repeat"], "fill": ["to"], "to": ["fill"] })))]
    Form {
        /// Text with `\n`, `\r`, `\t`, `\\` and `\xNN`.
        escaped: Option<String>,
        /// The bytes in Base64.
        base64: Option<String>,
        /// A text to repeat.
        repeat: Option<String>,
        /// The number of repetitions.
        times: Option<usize>,
        /// A text to repeat until the file has a size.
        fill: Option<String>,
        /// The size of the file up to here, in bytes.
        to: Option<usize>,
    },
}

/// The largest file that a case may generate, in bytes.
const LARGEST: usize = 64 << 20;

/// Returns the bytes that a case writes in one of the forms.
///
/// # Errors
///
/// The form does not describe a file.
pub(crate) fn decode_bytes(bytes: &BytesFormat) -> Result<Vec<u8>, String> {
    match bytes {
        BytesFormat::Text(text) => Ok(text.clone().into_bytes()),
        BytesFormat::Form { escaped: Some(escaped), base64: None, parts: None } => unescape(escaped),
        BytesFormat::Form { escaped: None, base64: Some(base64), parts: None } => decode_base64(base64),
        BytesFormat::Form { escaped: None, base64: None, parts: Some(parts) } => {
            let mut file = Vec::new();
            for part in parts {
                append_part(&mut file, part)?;
            }
            Ok(file)
        }
        _ => Err("give one of `escaped`, `base64` and `parts`".to_owned()),
    }
}

fn append_part(file: &mut Vec<u8>, part: &PartFormat) -> Result<(), String> {
    let form = match part {
        PartFormat::Text(text) => {
            file.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        PartFormat::Form { escaped, base64, repeat, times, fill, to } => {
            (escaped, base64, (repeat, times), (fill, to))
        }
    };
    match form {
        (Some(escaped), None, (None, None), (None, None)) => file.extend(unescape(escaped)?),
        (None, Some(base64), (None, None), (None, None)) => file.extend(decode_base64(base64)?),
        (None, None, (Some(text), Some(times)), (None, None)) => {
            if text.len().saturating_mul(*times).saturating_add(file.len()) > LARGEST {
                return Err(format!(
                    "the file would be larger than {LARGEST} bytes; repeat the text fewer times"
                ));
            }
            file.extend(text.repeat(*times).into_bytes());
        }
        (None, None, (None, None), (Some(text), Some(to))) => {
            let from = file.len();
            if text.is_empty() || !(from..=LARGEST).contains(to) {
                return Err(format!(
                    "a file of {from} bytes cannot be filled up to {to} bytes; give a text that is not empty, and a size from {from} to {LARGEST}"
                ));
            }
            file.extend(text.repeat((to - from).div_ceil(text.len())).into_bytes());
            file.truncate(*to);
        }
        _ => {
            let forms = "`escaped`, `base64`, `repeat` with `times`, and `fill` with `to`";
            return Err(format!("give one of {forms}"));
        }
    }
    Ok(())
}

fn decode_base64(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|error| format!("the text is not padded Base64: {error}"))
}

/// Reads `\n`, `\r`, `\t`, `\\` and `\xNN`.
pub(super) fn unescape(text: &str) -> Result<Vec<u8>, String> {
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
                let no_byte = || format!("`\\x` needs two hexadecimal digits, not `{digits}`");
                bytes.push(byte.ok_or_else(no_byte)?);
            }
            other => {
                let escape = other.map(String::from).unwrap_or_default();
                return Err(format!(
                    "unknown escape `\\{escape}`; write `\\n`, `\\r`, `\\t`, `\\\\` or `\\xNN`"
                ));
            }
        }
        rest = characters.as_str();
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}
