//! `robotspec report --html`, from the events of a run to a page in a browser.

use robotspec::event::{FORMAT, Totals};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{data_of, folder, json, read, run, run_in, write};

/// The page of a folder.
const PAGE: &str = "site/index.html";

/// Returns a folder with streams of events and their page.
fn site(streams: &[String]) -> TempDir {
    let site = folder(&[]);
    let names: Vec<String> = (0..streams.len()).map(|number| format!("{number}.jsonl")).collect();
    names.iter().zip(streams).for_each(|(name, events)| write(&site, name, events));
    let done = run_in(site.path(), &format!("report --html site {}", names.join(" ")));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    site
}

/// Returns a document in the page, unpacked.
fn document(site: &TempDir, id: &str) -> Value {
    let packed = serde_json::from_str(&data_of(&read(site, PAGE))).expect("JSON");
    unpack(&packed, &mut Vec::new())[id].take()
}

/// Unpacks a value in which a number is the place of an earlier one.
fn unpack(packed: &Value, values: &mut Vec<Value>) -> Value {
    let place = |value: &Value| value.as_u64().expect("a place") as usize;
    let value = match packed {
        Value::Number(_) => return values[place(packed)].clone(),
        Value::Array(parts) if parts[0] == -2 => return parts[1].clone(),
        Value::Array(parts) if parts[0] == -1 => parts[1..].iter().map(|part| unpack(part, values)).collect(),
        Value::Array(parts) => {
            if parts[0].is_array() {
                values.push(parts[0].clone());
            }
            let keys = if parts[0].is_array() { parts[0].clone() } else { values[place(&parts[0])].clone() };
            let keys =
                keys.as_array().expect("keys").iter().map(|key| key.as_str().expect("a key").to_owned());
            keys.zip(parts[1..].iter().map(|part| unpack(part, values))).collect()
        }
        scalar if scalar.is_string() => scalar.clone(),
        scalar => return scalar.clone(),
    };
    values.push(value.clone());
    value
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
        let known = (status == "fail").then_some("<b>pwned</b> (https://example.com/issues/1)");
        (format!("pwned/{status}#row"), json!({ "status": status, "level": "must", "expected": { "ruling": "allow" }, "got": { "fault": error }, "known": known }))
    });
    let mut rows: Vec<(&str, &str, Value)> =
        rows.iter().map(|(id, judged)| (id.as_str(), "<b>pwned</b>", judged.clone())).collect();
    // An answer with the line that decides.
    rows.push((FISH, "M-prefix", json!({ "status": "pass", "level": "must", "expected": { "ruling": "disallow" }, "got": { "answer": { "decided": { "verdict": "disallow", "line": 2 } } } })));
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
    let site = site(&[
        events(&named("a"), &[(FISH, "M-prefix", judged("pass", "allow"))]),
        events(&named("a"), &[("mine/row", "M-prefix", judged("fail", "disallow"))]),
    ]);
    let expected = json!([["1", { FISH: "allow", "mine/row": "disallow" }]]);
    assert_eq!(answers(&document(&site, "record")), expected);
}

#[test]
fn a_missing_shard_makes_an_implementation_incomplete() {
    let shard = |index: usize| {
        let events = events(&named("a"), &[(FISH, "M-prefix", judged("pass", "allow"))]);
        events.replacen("\"checks\":1", &format!("\"checks\":1,\"shard\":\"{index}/2\""), 1)
    };
    let is_complete = |site: &TempDir| document(site, "record")["implementations"][0]["isComplete"].clone();
    let site = site(&[shard(1), shard(2)]);
    assert_eq!(is_complete(&site), json!(true));
    assert_eq!(run_in(site.path(), "report --html site 0.jsonl").code, Some(3));
    assert_eq!(is_complete(&site), json!(false));
}

#[test]
fn versions_of_an_implementation_are_listed_separately() {
    let new = json!({ "name": "a", "version": "2" });
    let site = site(&[
        events(&named("a"), &[(FISH, "M-prefix", judged("fail", "disallow"))]),
        events(&new, &[(FISH, "M-prefix", judged("pass", "allow"))]),
    ]);
    let expected = json!([["1", { FISH: "disallow" }], ["2", { FISH: "allow" }]]);
    assert_eq!(answers(&document(&site, "record")), expected);
}

