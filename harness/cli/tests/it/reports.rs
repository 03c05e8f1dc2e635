//! Tests of the reports, the configuration and the shards of `robotspec run` as a program.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{assert_output, filters, has, run_in};
use serde_json::Value;
use tempfile::TempDir;

fn report_filters() -> Vec<(&'static str, &'static str)> {
    let mut all = filters();
    all.push((r#""(robotspec|version)": "\d+\.\d+\.\d+""#, r#""$1": "X.Y.Z""#));
    all
}

/// A run of one small table in one edition, with passed rows, failed rows and known failures.
const RUN: &str = "run --no-variants --edition rfc9309 --filter id:path-values/fish#* \
                   --adapter 'misbehaving_adapter always-allows' --known-failures known.yaml";

const KNOWN: &str = "\
known-failures:
  - reason: It lets everybody in.
    rows:
      - path-values/fish#exact
      - path-values/fish#suffix
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the file can be written");
    }
    folder
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect(name)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the text is JSON")
}

// ---- Reports ----

const ALL: &str = "--report jsonl=r.jsonl --report json=r.json --report junit=r.xml --report tap=r.tap \
                   --report markdown=r.md --report badge=r.badge";
const FILES: [&str; 6] = ["r.jsonl", "r.json", "r.xml", "r.tap", "r.md", "r.badge"];

#[test]
fn every_report_is_written_in_one_run_that_fails() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), &format!("{RUN} {ALL}"));
    let plain = run_in(folder.path(), RUN);
    assert_eq!(
        (done.code, &done.stdout),
        (Some(1), &plain.stdout),
        "the results are printed with reports too"
    );
    for file in FILES {
        assert_output!(format!("report_{}", file.trim_start_matches("r.")), read(&folder, file); report_filters());
    }
    let remaining: BTreeSet<String> = fs::read_dir(folder.path())
        .expect("the folder can be read")
        .map(|entry| entry.expect("the entry can be read").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(
        remaining,
        FILES.into_iter().chain(["known.yaml"]).map(str::to_owned).collect(),
        "no temporary file remains"
    );
}

#[test]
fn reports_contain_an_implementation_that_cannot_be_run() {
    let folder = folder(&[]);
    let line =
        "run --no-variants --edition rfc9309 --filter id:path-values/fish#exact --exec 'no-such-tool {url}'";
    let done = run_in(folder.path(), &format!("{line} {ALL}"));
    assert_eq!(done.code, Some(3));
    let reports: Vec<String> = ["r.tap", "r.xml", "r.md", "r.badge"].map(|file| read(&folder, file)).into();
    assert_output!(reports.join("\n"); report_filters());
}

