//! `robotspec import`, from the command line: the written suite loads and runs, and every omission is
//! reported.

use std::fs;
use std::path::{Path, PathBuf};

use robotspec_cases::suite::load;
use robotspec_cases::{Expected, Query, Suite};
use tempfile::TempDir;

use crate::support::{Done, assert_output, robotspec, run_in};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import")
}

/// Makes a folder with one file, `suite.textproto`.
fn folder(text: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("suite.textproto"), text).expect("a file in the folder");
    folder
}

/// Imports a text.
fn imported(text: impl AsRef<[u8]>, options: &str) -> Done {
    run_in(folder(text).path(), &format!("import suite.textproto {options}"))
}

fn suite(done: &Done) -> Suite {
    load(Path::new("imported.yaml"), &done.stdout).unwrap_or_else(|error| panic!("{error}\n{}", done.stderr))
}

/// Returns the rows of an import: id, agent, URL and expected outcome.
fn rows(done: &Done) -> Vec<String> {
    let suite = suite(done);
    let rows = suite.cases.iter().flat_map(|case| &case.rows).map(|row| {
        let Query::Match { agent, url, .. } = &row.query else { panic!("{}: not a match", row.id) };
        let expected: Vec<String> = row.expected.values().map(Expected::to_string).collect();
        format!("{} {agent:?} {url:?} {}", row.id, expected.join(" "))
    });
    rows.collect()
}

/// Makes a test with one check.
fn test(robots: &str, check: &str) -> String {
    format!("tests {{ robotstxt: '{robots}' test_expectations {{ {check} }} }}\n")
}

/// A check that the reference confirms for an empty robots.txt.
const CHECK: &str = "testurl: 'http://x.example/a' useragent: 'FooBot' expected_outcome: ALLOWED";

#[test]
fn a_folder_with_folders_becomes_one_suite() {
    let done = run_in(&data(), "import suite");
    assert_eq!(done.code, Some(0));
    assert_output!(done.transcript());
    let suite = suite(&done);
    let case =
        suite.cases.iter().find(|case| case.name == "suite/rules-paths-2").expect("the case of the test");
    let Query::Match { robots, .. } = &case.rows[0].query else { panic!("not a match") };
    assert_eq!(robots[..], b"\xEF\x11user-agent: *\r\ndisallow: /caf\xE9\r\n"[..]);
    assert_eq!(case.about.as_deref(), Some("The file starts with \u{FFFD}\u{11}, as this note does not."));
    let google_specific: Vec<&str> =
        suite.cases.iter().filter(|case| case.google_specific).map(|case| &*case.name).collect();
    assert_eq!(google_specific, ["suite/agents-1-google-specific", "suite/agents-2"]);
}

#[test]
fn files_and_folders_become_one_suite() {
    let done = run_in(
        &data(),
        "import suite/rules/agents.textproto suite/generated --edition google-2019 --id mine",
    );
    assert_eq!(done.code, Some(0));
    assert_output!(format!("{}\n\n{}", rows(&done).join("\n"), done.stderr));
}

#[test]
fn an_imported_suite_is_linted_and_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("imported.yaml");
    let done = run_in(&data(), &format!("import suite --out {}", out.display()));
    assert_eq!((done.code, &*done.stdout), (Some(0), ""));
    let done = run_in(folder.path(), "cases lint imported.yaml");
    assert_eq!((done.code, &*done.stdout), (Some(0), "1 suite, 7 cases, 10 rows, 0 variants: no error\n"));
    let done = run_in(folder.path(), "run reference --suite imported.yaml --edition google-2026");
    assert_eq!(done.code, Some(1));
    assert_output!(done.transcript());
    let standard = "run reference --suite imported.yaml --no-google-specific --filter 'id:suite/agents-*'";
    let standard = run_in(folder.path(), standard);
    assert!(standard.stdout.contains("1 judgement: 1 pass"), "{}", standard.transcript());
    let other = run_in(folder.path(), "run reference --suite imported.yaml --edition rfc9309");
    let error = "error: no check is selected; before any filter, these suites have checks for --edition google-2026\n";
    assert_eq!((other.code, &*other.stderr), (Some(2), error));
    // The known failures of the built-in suites are not reported as stale.
    let right = "run robotxt --suite imported.yaml --filter 'id:suite/rules-paths-1#*'";
    assert_eq!(run_in(folder.path(), right).code, Some(0));
    let again = run_in(folder.path(), &done.repeating());
    assert_eq!(again.code, Some(1), "{}", again.stdout);
    assert!(again.stdout.contains("1 judgement: 1 fail"), "{}", again.stdout);
}

#[test]
fn a_suite_to_run_is_a_file_of_cases_and_has_its_own_id() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("none.yaml"), "suite: none\n").expect("a file in the folder");
    let done = run_in(folder.path(), "run reference --suite none.yaml");
    assert_eq!(
        (done.code, done.stderr.starts_with("error: none.yaml:1:")),
        (Some(2), true),
        "{}",
        done.stderr
    );
    run_in(&data(), &format!("import suite --out {}/a.yaml", folder.path().display()));
    let done = run_in(folder.path(), "run reference --suite a.yaml --suite a.yaml");
    assert!(done.stderr.contains("a.yaml: another file has the suite `suite`"), "{}", done.stderr);
}