#[test]
fn the_page_has_the_export_of_the_rows_that_were_run() {
    let site = site(&[events(&named("a"), &[(FISH, "M-prefix", judged("fail", "disallow"))])]);
    let exported = run(&format!("export --filter id:{FISH}"));
    let mut suite = document(&site, "suite");
    // The page adds excerpts of long files, and what it needs about suites of one's own.
    for added in ["excerpts", "files", "rulings"] {
        assert_eq!(suite.as_object_mut().expect("an object").remove(added), Some(json!({})), "{added}");
    }
    assert_eq!(suite, json(&exported.stdout));
}

#[test]
fn the_page_has_an_excerpt_of_a_long_file_with_the_deciding_lines() {
    let row = "answers/size-limit#after-500-kilobytes";
    let site = site(&[events(&named("a"), &[(row, "L-size", judged("fail", "allow"))])]);
    let suite = document(&site, "suite");
    assert_eq!(suite["checks"][0]["robots"], "");
    let excerpt = &suite["excerpts"][row];
    assert!(excerpt["bytes"].as_u64() > Some(500_000), "{excerpt}");
    let lines: Vec<&str> =
        excerpt["lines"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
    assert!(lines.contains(&"▸   3 | disallow: /after-500-kilobytes"), "{lines:?}");
}

#[test]
fn a_row_has_the_judgements_of_its_variants() {
    let variant = |name: &str| format!("{FISH}~{name}");
    let (crlf, cr) = (variant("crlf"), variant("cr"));
    let checks = [
        (FISH, "M-prefix", judged("pass", "allow")),
        (&*crlf, "M-prefix", judged("pass", "allow")),
        (&*cr, "M-prefix", judged("fail", "disallow")),
    ];
    let record = document(&site(&[events(&named("a"), &checks)]), "record");
    let row = &record["implementations"][0]["rows"][0];
    assert_eq!(row["variants"]["crlf"], row["judgements"]);
    assert_ne!(row["variants"]["cr"], row["judgements"]);
    assert_eq!(record["judgements"].as_array().expect("judgements").len(), 2);
}

#[test]
fn hostile_content_is_escaped() {
    let site = site(&[hostile()]);
    let page = read(&site, PAGE);
    for hostile in ["<script>window.pwned", "<img", "<!--", "<b>pwned"] {
        assert!(!page.contains(hostile), "{hostile}");
    }
    assert_eq!(document(&site, "record")["implementations"][0]["homepage"], "javascript:window.pwned=1");
}

#[test]
fn a_page_of_many_implementations_is_small() {
    let events = run("run robots_txt --format jsonl").stdout;
    let named = |number: usize| events.replace(r#""robots_txt""#, &format!(r#""implementation-{number}""#));
    let page = |count: usize| read(&site(&(0..count).map(named).collect::<Vec<_>>()), PAGE);
    let (one, two) = (page(1), page(2));
    assert!(two.contains("implementation-1"));
    let growth = two.len() - one.len();
    assert!(
        one.len() + 15 * growth < 300_000,
        "{} bytes, and {growth} for each further implementation",
        one.len()
    );
}

#[test]
fn the_page_states_where_the_results_of_each_implementation_come_from() {
    let of_package = json!({ "name": "a", "version": "1", "package": "a (PyPI)", "command": "python3 a.py", "date": "2026-01-02T00:00:00Z" });
    let page = read(&site(&[events(&of_package, &[]), events(&json!({ "name": "b" }), &[])]), PAGE);
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
    let wrong = format!("{}{{}}\n", events(&named("a"), &[]));
    let site = folder(&[("wrong.jsonl", &wrong)]);
    run_in(site.path(), "report --html site wrong.jsonl").assert_refused("wrong.jsonl:7");
    let refused = run_in(site.path(), "report --html site wrong.jsonl --real-files wrong.jsonl");
    refused.assert_refused(
        "wrong.jsonl: it has no result of a search; write it with `robotspec fuzz --files DIR",
    );
    assert!(!site.path().join(PAGE).exists(), "no partial page is written");
}

#[test]
fn an_output_folder_that_is_a_file_is_rejected() {
    let site = folder(&[("run.jsonl", &events(&named("a"), &[])), ("site", "")]);
    run_in(site.path(), "report --html site run.jsonl").assert_refused("site is a file; name a folder");
}
