//! A form of JSON in which each value is written once, because the documents of the page repeat many values; compressed,
//! because a page that is a file is sent as it is.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec;
use serde_json::Value;

/// Writes a document as a list of its values, the document itself last.
///
/// A text, number, boolean or null stands for itself. `[-1, a, b]` is the array of the values at the places `a` and `b`
/// of the list. `[k, a, b]` is the object whose keys are the array at the place `k`.
pub fn pack(document: &Value) -> String {
    let mut packed = Packed::default();
    packed.add(document);
    format!("[{}]", packed.values.join(","))
}

/// Compresses data with DEFLATE (RFC 1951), in Base64.
pub fn compress(data: &[u8]) -> String {
    const SMALLEST: u8 = 9;
    STANDARD.encode(compress_to_vec(data, SMALLEST))
}

#[derive(Default)]
struct Packed {
    values: Vec<String>,
    places: HashMap<String, usize>,
}

impl Packed {
    /// Adds a value with its parts, and returns its place.
    fn add(&mut self, value: &Value) -> usize {
        let written = match value {
            Value::Array(items) => self.write("-1", items),
            Value::Object(parts) => {
                let keys = self.add(&parts.keys().cloned().collect::<Value>()).to_string();
                self.write(&keys, parts.values())
            }
            scalar => scalar.to_string(),
        };
        if let Some(&place) = self.places.get(&written) {
            return place;
        }
        self.places.insert(written.clone(), self.values.len());
        self.values.push(written);
        self.values.len() - 1
    }

    fn write<'v>(&mut self, first: &str, parts: impl IntoIterator<Item = &'v Value>) -> String {
        let places = parts.into_iter().map(|part| format!(",{}", self.add(part)));
        format!("[{first}{}]", places.collect::<String>())
    }
}
