//! Judges the answers of implementations to queries that are derived from the bytes of a file.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use robotspec_fuzz::generate::INPUT_BYTES;
use robotspec_fuzz::generate::rendered::Rendered;
use robotspec_fuzz_targets::{judge, let_panics_unwind, minimise};

fuzz_target!(
    init: let_panics_unwind(),
    |file: &[u8]| {
        // The queries follow from the file, so the corpus need not contain them.
        let choices: Vec<u8> =
            file.iter().rev().copied().cycle().take(INPUT_BYTES.min(16 * file.len())).collect();
        judge(&Rendered::about(file, &choices));
    }
);

fuzz_mutator!(|bytes: &mut [u8], size: usize, max_size: usize, _seed: u32| {
    minimise();
    fuzzer_mutate(bytes, size, max_size)
});
