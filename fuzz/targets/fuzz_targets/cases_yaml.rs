//! Files that people write, hostile ones: cases, and lists of known failures and findings. An error or a value.
#![no_main]
#![forbid(unsafe_code)]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use robotspec::KnownFailures;
use robotspec::fuzz::KnownFindings;
use robotspec::suite::{checks, load};

fuzz_target!(|text: &str| {
    let file = Path::new("hostile.yaml");
    if let Ok(suite) = load(file, text) {
        let _ = checks(&[suite], true);
    }
    let _ = KnownFailures::read(file, text);
    let _ = KnownFindings::read(file, text);
});
