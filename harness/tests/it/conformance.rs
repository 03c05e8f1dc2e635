//! The conformance tests of a third-party parser. The tests run its test programs directly; a test of the second ring
//! builds and tests its crate outside this workspace, as its author does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use insta::assert_snapshot;
use robotspec_test_support::{hostile, programs};
use tempfile::TempDir;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parser")
}

/// Makes the folder in which cargo runs the tests of the parser, with its list of known failures.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy("tests/known-failures.yaml", folder.path());
    folder
}

fn copy(file: &str, folder: &Path) {
    let to = folder.join(file);
    fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
    fs::copy(data().join(file), to).expect("a copy");
}

/// Returns a test program with its arguments.
fn command(program: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(programs::folder().join(program));
    command.args(arguments).current_dir(folder).env_remove("RUST_BACKTRACE");
    command
}

/// Runs a test program and returns the exit code and the output.
fn run(command: &mut Command) -> (Option<i32>, String) {
    result_of(&command.output().expect("the program starts"))
}

/// Returns the exit code and the output.
fn result_of(output: &Output) -> (Option<i32>, String) {
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

/// Asserts the exit code of a test program and parts of its output. Returns the output.
#[track_caller]
fn assert_ran((code, output): (Option<i32>, String), expected: i32, parts: &[&str]) -> String {
    assert_eq!(code, Some(expected), "{output}");
    for part in parts {
        assert!(output.contains(part), "{part} is not in {output}");
    }
    output
}

/// Runs the tests of RFC 9309 with the list of known failures in the folder.
fn tests(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    run(&mut command("robotstxt", folder.path(), arguments))
}

/// Returns the part of the output about the test that failed.
fn failure_in(output: &str) -> String {
    let lines = output.lines().skip_while(|line| !line.starts_with("----"));
    lines.take_while(|line| *line != "failures:").collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[test]
fn each_case_is_a_test_with_its_known_failures() {
    let folder = folder();

    let listed = assert_ran(tests(&folder, &["--list"]), 0, &["\nrfc9309::path-values/fish-star: test"]);
    let count = listed.lines().filter(|line| line.starts_with("rfc9309::")).count();
    assert!(count > 500, "{count} cases");

    assert_ran(tests(&folder, &["--exact", "rfc9309::path-values/fish"]), 0, &["1 passed; 0 failed"]);

    // The list has all rows of this test.
    let known = tests(&folder, &["path-values/root-star", "--skip", "allowed", "--format", "pretty"]);
    let note = "note: 1 test with known failures (50); for the reasons see tests/known-failures.yaml";
    assert_ran(known, 0, &["test [known failure] rfc9309::path-values/root-star ... ok", note]);

    let failed = assert_ran(tests(&folder, &["--exact", "rfc9309::path-values/fish-star"]), 101, &[]);
    assert_snapshot!("what_fails_is_told_with_its_file", failure_in(&failed));

    let (_, failed) = tests(&folder, &["--exact", "rfc9309::size/many-groups-of-one-crawler"]);
    assert_snapshot!("of_a_long_file_the_lines_that_decide_are_told", failure_in(&failed));

    // The printed command runs the test again.
    let again = ["--exact", "rfc9309::path-values/fish-star"];
    assert!(failed.contains("rerun: cargo test --test robotstxt -- --exact 'rfc9309::size/"), "{failed}");
    assert!(tests(&folder, &again).1.contains("0 passed; 1 failed"));

    let stale = tests(&folder, &["--exact", "known-failures"]);
    assert_ran(stale, 101, &["path-values/fish#exact no longer fails"]);

    fs::write(folder.path().join("tests/known-failures.yaml"), "known-failures: 1\n").expect("a list");
    assert_ran(tests(&folder, &[]), 2, &["error: tests/known-failures.yaml:1:17: "]);
}

#[test]
fn a_likely_cause_is_printed_before_some_failures_in_full() {
    let folder = folder();
    let tests = |arguments: &[&str]| {
        let output = command("two_editions", folder.path(), arguments).output().expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let all = tests(&[]);
    let (listed, after) = all.split_once("\ntest result: FAILED").expect("a result");
    let line = "---- rfc9309::path-values/fish-star ----\n\
                M-star: path-values/fish-star#exact: expected disallow, got allow  \
                (FooBot, http://example.com/fish), and 5 more rows\n\n";
    assert!(listed.contains(line), "{listed}");
    assert!(!listed.contains("rerun: "), "the list has a line for each test: {listed}");
    let causes = ["rfc9309", "google-2026"].map(|edition| {
        let cause = format!("likely cause, in {edition}: the agent is ignored: ");
        after.find(&cause).expect("a likely cause in each edition")
    });
    let first = after.find("\n---- ").expect("a failure in full");
    assert!(causes.iter().all(|cause| *cause < first), "{after}");
    assert_eq!(after.matches("\n---- ").count(), 5, "{after}");
    // Each of them breaks another clause.
    let clauses =
        after.split("\n---- ").skip(1).filter_map(|failure| failure.lines().nth(1)?.split_once(": "));
    let clauses: BTreeSet<&str> = clauses.map(|(clause, _)| clause).collect();
    assert_eq!(clauses.len(), 5, "{clauses:?}");
    let (more, again) = after
        .split_once(" more tests failed; this command prints one of them in full: ")
        .expect("the number of the others");
    let more: usize = more.rsplit('\n').next().and_then(|more| more.parse().ok()).expect("a number");
    assert!(all.contains(&format!(" passed; {} failed; ", more + 5)), "{after}");
    let name = again.split('\'').nth(1).expect("a name");
    assert!(tests(&["--exact", name]).contains("rerun: "), "{name}");

    // Few failures are all printed in full. A program that reads the output gets the message with its test.
    let few = tests(&["path-values/fish-star-php-allowed"]);
    assert_eq!(few.matches("rerun: ").count(), 2, "{few}");
    assert!(!few.contains("more test"), "{few}");
    let json = tests(&["path-values/fish-star-php-allowed", "-Zunstable-options", "--format", "json"]);
    assert_eq!(json.matches("rerun: ").count(), 2, "{json}");
    assert!(json.lines().all(|line| line.starts_with('{')), "{json}");
}

#[test]
fn operations_that_the_parser_does_not_support_are_ignored() {
    let folder = folder();
    let suites = ["access", "grammar", "scope", "sitemaps"];
    let suites = suites.map(|suite| format!("[not supported] rfc9309::{suite}/"));
    let suites = suites.each_ref().map(String::as_str);
    let listed = assert_ran(tests(&folder, &["--list", "--ignored"]), 0, &suites);
    assert!(!listed.contains("path-values"), "{listed}");

    let ignored = [
        "test [not supported] rfc9309::access/many-redirects ... ignored\n",
        "0 passed; 0 failed; 1 ignored",
        "note: 1 test not supported by mine and therefore ignored",
    ];
    assert_ran(tests(&folder, &["access/many-redirects", "--format", "pretty"]), 0, &ignored);

    // The options that run ignored tests do not change the result.
    for option in ["--ignored", "--include-ignored"] {
        let arguments = ["--exact", "rfc9309::access/many-redirects", "--format", "pretty", option];
        assert_ran(tests(&folder, &arguments), 0, &["... ignored (not supported)"]);
    }
}

#[test]
fn the_tests_write_the_list_of_known_failures() {
    let folder = folder();
    let list = folder.path().join("tests/known-failures.yaml");
    fs::remove_file(&list).expect("no list");
    let fix = "error: tests/known-failures.yaml: the file does not exist; create it with the line";
    assert_ran(tests(&folder, &[]), 2, &[fix]);

    for empty in ["", "# None yet.\n"] {
        fs::write(&list, empty).expect("a list");
        assert_ran(tests(&folder, &["--exact", "rfc9309::path-values/fish"]), 0, &["1 passed"]);
    }

    let update = || run(command("robotstxt", folder.path(), &[]).env("ROBOTSPEC_UPDATE", "1"));
    assert_ran(update(), 0, &["tests/known-failures.yaml: running ", "5000 of ", " added, 0 removed"]);
    let written = fs::read_to_string(&list).expect("a list");
    assert!(written.starts_with("# None yet.\nknown-failures:\n  - reason: TODO say why"), "{written}");
    assert!(written.contains("      - path-values/fish-star#exact\n"), "{written}");
    let refused = tests(&folder, &["--exact", "rfc9309::path-values/fish"]);
    assert_ran(refused, 2, &["replace TODO with the reason of these failures"]);

    // With reasons, all tests pass; an update removes stale entries and keeps the entries of other editions.
    let elsewhere =
        "\n  - reason: Elsewhere.\n    editions: [google-2026]\n    rows:\n      - path-values/fish#exact\n";
    let reasoned = written.replace("TODO say why", "It is a sketch") + elsewhere;
    let stale = "\n  - reason: Once.\n    rows:\n      - path-values/fish#exact\n";
    fs::write(&list, format!("{reasoned}{stale}")).expect("a list");
    assert_ran(update(), 0, &["tests/known-failures.yaml: 0 added, 1 removed"]);
    assert_eq!(fs::read_to_string(&list).expect("a list"), reasoned);
    let passed = assert_ran(tests(&folder, &[]), 0, &[" 0 failed; "]);
    assert!(!passed.contains(" 0 ignored; "), "{passed}");
}

#[test]
fn an_edit_of_the_list_while_the_tests_run_is_kept() {
    let folder = folder();
    let list = folder.path().join("tests/known-failures.yaml");
    fs::write(&list, "# With a comment.\nknown-failures: []\n").expect("a list");
    let update = run(command("edited_conformance", folder.path(), &[]).env("ROBOTSPEC_UPDATE", "1"));
    assert_ran(update, 0, &[" added, 0 removed"]);
    let written = fs::read_to_string(&list).expect("a list");
    assert!(written.contains("# With a comment.") && written.contains("# Written meanwhile."), "{written}");
    assert!(written.contains("reason: TODO"), "{written}");
}

#[cfg(unix)]
#[test]
fn a_list_that_cannot_be_written_to_its_end_is_what_it_was_before() {
    let folder = folder();
    let list = folder.path().join("tests/known-failures.yaml");
    let before = "# With a comment.\nknown-failures: []\n";
    fs::write(&list, before).expect("a list");
    // The signal is ignored, so that the program gets an error as from a full disk.
    let test = programs::program("robotstxt");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\""]).arg(test);
    shell.current_dir(folder.path()).env("CARGO_MANIFEST_DIR", folder.path()).env("ROBOTSPEC_UPDATE", "1");
    let (code, failed) = run(&mut shell);
    assert_ne!(code, Some(0), "{failed}");
    assert!(failed.contains("File too large"), "{failed}");
    assert_eq!(fs::read_to_string(&list).expect("a list"), before);
    assert_eq!(fs::read_dir(folder.path().join("tests")).expect("the folder").count(), 1, "no other file");
}

#[test]
fn the_options_select_the_editions_and_the_variants() {
    let folder = folder();
    let tests = |arguments: &[&str]| run(&mut command("two_editions", folder.path(), arguments));
    let both =
        ["rfc9309", "google-2026"].map(|edition| format!("---- {edition}::path-values/fish-star ----"));
    let failed = assert_ran(tests(&["path-values/fish-star"]), 101, &both.each_ref().map(String::as_str));
    assert!(!failed.contains("variant"), "{failed}");
    assert!(!failed.contains("likely cause"), "a few checks are not enough for a likely cause: {failed}");

    let note = "note: no test has a name with `google2026::`; write google-2026::path-values";
    assert_ran(tests(&["google2026::path-values"]), 0, &[note]);

    let refused = run(command("two_editions", folder.path(), &[]).env("ROBOTSPEC_UPDATE", "1"));
    assert_ran(refused, 2, &["error: ROBOTSPEC_UPDATE is set, but `conformance!` has no list"]);
}

#[test]
fn with_the_level_must_a_test_with_departures_only_passes_and_is_reported() {
    let folder = folder();
    let tests = |filter: &str| run(&mut command("departing_conformance", folder.path(), &[filter]));
    let note = "note: rfc9309::path-values/fish passes with 1 departure from recommendations";
    assert_ran(tests("path-values/fish"), 0, &[note]);
    // The parser violates nothing that RFC 9309 requires.
    assert_ran(tests("/"), 0, &[]);
}

// ---- The crate of the parser, outside this workspace ----

/// Makes the crate of the parser in a folder next to a target folder that its copies share.
fn parser(name: &str) -> PathBuf {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parser").join(name);
    for file in ["tests/mine/mod.rs", "tests/robotstxt.rs", "tests/known-failures.yaml"] {
        copy(file, &folder);
    }
    fs::create_dir_all(folder.join("src")).expect("a new folder");
    fs::write(folder.join("src/lib.rs"), "").expect("a file");
    let manifest = fs::read_to_string(data().join("Cargo.toml.in")).expect("a manifest");
    let manifest = manifest.replace("HARNESS", harness.to_str().expect("a path in UTF-8"));
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    // With the versions of this workspace, cargo does not need to download a crate.
    fs::copy(harness.join("../Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    folder
}

fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parser/target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).current_dir(folder).env("CARGO_TARGET_DIR", target).env_remove("RUST_BACKTRACE");
    cargo.output().expect("cargo starts")
}

#[test]
#[ignore = "builds a crate"]
fn a_third_party_parser_is_tested_by_its_own_cargo_test() {
    let folder = parser("whole");
    let tests = |arguments: &[&str]| {
        let test = ["test", "--quiet", "--offline", "--test", "robotstxt", "--"];
        result_of(&cargo(&folder, &[&test, arguments].concat()))
    };
    assert_ran(tests(&["--list"]), 0, &["\nrfc9309::path-values/fish-star: test"]);
    assert_ran(tests(&["--exact", "rfc9309::path-values/fish"]), 0, &[]);
    // The printed command runs the test again.
    let again = "rerun: cargo test --test robotstxt -- --exact 'rfc9309::path-values/fish-star'";
    assert_ran(tests(&["--exact", "rfc9309::path-values/fish-star"]), 101, &[again]);
}

#[test]
#[ignore = "needs cargo-nextest, and builds a crate"]
fn nextest_lists_and_runs_the_same_tests() {
    assert!(cargo(Path::new("."), &["nextest", "--version"]).status.success(), "install cargo-nextest");
    let folder = parser("nextest");
    let run = |filter: &str| {
        let arguments = ["nextest", "run", "--offline", "--color=never", "--no-fail-fast", "-E", filter];
        result_of(&cargo(&folder, &arguments))
    };
    let passed = run("test(/root-star$/) + test(/path-values.fish$/) + test(access/many-redirects)");
    assert_ran(passed, 0, &["[known failure] rfc9309::path-values/root-star", "2 tests run: 2 passed"]);
    assert_ran(run("test(=rfc9309::path-values/fish-star)"), 100, &["▸   2 | disallow: /fish*"]);
}

#[test]
fn the_light_library_has_no_command_line_no_server_and_no_runtime() {
    let folder = parser("light");
    let output = cargo(
        &folder,
        &[
            "tree",
            "--offline",
            "--package",
            "robotspec",
            "--prefix",
            "none",
            "--edges",
            "normal,dev",
            "--format",
            "{lib}",
        ],
    );
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(tree.contains("robotspec"), "{}", String::from_utf8_lossy(&output.stderr));
    for heavy in ["tokio", "wiremock", "indicatif", "comfy_table", "libunftp", "rustls", "hyper"] {
        assert!(!tree.lines().any(|line| line == heavy), "{heavy} is in\n{tree}");
    }
}

#[test]
fn hostile_text_of_a_parser_is_shown_as_text() {
    let folder = folder();
    for filter in ["path-values/fish", "scope/", "lines/"] {
        let (code, output) = run(&mut command("hostile_conformance", folder.path(), &[filter]));
        assert!(matches!(code, Some(0 | 101)), "{output}");
        assert_eq!(hostile::describe_harm(&output), None, "{filter}");
    }
    let (_, output) = run(&mut command("hostile_conformance", folder.path(), &["path-values/fish"]));
    assert!(output.contains("got error: ::error::E\\u{1b}[2J"), "{output}");
    let (_, output) = run(&mut command("hostile_conformance", folder.path(), &["--exact", "x", "--ignored"]));
    assert_eq!(hostile::describe_harm(&output), None);
}