#[test]
fn likely_causes_are_in_every_report_of_a_run_and_of_its_shards() {
    let folder = folder(&[]);
    let run =
        "run --no-variants --edition rfc9309 --filter kind:M --adapter 'misbehaving_adapter always-allows'";
    assert_eq!(run_in(folder.path(), &format!("{run} {ALL}")).code, Some(1));
    for file in ["r.xml", "r.tap", "r.md"] {
        assert!(read(&folder, file).contains("every verdict is allow"), "{file}");
    }
    assert!(read(&folder, "r.jsonl").contains(r#""cause":"allows-everything""#));
    let likely_causes =
        |file: &str| json(&read(&folder, file))["implementations"][0]["likely-causes"].clone();
    let causes = likely_causes("r.json");
    assert_eq!((&causes[0]["cause"], &causes[1]), (&"allows-everything".into(), &Value::Null));
    assert!(causes[0]["rows"].as_u64().is_some_and(|rows| rows > 500), "{causes}");

    for shard in 1..=2 {
        run_in(folder.path(), &format!("{run} --shard {shard}/2 --report jsonl={shard}.jsonl"));
    }
    run_in(folder.path(), "report 1.jsonl 2.jsonl --report json=merged.json --report html=merged.html");
    assert_eq!(likely_causes("merged.json"), likely_causes("r.json"));
    assert!(read(&folder, "merged.html").contains("every verdict is allow"));
    // `report` does not know the queries of a user's own suite, so it keeps the causes of the run.
    let own = read(&folder, "1.jsonl").replace("path-values/fish#exact", "own/fish#exact");
    fs::write(folder.path().join("own.jsonl"), own).expect("the file can be written");
    run_in(folder.path(), "report own.jsonl --report json=own.json");
    assert_eq!(likely_causes("own.json")[0]["cause"], "allows-everything");

    // A known failure has its reason in the list, so it has no likely cause.
    let known = "known-failures: [{reason: It lets everybody in., rows: ['*']}]";
    fs::write(folder.path().join("known.yaml"), known).expect("the file can be written");
    let done = run_in(folder.path(), &format!("{run} --known-failures known.yaml --report json=known.json"));
    assert_eq!(
        (done.code, likely_causes("known.json")),
        (Some(0), Value::Array(Vec::new())),
        "{}",
        done.stdout
    );
}

#[test]
fn markdown_counts_rows_and_attributes_variants_to_the_clause_that_permits_them() {
    let folder = folder(&[]);
    let line =
        "run robots_txt --edition rfc9309 --filter id:path-values/* --report json=r.json --report markdown=-";
    let page = run_in(folder.path(), line).stdout;
    let summary = json(&read(&folder, "r.json"));
    let count = |unit: &str, status: &str| {
        summary["implementations"][0][unit]["rfc9309"][status].as_u64().expect("a number")
    };
    // robots_txt does not accept a lone CR as a line end, so some variants fail although their rows pass.
    assert!(count("totals", "known-failures") > count("rows", "known-failures"));
    let (passed, failed, all) =
        (count("rows", "pass"), count("rows", "fail"), count("totals", "known-failures"));
    let rows = format!("| 🟡 {passed} of {} |", passed + failed);
    assert!(page.contains(&rows), "{rows}: {page}");
    assert!(page.contains(&format!("{failed} failures ({all} with variants), all known.")), "{page}");
    assert!(page.contains("🟡 **L-eol**: "), "{page}");
}

#[test]
fn stale_known_failures_are_in_every_report() {
    let known = "known-failures: [{reason: Once., rows: [no/such#row]}]";
    let folder = folder(&[("known.yaml", known)]);
    let line = "run --adapter adapter --known-failures known.yaml --report tap=r.tap --report junit=r.xml \
                --report markdown=r.md --report badge=r.badge --report json=r.json";
    assert_eq!(run_in(folder.path(), line).code, Some(1));
    let entry = "no/such#row is not a row of any edition";
    assert!(read(&folder, "r.xml").contains(entry));
    assert!(
        read(&folder, "r.tap")
            .contains(&format!("known failures are out of date: {}", entry.replace('#', "\\#")))
    );
    assert!(read(&folder, "r.md").contains(&entry.replace('#', "\\#")));
    assert_eq!(json(&read(&folder, "r.json"))["implementations"][0]["stale-known-failures"][0], entry);
}

#[test]
fn a_report_creates_its_folders() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), &format!("{RUN} --report json=new/folder/r.json"));
    assert_eq!((done.code, &*done.stderr), (Some(1), ""));
    json(&read(&folder, "new/folder/r.json"));
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_run() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    for file in [".", "known.yaml/r.json"] {
        let done = run_in(folder.path(), &format!("{RUN} --report badge=r.badge --report tap={file}"));
        assert_eq!((done.code, &*done.stdout), (Some(2), ""));
        let message = format!("error: cannot write the report {file}: ");
        assert!(done.stderr.starts_with(&message), "{}", done.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), &format!("{RUN} --report json=/dev/full"));
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("cannot write the report /dev/full: No space left"), "{}", done.stderr);
}

