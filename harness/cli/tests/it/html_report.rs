//! `robotspec report --html`, from the events of a run to a page in a browser.

use std::fs;
use std::path::{Path, PathBuf};

use robotspec::event::{FORMAT, Totals};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Done, document_of, robotspec};

/// A folder with the events of some implementations and their page.
pub(crate) struct Site {
    folder: TempDir,
}

impl Site {
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.file(name);
        fs::write(&file, text).expect("the folder is writable");
        file
    }

    /// Writes the events of a run.
    pub(crate) fn run(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let words = ["run", "--format", "jsonl"].iter().chain(arguments).copied();
        self.write(name, robotspec(words).run().stdout)
    }

    pub(crate) fn report(&self, files: &[&Path]) -> Done {
        self.report_with(&[], files)
    }

    /// Makes the page with options.
    pub(crate) fn report_with(&self, options: &[&str], files: &[&Path]) -> Done {
        let site = self.file("site");
        let files = files.iter().map(|file| file.to_str().expect("a name in UTF-8"));
        let words = ["report", "--html", site.to_str().expect("a name in UTF-8")];
        robotspec(words.into_iter().chain(options.iter().copied()).chain(files)).run()
    }

    pub(crate) fn page(&self) -> PathBuf {
        self.file("site/index.html")
    }

    /// Returns a document in the page, unpacked.
    fn document(&self, id: &str) -> Value {
        let page = fs::read_to_string(self.page()).expect("a page in UTF-8");
        unpack(&serde_json::from_str::<Vec<Value>>(&document_of(&page, id)).expect("JSON"))
    }

    fn record(&self) -> Value {
        self.document("record")
    }
}

/// Unpacks a document that is packed as a list in which each value occurs once.
fn unpack(packed: &[Value]) -> Value {
    let mut values: Vec<Value> = Vec::new();
    for value in packed {
        let value = match value.as_array() {
            None => value.clone(),
            Some(indexes) => {
                let find = |index: &Value| values[index.as_u64().expect("an index") as usize].clone();
                let parts = indexes[1..].iter().map(find);
                match indexes[0].as_i64() {
                    Some(-1) => parts.collect(),
                    _ => {
                        let keys = find(&indexes[0]);
                        let keys = keys.as_array().expect("keys").iter();
                        keys.map(|key| key.as_str().expect("a key").to_owned()).zip(parts).collect()
                    }
                }
            }
        };
        values.push(value);
    }
    values.pop().expect("a document")
}

pub(crate) fn site() -> Site {
    Site { folder: tempfile::tempdir().expect("a temporary folder") }
}

