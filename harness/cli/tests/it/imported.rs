//! `run --suite`, and the tests of other projects in `cases/imported/`.

use std::path::{Path, PathBuf};

use crate::support::{folder, robotspec, run_in, write};

const SUITES: &str = "--suite correctness.yaml --suite stress.yaml";

fn spec_test() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/imported/robotstxt-spec-test")
}

#[test]
fn the_reference_confirms_the_tests_of_google_apart_from_known_differences() {
    // As an adapter, because a built-in implementation has its own list of known failures.
    let program = shell_words::quote(env!("CARGO_BIN_EXE_robotspec"));
    let adapter = format!("{program} adapter reference --edition google-2026");
    let options = format!("{SUITES} --known-failures known-failures.yaml");
    let words = ["run", "--adapter", &adapter].into_iter().chain(options.split(' '));
    let done = robotspec(words).within(&spec_test()).run();
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    // The numbers show that no entry of the list is stale: `run` reports such entries only for the built-in suites.
    for part in ["400 judgements: 379 pass", "all as expected, and all known: 21 rows with violations"] {
        assert!(done.words().contains(part), "{}", done.transcript());
    }
}

#[test]
fn a_suite_in_a_file_is_linted_filtered_and_run() {
    let run = |line: &str| run_in(&spec_test(), line);
    let done = run("cases lint correctness.yaml stress.yaml");
    // The URLs of four further rows are empty, and the reference has no ruling for them.
    let counts = "no error in the format, but the reference answers 17 rows otherwise";
    assert!(done.words().contains(counts), "{}", done.transcript());

    let filter = "--filter 'id:*/index-page-1-google-specific#*'";
    let done = run(&format!("run robotxt {SUITES} {filter}"));
    assert_eq!(done.code, Some(1), "{}", done.transcript());
    assert!(done.stdout.contains("3 judgements: 2 pass"), "{}", done.transcript());
    let again = run(&done.repeating());
    assert_eq!(again.code, Some(1), "{}", again.transcript());
    assert!(again.stdout.contains("1 judgement: 1 fail"), "{}", again.transcript());

    // The known failures of the built-in suites are not reported as stale.
    let done = run(&format!("run robotxt {SUITES} --filter 'id:*/155227-1#*'"));
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    let done = run(&format!("run robotxt {SUITES} {filter} --no-google-specific"));
    assert!(done.stderr.contains("no check is selected"), "{}", done.transcript());
    let done = run(&format!("run reference {SUITES} --edition rfc9309"));
    let error = "error: no check is selected; before any filter, these suites have checks for --edition google-2026\n";
    assert_eq!((done.code, &*done.stderr), (Some(2), error));
}

#[test]
fn a_suite_to_run_is_a_file_of_cases_and_has_its_own_id() {
    let folder = folder(&[]);
    write(&folder, "none.yaml", "suite: none\n");
    run_in(folder.path(), "run reference --suite none.yaml").assert_refused("error: none.yaml:1:");
    let done = run_in(&spec_test(), "run reference --suite stress.yaml --suite stress.yaml");
    let error = "stress.yaml: another file has the suite `robotstxt-spec-test-stress`";
    assert!(done.stderr.contains(error), "{}", done.stderr);
}
