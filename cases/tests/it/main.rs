//! Checks the reference against every file of cases, in every edition. Each file is a test.

mod questions;
mod suites;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use questions::every_unanswered_question_has_a_row;
use suites::{reference_explains, reference_passes};

/// A test of a file of cases.
type TestFile = fn(&Path, &str) -> Result<(), Failed>;

fn main() -> ExitCode {
    let tests: [(&str, TestFile, &str); 3] = [
        ("reference_passes", reference_passes, "suites"),
        ("reference_explains", reference_explains, "suites"),
        ("reference_passes", reference_passes, "regressions"),
    ];
    let mut trials = vec![Trial::test("every_unanswered_question_has_a_row", || {
        every_unanswered_question_has_a_row();
        Ok(())
    })];
    for (name, test, folder) in tests {
        trials.extend(files(folder).into_iter().map(|file| {
            let name = format!("{name}::{folder}/{}", file.file_name().unwrap_or_default().display());
            Trial::test(name, move || test(&file, &fs::read_to_string(&file)?))
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Returns the files of a folder of this crate.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}
