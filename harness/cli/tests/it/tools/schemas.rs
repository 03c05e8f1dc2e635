//! The output of the program and the suites, validated by the JSON Schemas that the program prints. A schema that does not
//! describe what a type writes, such as one that is written by hand, is found here.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::require;
use crate::support::{Done, folder, json_lines, run, run_in, write};

/// Reads the schemas and values of [`check`]. Prints every error of a schema, and every value that does not fit its schema,
/// or that still fits with an unknown key or without one of the keys that are always present.
const VALIDATE: &str = r#"
import json
from jsonschema import Draft202012Validator as Validator
for command, schema, always, values in json.load(open("checks.json")):
    Validator.check_schema(schema)
    validator = Validator(schema)
    if not values:
        print(command, "no value")
    for value in values:
        for error in validator.iter_errors(value):
            print(command, error.json_path, error.message[:500])
        changed = [{key: part for key, part in value.items() if key != missing} for missing in always]
        for wrong in [*changed, {**value, "unknown": 1}]:
            if validator.is_valid(wrong):
                print(command, "is not strict:", list(wrong))
"#;

/// Returns the schema that a command prints, the keys that are always present, and the values.
fn check(line: &str, always: &[&str], values: Vec<Value>) -> Value {
    let schema: Value = serde_json::from_str(&run(line).stdout).expect("JSON");
    json!([line, schema, always, values])
}

#[test]
#[ignore = "needs Python with jsonschema"]
fn every_output_and_every_suite_fits_its_schema() {
    require("python3", &["-c", "import jsonschema"]);
    let known = "known-failures: [{reason: Once., rows: [no/such#row]}]";
    let folder = folder(&[("known.yaml", known)]);
    let reports = "--report jsonl=r.jsonl --report badge=r.badge";
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    let value = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let mut checks = Vec::new();
    // The runs together have every event, every fault and every incident.
    for line in [
        "run robotxt reference --no-variants --filter kind:M",
        "run --no-variants --filter kind:M --exec 'no-such-tool {url}'",
        "run --no-variants --filter kind:M --adapter 'misbehaving_adapter crash-on-boom'",
        "run --no-variants --filter kind:M --adapter 'misbehaving_adapter always-allows' --shard 1/2",
        "run --no-variants --edition rfc9309 --adapter adapter --known-failures known.yaml",
    ] {
        run_in(folder.path(), &format!("{line} {reports}"));
        checks.push(check("run --schema jsonl", &["event"], json_lines(&read("r.jsonl"))));
        checks.push(check("run --schema badge", &["schemaVersion"], vec![value(&read("r.badge"))]));
    }
    for (parser, file) in [("robotxt", "old.jsonl"), ("robotstxt", "new.jsonl")] {
        run_in(
            folder.path(),
            &format!("run {parser} --edition rfc9309 --filter kind:M --report jsonl={file}"),
        );
    }
    let diff = run_in(folder.path(), "diff old.jsonl new.jsonl --format json").stdout;
    checks.push(check("diff --schema", &["format", "old"], vec![value(&diff)]));
    // Queries of every kind, and files that are not UTF-8.
    let suites = "alike path-values scope sitemaps grammar lines".split(' ');
    let filters: String = suites.map(|suite| format!(" --filter id:{suite}/*")).collect();
    let exports = [
        "export --variants --filter id:path-values/fish*".to_owned(),
        format!("export --filter id:access/redirect*{filters}"),
    ];
    let exports = exports.map(|line| value(&run(&line).stdout));
    checks.push(check("export --schema", &["format", "checks"], exports.into()));
    let suites = robotspec_cases::files().iter().map(|file| serde_yaml::from_str(file.text).expect("YAML"));
    checks.push(check("cases schema", &["suite", "cases"], suites.collect()));

    write(&folder, "checks.json", json!(checks).to_string());
    let python = Command::new("python3").args(["-c", VALIDATE]).current_dir(&folder).output();
    let done = Done::of(python.expect("Python starts"));
    assert_eq!((done.code, &*done.stdout, &*done.stderr), (Some(0), "", ""));
}
