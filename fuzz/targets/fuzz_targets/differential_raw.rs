//! Judges the answers of implementations to queries that are derived from the bytes of a file.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use robotspec_fuzz::generate::rendered::Rendered;
use robotspec_fuzz_targets::{examine, judge, let_panics_unwind};

fuzz_target!(
    init: let_panics_unwind(),
    |file: &[u8]| {
        judge(&Rendered::about_itself(file));
    }
);

fuzz_mutator!(|bytes: &mut [u8], size: usize, max_size: usize, _seed: u32| {
    examine();
    fuzzer_mutate(bytes, size, max_size)
});
