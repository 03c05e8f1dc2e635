//! `robotspec run --exec`. What it prints is in `tests/commands/exec.md`.

use crate::support::{folder, robotspec, run, run_in};

/// A run of one small table.
const FISH: &str = "run --no-variants --filter id:path-values/fish#* --edition rfc9309";

#[test]
fn a_run_uses_the_given_exit_statuses_and_patterns() {
    for tool in [
        "'foreign_tool --exit 10 20 {file} {agent} {url}' --allow-exit 10 --disallow-exit 20 --disallow-exit 21",
        "'foreign_tool --words - {agent} {url}' --allow-pattern open --disallow-pattern 'off limits'",
        "'foreign_tool --words - {agent} {url}' --allow-pattern '^the page is open to all$' \
         --disallow-pattern '^the.*limits$'",
    ] {
        let done = run(&format!("{FISH} --exec {tool}"));
        assert_eq!(done.code, Some(0), "{}", done.transcript());
    }
}

#[test]
fn a_program_that_cannot_be_started_comes_with_advice() {
    let folder = folder(&[("tool.sh", "#!/bin/sh\nexit 0\n")]);
    for (command, advice) in [
        ("--exec 'tool.sh {url}'", "a file in this folder needs `./` before it"),
        ("--exec './tool.sh {url}'", "`chmod +x` makes it executable"),
        ("--adapter robotspec/adapter", "build it first, such as with `go build`"),
    ] {
        let done = run_in(folder.path(), &format!("run {command} --filter 'id:path-values/fish#exact'"));
        assert_eq!(done.code, Some(3), "{}", done.transcript());
        assert!(done.words().contains(advice), "{command}: {}", done.stdout);
    }
}

#[test]
fn a_run_without_a_folder_for_temporary_files_says_so() {
    for [option, command, filter] in [
        ["--exec", "foreign_tool --exit 10 20 {file} {agent} {url}", "id:path-values/fish#*"],
        ["--crawler", "crawler {url}", "id:access/success#status-200"],
    ] {
        let run = ["run", "--no-variants", "--edition", "rfc9309", "--filter", filter, option, command];
        let done = robotspec(run).env("TMPDIR", "/no/such/folder").run();
        assert_eq!(done.code, Some(3), "{}", done.transcript());
        assert!(done.words().contains(" a temporary "), "{}", done.transcript());
    }
}
