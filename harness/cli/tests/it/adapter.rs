//! `robotspec run --adapter`.

use crate::support::{Done, assert_output, robotspec};

const FISH: [&str; 4] = ["--no-variants", "--filter", "id:path-values/fish#*", "--edition=rfc9309"];

/// Runs `robotspec run --adapter` on one small table.
fn run_adapter<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Done {
    robotspec(["run"].into_iter().chain(FISH).chain(arguments)).run()
}

#[test]
fn the_example_adapter_passes_every_check_that_the_edition_specifies() {
    let done = robotspec(["run", "--adapter", "adapter", "--edition", "rfc9309", "--format", "jsonl"]).run();
    let last: serde_json::Value =
        serde_json::from_str(done.stdout.lines().last().unwrap_or_default()).expect("JSON Lines");
    assert_eq!(last["event"], "run-finished", "{}", done.stderr);
    assert_eq!(done.code, Some(0), "{last}");
    let of = |status: &str| last["totals"][status].as_u64().unwrap_or_default();
    assert!(of("pass") > 1000 && of("unspecified") > 0 && of("not-supported") > 0, "{last}");
    assert_eq!(of("not-run") + of("error") + of("crash"), 0, "{last}");
}

#[test]
fn a_run_reports_the_new_failures_of_an_adapter() {
    let done = run_adapter(["--adapter", "misbehaving_adapter always-allows"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_reports_a_crash_with_the_end_of_standard_error() {
    let done = run_adapter(["--adapter", "misbehaving_adapter exits guilty=fish/salmon.html"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_reports_a_timeout() {
    let done = run_adapter(["--timeout=2", "--adapter", "misbehaving_adapter hangs guilty=fish/salmon.html"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_reports_a_protocol_error() {
    let done = run_adapter(["--adapter", "misbehaving_adapter talks guilty=fish/salmon.html"]);
    assert_output!(done.transcript());
}

#[test]
fn a_run_reports_why_an_adapter_does_not_start_and_exits_with_3() {
    let done = run_adapter(["--adapter", "misbehaving_adapter exits-before-hello"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn a_run_reports_that_the_adapter_does_not_exist_and_exits_with_3() {
    let done = run_adapter(["--adapter", "no_such_adapter"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn a_run_reports_an_adapter_that_exits_with_a_failure() {
    let done = run_adapter(["--adapter", "misbehaving_adapter exits-badly"]);
    assert_eq!(done.code, Some(0));
    assert_output!(done.transcript());
}

#[test]
fn the_report_is_complete_after_the_run_gives_up_an_adapter() {
    let done = run_adapter(["--format=jsonl", "--adapter", "misbehaving_adapter exits-before-hello"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn several_adapters_and_the_reference_are_reported_in_order() {
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

#[test]
fn an_adapter_that_never_greets_has_the_time_limit_of_a_request() {
    let done = run_adapter(["--timeout", "0.4", "--adapter", "misbehaving_adapter never-greets"]);
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    assert!(done.stdout.contains("the adapter did not answer `hello` in 400ms"), "{}", done.transcript());
}

#[test]
fn nothing_is_said_about_known_failures_whose_checks_were_not_run() {
    let list = "known-failures:\n  - reason: It is so.\n    rows: [path-values/fish#exact]\n";
    let folder = crate::support::folder(&[("known.yaml", list.as_bytes())]);
    let run =
        ["run", "--known-failures", "known.yaml", "--adapter", "misbehaving_adapter exits-before-hello"];
    let done = robotspec(run).within(folder.path()).run();
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    assert!(!done.stdout.contains("out of date"), "{}", done.stdout);
}
