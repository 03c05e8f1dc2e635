//! The machine-readable output, from the command line: `diff` and `export`.

use std::path::Path;

use crate::support::{Done, assert_output, folder, json, read, run_in, write};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_cases::suite::built_in;
use robotspec_cases::{Query, checks};
use serde_json::json;
use tempfile::TempDir;

fn run(line: &str) -> Done {
    run_in(Path::new("."), line)
}

/// A run of one table in two editions with an adapter that allows every URL.
const LENIENT: &str = "run --no-variants --edition rfc9309 --edition google-2026 --filter id:path-values/fish#* \
                       --adapter 'misbehaving_adapter always-allows'";

/// Makes a folder with a run of the reference and a run of the lenient adapter.
fn two_runs() -> TempDir {
    let folder = folder(&[]);
    let good =
        "run reference --no-variants --edition rfc9309 --edition google-2026 --filter id:path-values/fish#*";
    assert_eq!(run_in(folder.path(), &format!("{good} --report jsonl=good.jsonl")).code, Some(0));
    assert_eq!(run_in(folder.path(), &format!("{LENIENT} --report jsonl=bad.jsonl")).code, Some(1));
    folder
}

// ---- diff ----

#[test]
fn diff_reports_new_passes_and_exits_with_0() {
    let folder = two_runs();
    let done = run_in(folder.path(), "diff bad.jsonl good.jsonl --format json");
    assert_eq!(done.code, Some(0));
    let diff = json(&done.stdout);
    let implementation = &diff["implementations"][0];
    let count = |kind: &str| implementation[kind].as_array().expect(kind).len();
    assert_eq!((count("newly-passes"), count("newly-fails"), count("changed")), (12, 0, 0));
    let first = json!({
        "id": "path-values/fish#exact", "clause": "M-prefix", "edition": "rfc9309",
        "old": { "status": "fail", "level": "must", "expected": { "ruling": "disallow" }, "got": { "answer": { "match": "allow" } } },
        "new": { "status": "pass", "level": "must", "expected": { "ruling": "disallow" }, "got": { "answer": { "match": "disallow" } } },
    });
    assert_eq!(implementation["newly-passes"][0], first);
    assert!(run_in(folder.path(), "diff bad.jsonl bad.jsonl").stdout.ends_with("  no difference\n"));
}

/// Makes a run of two rows, one of which RFC 9309 only permits, and a run with other events. Returns the differences.
fn diff_of(changes: &[(&str, &str)]) -> (Done, serde_json::Value) {
    let folder = folder(&[]);
    let rows = "--filter id:path-values/fish#exact --filter id:sitemaps/cr";
    let line = format!("run reference --no-variants --edition rfc9309 {rows} --report jsonl=new.jsonl");
    assert_eq!(run_in(folder.path(), &line).code, Some(0));
    let mut old = read(&folder, "new.jsonl");
    for (new, before) in changes {
        assert!(old.contains(new), "{new}: {old}");
        old = old.replace(new, before);
    }
    write(&folder, "old.jsonl", old);
    let diff = json(&run_in(folder.path(), "diff old.jsonl new.jsonl --format json").stdout);
    (run_in(folder.path(), "diff old.jsonl new.jsonl"), diff["implementations"][0].clone())
}

#[test]
fn a_line_that_only_one_version_states_is_no_difference() {
    let (done, _) = diff_of(&[(
        r#""got":{"answer":{"match":"disallow"}}"#,
        r#""got":{"answer":{"decided":{"verdict":"disallow","line":3}}}"#,
    )]);
    assert!(done.stdout.ends_with("  no difference\n"), "{}", done.stdout);
}

