//! Judges the answers of implementations to queries about a file by the editions.
//!
//! [`Rendered`] describes the format of an input. Mutations keep the file a robots.txt.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};
use robotspec_fuzz::generate::rendered::Rendered;
use robotspec_fuzz_targets::{examine, judge, let_panics_unwind};

fuzz_target!(
    init: let_panics_unwind(),
    |bytes: &[u8]| -> Corpus {
        let Some(input) = Rendered::read(bytes) else { return Corpus::Reject };
        judge(&input);
        Corpus::Keep
    }
);

fuzz_mutator!(|bytes: &mut [u8], size: usize, max_size: usize, seed: u32| {
    examine();
    // libFuzzer makes one mutation in four: it uses the dictionary and the bytes that were compared.
    if seed.is_multiple_of(4) {
        return fuzzer_mutate(bytes, size, max_size);
    }
    let input = Rendered::read(&bytes[..size]).unwrap_or_else(|| Rendered::generate(&bytes[..size]));
    let mutated = input.mutate(u64::from(seed)).write();
    if mutated.len() > max_size {
        return fuzzer_mutate(bytes, size, max_size);
    }
    bytes[..mutated.len()].copy_from_slice(&mutated);
    mutated.len()
});
