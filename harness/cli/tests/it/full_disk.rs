//! A file that cannot be written to its end, as on a full disk, is what it was before, except a file of events.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{Done, folder, read, run_in, write};

/// Runs a command in a folder where no file can have more than 512 bytes. The signal is ignored, so that the program gets an
/// error as from a full disk.
fn run_limited(folder: &Path, arguments: &[&str]) -> Done {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_robotspec")]);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    Done::of(command.output().expect("a shell"))
}

/// Asserts that a command fails because it cannot write a file, which is unchanged.
fn assert_unchanged(folder: &TempDir, file: &str, arguments: &[&str]) {
    let read = || read(folder, file);
    let files = || fs::read_dir(folder.path()).expect("the folder").count();
    let before = (read(), files());
    let done = run_limited(folder.path(), arguments);
    assert_eq!(done.code, Some(2), "{arguments:?}: {}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("cannot write"), "{arguments:?}: {}", done.stderr);
    assert!(done.stderr.contains("File too large"), "{arguments:?}: {}", done.stderr);
    assert_eq!((read(), files()), before, "{arguments:?}");
}

/// A list of known failures of more than 512 bytes, before and after an update.
const LIST: &str = include_str!("../../../adapters/built-in/known-failures/robotxt.yaml");

/// A suite in which another parser fails other rows.
const SUITE: &str = include_str!("../../../../cases/suites/answers.yaml");

#[test]
fn a_list_of_known_failures_keeps_its_reasons() {
    let folder = folder(&[]);
    write(&folder, "list.yaml", LIST);
    write(&folder, "suite.yaml", SUITE);
    let update =
        ["known", "update", "--known-failures", "list.yaml", "--suite", "suite.yaml", "texting_robots"];
    assert_unchanged(&folder, "list.yaml", &update);
}

#[test]
fn reports_are_replaced_as_a_whole() {
    let folder = folder(&[]);
    let run = "run reference --filter id:path-values/fish#* --report jsonl=run.jsonl";
    assert_eq!(run_in(folder.path(), run).code, Some(0));
    for (file, arguments) in [
        ("index.html", vec!["report", "run.jsonl", "--html", "."]),
        ("robots.xml", vec!["report", "run.jsonl", "--report", "junit=robots.xml"]),
        ("run.tap", vec!["run", "reference", "--filter", "id:path-values/fish#*", "--report", "tap=run.tap"]),
    ] {
        write(&folder, file, "what was there before");
        assert_unchanged(&folder, file, &arguments);
    }
}

#[test]
fn events_are_written_as_far_as_they_fit() {
    let folder = folder(&[]);
    let run = ["run", "reference", "--filter", "id:path-values/fish#*", "--report", "jsonl=run.jsonl"];
    let done = run_limited(folder.path(), &run);
    assert_eq!(done.code, Some(2), "{}", done.stdout);
    assert!(done.stderr.contains("cannot write the report run.jsonl: File too large"), "{}", done.stderr);
    let written = read(&folder, "run.jsonl.1.part");
    assert!(written.starts_with(r#"{"event":"run-started""#), "{written}");
    let report = run_in(folder.path(), "report run.jsonl.1.part --report tap=-");
    assert_eq!(report.code, Some(3), "{}", report.stderr);
    assert!(report.stderr.contains("the run was cut off"), "{}", report.stderr);
}
