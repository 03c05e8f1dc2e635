//! `robotspec run --exec`. What it prints is in `tests/commands/exec.md`.

use crate::support::run;

/// A run of one small table.
const FISH: &str = "run --no-variants --filter id:path-values/fish#* --edition rfc9309";

#[test]
fn a_run_uses_the_given_exit_statuses() {
    let tool = "--exec 'foreign_tool --exit 10 20 {file} {agent} {url}'";
    let done = run(&format!("{FISH} {tool} --allow-exit 10 --disallow-exit 20 --disallow-exit 21"));
    assert_eq!(done.code, Some(0), "{}", done.transcript());
}

#[test]
fn a_run_uses_the_given_patterns() {
    let tool = "--exec 'foreign_tool --words - {agent} {url}'";
    for patterns in [
        "--allow-pattern open --disallow-pattern 'off limits'",
        "--allow-pattern '^the page is open to all$' --disallow-pattern '^the.*limits$'",
    ] {
        let done = run(&format!("{FISH} {tool} {patterns}"));
        assert_eq!(done.code, Some(0), "{}", done.transcript());
    }
}
