//! Files of cases as they are written by this program.

use serde_yaml::{Mapping, Value};

/// Puts a key behind those that are there.
pub fn put(mapping: &mut Mapping, key: &str, value: impl Into<Value>) {
    mapping.insert(Value::from(key), value.into());
}

/// A text where YAML can hold it; octets in an escaped form otherwise, with long runs as parts.
pub fn written_file(file: &[u8]) -> Value {
    let is_plain =
        |c: char| c == '\n' || !c.is_control() && (c == ' ' || !c.is_whitespace()) && c != '\u{FEFF}';
    if let Some(runs) = runs(file) {
        return runs;
    }
    match std::str::from_utf8(file) {
        Ok(text) if text.chars().all(is_plain) && text.ends_with('\n') && !text.starts_with([' ', '\n']) => {
            Value::from(text)
        }
        _ => {
            let mut form = Mapping::new();
            put(&mut form, "escaped", escaped(file));
            Value::Mapping(form)
        }
    }
}

/// The escaped form of a file.
fn escaped(file: &[u8]) -> String {
    let mut text = String::with_capacity(file.len());
    for &octet in file {
        match octet {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(octet)),
            _ => text.push_str(&format!("\\x{octet:02x}")),
        }
    }
    text
}

/// A line that is repeated, or an octet within one, this often is written as such.
const LONG_RUN: usize = 32;

/// A file with a long run in it, in parts; none where it has none.
fn runs(file: &[u8]) -> Option<Value> {
    let mut parts: Vec<Value> = Vec::new();
    let mut rest = file;
    let mut plain: Vec<u8> = Vec::new();
    let flush = |plain: &mut Vec<u8>, parts: &mut Vec<Value>| {
        if !plain.is_empty() {
            let mut form = Mapping::new();
            put(&mut form, "escaped", escaped(plain));
            parts.push(Value::Mapping(form));
            plain.clear();
        }
    };
    while let Some(&first) = rest.first() {
        // Looked for where a line starts, or a long line would be read once for each of its octets.
        let is_line = plain.last().is_none_or(|&octet| octet == b'\n');
        let line = rest.iter().position(|&octet| is_line && octet == b'\n').map_or(0, |end| end + 1);
        let unit = &rest[..line];
        let lines = rest.chunks_exact(line.max(1)).take_while(|chunk| *chunk == unit).count();
        let octets = rest.iter().take_while(|&&octet| octet == first).count();
        let (unit, times) = if lines > LONG_RUN { (unit, lines) } else { (&rest[..1], octets) };
        if times <= LONG_RUN {
            plain.push(first);
            rest = &rest[1..];
            continue;
        }
        flush(&mut plain, &mut parts);
        let mut form = Mapping::new();
        put(&mut form, "repeat", String::from_utf8(unit.to_vec()).ok()?);
        put(&mut form, "times", times as u64);
        parts.push(Value::Mapping(form));
        rest = &rest[unit.len() * times..];
    }
    if parts.is_empty() {
        return None;
    }
    flush(&mut plain, &mut parts);
    let mut form = Mapping::new();
    put(&mut form, "parts", parts);
    Some(Value::Mapping(form))
}

/// As [`written_file`], but in Base64 where it is not UTF-8.
pub fn written_foreign_file(file: &[u8]) -> Value {
    use base64::Engine;
    if std::str::from_utf8(file).is_ok() {
        return written_file(file);
    }
    let mut form = Mapping::new();
    put(&mut form, "base64", base64::engine::general_purpose::STANDARD.encode(file));
    Value::Mapping(form)
}
