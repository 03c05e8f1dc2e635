//! `robotspec run --adapter`.

use crate::support::{Done, assert_output, robotspec};

const FISH: [&str; 4] = ["--no-variants", "--filter", "id:path-values/fish#*", "--edition=rfc9309"];

/// `robotspec run --adapter`, on one small table.
fn run_adapter<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Done {
    robotspec(["run"].into_iter().chain(FISH).chain(arguments)).run()
}

#[test]
fn the_example_of_an_adapter_passes_all_that_the_edition_decides() {
    let done = robotspec(["run", "--adapter", "adapter", "--edition", "rfc9309", "--format", "json"]).run();
    let last: serde_json::Value =
        serde_json::from_str(done.stdout.lines().last().unwrap_or_default()).expect("JSON Lines");
    assert_eq!(last["event"], "run-finished", "{}", done.stderr);
    assert_eq!(done.code, Some(0), "{last}");
    let of = |status: &str| last["totals"][status].as_u64().unwrap_or_default();
    assert!(of("pass") > 1000 && of("unspecified") > 0 && of("not-supported") > 0, "{last}");
    assert_eq!(of("not-run") + of("error") + of("crash"), 0, "{last}");
}

#[test]
fn a_run_tells_the_new_failures_of_an_adapter() {
    let done = run_adapter(["--adapter", "misbehaving_adapter always-allows"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_tells_a_crash_with_the_last_words() {
    let done = run_adapter(["--adapter", "misbehaving_adapter exits guilty=fish/salmon.html"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_tells_a_timeout() {
    let done = run_adapter(["--timeout=2", "--adapter", "misbehaving_adapter hangs guilty=fish/salmon.html"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_tells_a_protocol_error() {
    let done = run_adapter(["--adapter", "misbehaving_adapter talks guilty=fish/salmon.html"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_of_an_adapter_that_does_not_start_says_why_and_exits_with_3() {
    let done = run_adapter(["--adapter", "misbehaving_adapter exits-before-hello"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn a_run_of_an_adapter_that_is_not_there_says_so_and_exits_with_3() {
    let done = run_adapter(["--adapter", "no_such_adapter"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn a_run_tells_an_adapter_that_ends_badly() {
    let done = run_adapter(["--adapter", "misbehaving_adapter exits-badly"]);
    assert_eq!(done.code, Some(0));
    assert_output!(done.transcript());
}

#[test]
fn the_report_of_an_adapter_that_was_given_up_is_complete() {
    let done = run_adapter(["--format=json", "--adapter", "misbehaving_adapter exits-before-hello"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn several_adapters_and_the_reference_are_told_one_after_the_other() {
    let done = run_adapter([
        "reference",
        "--adapter",
        "misbehaving_adapter exits-before-hello",
        "--adapter",
        "adapter",
        "--adapter",
        "misbehaving_adapter invents-a-verdict guilty=/fish",
    ]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}