#[cfg(unix)]
#[test]
fn a_report_replaces_the_target_of_a_link_and_has_the_usual_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&[("known.yaml", KNOWN), ("old.json", "what was there before")]);
    symlink("old.json", folder.path().join("link.json")).expect("the link can be created");
    run_in(folder.path(), &format!("{RUN} --report badge=link.json"));
    json(&read(&folder, "old.json"));
    assert!(fs::symlink_metadata(folder.path().join("link.json")).expect("the link exists").is_symlink());
    let mode = fs::metadata(folder.path().join("old.json")).expect("the file exists").permissions().mode();
    let other = fs::metadata(folder.path().join("known.yaml")).expect("the file exists").permissions().mode();
    assert_eq!(mode, other);
}

#[test]
fn a_report_to_standard_output_replaces_the_results() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    for format in ["jsonl", "json", "junit", "tap", "markdown", "badge"] {
        let done = run_in(folder.path(), &format!("{RUN} --report {format}=- --report {format}=file"));
        assert_eq!((done.code, done.stdout), (Some(1), read(&folder, "file")), "{format}");
    }
    assert_eq!(run_in(folder.path(), &format!("{RUN} --format jsonl")).stdout, {
        run_in(folder.path(), &format!("{RUN} --report jsonl=-")).stdout
    });
}

#[test]
fn the_format_option_accepts_the_formats_of_reports() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    for format in ["junit", "tap", "markdown", "html", "badge"] {
        let [named, written] = [format!("--format {format}"), format!("--report {format}=-")]
            .map(|option| run_in(folder.path(), &format!("{RUN} {option}")));
        assert_eq!((named.code, &*named.stderr), (Some(1), ""), "{format}");
        assert!(!named.stdout.is_empty() && named.stdout == written.stdout, "{format}");
    }
    let two = run_in(folder.path(), &format!("{RUN} --format tap --report junit=-"));
    assert_eq!(
        (two.code, &*two.stderr),
        (Some(2), "error: only one report can be written to standard output\n")
    );
}

#[test]
fn an_invalid_report_option_is_refused() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let refused =
        ["--report xml=r.xml", "--report junit", "--report junit=", "--report tap=- --report json=-"].map(
            |report| {
                let done = run_in(folder.path(), &format!("run reference {report}"));
                assert_eq!((done.code, &*done.stdout), (Some(2), ""));
                done.transcript()
            },
        );
    assert_output!(refused.join("\n"); report_filters());
}

