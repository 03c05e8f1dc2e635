//! Finds the test programs in `harness/tests/programs`, and the examples, which the tests run as well.
//!
//! `cargo test` builds the examples of the packages that it tests. A run that tests only another package, such as
//! `cargo test -p robotspec-cli`, does not build them, so [`program`] builds them when they are missing or stale.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// Returns the folder of the built test programs.
///
/// # Panics
///
/// If the caller is not a test that cargo has built.
pub fn folder() -> PathBuf {
    let test = env::current_exe().expect("the path of this test");
    test.ancestors().nth(2).expect("target/<profile>/deps/<test>").join("examples")
}

/// Returns the path of a test program, built from its present source.
///
/// # Panics
///
/// If the program cannot be built.
pub fn program(name: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    if !is_fresh(name) {
        BUILT.get_or_init(build);
        assert!(is_fresh(name), "cargo did not build {}", path(name).display());
    }
    path(name)
}

/// Returns a test program with its arguments, quoted for a POSIX shell.
///
/// # Panics
///
/// If the program cannot be built.
pub fn command(name: &str, arguments: &[&str]) -> String {
    let program = program(name);
    let program = program.to_string_lossy();
    shell_words::join(std::iter::once(&*program).chain(arguments.iter().copied()))
}

fn path(name: &str) -> PathBuf {
    folder().join(name).with_extension(env::consts::EXE_EXTENSION)
}

fn is_fresh(name: &str) -> bool {
    let source = ["tests/programs", "examples"]
        .into_iter()
        .find_map(|folder| modified(&harness().join(folder).join(name).with_extension("rs")));
    modified(&path(name)).is_some_and(|built| Some(built) >= source)
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}

fn harness() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn build() {
    let folder = folder();
    let profile = folder.parent().expect("target/<profile>");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", "robotspec", "--examples"]).current_dir(harness());
    cargo.arg("--target-dir").arg(profile.parent().expect("target"));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo starts");
    assert!(status.success(), "cargo cannot build the test programs");
}
