//! Tests of the files that `robotspec init` generates.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use robotspec_test_support::programs;

use crate::support::{Done, assert_output, folder, run_in, write};

/// Reads all files in a folder and its subfolders.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("the file is in the folder").display().to_string();
            let bytes = fs::read(&path).expect("the file can be read");
            files.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    files
}

// ---- The generated files ----

const LANGUAGES: [&str; 11] =
    ["python", "node", "go", "java", "ruby", "php", "perl", "c", "cpp", "csharp", "rust"];

#[test]
fn init_lists_the_generated_files_and_the_next_steps() {
    let init = |language: &str| run_in(folder(&[]).path(), &format!("init --lang {language}"));
    let mut shown = format!("{}\n{}", init("python").transcript(), init("rust").transcript());
    // The texts of the other languages differ in the files, the command that builds, and the function to fill in.
    for language in LANGUAGES {
        let done = init(language);
        assert_eq!(done.code, Some(0), "{}", done.transcript());
        let is_its_own =
            |line: &&str| line.starts_with("wrote ") || line.starts_with("  1.") || line.starts_with("  2.");
        let own: Vec<&str> = done.stdout.lines().filter(is_its_own).map(str::trim).collect();
        shown += &format!("\n{language}: {}", own.join("; "));
    }
    assert_output!(shown);
}

#[test]
fn each_language_has_one_place_to_fill_in() {
    for language in LANGUAGES {
        let folder = folder(&[]);
        assert_eq!(run_in(folder.path(), &format!("init --lang {language}")).code, Some(0));
        let files = files(folder.path());
        let places: usize = files.values().map(|text| text.matches("FILL IN").count()).sum();
        assert_eq!(places, 1, "{language}: {:?}", files.keys());
        for (name, text) in &files {
            assert!(!text.contains("{adapter}") && !text.contains("{version}"), "{language}: {name}");
        }
    }
}

#[test]
fn the_configuration_and_the_ci_job_run_the_adapter() {
    let folder = folder(&[]);
    run_in(folder.path(), "init --lang go");
    let files = files(folder.path());
    let generated = format!("{}----\n{}", files["robotspec.toml"], files[".github/workflows/robotspec.yml"]);
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(generated) });
}

#[test]
fn init_does_not_overwrite_files_without_force() {
    let folder = folder(&[]);
    write(&folder, "robotspec.toml", "mine");
    let refused = run_in(folder.path(), "init --lang python");
    assert_eq!((refused.code, &*refused.stdout), (Some(2), ""));
    let message = "error: robotspec.toml already exists, and nothing was written; --force overwrites it\n";
    assert_eq!(refused.stderr, message);
    assert_eq!(files(folder.path()), BTreeMap::from([("robotspec.toml".to_owned(), "mine".to_owned())]));

    assert_eq!(run_in(folder.path(), "init --lang python --force").code, Some(0));
    assert_eq!(files(folder.path()).len(), 3);
    assert!(files(folder.path())["robotspec.toml"].contains("python3 robotspec_adapter.py"));
    run_in(folder.path(), "init --lang python").assert_refused(
        "robotspec_adapter.py, robotspec.toml, .github/workflows/robotspec.yml already exist",
    );
}

#[test]
fn init_writes_into_the_given_folder() {
    let folder = folder(&[]);
    let done = run_in(folder.path(), "init --lang perl --out 'a parser/of mine'");
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    assert!(done.stdout.contains("  1. cd 'a parser/of mine'\n"), "{}", done.stdout);
    assert!(files(folder.path()).contains_key("a parser/of mine/robotspec_adapter.pl"));
}

#[test]
fn a_folder_that_cannot_be_created_is_reported() {
    let folder = folder(&[]);
    write(&folder, "file", "");
    run_in(folder.path(), "init --lang perl --out file")
        .assert_refused("error: cannot write file/robotspec_adapter.pl");
    // A later file is in a folder that cannot be created.
    write(&folder, ".github", "");
    run_in(folder.path(), "init --lang perl")
        .assert_refused("error: cannot write .github/workflows/robotspec.yml");
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn the_generated_rust_test_runs_the_cases() {
    let mut test = Command::new(programs::folder().join("init_rust"));
    let done = Done::of(test.args(["--quiet", "path-values"]).output().expect("the example runs"));
    let output = done.stdout;
    assert_eq!(done.code, Some(101), "{output}");
    assert!(output.contains("expected disallow, got allow"), "{output}");
    assert!(output.contains("test result: FAILED"), "{output}");
}