#[test]
fn the_junit_report_conforms_to_the_schema_of_jenkins() {
    if !has("xmllint", &["--version"], "the JUnit report") {
        return;
    }
    let folder = folder(&[("known.yaml", "known-failures: [{reason: Once., rows: [no/such#row]}]")]);
    // The runs together have every status: passed, failed, crashed, skipped, known and stale.
    for run in [
        "run robots_txt --edition rfc9309 --no-variants --report junit=r.xml",
        "run --adapter 'misbehaving_adapter always-allows' --report junit=r.xml --known-failures known.yaml",
        "run --exec 'no-such-tool {url}' --no-variants --report junit=r.xml",
    ] {
        run_in(folder.path(), run);
        let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/junit-10.xsd");
        let report = folder.path().join("r.xml");
        let done = Command::new("xmllint").args(["--noout", "--schema"]).arg(schema).arg(report).output();
        let done = done.expect("xmllint starts");
        assert!(done.status.success(), "{run}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn the_parser_of_prove_reads_the_tap_report() {
    if !has("perl", &["-MTAP::Parser", "-e", "1"], "the TAP report") {
        return;
    }
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report tap=r.tap"));
    // Older parsers support version 13 at most; the lines of this report mean the same in both versions.
    let script = r#"
use strict; use TAP::Parser;
local $/; open my $file, '<', 'r.tap' or die; my $tap = <$file>;
$tap =~ s/^TAP version 14$/TAP version 13/m or die if $TAP::Parser::MAX_TAP_VERSION < 14;
my $parser = TAP::Parser->new({ tap => $tap });
my (@first, $yaml);
while (my $result = $parser->next) {
    push @first, $result->description if $result->is_test;
    $yaml ||= $result->data if $result->is_yaml;
}
print join(' ', $parser->tests_run, scalar $parser->passed, scalar $parser->failed, scalar $parser->todo,
    scalar $parser->parse_errors, scalar $parser->skipped), "\n";
print "$first[0]\n$yaml->{clause}: $yaml->{expected}, $yaml->{got}\n";
"#;
    let done =
        Command::new("perl").args(["-e", script]).current_dir(folder.path()).output().expect("perl starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let output = String::from_utf8_lossy(&done.stdout);
    assert_eq!(
        output,
        "9 5 4 2 0 0\n- misbehaving rfc9309 path-values/fish\\#exact\nM-prefix: disallow, allow\n"
    );
}

#[test]
fn the_badge_and_the_page_count_the_same_rows() {
    let folder = folder(&[]);
    let run = "run --edition rfc9309 --filter id:path-values/* --adapter 'misbehaving_adapter always-allows'";
    run_in(
        folder.path(),
        &format!("{run} --report badge=r.badge --report html=r.html --report jsonl=r.jsonl"),
    );
    let page = read(&folder, "r.html");
    let mut scores = page.split("<td>").filter_map(|cell| {
        let (passed, of) = cell.split("</td>").next()?.split_once(" of ")?;
        Some((passed.parse::<usize>().ok()?, of.parse::<usize>().ok()?))
    });
    let (passed, of) = scores.next().expect("a score");
    let per_mille = passed * 1000 / of;
    let message = json(&read(&folder, "r.badge"))["message"].as_str().expect("a text").to_owned();
    let expected = format!("{}.{} %, {} failing", per_mille / 10, per_mille % 10, of - passed);
    assert_eq!(message, expected);
    // The count of checks with variants differs from the count of rows.
    let events = read(&folder, "r.jsonl");
    let all = events.lines().filter(|line| line.contains("\"check-finished\"")).count();
    assert!(all > 5 * of, "{all}");
}

#[test]
fn the_badge_conforms_to_the_endpoint_of_shields_io() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report badge=r.badge"));
    // All keys that shields.io documents for its endpoint badge.
    let schema = serde_json::json!({
        "type": "object",
        "required": ["schemaVersion", "label", "message"],
        "additionalProperties": false,
        "properties": {
            "schemaVersion": { "const": 1 },
            "label": { "type": "string" },
            "message": { "type": "string", "minLength": 1 },
            "color": { "type": "string", "pattern": "^(bright)?green$|^yellow(green)?$|^orange$|^red$|^lightgrey$" },
        },
    });
    jsonschema::validate(&schema, &json(&read(&folder, "r.badge"))).expect("the badge is valid");
}

// ---- Configuration ----

#[test]
fn a_configuration_defines_what_run_does() {
    let config = r#"
editions = ["rfc9309"]
filters = ["id:path-values/fish#*"]
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
    assert_output!(done.transcript(); report_filters());
    json(&read(&folder, "badge.json"));
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    fs::remove_file(folder.path().join("badge.json")).expect("the badge was written");
    let config = folder.path().join("robotspec.toml");
    let from_elsewhere = run_in(elsewhere.path(), &format!("run --config {}", config.display()));
    assert_eq!(from_elsewhere.stdout, done.stdout);
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
    let line = "run reference --edition google-2026 --filter id:path-values/root#* --report json=r.json";
    assert_eq!(run_in(folder.path(), line).code, Some(0));
    let summary = json(&read(&folder, "r.json"));
    assert_eq!(summary["editions"], serde_json::json!(["google-2026"]));
    assert_eq!(summary["implementations"][0]["name"], "reference");
    assert!(!folder.path().join("badge.json").exists());
}

#[test]
fn a_list_on_the_command_line_applies_to_the_only_implementation_of_the_project() {
    let one = "editions = ['rfc9309']\nfilters = ['id:path-values/fish#*']\nvariants = false\n\
               [[implementation]]\nadapter = 'misbehaving_adapter always-allows'\n";
    let two = format!("{one}[[implementation]]\nadapter = 'adapter'\n");
    let folder = folder(&[("robotspec.toml", one), ("two.toml", &two), ("known.yaml", KNOWN)]);
    let failures = |line: &str| {
        let done = run_in(folder.path(), &format!("run --report json=r.json {line}"));
        (done.code, json(&read(&folder, "r.json"))["unexpected"].clone())
    };
    let (with, without) = (failures("--known-failures known.yaml").1, failures("").1);
    assert_eq!(with.as_u64().map(|count| count + 2), without.as_u64());
    for (line, expected) in [
        ("run --known-failures none.yaml", "none.yaml does not exist"),
        ("run --config two.toml --known-failures known.yaml", "give each its list in robotspec.toml"),
    ] {
        let done = run_in(folder.path(), line);
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{line}");
        assert!(done.stderr.contains(expected), "{}", done.stderr);
    }
}

#[test]
fn a_project_with_one_edition_reports_the_stale_known_failures_of_that_edition() {
    let config = "editions = ['rfc9309']\n\
                  [[implementation]]\nadapter = 'adapter'\nknown-failures = 'known.yaml'\n";
    let known = "known-failures: [{reason: Once., rows: [path-values/fish#exact]}, \
                 {reason: Elsewhere., editions: [google-2019], rows: [path-values/fish#suffix, path-value/fish#exact]}]";
    let folder = folder(&[("robotspec.toml", config), ("known.yaml", known)]);
    let run = |line: &str| {
        run_in(folder.path(), &format!("run --report json=r.json {line}"));
        json(&read(&folder, "r.json"))["implementations"][0]["stale-known-failures"].clone()
    };
    let gone = "path-values/fish#exact no longer fails";
    let none = "path-value/fish#exact is not a row of any edition";
    assert_eq!(run(""), serde_json::json!([none, gone]));
    assert_eq!(run("--no-variants"), serde_json::json!([]));
    // Without a configuration, entries about other editions may belong to another run.
    let one = "--config none.toml --edition rfc9309 --adapter adapter --known-failures known.yaml";
    fs::write(folder.path().join("none.toml"), "").expect("the file can be written");
    assert_eq!(run(one), serde_json::json!([none]));
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
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{mistake}");
        assert!(done.stderr.starts_with("error: robotspec.toml:"), "{}", done.stderr);
        format!("{mistake}\n{}", done.stderr)
    });
    assert_output!(messages.join("\n"); report_filters());
    let folder = folder(&[]);
    let done = run_in(folder.path(), "run --config nowhere.toml");
    assert_eq!((done.code, done.stderr.contains("cannot read nowhere.toml")), (Some(2), true));
}