#[test]
fn an_error_has_a_position_a_cause_and_a_fix_and_nothing_is_written() {
    let reports = [
        ("tests {\n  robotstxt: 'x'", ""),
        ("tests {\n  robotstxt: 'x'\n  robotstxt: 'y'\n}", ""),
        ("tests {\n  robots_txt: 'x'\n}", ""),
        ("tests {\n  owner: 'me'\n}", ""),
        ("test_expectations { testurl: '/' }", ""),
        ("tests { test_expectations { expected_outcome: ALOWED } }", ""),
        ("tests { test_expectations { expected_outcome: 'ALLOWED' } }", ""),
        ("tests { robotstxt: 1 }", ""),
        ("tests { robotstxt: 'x\n' }", ""),
        ("tests { robotstxt: '\\q' }", ""),
        ("tests { robotstxt: '", ""),
        ("tests { test_expectations { testurl: '/\\xff' } }", ""),
        ("tests: [ { robotstxt: '' } { robotstxt: '' } ]", ""),
        ("{}", ""),
        ("# nothing\n", ""),
        ("tests { robotstxt: '' }", ""),
        ("", "--id 'My Suite'"),
    ]
    .map(|(text, options)| {
        let folder = folder(text);
        let done = run_in(folder.path(), &format!("import suite.textproto {options} --out out.yaml"));
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{text}");
        assert!(!folder.path().join("out.yaml").exists(), "{text}");
        format!("{text}\n{options}\n{}", done.stderr)
    });
    assert_output!(reports.join("\n"));
}

#[test]
fn every_file_that_is_wrong_is_reported() {
    let folder = folder(test("", CHECK));
    fs::create_dir(folder.path().join("more")).expect("a folder in the folder");
    for file in ["a.textproto", "more/b.pbtxt"] {
        fs::write(folder.path().join(file), "tests {\n").expect("a file in the folder");
    }
    let done = run_in(folder.path(), "import .");
    assert_eq!((done.code, &*done.stdout), (Some(2), ""));
    assert_output!(done.stderr);
}

#[test]
fn a_file_that_cannot_be_read_is_reported() {
    let done = run_in(&data(), "import nowhere.textproto");
    assert_eq!((done.code, done.stderr.contains("cannot read nowhere.textproto")), (Some(2), true));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let done = run_in(folder.path(), "import .");
    let error = "error: . contains no .textproto or .txtpb or .pbtxt file\n";
    assert_eq!((done.code, &*done.stderr), (Some(2), error));
}

#[test]
fn an_expectation_without_an_outcome_is_left_out_and_makes_the_exit_code_1() {
    let mut text = test("", CHECK);
    for check in [
        "testurl: '/'",
        "expected_outcome: UNSPECIFIED",
        "expected_outcome: 3",
        &format!("{CHECK} test_type: 2"),
    ] {
        text += &test("", check);
    }
    let done = imported(text + "tests { robotstxt: 'x' }", "");
    assert_eq!((done.code, rows(&done).len()), (Some(1), 1));
    assert_output!(done.stderr);
}

#[test]
fn an_expectation_that_the_reference_does_not_confirm_is_reported_and_kept() {
    let disallowed =
        |url: &str| test("", &format!("testurl: '{url}' useragent: 'a' expected_outcome: DISALLOWED"));
    let text: String = (0..25).map(|number| disallowed(&format!("/{number}"))).collect();
    let done = imported(text + &disallowed("") + &disallowed("mailto:a@x.example"), "");
    assert_eq!(done.code, Some(0), "an import does not judge the expectations");
    assert_output!(done.stderr);
    assert!(rows(&done).iter().all(|row| row.ends_with(" disallow")));
}

#[test]
fn bytes_that_are_not_utf8_change_nothing_else() {
    let mut text = b"# caf\xe9\n".to_vec();
    text.extend(test("", &format!("{CHECK} additional_explanation: 'a note'")).bytes());
    let end = text.windows(6).position(|window| window == b"a note").expect("the note");
    text.splice(end..end + 1, *b"\xff");
    let done = imported(&text, "");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(rows(&done), ["suite/suite-1#check-1 \"FooBot\" \"http://x.example/a\" allow"]);
    assert_eq!(suite(&done).cases[0].about.as_deref(), Some("\u{FFFD} note"));
}

#[test]
fn hostile_files_are_read_in_a_short_time() {
    let line = "a".repeat(1_000_000);
    let checks = format!("test_expectations {{ {CHECK} }} ").repeat(2000);
    for (text, code, report) in [
        ("tests { ".repeat(100_000), 2, "suite.textproto:1:9: "),
        ("[".repeat(100_000), 2, "suite.textproto:1:2: "),
        (test(&line, CHECK), 0, "1 check in 1 file"),
        (test(&line, &format!("{CHECK} additional_explanation: '{line}'")), 0, "1 check in 1 file"),
        (format!("tests {{ {checks} }}"), 0, "2000 checks in 1 file"),
        (test("", CHECK).repeat(2000), 0, "2000 checks in 1 file"),
    ] {
        let done = imported(&text, "");
        assert_eq!((done.code, done.stderr.contains(report)), (Some(code), true), "{}", done.stderr);
    }
}

#[test]
fn standard_input_is_read() {
    let done = robotspec(["import", "-"]).input(test("", CHECK)).run();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(rows(&done), ["imported/test-1#check-1 \"FooBot\" \"http://x.example/a\" allow"]);
}
