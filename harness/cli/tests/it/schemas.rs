//! The JSON Schemas that the program prints.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{assert_output, run};

/// The commands that print schemas.
const SCHEMAS: [&str; 5] =
    ["cases schema", "run --schema jsonl", "run --schema badge", "diff --schema", "export --schema"];

/// Returns the schema that a command prints.
fn schema(line: &str) -> Value {
    let done = run(line);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    serde_json::from_str(&done.stdout).expect("JSON")
}

/// The snapshot has a line for each definition, which several schemas may share, and for each schema the names of its
/// definitions.
#[test]
fn every_schema_is_derived_from_the_types() {
    let (mut schemas, mut definitions) = (String::new(), BTreeSet::new());
    for line in SCHEMAS {
        let mut root = schema(line);
        let parts = root.as_object_mut().expect("an object");
        let parts = parts.remove("$defs").and_then(|parts| parts.as_object().cloned()).unwrap_or_default();
        let title = root["title"].as_str().expect("a title").to_owned();
        let names: Vec<&String> = [&title].into_iter().chain(parts.keys()).collect();
        schemas += &format!("{line}: {names:?}\n");
        definitions.extend(parts.iter().map(|(name, definition)| format!("{name} {definition}\n")));
        definitions.insert(format!("{title} {root}\n"));
    }
    assert_output!(schemas + &definitions.into_iter().collect::<String>());
}

/// A description is for people who do not read Rust.
#[test]
fn no_description_in_a_schema_links_to_the_code() {
    fn descriptions(schema: &Value) -> Vec<&str> {
        match schema {
            Value::Object(parts) => {
                let own = parts.get("description").and_then(Value::as_str);
                own.into_iter().chain(parts.values().flat_map(descriptions)).collect()
            }
            Value::Array(parts) => parts.iter().flat_map(descriptions).collect(),
            _ => Vec::new(),
        }
    }
    for line in SCHEMAS {
        let schema = schema(line);
        let found = descriptions(&schema);
        assert!(found.len() > 3, "{line}");
        for description in found {
            assert!(!description.contains("[`") && !description.contains("]("), "{line}: {description}");
        }
    }
}
