//! `robotspec run --exec`.

use crate::support::{Done, assert_output, robotspec};

/// Runs `robotspec run --exec` on one small table.
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
fn a_run_uses_the_given_exit_statuses() {
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
fn a_run_uses_the_given_patterns() {
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
        run_exec(["--exec", tool, "--allow-pattern", "off limits", "--disallow-pattern", "open"])
            .transcript()
    );
}

#[test]
fn a_run_reports_an_exit_status_without_a_meaning() {
    assert_output!(run_exec(["--exec", "foreign_tool --mutter {agent} {url}"]).transcript());
}

#[test]
fn a_run_reports_that_the_tool_does_not_exist_and_exits_with_3() {
    let done = run_exec(["--exec", "no_such_tool {url}"]);
    assert_eq!(done.code, Some(3));
    assert_output!(done.transcript());
}

#[test]
fn a_command_without_a_url_is_rejected() {
    let done = run_exec(["--exec", "foreign_tool {file} {agent}"]);
    assert_eq!(done.code, Some(2));
    assert_output!(done.transcript());
}

#[test]
fn an_unclosed_quotation_mark_is_rejected() {
    for option in ["--exec", "--adapter"] {
        let done = run_exec([option, "foreign_tool '{url}"]);
        assert_eq!(done.code, Some(2));
        assert_output!(format!("a_quotation_mark_that_is_not_closed_in{option}"), done.transcript());
    }
}

#[test]
fn an_empty_command_is_rejected() {
    let done = run_exec(["--adapter", " "]);
    assert_eq!(done.code, Some(2));
    assert_output!(done.transcript());
}
