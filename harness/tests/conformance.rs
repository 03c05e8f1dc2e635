//! The specification as the tests of somebody else's parser: a crate of its own, built and tested as they would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use insta::assert_snapshot;

/// The crate of a parser, in a folder of its own beside what cargo built before.
fn parser() -> PathBuf {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parser");
    let data = harness.join("tests/data/parser");
    for file in ["src/lib.rs", "tests/robotstxt.rs", "tests/known-failures.yaml"] {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
        fs::copy(data.join(file), to).expect("a copy");
    }
    let manifest = fs::read_to_string(data.join("Cargo.toml.in")).expect("a manifest");
    let manifest = manifest.replace("HARNESS", harness.to_str().expect("a path in UTF-8"));
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    // The versions that are at hand: nothing need be fetched.
    fs::copy(harness.join("../Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    folder
}

fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("cargo")
}

/// Runs its tests; the exit code and what was said.
fn tests(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        cargo(folder, &[&["test", "--quiet", "--offline", "--test", "robotstxt", "--"], arguments].concat());
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), said)
}

#[test]
fn a_parser_of_somebody_else_is_tested_by_its_own_cargo_test() {
    let folder = parser();

    let (code, listed) = tests(&folder, &["--list"]);
    assert_eq!(code, Some(0), "{listed}");
    let count = listed.lines().filter(|line| line.starts_with("rfc9309::")).count();
    assert!(count > 500, "{count} cases");
    assert!(listed.contains("rfc9309::path-values/fish: test"), "{listed}");

    let (code, passed) = tests(&folder, &["--exact", "rfc9309::path-values/fish"]);
    assert_eq!(code, Some(0), "{passed}");
    assert!(passed.contains("1 passed; 0 failed"), "{passed}");

    // All its rows are listed.
    let (code, known) = tests(&folder, &["--exact", "rfc9309::path-values/root-star"]);
    assert_eq!(code, Some(0), "{known}");

    let (code, failed) = tests(&folder, &["--exact", "rfc9309::path-values/fish-star"]);
    assert_eq!(code, Some(101), "{failed}");
    let told: Vec<&str> = failed.lines().skip_while(|line| !line.starts_with("----")).take(8).collect();
    assert_snapshot!("what_fails_is_told_with_its_file", told.join("\n"));

    let (code, stale) = tests(&folder, &["--exact", "known-failures"]);
    assert_eq!(code, Some(101), "{stale}");
    assert!(stale.contains("path-values/fish#exact does not fail any more"), "{stale}");

    fs::write(folder.join("tests/known-failures.yaml"), "known-failures: 1\n").expect("a list");
    let (code, refused) = tests(&folder, &[]);
    assert_ne!(code, Some(0), "{refused}");
    assert!(refused.contains("error: tests/known-failures.yaml:1:17: "), "{refused}");
}

#[test]
fn the_light_library_has_no_command_line_no_server_and_no_runtime() {
    let folder = parser();
    let output = cargo(
        &folder,
        &["tree", "--offline", "--prefix", "none", "--edges", "normal,dev", "--format", "{lib}"],
    );
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(tree.contains("robotspec"), "{}", String::from_utf8_lossy(&output.stderr));
    for heavy in ["tokio", "wiremock", "indicatif", "comfy_table", "libunftp", "rustls", "hyper"] {
        assert!(!tree.lines().any(|line| line == heavy), "{heavy} is in\n{tree}");
    }
}
