//! Writes files of cases.

use serde_yaml::{Mapping, Value};

use crate::visible::is_invisible;

/// A line that is repeated more often than this, or a byte within a line, is written as a repetition.
const LONG_RUN: usize = 32;

/// Adds a key at the end of a mapping.
pub fn put(mapping: &mut Mapping, key: &str, value: impl Into<Value>) {
    mapping.insert(Value::from(key), value.into());
}

/// Returns a file as text, where YAML can represent it as a block. Otherwise the file in the escaped form, with long
/// runs as repetitions.
pub fn written_file(file: &[u8]) -> Value {
    // A person reads the cases, too.
    let is_plain = |c: char| c == '\n' || !is_invisible(c);
    if let Some(parts) = parts(file) {
        return one_key("parts", parts);
    }
    match std::str::from_utf8(file) {
        Ok(text) if text.chars().all(is_plain) && text.ends_with('\n') && !text.starts_with([' ', '\n']) => {
            Value::from(text)
        }
        _ => one_key("escaped", escape(file)),
    }
}

fn one_key(key: &str, value: impl Into<Value>) -> Value {
    let mut mapping = Mapping::new();
    put(&mut mapping, key, value);
    Value::Mapping(mapping)
}

/// Returns the escaped form of a file.
fn escape(file: &[u8]) -> String {
    let mut text = String::with_capacity(file.len());
    for &byte in file {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text
}

/// Returns the parts of a file that has a long run. The result is `None` for any other file.
fn parts(file: &[u8]) -> Option<Vec<Value>> {
    let mut parts: Vec<Value> = Vec::new();
    let mut rest = file;
    let mut plain: Vec<u8> = Vec::new();
    let flush = |plain: &mut Vec<u8>, parts: &mut Vec<Value>| {
        if !plain.is_empty() {
            parts.push(one_key("escaped", escape(plain)));
            plain.clear();
        }
    };
    while let Some(&first) = rest.first() {
        // Lines are compared only where a line starts: otherwise a long line would be read once for each of its bytes.
        let is_line_start = plain.last().is_none_or(|&byte| byte == b'\n');
        let line = rest.iter().position(|&byte| is_line_start && byte == b'\n').map_or(0, |end| end + 1);
        let unit = &rest[..line];
        let lines = rest.chunks_exact(line.max(1)).take_while(|chunk| *chunk == unit).count();
        let bytes = rest.iter().take_while(|&&byte| byte == first).count();
        let (unit, times) = if lines > LONG_RUN { (unit, lines) } else { (&rest[..1], bytes) };
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
    Some(parts)
}
