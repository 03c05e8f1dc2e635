//! How much a test does: a share in `cargo test`, and everything in `.ci/long`.

use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, checks};

/// The size up to which a file is short, in bytes. The few longer ones have nearly all bytes of the suites.
const SHORT: usize = 20_000;

/// Returns whether the tests are to do everything: `ROBOTSPEC_LONG=1` (see `.ci/long`).
pub fn is_long() -> bool {
    std::env::var_os("ROBOTSPEC_LONG").is_some()
}

/// Returns the rows of the embedded suites, and only those of short files unless the tests are long.
pub fn rows() -> Vec<Check> {
    let mut rows = checks(built_in().expect("the embedded suites are sound"), false);
    rows.retain(|row| is_long() || is_short(row));
    rows
}

/// Returns whether the file of a check is short.
pub fn is_short(check: &Check) -> bool {
    check.query.file().is_none_or(|file| file.len() <= SHORT)
}
