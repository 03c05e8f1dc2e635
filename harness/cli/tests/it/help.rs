//! `--help` and `--version`.

use crate::support::{assert_told, commands, run, told};

#[test]
fn every_command_has_a_help() {
    let commands = commands("");
    assert_eq!(commands.len(), 28, "{commands:?}");
    for command in commands {
        let done = run(&format!("{command} --help"));
        assert_eq!((done.code, &*done.stderr), (Some(0), ""));
        assert_told!(format!("help {command}").trim_end().replace(' ', "_"), done.told());
    }
}

#[test]
fn the_short_help_of_run_is_short() {
    assert_told!(run("run -h").told());
}

#[test]
fn the_version_is_told() {
    assert_told!(told(["--version", "run --version"]));
}
