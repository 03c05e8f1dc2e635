//! The JSON Schemas of the formats, derived from the types that are written and read.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// Returns the schema of what is written from a type.
pub(crate) fn of_output<T: JsonSchema>() -> String {
    print::<T>(SchemaSettings::draft2020_12().for_serialize())
}

/// Returns the schema of what is read into a type.
pub(crate) fn of_input<T: JsonSchema>() -> String {
    print::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

fn print<T: JsonSchema>(settings: SchemaSettings) -> String {
    let settings = settings.with_transform(RecursiveTransform(without_details_of_rust));
    let schema = settings.into_generator().into_root_schema_for::<T>();
    serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
}

/// Removes what matters only in the code: the widths of integers, the line ends in comments, and `null` as the value of an
/// optional key, which is left out instead.
fn without_details_of_rust(schema: &mut Schema) {
    schema.remove("format");
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace("\n\n", "\n").replace('\n', " ");
    }
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, value) in properties.iter_mut().filter(|(key, _)| !required.iter().any(|name| name == *key)) {
        if let Value::Object(value) = value {
            without_null(value);
        }
    }
}

/// Removes `null` from the values that a schema admits.
fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = &mut types[..] {
            let one = one.take();
            schema.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(any_of)) = schema.get_mut("anyOf") {
        any_of.retain(|schema| schema["type"] != "null");
        if let [Value::Object(one)] = &mut any_of[..] {
            let one = std::mem::take(one);
            schema.remove("anyOf");
            schema.extend(one);
        }
    }
}
