//! `robotspec run --exec`.

use crate::support::{Done, assert_output, robotspec};

/// `robotspec run --exec`, on one small table.
fn run_exec<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Done {
    const FISH: [&str; 5] =
        ["run", "--no-variants", "--filter", "id:path-values/fish#*", "--edition=rfc9309"];
    robotspec(FISH.into_iter().chain(arguments)).run()
}

#[test]
fn a_run_judges_a_foreign_tool() {
    assert_output!(run_exec(["--exec", "foreign_tool {file} {agent} {url}"]).transcript());
}

#[test]
fn a_run_knows_the_exit_statuses_that_it_is_told() {
    let done = run_exec([
        "--exec",
        "foreign_tool --exit 10 20 {file} {agent} {url}",
        "--allow-exit",
        "10",
        "--disallow-exit",
        "20",
        "--disallow-exit",
        "21",
    ]);
    assert_eq!(done.code, Some(0), "{}", done.transcript());
}

#[test]
fn the_command_that_repeats_a_check_has_the_exit_statuses() {
    let tool = "foreign_tool --exit 10 20 {file} {agent} {url}";
    assert_output!(run_exec(["--exec", tool, "--allow-exit", "20", "--disallow-exit", "10"]).transcript());
}

#[test]
fn a_run_knows_the_patterns_that_it_is_told() {
    let tool = "foreign_tool --words - {agent} {url}";
    for (allow, disallow) in [("open", "off limits"), ("^the page is open to all$", "^the.*limits$")] {
        let done = run_exec(["--exec", tool, "--allow-pattern", allow, "--disallow-pattern", disallow]);
        assert_eq!(done.code, Some(0), "{}", done.transcript());
    }
}

#[test]
fn the_command_that_repeats_a_check_has_the_patterns() {
    let tool = "foreign_tool --words - {agent} {url}";
    assert_output!(
        run_exec(["--exec", tool, "--allow-pattern", "off limits", "--disallow-pattern", "open"]).transcript()
    );
}

#[test]
fn a_run_tells_an_exit_status_that_means_nothing() {
    assert_output!(run_exec(["--exec", "foreign_tool --mutter {agent} {url}"]).transcript());
}

#[test]
fn a_run_of_a_tool_that_is_not_there_says_so_and_exits_with_3() {
    let done = run_exec(["--exec", "no_such_tool {url}"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn a_tool_without_a_url_is_a_wrong_command() {
    let done = run_exec(["--exec", "foreign_tool {file} {agent}"]);
    assert_eq!(done.code, Some(2));
    assert_output!(done.transcript());
}

#[test]
fn a_quotation_mark_that_is_not_closed_is_a_wrong_command() {
    for option in ["--exec", "--adapter"] {
        let done = run_exec([option, "foreign_tool '{url}"]);
        assert_eq!(done.code, Some(2));
        assert_output!(format!("a_quotation_mark_that_is_not_closed_in{option}"), done.transcript());
    }
}

#[test]
fn an_empty_command_is_a_wrong_command() {
    let done = run_exec(["--adapter", " "]);
    assert_eq!(done.code, Some(2));
    assert_output!(done.transcript());
}
