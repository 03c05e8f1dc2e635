//! Tests of `robotspec.toml` in `robotspec run`.

use std::fs;

use crate::reports::KNOWN;
use crate::support::{FEW, assert_output, events_of, folder, json, outcome_of, read, run_in, write};

#[test]
fn a_configuration_defines_what_run_does() {
    let config = r#"
editions = ["rfc9309"]
filters = ["id:path-values/fish#exact", "id:path-values/fish#query"]
variants = false

[reports]
badge = "badge.json"

[[implementation]]
name = "my parser"
adapter = "misbehaving_adapter always-allows"
known-failures = "known.yaml"

[[implementation]]
builtin = "robotxt"

[[implementation]]
exec = "foreign_tool status {file} {agent} {url}"
timeout = 10
jobs = 2
"#;
    let folder = folder(&[("robotspec.toml", config), ("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), "run");
    assert_output!(done.transcript());
    json(&read(&folder, "badge.json"));
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    fs::remove_file(folder.path().join("badge.json")).expect("the badge was written");
    let config = folder.path().join("robotspec.toml");
    let from_elsewhere = run_in(elsewhere.path(), &format!("run --config {}", config.display()));
    assert_eq!(from_elsewhere.words(), done.words());
    json(&read(&folder, "badge.json"));
}

#[test]
fn the_command_line_overrides_the_configuration() {
    let config = r#"
editions = ["rfc9309"]
filters = ["id:path-values/fish#*"]
google-specific = false
variants = false
reports = { badge = "badge.json" }
implementation = [{ adapter = "misbehaving_adapter always-allows" }]
"#;
    let folder = folder(&[("robotspec.toml", config)]);
    let line = "run reference --edition google-2026 --filter id:path-values/root#* --report jsonl=r.jsonl";
    assert_eq!(run_in(folder.path(), line).code, Some(0));
    let events = read(&folder, "r.jsonl");
    let of = |name| events_of(&events, name);
    assert_eq!(of("run-started")[0]["editions"], serde_json::json!(["google-2026"]));
    assert_eq!(of("implementation-started")[0]["name"], "reference");
    assert!(!folder.path().join("badge.json").exists());
}

#[test]
fn a_list_on_the_command_line_applies_to_the_only_implementation_of_the_project() {
    let one = "editions = ['rfc9309']\nfilters = ['id:path-values/fish#*']\nvariants = false\n\
               [[implementation]]\nadapter = 'misbehaving_adapter always-allows'\n";
    let two = format!("{one}[[implementation]]\nadapter = 'adapter'\n");
    let folder = folder(&[("robotspec.toml", one), ("two.toml", &two), ("known.yaml", KNOWN)]);
    let failures = |line: &str| {
        let done = run_in(folder.path(), &format!("run --format jsonl {line}"));
        outcome_of(&done.stdout)["unexpected"].as_u64()
    };
    assert_eq!(failures("--known-failures known.yaml").map(|count| count + 2), failures(""));
    for (line, expected) in [
        ("run --known-failures none.yaml", "none.yaml does not exist"),
        ("run --config two.toml --known-failures known.yaml", "give each its list in robotspec.toml"),
    ] {
        run_in(folder.path(), line).assert_refused(expected);
    }
}

#[test]
fn a_project_with_one_edition_reports_the_stale_known_failures_of_that_edition() {
    let config = "editions = ['rfc9309']\n\
                  [[implementation]]\nadapter = 'misbehaving_adapter only-matches'\nknown-failures = 'known.yaml'\n";
    let known = "known-failures: [{reason: Once., rows: [path-values/fish#exact]}, \
                 {reason: Elsewhere., editions: [google-2019], rows: [path-values/fish#suffix]}]";
    let folder = folder(&[("robotspec.toml", config), ("known.yaml", known), ("few.yaml", FEW)]);
    let run = |line: &str| {
        let done = run_in(folder.path(), &format!("run --suite few.yaml --format jsonl {line}"));
        events_of(&done.stdout, "implementation-finished")[0]["stale-known-failures"].clone()
    };
    let gone = "path-values/fish#exact no longer fails";
    assert_eq!(run(""), serde_json::json!([gone]));
    assert_eq!(run("--no-variants"), serde_json::json!([]));
    // Without a configuration, entries about other editions may belong to another run.
    let one = "--config none.toml --edition rfc9309 --adapter 'misbehaving_adapter only-matches' --known-failures known.yaml";
    write(&folder, "none.toml", "level = 'should'");
    assert_eq!(run(one), serde_json::json!([]));
}

#[test]
fn a_mistake_in_a_configuration_is_reported_with_its_place() {
    let mistakes = [
        "editions = [",
        "edition = ['rfc9309']",
        "editions = ['rfc9309', 'rfc9310']",
        "filters = [\n  'kind:M',\n  'kind:Q',\n]",
        "timeout = 0",
        "jobs = 0",
        "[reports]\nxml = 'r.xml'",
        "[[implementation]]\nname = 'nobody'",
        "[[implementation]]\nbuiltin = 'nobody'",
        "[[implementation]]\nbuiltin = 'robotxt'\nexec = 'tool {url}'",
        "[[implementation]]\nbuiltin = 'robotxt'\nknown-failures = 'known.yaml'",
        "[[implementation]]\nbuiltin = 'robotxt'\ntimeout = -1",
        "[[implementation]]\nadapter = 'a'\nallow-exit = [0]",
        "[[implementation]]\nexec = 'tool {url}'\nallow-pattern = '['",
        "[[implementation]]\nexec = 'tool {url}'\nallow-pattern = 'yes'",
        "[[implementation]]\nadaptor = 'a'",
    ];
    let messages = mistakes.map(|mistake| {
        let folder = folder(&[("robotspec.toml", mistake)]);
        let done = run_in(folder.path(), "run");
        done.assert_refused("error: robotspec.toml:");
        format!("{mistake}\n{}", done.stderr)
    });
    assert_output!(messages.join("\n"));
    let folder = folder(&[]);
    let done = run_in(folder.path(), "run --config nowhere.toml");
    assert_eq!((done.code, done.stderr.contains("cannot read nowhere.toml")), (Some(2), true));
}
