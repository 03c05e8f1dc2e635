//! The second ring of tests: they need other tools than Rust, such as a browser, shells and other languages.
//!
//! `cargo test` lists each of them as ignored, with what it needs. `cargo test -- --ignored` runs them; then a tool that
//! is missing is a failure.

mod adapters;
mod browser;
mod chapters;
mod languages;
mod readers;
mod schemas;
mod shells;
mod stories;
mod terminal;

use std::process::Command;

/// Asserts that a program is installed.
fn require(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output();
    assert!(
        output.is_ok_and(|output| output.status.success()),
        "`{program} {}` fails: install {program}",
        arguments.join(" ")
    );
}
