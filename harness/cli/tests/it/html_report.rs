//! `robotspec report --html`, from the events of a run to a page in a browser.

use std::fs;
use std::path::{Path, PathBuf};

use robotspec::event::{FORMAT, Totals};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Done, document_of, robotspec, without_origin};

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
        let site = self.file("site");
        let files = files.iter().map(|file| file.to_str().expect("a name in UTF-8"));
        robotspec(["report", "--html", site.to_str().expect("a name in UTF-8")].into_iter().chain(files))
            .run()
    }

    /// Makes the page with options, of results with a date in seconds since 1970.
    pub(crate) fn report_with(&self, options: &[&str], date: &str, files: &[&Path]) -> Done {
        let site = self.file("site");
        let files = files.iter().map(|file| file.to_str().expect("a name in UTF-8"));
        let words = ["report", "--html", site.to_str().expect("a name in UTF-8")];
        robotspec(words.into_iter().chain(options.iter().copied()).chain(files))
            .env("SOURCE_DATE_EPOCH", date)
            .run()
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

/// Returns the implementations of a record, with judgements instead of their indexes.
fn results(record: &Value) -> Value {
    let ids = record["rows"].as_array().expect("rows").iter().map(|row| row["id"].as_str().expect("an id"));
    let judgements = |index: &Value| record["judgements"][index.as_u64().expect("an index") as usize].clone();
    let implementations = record["implementations"].as_array().expect("implementations").iter();
    let results = implementations.map(|implementation| {
        let mut implementation = implementation.clone();
        let rows = implementation["rows"].as_array_mut().expect("rows").iter_mut();
        implementation["rows"] = ids
            .clone()
            .zip(rows)
            .filter(|(_, row)| !row.is_null())
            .map(|(id, row)| {
                row["judgements"] = judgements(&row["judgements"]);
                let variants = row["variants"].as_object_mut().expect("variants");
                variants.values_mut().for_each(|variant| *variant = judgements(variant));
                (id.to_owned(), row.take())
            })
            .collect();
        implementation
    });
    results.collect()
}

/// Returns each value of a list in a line.
fn in_lines(values: &Value) -> String {
    values.as_array().expect("a list").iter().map(|value| format!("{value}\n")).collect()
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
    insta::assert_snapshot!(in_lines(&results(&site.record())));
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
    insta::assert_snapshot!(in_lines(&results(&site.record())));
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

#[test]
fn a_run_writes_the_same_page_as_the_report_command() {
    let site = site();
    let page = site.file("run.html");
    let to = format!("html={}", page.display());
    let words = ["run", "robotxt", "--filter", "clause:M-prefix", "--report", &to];
    assert_eq!(robotspec(words).run().code, Some(0));
    let run = site.run("run.jsonl", &["robotxt", "--filter", "clause:M-prefix"]);
    assert_eq!(site.report(&[&run]).code, Some(0));
    let read = |file: &Path| fs::read_to_string(file).expect("a page");
    let (one, other) = (without_origin(&read(&page)), without_origin(&read(&site.page())));
    assert!(one == other, "`run` and `report` write different pages");
}

// ---- The history ----

/// The checks of a run: their ids, clauses and judgements.
type Checks<'c> = &'c [(&'c str, &'c str, Value)];

/// Makes a page and a Markdown summary with a history of runs with these dates and checks.
fn with_history(site: &Site, runs: &[(&str, Checks)]) -> Vec<(String, String)> {
    let folder = site.file("history");
    let markdown = format!("markdown={}", site.file("summary.md").display());
    for (date, checks) in runs {
        let run = site.write("run.jsonl", events(&named("a"), checks));
        let history = folder.to_str().expect("a name in UTF-8");
        let options = ["--commit", "0123abc", "--history", history, "--report", &markdown];
        let done = site.report_with(&options, date, &[&run]);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        (name, fs::read_to_string(entry.path()).expect("a summary"))
    };
    let mut files: Vec<_> = fs::read_dir(folder).expect("the folder").map(read).collect();
    files.sort();
    files
}

#[test]
fn the_summary_of_a_run_has_a_stable_format() {
    let checks = [
        (FISH, "M-prefix", judged("fail", "disallow")),
        ("mine/row", "L-eol", judged("pass", "allow")),
        ("mine/row~crlf", "L-eol", judged("fail", "disallow")),
    ];
    let files = with_history(&site(), &[("1767225600", &checks)]);
    let [(name, summary)] = &files[..] else { panic!("{files:?}") };
    assert_eq!(name, "2026-01-01T00-00-00Z.json");
    insta::assert_snapshot!(summary);
}

#[test]
fn the_page_plots_the_violations_of_all_runs() {
    let site = site();
    let fails = [(FISH, "M-prefix", judged("fail", "disallow"))];
    let passes = [(FISH, "M-prefix", judged("pass", "allow"))];
    let runs: [(&str, Checks); 2] = [("1767225600", &fails), ("1769904000", &passes)];
    assert_eq!(with_history(&site, &runs).len(), 2);
    let page = || fs::read_to_string(site.page()).expect("a page in UTF-8");
    let plot = r#"aria-label="Violations of rfc9309 by a: 100 % on 2026-01-01 in version 1, 0.0 % on 2026-02-01 in version 1""#;
    assert!(page().contains(plot), "{}", page());
    // The same results again replace their summary.
    assert_eq!(with_history(&site, &runs[1..]).len(), 2);
    assert!(page().contains(plot));
}

#[test]
fn runs_are_compared_by_the_clauses_that_both_judged() {
    let site = site();
    let (pass, fail) = (judged("pass", "allow"), judged("fail", "disallow"));
    let old = [
        (FISH, "M-prefix", fail.clone()),
        ("mine/tie", "O-tie", pass.clone()),
        ("mine/end", "G-end", fail.clone()),
    ];
    let new = [
        (FISH, "M-prefix", pass.clone()),
        ("mine/tie", "O-tie", fail.clone()),
        ("mine/tie#more", "O-tie", pass),
        ("mine/merge", "G-merge", fail),
    ];
    with_history(&site, &[("1767225600", &old)]);
    let summary = || fs::read_to_string(site.file("summary.md")).expect("a summary");
    assert!(!summary().contains("gained"), "there is no run before");
    with_history(&site, &[("1769904000", &new)]);
    let page = fs::read_to_string(site.page()).expect("a page in UTF-8");
    let shares = "Violations of rfc9309 by a: 50.0 % on 2026-01-01 in version 1, 33.3 % on 2026-02-01";
    assert!(page.contains(shares), "{page}");
    for part in [
        "2026-02-01, 1: 33.3 % (1 of 3)",
        ">50 %</text>",
        "gained <code>M-prefix</code>",
        "lost <code>O-tie</code>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let changes = "### Clauses gained and lost since 2026-01-01\n\n- **a 1** (rfc9309): gained `M-prefix`; lost `O-tie`\n";
    assert!(summary().contains(changes), "{}", summary());
    with_history(&site, &[("1772323200", &new)]);
    assert!(summary().contains("### Clauses gained and lost since 2026-02-01\n\nNone.\n"), "{}", summary());
}

#[test]
fn a_history_with_a_file_that_is_not_a_summary_is_rejected() {
    let site = site();
    fs::create_dir(site.file("history")).expect("the folder is writable");
    site.write("history/other.json", "{}");
    let run = site.write("run.jsonl", events(&named("a"), &[]));
    let options = ["--history", &site.file("history").display().to_string()];
    let done = site.report_with(&options, "0", &[&run]);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("other.json is not a summary of a run"), "{}", done.stderr);
    assert!(!site.page().exists(), "no partial page is written");
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
fn a_run_that_was_cut_off_is_reported() {
    let site = site();
    let whole = events(&named("a"), &[(FISH, "M-prefix", judged("pass", "allow"))]);
    let cut: String = whole.lines().take(3).map(|line| format!("{line}\n")).collect();
    let done = site.report(&[&site.write("cut.jsonl", cut)]);
    assert_eq!(done.code, Some(3));
    assert!(done.stderr.contains("cut.jsonl: the run was cut off"), "{}", done.stderr);
    assert_eq!(site.record()["implementations"][0]["isComplete"], false);
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