/// Makes the events of a run of one implementation with judgements in RFC 9309.
fn events(implementation: &Value, checks: &[(&str, &str, Value)]) -> String {
    let name = implementation["name"].as_str().expect("a name");
    let mut started = implementation.clone();
    started["event"] = json!("implementation-started");
    let mut lines = vec![
        json!({ "event": "run-started", "format": FORMAT, "robotspec": "0.1.0", "editions": ["rfc9309"], "level": "should", "checks": checks.len() }),
        started,
    ];
    lines.extend(checks.iter().map(|(id, clause, judged)| {
        json!({ "event": "check-finished", "implementation": name, "id": id, "clause": clause, "editions": { "rfc9309": judged } })
    }));
    let restarted = json!({ "event": "incident", "implementation": name, "incident": "restarted", "reason": { "crash": "<img src=x onerror=window.pwned=1>" } });
    lines.extend([restarted.clone(), restarted]);
    lines.push(json!({ "event": "implementation-finished", "implementation": name, "totals": {}, "stale-known-failures": [] }));
    lines.push(json!({ "event": "run-finished", "totals": Totals::default(), "unexpected": 0, "stale": 0, "exit-code": 0 }));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn judged(status: &str, verdict: &str) -> Value {
    json!({ "status": status, "level": "must", "expected": { "ruling": "allow" }, "got": { "answer": { "match": verdict } } })
}

/// Makes events with texts that run a script in a page that does not escape them.
pub(crate) fn hostile() -> String {
    let name = "</script><script>window.pwned=1</script>";
    let implementation = json!({ "name": name, "version": "<!--0.1.0-alpha+0123456789abcdef0123456789abcdef01234567", "language": "\u{202e}", "package": "<b>pwned", "command": "<img src=x>", "homepage": "javascript:window.pwned=1" });
    let error = json!({ "error": "\u{202e}\0<img src=x onerror=window.pwned=1>\n]]>" });
    let rows = ["fail", "crash", "timeout", "protocol-error", "error", "not-run", "pass"].map(|status| {
        let known = (status == "fail").then_some("<b>pwned</b>");
        (format!("pwned/{status}#row"), json!({ "status": status, "level": "must", "expected": { "ruling": "allow" }, "got": { "fault": error }, "known": known }))
    });
    let mut rows: Vec<(&str, &str, Value)> =
        rows.iter().map(|(id, judged)| (id.as_str(), "<b>pwned</b>", judged.clone())).collect();
    // A row that fails only when it is rewritten.
    rows.push(("pwned/pass#row~crlf", "<b>pwned</b>", judged("fail", "disallow")));
    events(&implementation, &rows)
}

/// Returns the version of each implementation of a record, and what it answers to each row.
fn answers(record: &Value) -> Value {
    let implementations = record["implementations"].as_array().expect("implementations").iter();
    let answers = implementations.map(|implementation| {
        let rows = record["rows"].as_array().expect("rows").iter();
        let answered = rows.zip(implementation["rows"].as_array().expect("rows")).map(|(row, judged)| {
            let place = judged["judgements"].as_u64().expect("an index") as usize;
            (
                row["id"].as_str().expect("an id").to_owned(),
                record["judgements"][place]["rfc9309"]["text"].clone(),
            )
        });
        json!([implementation["version"], answered.collect::<Value>()])
    });
    answers.collect()
}

const FISH: &str = "path-values/fish#exact";

fn named(name: &str) -> Value {
    json!({ "name": name, "version": "1" })
}

// ---- The data ----

#[test]
fn the_shards_of_a_run_are_merged() {
    let site = site();
    let one = site.write("1.jsonl", events(&named("a"), &[(FISH, "M-prefix", judged("pass", "allow"))]));
    let two =
        site.write("2.jsonl", events(&named("a"), &[("mine/row", "M-prefix", judged("fail", "disallow"))]));
    assert_eq!(site.report(&[&one, &two]).code, Some(0));
    let expected = json!([["1", { FISH: "allow", "mine/row": "disallow" }]]);
    assert_eq!(answers(&site.record()), expected);
}

#[test]
fn a_missing_shard_makes_an_implementation_incomplete() {
    let site = site();
    let shard = |index: usize| {
        let events = events(&named("a"), &[(FISH, "M-prefix", judged("pass", "allow"))]);
        let events = events.replacen("\"checks\":1", &format!("\"checks\":1,\"shard\":\"{index}/2\""), 1);
        site.write(&format!("{index}.jsonl"), events)
    };
    let report = |files: &[&Path]| {
        let code = site.report(files).code;
        (code, site.record()["implementations"][0]["isComplete"].clone())
    };
    let (one, two) = (shard(1), shard(2));
    assert_eq!(report(&[&one]), (Some(3), json!(false)));
    assert_eq!(report(&[&one, &two]), (Some(0), json!(true)));
}

#[test]
fn versions_of_an_implementation_are_listed_separately() {
    let site = site();
    let old = site.write("1.jsonl", events(&named("a"), &[(FISH, "M-prefix", judged("fail", "disallow"))]));
    let new = json!({ "name": "a", "version": "2" });
    let new = site.write("2.jsonl", events(&new, &[(FISH, "M-prefix", judged("pass", "allow"))]));
    assert_eq!(site.report(&[&old, &new]).code, Some(0));
    let expected = json!([["1", { FISH: "disallow" }], ["2", { FISH: "allow" }]]);
    assert_eq!(answers(&site.record()), expected);
}

#[test]
fn the_page_has_the_export_of_the_rows_that_were_run() {
    let site = site();
    let run = site.write("1.jsonl", events(&named("a"), &[(FISH, "M-prefix", judged("fail", "disallow"))]));
    assert_eq!(site.report(&[&run]).code, Some(0));
    let exported = robotspec(["export", "--filter", &format!("id:{FISH}")]).run();
    let mut suite = site.document("suite");
    assert_eq!(suite.as_object_mut().expect("an object").remove("excerpts"), Some(json!({})));
    assert_eq!(suite, serde_json::from_str::<Value>(&exported.stdout).expect("JSON"));
}

#[test]
fn the_page_has_an_excerpt_of_a_long_file_with_the_deciding_lines() {
    let site = site();
    let row = "answers/size-limit#after-500-kilobytes";
    let run = site.write("1.jsonl", events(&named("a"), &[(row, "L-size", judged("fail", "allow"))]));
    assert_eq!(site.report(&[&run]).code, Some(0));
    let suite = site.document("suite");
    assert_eq!(suite["checks"][0]["robots"], "");
    let excerpt = &suite["excerpts"][row];
    assert!(excerpt["bytes"].as_u64() > Some(500_000), "{excerpt}");
    let lines: Vec<&str> =
        excerpt["lines"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
    assert!(lines.contains(&"▸   3 | disallow: /after-500-kilobytes"), "{lines:?}");
}

#[test]
fn a_row_has_the_judgements_of_its_variants() {
    let site = site();
    let variant = |name: &str| format!("{FISH}~{name}");
    let (crlf, cr) = (variant("crlf"), variant("cr"));
    let checks = [
        (FISH, "M-prefix", judged("pass", "allow")),
        (&*crlf, "M-prefix", judged("pass", "allow")),
        (&*cr, "M-prefix", judged("fail", "disallow")),
    ];
    let run = site.write("1.jsonl", events(&named("a"), &checks));
    assert_eq!(site.report(&[&run]).code, Some(0));
    let record = site.record();
    let row = &record["implementations"][0]["rows"][0];
    assert_eq!(row["variants"]["crlf"], row["judgements"]);
    assert_ne!(row["variants"]["cr"], row["judgements"]);
    assert_eq!(record["judgements"].as_array().expect("judgements").len(), 2);
}

#[test]
fn hostile_content_is_escaped() {
    let site = site();
    let run = site.write("1.jsonl", hostile());
    assert_eq!(site.report(&[&run]).code, Some(0));
    let page = fs::read_to_string(site.page()).expect("a page in UTF-8");
    for hostile in ["<script>window.pwned", "<img", "<!--", "<b>pwned"] {
        assert!(!page.contains(hostile), "{hostile}");
    }
    assert_eq!(site.record()["implementations"][0]["homepage"], "javascript:window.pwned=1");
}

#[test]
fn a_page_of_many_implementations_is_small() {
    let site = site();
    let run = fs::read_to_string(site.run("run.jsonl", &["robots_txt"])).expect("events");
    let runs: Vec<PathBuf> = (0..2)
        .map(|number| {
            let renamed = run.replace(r#""robots_txt""#, &format!(r#""implementation-{number}""#));
            site.write(&format!("{number}.jsonl"), renamed)
        })
        .collect();
    let page = |count: usize| {
        let done = site.report(&runs[..count].iter().map(PathBuf::as_path).collect::<Vec<_>>());
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        fs::read_to_string(site.page()).expect("a page in UTF-8")
    };
    let (one, two) = (page(1), page(2));
    assert!(two.contains("implementation-1"));
    let growth = two.len() - one.len();
    assert!(
        one.len() + 15 * growth < 1_000_000,
        "{} bytes, and {growth} for each further implementation",
        one.len()
    );
}

#[test]
fn the_page_states_where_the_results_of_each_implementation_come_from() {
    let site = site();
    let of_package = json!({ "name": "a", "version": "1", "package": "a (PyPI)", "command": "python3 a.py", "date": "2026-01-02T00:00:00Z" });
    let one = site.write("1.jsonl", events(&of_package, &[]));
    let other = site.write("2.jsonl", events(&json!({ "name": "b" }), &[]));
    assert_eq!(site.report(&[&one, &other]).code, Some(0));
    let page = fs::read_to_string(site.page()).expect("a page in UTF-8");
    for row in [
        r#"a</th><td>1</td><td>a (PyPI)</td><td><code>python3 a.py</code></td><td><time datetime="2026-01-02T00:00:00Z">2026-01-02T00:00:00Z</time></td>"#,
        "b</th><td></td><td></td><td>not recorded</td><td>not recorded</td>",
    ] {
        assert!(page.contains(row), "{row}");
    }
}

// ---- The command ----

#[test]
fn an_invalid_event_stream_is_rejected_with_its_position() {
    let site = site();
    let wrong = site.write("wrong.jsonl", format!("{}{{}}\n", events(&named("a"), &[])));
    let done = site.report(&[&wrong]);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("wrong.jsonl:7"), "{}", done.stderr);
    assert!(!site.page().exists(), "no partial page is written");
}

#[test]
fn an_output_folder_that_is_a_file_is_rejected() {
    let site = site();
    let run = site.write("run.jsonl", events(&named("a"), &[]));
    site.write("site", "");
    let done = site.report(&[&run]);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("site is a file; name a folder"), "{}", done.stderr);
}
