//! Reports, configuration and shards of `robotspec run`, through its front door.

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

/// One small table in one edition: what passes, what fails, and what is known to.
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
        fs::write(folder.path().join(name), text).expect("the folder takes files");
    }
    folder
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect(name)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
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
    assert_eq!((done.code, &done.stdout), (Some(1), &plain.stdout), "the results are told all the same");
    for file in FILES {
        assert_output!(format!("report_{}", file.trim_start_matches("r.")), read(&folder, file); report_filters());
    }
    let left: BTreeSet<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(
        left,
        FILES.into_iter().chain(["known.yaml"]).map(str::to_owned).collect(),
        "nothing is left over"
    );
}

#[test]
fn a_report_tells_of_an_implementation_that_cannot_be_run() {
    let folder = folder(&[]);
    let line =
        "run --no-variants --edition rfc9309 --filter id:path-values/fish#exact --exec 'no-such-tool {url}'";
    let done = run_in(folder.path(), &format!("{line} {ALL}"));
    assert_eq!(done.code, Some(3));
    let told: Vec<String> = ["r.tap", "r.xml", "r.md", "r.badge"].map(|file| read(&folder, file)).into();
    assert_output!(told.join("\n"); report_filters());
}

#[test]
fn what_is_likely_is_in_every_report_of_a_run_and_of_its_shards() {
    let folder = folder(&[]);
    let run =
        "run --no-variants --edition rfc9309 --filter kind:M --adapter 'misbehaving_adapter always-allows'";
    assert_eq!(run_in(folder.path(), &format!("{run} {ALL}")).code, Some(1));
    for file in ["r.xml", "r.tap", "r.md"] {
        assert!(read(&folder, file).contains("every verdict is allow"), "{file}");
    }
    assert!(read(&folder, "r.jsonl").contains(r#""cause":"allows-everything""#));
    let likely = |file: &str| json(&read(&folder, file))["implementations"][0]["likely-causes"].clone();
    let causes = likely("r.json");
    assert_eq!((&causes[0]["cause"], &causes[1]), (&"allows-everything".into(), &Value::Null));
    assert!(causes[0]["rows"].as_u64().is_some_and(|rows| rows > 500), "{causes}");

    for shard in 1..=2 {
        run_in(folder.path(), &format!("{run} --shard {shard}/2 --report jsonl={shard}.jsonl"));
    }
    run_in(folder.path(), "report 1.jsonl 2.jsonl --report json=merged.json --report html=merged.html");
    assert_eq!(likely("merged.json"), likely("r.json"));
    assert!(read(&folder, "merged.html").contains("every verdict is allow"));
    // What somebody's own suite asks is not known here: what its run told is kept.
    let own = read(&folder, "1.jsonl").replace("path-values/fish#exact", "own/fish#exact");
    fs::write(folder.path().join("own.jsonl"), own).expect("the folder takes files");
    run_in(folder.path(), "report own.jsonl --report json=own.json");
    assert_eq!(likely("own.json")[0]["cause"], "allows-everything");

    // Why something fails that is known to is told by the list.
    let known = "known-failures: [{reason: It lets everybody in., rows: ['*']}]";
    fs::write(folder.path().join("known.yaml"), known).expect("the folder takes files");
    let done = run_in(folder.path(), &format!("{run} --known-failures known.yaml --report json=known.json"));
    assert_eq!((done.code, likely("known.json")), (Some(0), Value::Array(Vec::new())), "{}", done.stdout);
}

#[test]
fn markdown_counts_rows_and_puts_down_variants_to_the_clause_that_allows_them() {
    let folder = folder(&[]);
    let line =
        "run robots_txt --edition rfc9309 --filter id:path-values/* --report json=r.json --report markdown=-";
    let told = run_in(folder.path(), line).stdout;
    let summary = json(&read(&folder, "r.json"));
    let of = |what: &str, status: &str| {
        summary["implementations"][0][what]["rfc9309"][status].as_u64().expect("a number")
    };
    // It takes a lone CR for no line end.
    assert!(of("totals", "known-failures") > of("rows", "known-failures"));
    let (passed, failed, all) = (of("rows", "pass"), of("rows", "fail"), of("totals", "known-failures"));
    let rows = format!("| 🟡 {passed} of {} |", passed + failed);
    assert!(told.contains(&rows), "{rows}: {told}");
    assert!(told.contains(&format!("{failed} failures ({all} with variants), all known.")), "{told}");
    assert!(told.contains("🟡 **L-eol**: "), "{told}");
}

#[test]
fn a_list_that_is_out_of_date_fails_in_every_report() {
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
fn a_report_makes_the_folders_that_it_is_to_be_in() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), &format!("{RUN} --report json=new/folder/r.json"));
    assert_eq!((done.code, &*done.stderr), (Some(1), ""));
    json(&read(&folder, "new/folder/r.json"));
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_the_run() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    for file in [".", "known.yaml/r.json"] {
        let done = run_in(folder.path(), &format!("{RUN} --report badge=r.badge --report tap={file}"));
        assert_eq!((done.code, &*done.stdout), (Some(2), ""));
        let told = format!("error: cannot write the report {file}: ");
        assert!(done.stderr.starts_with(&told), "{}", done.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), &format!("{RUN} --report json=/dev/full"));
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("cannot write the report /dev/full: No space left"), "{}", done.stderr);
}