// ---- Shards ----

#[test]
fn the_shards_together_contain_every_check_of_the_run() {
    let folder = folder(&[]);
    let ids = |options: &str| -> Vec<String> {
        let done =
            run_in(folder.path(), &format!("run reference --edition rfc9309 --format jsonl {options}"));
        let ids = done.stdout.lines().map(json).filter_map(|event| Some(event["id"].as_str()?.to_owned()));
        ids.collect()
    };
    let mut whole = ids("--filter kind:O");
    let mut shards: Vec<String> =
        (1..=3).flat_map(|index| ids(&format!("--filter kind:O --shard {index}/3"))).collect();
    whole.sort();
    shards.sort();
    assert_eq!(shards, whole, "each check is in exactly one shard");
    let alone = ids("--filter id:precedence/* --shard 2/3");
    let among_others: Vec<String> =
        ids("--shard 2/3").into_iter().filter(|id| id.starts_with("precedence/")).collect();
    assert_eq!(alone, among_others, "filters do not change the shard of a check");
}

#[test]
fn merged_shards_give_the_same_reports_as_one_run() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let run = RUN.replace("fish#*", "*");
    const FORMATS: [&str; 7] = ["jsonl", "json", "junit", "tap", "markdown", "badge", "html"];
    let reports = |dir: &str| FORMATS.map(|format| format!(" --report {format}={dir}/r.{format}"));
    run_in(folder.path(), &format!("{run}{}", reports("whole").concat()));
    for shard in 1..=3 {
        run_in(folder.path(), &format!("{run} --shard {shard}/3 --report jsonl={shard}.jsonl"));
    }
    // A duplicate shard counts once.
    let merged = format!("report 1.jsonl 2.jsonl 3.jsonl 2.jsonl{}", reports("merged").concat());
    let done = run_in(folder.path(), &merged);
    assert_eq!((done.code, &*done.stdout, &*done.stderr), (Some(0), "", ""));

    assert!(
        json(&read(&folder, "whole/r.json"))["implementations"][0]["failures"]
            .as_array()
            .is_some_and(|all| all.len() > 2)
    );
    for format in FORMATS {
        let [whole, merged] = ["whole", "merged"].map(|dir| read(&folder, &format!("{dir}/r.{format}")));
        assert_eq!(merged, whole, "{format}");
    }
}

