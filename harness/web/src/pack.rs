//! A form of JSON in which each value is written once, because the documents of the page repeat many values; compressed,
//! because a page that is a file is sent as it is.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec;
use serde_json::{Value, json};

/// Writes a document as JSON in which a value that was written before is the number of its place.
///
/// A text, boolean or null stands for itself, and `[-2, n]` for the number n. `[-1, a, b]` is the array of the values a and b.
/// `[keys, a, b]` is an object, of which the keys are an array of texts. The places count the texts, arrays, keys and objects
/// from 0, in the order in which they end.
pub fn pack(document: &Value) -> String {
    let mut packed = Packed::default();
    packed.write(document);
    packed.text
}

/// Compresses data with DEFLATE (RFC 1951), in Base64.
pub fn compress(data: &[u8]) -> String {
    const SMALLEST: u8 = 9;
    STANDARD.encode(compress_to_vec(data, SMALLEST))
}

#[derive(Default)]
struct Packed<'d> {
    text: String,
    places: HashMap<&'d Value, usize>,
    places_of_keys: HashMap<Vec<&'d String>, usize>,
    /// The number of places.
    count: usize,
}

impl<'d> Packed<'d> {
    fn write(&mut self, value: &'d Value) {
        if let Some(place) = self.places.get(value) {
            return self.text.push_str(&place.to_string());
        }
        match value {
            Value::Null | Value::Bool(_) => return self.text.push_str(&value.to_string()),
            Value::Number(number) => return self.text.push_str(&format!("[-2,{number}]")),
            Value::String(_) => self.text.push_str(&value.to_string()),
            Value::Array(items) => {
                self.text.push_str("[-1");
                self.write_parts(items);
            }
            Value::Object(parts) => {
                self.text.push('[');
                let keys: Vec<&String> = parts.keys().collect();
                if let Some(place) = self.places_of_keys.get(&keys) {
                    self.text.push_str(&place.to_string());
                } else {
                    self.text.push_str(&json!(keys).to_string());
                    self.places_of_keys.insert(keys, self.count);
                    self.count += 1;
                }
                self.write_parts(parts.values());
            }
        }
        self.places.insert(value, self.count);
        self.count += 1;
    }

    fn write_parts(&mut self, parts: impl IntoIterator<Item = &'d Value>) {
        for part in parts {
            self.text.push(',');
            self.write(part);
        }
        self.text.push(']');
    }
}
