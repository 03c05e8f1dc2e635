//! Judges the answers of implementations to queries about a file by the editions.
//!
//! [`rendered`] describes the format of an input. Mutations keep the file a robots.txt. An input without a query is a file
//! byte for byte: its queries follow from its bytes, and libFuzzer makes all mutations.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use robotspec_fuzz::generate::rendered;
use robotspec_fuzz_targets::{examine, judge, let_panics_unwind};

fuzz_target!(
    init: let_panics_unwind(),
    |bytes: &[u8]| {
        judge(rendered::read(bytes).unwrap_or_else(|| rendered::about_file(bytes)));
    }
);

fuzz_mutator!(|bytes: &mut [u8], size: usize, max_size: usize, seed: u32| {
    examine();
    let input = match rendered::read(&bytes[..size]) {
        // Without a corpus, the first input is empty.
        None if size <= 1 => Some(rendered::generate(&[])),
        // libFuzzer makes one mutation in four: it uses the dictionary and the bytes that were compared.
        input => input.filter(|_| !seed.is_multiple_of(4)),
    };
    let mutated = input.map(|input| rendered::write(&rendered::mutate(&input, u64::from(seed))));
    let Some(mutated) = mutated.filter(|mutated| mutated.len() <= max_size) else {
        return fuzzer_mutate(bytes, size, max_size);
    };
    bytes[..mutated.len()].copy_from_slice(&mutated);
    mutated.len()
});
