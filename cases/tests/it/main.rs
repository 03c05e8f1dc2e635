//! Checks the reference against every file of cases, in every edition.
//!
//! Cargo's own test harness cannot make a test of each file, so this program has a `main` of its own.

mod questions;
mod suites;

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};

/// A test of the text of one file.
type FileTest = fn(&Path, &str) -> Result<(), Failed>;

fn main() {
    let mut trials = vec![Trial::test(
        "every_unanswered_question_has_a_row_that_states_the_outcome_of_each_answer",
        || {
            questions::check_unanswered_questions();
            Ok(())
        },
    )];
    trials.extend(of_each_file("reference_passes", "suites", suites::reference_passes));
    trials.extend(of_each_file("reference_explains", "suites", suites::reference_explains));
    trials.extend(of_each_file("reference_passes", "regressions", suites::reference_passes));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Makes a test of each file of cases in a folder of this crate.
fn of_each_file(name: &str, folder: &str, test: FileTest) -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    assert!(!files.is_empty(), "{} has no file of cases", folder.display());
    let trial = |file: PathBuf| {
        let name = format!("{name}::{}", file.file_stem().unwrap_or_default().to_string_lossy());
        Trial::test(name, move || test(&file, &fs::read_to_string(&file)?))
    };
    files.into_iter().map(trial).collect()
}