#[test]
fn a_missing_shard_is_reported() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    for shard in ["1/2", "2/2", "1/3"] {
        let file = shard.replace('/', "-of-");
        let run = RUN.replace("fish#*", "*");
        run_in(folder.path(), &format!("{run} --shard {shard} --report jsonl={file}.jsonl"));
    }
    let merged = |files: &str| {
        let done =
            run_in(folder.path(), &format!("report {files} --report json=- --report badge=badge.json"));
        let badge = json(&read(&folder, "badge.json"))["message"].clone();
        (done.stderr, json(&done.stdout)["exit-code"].clone(), badge)
    };
    let missing = |shard: &str| {
        format!("warning: shard {shard} of misbehaving is missing, so the results are incomplete\n")
    };
    let duplicate = "1-of-2.jsonl 1-of-2.jsonl";
    assert_eq!(merged(duplicate), (missing("2/2"), 3.into(), "not run".into()));
    // Shards of different divisions do not form a complete run.
    assert_eq!(merged("1-of-3.jsonl 2-of-2.jsonl").0, missing("1/2") + &missing("2/3") + &missing("3/3"));
    let (warnings, exit_code, badge) = merged("1-of-2.jsonl 2-of-2.jsonl");
    assert_eq!((&*warnings, exit_code), ("", 1.into()));
    assert!(badge.as_str().is_some_and(|badge| badge.contains(" failing")), "{badge}");
    let page = run_in(folder.path(), "report 2-of-2.jsonl --html site");
    assert_eq!((page.code, page.stderr), (Some(0), missing("1/2")));
}

#[test]
fn a_run_that_was_cut_off_is_merged_as_incomplete() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report jsonl=run.jsonl"));
    let whole = read(&folder, "run.jsonl");
    let (cut_off, _) = whole.trim_end().rsplit_once('\n').expect("lines");
    fs::write(folder.path().join("cut.jsonl"), format!("{cut_off}\n")).expect("the file can be written");
    let done = run_in(folder.path(), "report cut.jsonl --report json=-");
    assert!(done.stderr.contains("cut.jsonl: the run was cut off"), "{}", done.stderr);
    let (cut_off, whole) =
        (json(&done.stdout), json(&run_in(folder.path(), "report run.jsonl --report json=-").stdout));
    assert_eq!((&cut_off["exit-code"], &whole["exit-code"]), (&3.into(), &1.into()));
    assert_eq!(cut_off["totals"], whole["totals"]);

    let refused = run_in(folder.path(), "report run.jsonl --report json=- --report tap=-");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("only one report"), "{}", refused.stderr);
    assert_eq!(run_in(folder.path(), "report run.jsonl").code, Some(2), "`report` needs a format");
}

#[test]
fn a_shard_does_not_report_stale_known_failures() {
    let folder = folder(&[]);
    for shard in ["1/2", "2/2"] {
        let done = run_in(folder.path(), &format!("run robotxt --shard {shard}"));
        assert_eq!(done.code, Some(0), "{}", done.stdout);
    }
    let refused = run_in(folder.path(), "run --shard 3/2");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("write `i/n`"), "{}", refused.stderr);
}
