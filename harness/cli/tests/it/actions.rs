//! The steps of the GitHub actions that run the program.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_yaml::Value;

use crate::docs::{read, top};
use crate::support::{Done, folder, write};

/// Runs the step of an action that has this name, with these inputs, in a folder.
fn run_step(action: &str, name: &str, folder: &Path, inputs: &[(&str, &str)]) -> Done {
    let file = top().join(".github/actions").join(action).join("action.yml");
    let action: Value = serde_yaml::from_str(&read(&file)).expect("YAML");
    let steps = action["runs"]["steps"].as_sequence().expect("steps");
    let step = steps.iter().find(|step| step["name"] == name).expect("the step");
    let home = tempfile::tempdir().expect("a temporary folder");
    let programs = home.path().join(".robotspec/bin");
    fs::create_dir_all(&programs).expect("a folder");
    symlink(env!("CARGO_BIN_EXE_robotspec"), programs.join("robotspec")).expect("a link");
    let mut command = Command::new("bash");
    let script = step["run"].as_str().expect("a script");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(folder);
    command
        .env("HOME", home.path())
        .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
        .envs(inputs.to_vec());
    Done::of(command.output().expect("bash"))
}

const INPUTS: [(&str, &str); 4] = [("ADAPTER", ""), ("RUNS", "100"), ("OUT", "out"), ("JUNIT", "robots.xml")];

const STEPS: [(&str, &str); 2] = [("check", "Check"), ("fuzz", "Fuzz")];

#[test]
fn an_action_without_a_parser_fails() {
    for (config, error) in
        [(None, "cannot read robotspec.toml"), (Some("level = 'must'"), "lists no implementation")]
    {
        let folder = folder(&[]);
        if let Some(config) = config {
            write(&folder, "robotspec.toml", config);
        }
        for (action, name) in STEPS {
            run_step(action, name, folder.path(), &INPUTS).assert_refused(error);
        }
        assert!(!folder.path().join("robots.xml").exists());
    }
}

#[test]
fn an_action_runs_the_parser_of_the_configuration() {
    let config =
        "variants = false\nfilters = ['id:path-values/fish#*']\n[[implementation]]\nbuiltin = 'reference'\n";
    let folder = folder(&[("robotspec.toml", config)]);
    for (action, name) in STEPS {
        let done = run_step(action, name, folder.path(), &INPUTS);
        assert_eq!(done.code, Some(0), "{action}: {}{}", done.stdout, done.stderr);
    }
    for file in ["robots.xml", "summary.md", "robotspec.html"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
    write(
        &folder,
        "robotspec.toml",
        config.replace("builtin = 'reference'", "exec = 'true {file} {agent} {url}'"),
    );
    let done = run_step("check", "Check", folder.path(), &INPUTS);
    assert_eq!((done.code, done.stdout.contains("\n::error ")), (Some(1), true), "{}", done.stdout);
}
