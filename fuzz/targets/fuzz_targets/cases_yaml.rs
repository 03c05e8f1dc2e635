//! Loads hostile files that people can write: cases, and lists of known failures. There is an error or a
//! value, never a panic.
#![no_main]
#![forbid(unsafe_code)]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use robotspec::KnownFailures;
use robotspec_cases::checks;
use robotspec_cases::suite::load;

fuzz_target!(|text: &str| {
    let file = Path::new("hostile.yaml");
    if let Ok(suite) = load(file, text) {
        let _ = checks(&[suite], true);
    }
    let _ = KnownFailures::read(file, text);
});
