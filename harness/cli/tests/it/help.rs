//! `--help` and `--version`.

use crate::support::{assert_output, commands, run, transcripts};

#[test]
fn every_command_has_help() {
    let commands = commands("");
    assert_eq!(commands.len(), 27, "{commands:?}");
    for command in commands {
        let done = run(&format!("{command} --help"));
        assert_eq!((done.code, &*done.stderr), (Some(0), ""));
        assert_output!(format!("help {command}").trim_end().replace(' ', "_"), done.transcript());
    }
}

#[test]
fn the_short_help_of_run_is_short() {
    assert_output!(run("run -h").transcript());
}

#[test]
fn version_prints_the_version() {
    assert_output!(transcripts(["--version", "run --version"]));
}
