//! The editions, told apart.

use std::process::Command;

use robotspec_reference::Edition;

/// `editions diff` has a row for every question on which two editions part.
#[test]
fn every_difference_between_two_editions_is_shown_by_a_row() {
    for (index, a) in Edition::ALL.into_iter().enumerate() {
        for b in Edition::ALL.into_iter().skip(index + 1) {
            let output = Command::new(env!("CARGO_BIN_EXE_robotspec"))
                .args(["editions", "diff", a.id(), b.id(), "--format", "json"])
                .output()
                .expect("robotspec starts");
            let differences = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(differences.lines().count() > 0, "{a} and {b} are said to be the same");
            let without_row: Vec<&str> =
                differences.lines().filter(|line| line.contains(r#""row":null"#)).collect();
            assert!(without_row.is_empty(), "{a} and {b}: no row for {without_row:#?}");
        }
    }
}