#[cfg(unix)]
#[test]
fn a_report_replaces_what_was_there_and_can_be_read_by_others() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&[("known.yaml", KNOWN), ("old.json", "what was there before")]);
    symlink("old.json", folder.path().join("link.json")).expect("a link");
    run_in(folder.path(), &format!("{RUN} --report badge=link.json"));
    json(&read(&folder, "old.json"));
    assert!(fs::symlink_metadata(folder.path().join("link.json")).expect("a link").is_symlink());
    let mode = fs::metadata(folder.path().join("old.json")).expect("a file").permissions().mode();
    let other = fs::metadata(folder.path().join("known.yaml")).expect("a file").permissions().mode();
    assert_eq!(mode, other);
}

#[test]
fn a_report_may_stand_in_place_of_the_results() {
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
fn the_format_of_the_output_may_be_that_of_a_report() {
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
fn a_wrong_report_is_refused() {
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
fn the_schema_of_jenkins_takes_the_junit_report() {
    if !has("xmllint", &["--version"], "the JUnit report") {
        return;
    }
    let folder = folder(&[("known.yaml", "known-failures: [{reason: Once., rows: [no/such#row]}]")]);
    // Every status: passed, failed, crashed, skipped, known and stale.
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
fn the_parser_of_prove_takes_the_tap_report() {
    if !has("perl", &["-MTAP::Parser", "-e", "1"], "the TAP report") {
        return;
    }
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report tap=r.tap"));
    // Older parsers know version 13 at most; what is written here is the same in both.
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
        Command::new("perl").args(["-e", script]).current_dir(folder.path()).output().expect("it starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let told = String::from_utf8_lossy(&done.stdout);
    assert_eq!(
        told,
        "9 5 4 2 0 0\n- misbehaving rfc9309 path-values/fish\\#exact\nM-prefix: disallow, allow\n"
    );
}

#[test]
fn the_badge_counts_rows_as_the_page_does() {
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
    // With variants it would be another number.
    let events = read(&folder, "r.jsonl");
    let all = events.lines().filter(|line| line.contains("\"check-finished\"")).count();
    assert!(all > 5 * of, "{all}");
}

#[test]
fn the_badge_is_one_of_shields_io() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report badge=r.badge"));
    // The keys that shields.io documents for its endpoint badge, and knows no others.
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
    jsonschema::validate(&schema, &json(&read(&folder, "r.badge"))).expect("a badge");
}

// ---- Configuration ----

#[test]
fn a_project_says_once_what_it_runs() {
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
    fs::remove_file(folder.path().join("badge.json")).expect("it is there");
    let config = folder.path().join("robotspec.toml");
    let from_elsewhere = run_in(elsewhere.path(), &format!("run --config {}", config.display()));
    assert_eq!(from_elsewhere.stdout, done.stdout);
    json(&read(&folder, "badge.json"));
}

#[test]
fn the_command_line_takes_the_place_of_the_configuration() {
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
fn a_list_of_the_command_line_is_about_the_one_implementation_of_the_project() {
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
    for (line, told) in [
        ("run --known-failures none.yaml", "none.yaml does not exist"),
        ("run --config two.toml --known-failures known.yaml", "give each its list in robotspec.toml"),
    ] {
        let done = run_in(folder.path(), line);
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{line}");
        assert!(done.stderr.contains(told), "{}", done.stderr);
    }
}

#[test]
fn a_project_of_one_edition_is_told_what_does_not_fail_in_it_any_more() {
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
    // On the command line alone, the other editions may be for another run.
    let one = "--config none.toml --edition rfc9309 --adapter adapter --known-failures known.yaml";
    fs::write(folder.path().join("none.toml"), "").expect("a file");
    assert_eq!(run(one), serde_json::json!([none]));
}

#[test]
fn a_mistake_in_a_configuration_is_told_with_its_place() {
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
    let told = mistakes.map(|mistake| {
        let folder = folder(&[("robotspec.toml", mistake)]);
        let done = run_in(folder.path(), "run");
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{mistake}");
        assert!(done.stderr.starts_with("error: robotspec.toml:"), "{}", done.stderr);
        format!("{mistake}\n{}", done.stderr)
    });
    assert_output!(told.join("\n"); report_filters());
    let folder = folder(&[]);
    let done = run_in(folder.path(), "run --config nowhere.toml");
    assert_eq!((done.code, done.stderr.contains("cannot read nowhere.toml")), (Some(2), true));
}

// ---- Shards ----

#[test]
fn the_shards_of_a_run_are_the_run() {
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
    assert_eq!(shards, whole, "each check is in one shard");
    let alone = ids("--filter id:precedence/* --shard 2/3");
    let among_others: Vec<String> =
        ids("--shard 2/3").into_iter().filter(|id| id.starts_with("precedence/")).collect();
    assert_eq!(alone, among_others, "a check stays in its shard");
}

#[test]
fn the_shards_of_a_run_are_reported_as_one() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let run = RUN.replace("fish#*", "*");
    const FORMATS: [&str; 7] = ["jsonl", "json", "junit", "tap", "markdown", "badge", "html"];
    let reports = |dir: &str| FORMATS.map(|format| format!(" --report {format}={dir}/r.{format}"));
    run_in(folder.path(), &format!("{run}{}", reports("whole").concat()));
    for shard in 1..=3 {
        run_in(folder.path(), &format!("{run} --shard {shard}/3 --report jsonl={shard}.jsonl"));
    }
    // What comes twice counts once.
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
fn a_shard_that_is_missing_is_told() {
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
    let twice = "1-of-2.jsonl 1-of-2.jsonl";
    assert_eq!(merged(twice), (missing("2/2"), 3.into(), "not run".into()));
    // Shares of different sizes do not make a whole.
    assert_eq!(merged("1-of-3.jsonl 2-of-2.jsonl").0, missing("1/2") + &missing("2/3") + &missing("3/3"));
    let (told, exit_code, badge) = merged("1-of-2.jsonl 2-of-2.jsonl");
    assert_eq!((&*told, exit_code), ("", 1.into()));
    assert!(badge.as_str().is_some_and(|badge| badge.contains(" failing")), "{badge}");
    let page = run_in(folder.path(), "report 2-of-2.jsonl --html site");
    assert_eq!((page.code, page.stderr), (Some(0), missing("1/2")));
}

#[test]
fn a_run_that_was_cut_off_is_merged_as_one_that_is_not_complete() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report jsonl=run.jsonl"));
    let whole = read(&folder, "run.jsonl");
    let (cut_off, _) = whole.trim_end().rsplit_once('\n').expect("lines");
    fs::write(folder.path().join("cut.jsonl"), format!("{cut_off}\n")).expect("a file");
    let done = run_in(folder.path(), "report cut.jsonl --report json=-");
    assert!(done.stderr.contains("cut.jsonl: the run was cut off"), "{}", done.stderr);
    let (cut_off, whole) =
        (json(&done.stdout), json(&run_in(folder.path(), "report run.jsonl --report json=-").stdout));
    assert_eq!((&cut_off["exit-code"], &whole["exit-code"]), (&3.into(), &1.into()));
    assert_eq!(cut_off["totals"], whole["totals"]);

    let refused = run_in(folder.path(), "report run.jsonl --report json=- --report tap=-");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("only one report"), "{}", refused.stderr);
    assert_eq!(run_in(folder.path(), "report run.jsonl").code, Some(2), "it is told where to");
}

#[test]
fn a_shard_does_not_find_a_list_out_of_date() {
    let folder = folder(&[]);
    for shard in ["1/2", "2/2"] {
        let done = run_in(folder.path(), &format!("run robotxt --shard {shard}"));
        assert_eq!(done.code, Some(0), "{}", done.stdout);
    }
    let refused = run_in(folder.path(), "run --shard 3/2");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("write `i/n`"), "{}", refused.stderr);
}