#[test]
fn an_answer_that_is_only_permitted_has_its_own_words() {
    let (done, diff) = diff_of(&[
        (r#""status":"pass","level":"may""#, r#""status":"unspecified","level":"may""#),
        (
            r#""got":{"answer":{"sitemaps":["https://example.com/1.xml",""#,
            r#""got":{"answer":{"sitemaps":[""#,
        ),
    ]);
    assert_eq!((done.code, diff["changed"].as_array().map(Vec::len)), (Some(0), Some(1)));
    assert!(done.words().contains("; permitted both times, now as expected"), "{}", done.stdout);
}

#[test]
fn time_outs_are_a_list_of_their_own() {
    let got = r#""got":{"answer":{"match":"disallow"}}"#;
    let timeout = r#""got":{"fault":{"timeout":"no reply"}}"#;
    let (done, diff) = diff_of(&[
        (
            r#""status":"pass","level":"must","expected":{"ruling""#,
            r#""status":"timeout","level":"must","expected":{"ruling""#,
        ),
        (got, timeout),
    ]);
    assert_eq!((done.code, diff["newly-passes"].as_array().map(Vec::len)), (Some(0), Some(0)));
    assert!(done.words().contains("answers in time in one run only: 1"), "{}", done.stdout);
}

#[test]
fn an_invalid_or_incomplete_run_is_rejected() {
    let folder = two_runs();
    let whole = read(&folder, "good.jsonl");
    write(&folder, "cut.jsonl", &whole[..whole.len() / 2]);
    write(&folder, "later.jsonl", whole.replacen(r#""format":1"#, r#""format":2"#, 1));
    write(&folder, "summary.json", "{}");
    let without_middle: Vec<&str> =
        whole.lines().filter(|line| !line.contains("path-values/fish#exact\"")).collect();
    assert_ne!(without_middle.len(), whole.lines().count());
    write(&folder, "gap.jsonl", without_middle.join("\n"));
    let early = "run reference --no-variants --edition koster-1994 --filter id:path-values/fish#* --report jsonl=early.jsonl";
    assert_eq!(run_in(folder.path(), early).code, Some(0));
    let inputs = [
        ("early.jsonl", 3),
        ("cut.jsonl", 3),
        ("gap.jsonl", 3),
        ("later.jsonl", 2),
        ("summary.json", 2),
        ("nowhere.jsonl", 2),
        ("", 2),
    ];
    let refused = inputs.map(|(old, code)| {
        let done = run_in(folder.path(), &format!("diff {old} good.jsonl"));
        assert_eq!(done.code, Some(code), "{old}");
        done.refusal()
    });
    let report = run_in(folder.path(), "report gap.jsonl --report markdown=-");
    assert_eq!(report.code, Some(3), "{}", report.transcript());
    assert!(report.stderr.contains("the run counts 2 judgements more than there are"), "{}", report.stderr);
    assert_output!(refused.concat());
}

// ---- export ----

#[test]
fn an_export_has_every_check_with_all_its_data() {
    let export = json(&run("export --variants --filter clause:G-start --filter clause:L-encoding").stdout);
    let exported = export["checks"].as_array().expect("a list");
    assert!(exported.iter().any(|check| check["robots-base64"].is_string()), "a file that is not UTF-8");
    let mut all = checks(built_in().expect("the cases"), true);
    all.retain(|check| check.clauses.iter().any(|clause| ["G-start", "L-encoding"].contains(&&*clause.id)));
    assert_eq!(exported.len(), all.len());
    for (exported, check) in exported.iter().zip(&all) {
        assert_eq!(exported["id"], check.id.to_string());
        assert_eq!(exported["expected"].as_object().map(serde_json::Map::len), Some(check.expected.len()));
        let Query::Match { robots, agent, url } = &check.query else { continue };
        let bytes = match (exported["robots"].as_str(), exported["robots-base64"].as_str()) {
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(base64)) => STANDARD.decode(base64).expect("Base64"),
            _ => panic!("{exported}"),
        };
        assert_eq!((bytes.as_slice(), exported["op"].as_str()), (&**robots, Some("match")));
        assert_eq!((exported["agent"].as_str(), exported["url"].as_str()), (Some(&**agent), Some(&**url)));
        for (edition, expected) in &check.expected {
            assert_eq!(exported["expected"][edition.id()], serde_json::to_value(expected).expect("JSON"));
        }
    }
}

#[test]
fn a_row_of_each_kind_is_exported() {
    let filters = "--filter id:path-values/fish#exact --filter id:scope/*#* --filter id:sitemaps/* \
                   --filter id:access/redirect-in-the-page#* --filter id:grammar/*";
    let export = json(&run(&format!("export {filters}")).stdout);
    let rows = export["checks"].as_array().expect("a list");
    let first_of = |op: &str| rows.iter().find(|row| row["op"] == op).unwrap_or_else(|| panic!("no {op}"));
    let shown: Vec<String> =
        ["match", "scope", "sitemaps", "access", "grammar"].map(|op| first_of(op).to_string()).into();
    assert_output!(shown.join("\n"));
    assert_eq!(run("export --filter id:no/such#row").code, Some(2));
}
