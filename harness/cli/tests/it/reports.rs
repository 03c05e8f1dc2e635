//! Tests of the reports of `robotspec run`.

use std::collections::BTreeSet;
use std::fs;

use robotspec::event::{FORMAT, Totals};

use crate::support::{
    Done, FEW, assert_output, data_of, events_of, folder, json, read, run_in, without_origin,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A run of one small table in one edition, with passed rows, failed rows and known failures.
pub(crate) const RUN: &str = "run --no-variants --edition rfc9309 --filter id:path-values/fish#* \
                   --adapter 'misbehaving_adapter always-allows' --known-failures known.yaml";

pub(crate) const KNOWN: &str = "\
known-failures:
  - reason: It lets everybody in.
    rows:
      - path-values/fish#exact
      - path-values/fish#suffix
";

const ALL: &str = "--report jsonl=r.jsonl --report junit=r.xml --report tap=r.tap --report markdown=r.md \
                   --report badge=r.badge --report maintainers=r.maintainers.md --report github=r.github";
const FILES: [&str; 7] = ["r.jsonl", "r.xml", "r.tap", "r.md", "r.badge", "r.maintainers.md", "r.github"];

#[test]
fn every_report_is_written_in_one_run_that_fails() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), &format!("{RUN} {ALL}"));
    let plain = run_in(folder.path(), RUN);
    // The summary states how long the run took.
    let results = |done: &Done| -> Vec<String> {
        done.stdout.lines().filter(|line| !line.starts_with("Summary [")).map(str::to_owned).collect()
    };
    assert_eq!(done.code, Some(1));
    assert_eq!(results(&done), results(&plain), "the results are printed with reports too");
    assert!(!results(&done).is_empty());
    // The book shows a report for maintainers.
    for file in FILES.into_iter().filter(|file| *file != "r.maintainers.md") {
        assert_output!(format!("report_{}", file.trim_start_matches("r.")), read(&folder, file));
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

/// Writes the events of a run whose texts contain each character of Unicode to `all.jsonl`.
pub(crate) fn write_events_with_all_of_unicode(folder: &TempDir) {
    let done = run_in(folder.path(), &format!("{RUN} --report jsonl=r.jsonl"));
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    let all: String = (0..=0x10_FFFF).filter_map(char::from_u32).collect();
    let mut written = String::new();
    for line in read(folder, "r.jsonl").lines() {
        let mut event = json(line);
        match event["event"].as_str() {
            Some("check-finished") if !written.contains("check-finished") => {
                event["clause"] = all.as_str().into()
            }
            Some("implementation-finished") => {
                event["stale-known-failures"] = json!([all]);
                let implementation = &event["implementation"];
                let incident = json!({ "event": "incident", "implementation": implementation, "incident": "gave-up", "reason": all });
                written += &format!("{incident}\n");
            }
            _ => {}
        }
        written += &format!("{event}\n");
    }
    fs::write(folder.path().join("all.jsonl"), written).expect("the file can be written");
}

#[test]
fn a_long_value_is_shortened_in_every_report_for_people() {
    const LONGEST: usize = 1000;
    let folder = folder(&[]);
    let line = "run --all --no-variants --edition rfc9309 --filter id:limits/* --adapter 'misbehaving_adapter always-allows'";
    for format in ["human", "markdown", "junit", "tap", "github", "maintainers"] {
        let done = run_in(folder.path(), &format!("{line} --format {format}"));
        assert_eq!(done.code, Some(1), "{format}: {}", done.stderr);
        assert!(done.stdout.contains("limits/"), "{format}: {}", done.stdout);
        let longest = done.stdout.lines().map(str::len).max();
        assert!(longest < Some(LONGEST), "{format}: a line of {longest:?} bytes");
    }
}

#[test]
fn reports_contain_an_implementation_that_cannot_be_run() {
    let folder = folder(&[]);
    let line =
        "run --no-variants --edition rfc9309 --filter id:path-values/fish#exact --exec 'no-such-tool {url}'";
    let done = run_in(folder.path(), &format!("{line} {ALL}"));
    assert_eq!(done.code, Some(3));
    let reports: Vec<String> = ["r.tap", "r.xml", "r.md", "r.badge"].map(|file| read(&folder, file)).into();
    assert_output!(reports.join("\n"));
}

#[test]
fn likely_causes_are_in_every_report_of_a_run_and_of_its_shards() {
    let folder = folder(&[]);
    let run = "run --no-variants --edition rfc9309 --filter kind:G --filter kind:O --adapter 'misbehaving_adapter always-allows'";
    assert_eq!(run_in(folder.path(), &format!("{run} {ALL}")).code, Some(1));
    for file in ["r.xml", "r.tap", "r.md"] {
        assert!(read(&folder, file).contains("every verdict is allow"), "{file}");
    }
    let likely_causes = |file: &str| events_of(&read(&folder, file), "likely-cause");
    let causes = likely_causes("r.jsonl");
    assert_eq!((&causes[0]["cause"], causes.len()), (&"allows-everything".into(), 1));
    assert!(causes[0]["rows"].as_u64().is_some_and(|rows| rows > 100), "{causes:?}");

    for shard in 1..=2 {
        run_in(folder.path(), &format!("{run} --shard {shard}/2 --report jsonl={shard}.jsonl"));
    }
    run_in(folder.path(), "report 1.jsonl 2.jsonl --report jsonl=merged.jsonl --report html=merged.html");
    assert_eq!(likely_causes("merged.jsonl"), likely_causes("r.jsonl"));
    assert!(data_of(&read(&folder, "merged.html")).contains("every verdict is allow"));
    // `report` does not know the queries of a user's own suite, so it keeps the causes of the run.
    let own = read(&folder, "1.jsonl").replace("path-values/fish#exact", "own/fish#exact");
    fs::write(folder.path().join("own.jsonl"), own).expect("the file can be written");
    run_in(folder.path(), "report own.jsonl --report jsonl=again.jsonl");
    assert_eq!(likely_causes("again.jsonl")[0]["cause"], "allows-everything");

    // A known failure has its reason in the list, so it has no likely cause.
    let known = "known-failures: [{reason: It lets everybody in., rows: ['*']}]";
    fs::write(folder.path().join("known.yaml"), known).expect("the file can be written");
    let done =
        run_in(folder.path(), &format!("{run} --known-failures known.yaml --report jsonl=known.jsonl"));
    assert_eq!((done.code, likely_causes("known.jsonl")), (Some(0), Vec::new()), "{}", done.stdout);
}

#[test]
fn markdown_tells_rows_from_rewritten_files_and_counts_clauses() {
    let folder = folder(&[]);
    let line =
        "run robots_txt --edition koster-1994 --filter id:lines/* --report jsonl=r.jsonl --report markdown=-";
    let page = run_in(folder.path(), line).stdout;
    let checks = events_of(&read(&folder, "r.jsonl"), "check-finished");
    let is_row = |check: &&Value| check["id"].as_str().is_some_and(|id| !id.contains('~'));
    let rows = checks.iter().filter(is_row);
    let rows = rows.filter(|check| check["editions"]["koster-1994"]["status"] == "fail").count();
    assert!(page.contains(&format!("all known: {rows} rows (+")), "{page}");
    assert!(page.contains("\n| robots\\_txt 0.7.0 | koster-1994 | "), "{page}");
    // robots_txt does not accept a lone CR as a line end, so some variants fail although their rows pass.
    let line = "run robots_txt --edition koster-1994 --filter id:agents/* --report markdown=-";
    let page = run_in(folder.path(), line).stdout;
    let row = page.lines().find(|line| line.starts_with("| L-eol | ")).expect("a row of its own");
    assert!(row.contains(" rows only when rewritten |"), "{page}");
}

#[test]
fn markdown_shows_crashes_first_and_departures_apart_and_links_to_the_page() {
    let folder = folder(&[]);
    let line = "run --adapter 'misbehaving_adapter always-exits' reference --edition rfc9309 --edition google-2026 \
                --filter id:path-values/fish#exact --report markdown=out/r.md --report html='out/the page/r.html'";
    run_in(folder.path(), line);
    let page = read(&folder, "out/r.md");
    assert!(page.contains("[the page of these results](the%20page/r.html)"), "{page}");
    assert!(page.contains("#### crashes: 1 row\n") && !page.contains("#### rows that fail"), "{page}");
    // An implementation is compared in one edition, so no number is the sum of two.
    assert_eq!(page.matches("| reference ").count(), 1, "{page}");

    let line = "run robots_txt --edition rfc9309 --filter 'clause:M-*' --report markdown=-";
    let page = run_in(folder.path(), line).stdout;
    assert!(page.contains("\n| L-value-case | should | **"), "{page}");
    let statement = page.lines().find(|line| line.starts_with("| M-star ")).expect("a row of the table");
    assert!(statement.contains("`*`"), "code in the statement of a clause is code: {statement}");
}

#[test]
fn a_report_of_tests_lists_rewritten_files_only_where_they_alone_fail_and_nothing_that_is_not_supported() {
    let folder = folder(&[]);
    let reports = |line: &str| {
        run_in(
            folder.path(),
            &format!("run {line} --edition rfc9309 --report junit=r.xml --report tap=r.tap"),
        );
        [read(&folder, "r.xml"), read(&folder, "r.tap")]
    };
    let matches = "--adapter 'misbehaving_adapter only-matches'";
    let [junit, tap] = reports(&format!("{matches} --filter id:path-values/fish#* --filter clause:S-origin"));
    for report in [&junit, &tap] {
        assert!(report.contains("path-values/fish"), "{report}");
        assert!(!report.contains("exact~") && !report.contains("scope/"), "{report}");
    }
    assert!(junit.contains("in rfc9309: S-origin\" tests=\"0\""), "{junit}");
    assert!(tap.contains(" checks are not supported\n"), "{tap}");
    assert!(
        tap.contains(" checks of rewritten files do not fail the run, or fail as their row does\n"),
        "{tap}"
    );
    // A blank line ends a group for this parser. The other row fails in any case.
    for report in reports("robots_txt --filter id:agents/which-group-capitals#*") {
        assert!(report.contains("web-3~blank-lines"), "{report}");
        assert!(report.contains("image-3") && !report.contains("image-3~"), "{report}");
    }
}

#[test]
fn stale_known_failures_are_in_every_report() {
    let known = "known-failures: [{reason: Once., rows: [path-values/fish#exact]}]";
    let folder = folder(&[("known.yaml", known), ("few.yaml", FEW)]);
    let line = "run --suite few.yaml --adapter 'misbehaving_adapter only-matches' --known-failures known.yaml --report tap=r.tap --report junit=r.xml \
                --report markdown=r.md --report badge=r.badge --report jsonl=r.jsonl";
    let done = run_in(folder.path(), line);
    let entry = "path-values/fish#exact no longer fails";
    let shown = format!("known failures are out of date: {entry}; take it off the list");
    assert!(done.code == Some(1) && done.stdout.contains(&shown), "{}", done.stdout);
    assert!(read(&folder, "r.xml").contains(entry));
    assert!(
        read(&folder, "r.tap")
            .contains(&format!("known failures are out of date: {}", entry.replace('#', "\\#")))
    );
    assert!(read(&folder, "r.md").contains(&entry.replace('#', "\\#")));
    let finished = &events_of(&read(&folder, "r.jsonl"), "implementation-finished")[0];
    assert_eq!(finished["stale-known-failures"][0], entry);
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_run() {
    let folder = folder(&[("known.yaml", KNOWN), ("old.jsonl", "")]);
    run_in(folder.path(), &format!("{RUN} --report jsonl=run.jsonl"));
    for file in [".", "known.yaml/r.tap"] {
        for command in [RUN, "report run.jsonl"] {
            let reports = format!("--report jsonl=old.jsonl --report badge=r.badge --report tap={file}");
            fs::write(folder.path().join("old.jsonl"), "an earlier run").expect("a file");
            run_in(folder.path(), &format!("{command} {reports}"))
                .assert_refused(&format!("error: cannot write the report {file}: "));
            assert_eq!(read(&folder, "old.jsonl"), "an earlier run", "{command}");
            assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 3, "{command}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let done = run_in(folder.path(), &format!("{RUN} --report tap=/dev/full"));
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
fn a_format_is_the_same_document_as_option_as_report_and_in_a_file() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    for format in ["jsonl", "junit", "tap", "markdown", "html", "badge"] {
        let [named, written] = [format!("--format {format}"), format!("--report {format}=-")]
            .map(|option| run_in(folder.path(), &format!("{RUN} {option} --report {format}=file")));
        assert_eq!((named.code, &*named.stderr), (Some(1), ""), "{format}");
        assert_eq!(written.stdout, read(&folder, "file"), "{format}");
        let content = |done: &Done| match format {
            "html" => without_origin(&done.stdout),
            _ => done.stdout.clone(),
        };
        assert!(!named.stdout.is_empty() && content(&named) == content(&written), "{format}");
    }
}

#[test]
fn an_invalid_report_option_is_refused() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let refused =
        ["--report xml=r.xml", "--report junit", "--report junit=", "--report tap=- --report junit=-"].map(
            |report| {
                let done = run_in(folder.path(), &format!("run reference {report}"));
                assert_eq!(done.code, Some(2));
                done.refusal()
            },
        );
    assert_output!(refused.concat());
}

#[test]
fn the_badge_and_the_terminal_count_the_same_clauses() {
    let folder = folder(&[]);
    let run = "run reference --edition rfc9309 --filter id:path-values/* --adapter 'misbehaving_adapter always-allows'";
    let done = run_in(folder.path(), &format!("{run} --report badge=r.badge"));
    let line = done.stdout.lines().find(|line| line.starts_with("misbehaving")).expect("a line");
    let message = json(&read(&folder, "r.badge"))["message"].as_str().expect("a text").to_owned();
    let counts =
        message.strip_prefix("rfc9309: ").and_then(|rest| rest.split(" clause").next()).expect("counts");
    assert!(counts.starts_with("0 of ") && line.contains(counts), "{message}\n{line}");
}

/// Makes the events of a run of one implementation. Each check has an id, a clause and its judgements.
fn events(checks: &[(&str, &str, Value)], stale: &[&str]) -> String {
    let mut events = vec![
        json!({ "event": "run-started", "format": FORMAT, "robotspec": "0.1.0", "editions": ["rfc9309", "google-2026"], "level": "should", "checks": checks.len() }),
        json!({ "event": "implementation-started", "name": "a" }),
    ];
    events.extend(checks.iter().map(|(id, clause, judged)| {
        json!({ "event": "check-finished", "implementation": "a", "id": id, "clause": clause, "editions": judged })
    }));
    events.push(json!({ "event": "implementation-finished", "implementation": "a", "totals": {}, "stale-known-failures": stale }));
    events.push(json!({ "event": "run-finished", "totals": Totals::default(), "unexpected": 0, "stale": 0, "exit-code": 0 }));
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn judged(status: &str, level: &str) -> Value {
    json!({ "status": status, "level": level, "expected": { "ruling": "allow" }, "got": { "answer": { "match": "disallow" } } })
}

/// Returns the report in a format about a run with these events.
fn report_of(events: &str, format: &str) -> String {
    let folder = folder(&[("r.jsonl", events)]);
    run_in(folder.path(), &format!("report r.jsonl --report {format}=-")).stdout
}

#[test]
fn the_badge_counts_the_clauses_of_one_edition_and_is_red_where_the_run_fails() {
    let badge = |judged: Option<Value>, stale: &[&str]| {
        let passes = |id| (id, "M-prefix", json!({ "rfc9309": self::judged("pass", "must") }));
        let other = judged.map(|judged| ("a/a#other", "M-case", judged));
        let checks: Vec<_> = [passes("a/a#one"), passes("a/a#two")].into_iter().chain(other).collect();
        let badge = json(&report_of(&events(&checks, stale), "badge"));
        [&badge["message"], &badge["color"]].map(|text| text.as_str().expect("a text").to_owned())
    };
    let fails = |level, is_known: bool| {
        let mut judged = judged("fail", level);
        if is_known {
            judged["known"] = "a reason".into();
        }
        Some(json!({ "rfc9309": judged }))
    };
    let elsewhere = Some(json!({ "rfc9309": judged("pass", "must"), "google-2026": judged("fail", "must") }));
    for (judged, stale, message, color) in [
        (None, &[][..], "1 of 1 clause", "brightgreen"),
        (fails("should", true), &[], "2 of 2 clauses", "green"),
        (fails("must", true), &[], "1 of 2 clauses", "yellow"),
        (fails("should", false), &[], "2 of 2 clauses, 1 new departure", "red"),
        (elsewhere, &[], "2 of 2 clauses, 1 new violation", "red"),
        (None, &["an entry"], "1 of 1 clause, known failures out of date", "orange"),
    ] {
        assert_eq!(badge(judged, stale), [format!("rfc9309: {message}"), color.to_owned()]);
    }
    let not_run = |events: &str| {
        let badge = report_of(events, "badge");
        assert!(badge.contains(r#""message":"not run","color":"lightgrey""#), "{badge}");
    };
    not_run(&events(&[], &[]));
    // A run that was cut off.
    let whole = events(&[("a/a#one", "M-prefix", json!({ "rfc9309": judged("pass", "must") }))], &[]);
    not_run(&whole[..whole.find(r#"{"event":"implementation-finished"#).expect("the end")]);
}

#[test]
fn a_clause_is_kept_only_where_every_answer_is_there() {
    let overview = |checks: &[(&str, &str, &str, &str)]| {
        let judgements = |status, level| json!({ "rfc9309": judged(status, level) });
        let checks =
            checks.iter().map(|(id, clause, status, level)| (*id, *clause, judgements(status, level)));
        let checks: Vec<_> = checks.collect();
        let page = report_of(&events(&checks, &[]), "markdown");
        let line = page.lines().find(|line| line.starts_with("| a | rfc9309 | ")).expect(&page).to_owned();
        line.replace("**", "")
            .trim_matches('|')
            .split(" | ")
            .skip(2)
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" | ")
    };
    let counts = overview(&[
        ("a/a#a", "M-prefix", "pass", "must"),
        ("a/a#b", "M-case", "fail", "should"),
        ("a/a#c", "M-star", "pass", "must"),
        ("a/a#d", "M-star", "fail", "must"),
        ("a/a#e", "O-tie", "pass", "must"),
        ("a/a#f", "O-tie", "flaky", "must"),
        ("a/a#g", "G-merge", "not-run", "must"),
        ("a/a#h", "S-origin", "not-supported", "must"),
    ]);
    // The columns: clauses kept, violated, with departures; rows wrong, crashed.
    assert_eq!(counts, "2 of 5 | 1 | 1 | 2 | 0");
    for (status, kept) in [("unanswered", "none judged"), ("not-run", "not run")] {
        assert_eq!(overview(&[("a/a#a", "M-prefix", status, "must")]), format!("{kept} | 0 | 0 | 0 | 0"));
    }
}
