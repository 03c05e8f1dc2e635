//! The JSON Schemas that the program prints.

use serde_json::Value;

use crate::support::{assert_output, run};

/// The commands that print schemas, with the names of their snapshots.
const SCHEMAS: [(&str, &str); 5] = [
    ("cases schema", "cases"),
    ("run --schema jsonl", "events"),
    ("run --schema badge", "badge"),
    ("diff --schema", "diff"),
    ("export --schema", "export"),
];

#[test]
fn every_schema_is_derived_from_the_types() {
    for (line, name) in SCHEMAS {
        let done = run(line);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert_output!(format!("schema_{name}"), done.stdout);
    }
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
    for (line, _) in SCHEMAS {
        let schema: Value = serde_json::from_str(&run(line).stdout).expect("JSON");
        let found = descriptions(&schema);
        assert!(found.len() > 3, "{line}");
        for description in found {
            assert!(!description.contains("[`") && !description.contains("]("), "{line}: {description}");
        }
    }
}
