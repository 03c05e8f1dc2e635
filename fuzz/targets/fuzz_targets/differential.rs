//! A file, and queries about it: what implementations say is held against the editions.
//!
//! The input is written as [`Rendered`] says, and mutations keep it a robots.txt.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};
use robotspec::fuzz::rendered::Rendered;
use robotspec_fuzz::{between_inputs, judge, let_panics_unwind};

fuzz_target!(
    init: let_panics_unwind(),
    |octets: &[u8]| -> Corpus {
        let Some(input) = Rendered::read(octets) else { return Corpus::Reject };
        judge(&input);
        Corpus::Keep
    }
);

fuzz_mutator!(|octets: &mut [u8], size: usize, max_size: usize, seed: u32| {
    between_inputs();
    // One in four is libFuzzer's, which knows what octets were compared with, and the dictionary.
    if seed.is_multiple_of(4) {
        return fuzzer_mutate(octets, size, max_size);
    }
    let input = Rendered::read(&octets[..size]).unwrap_or_else(|| Rendered::generated(&octets[..size]));
    let mutated = input.mutated(u64::from(seed)).write();
    if mutated.len() > max_size {
        return fuzzer_mutate(octets, size, max_size);
    }
    octets[..mutated.len()].copy_from_slice(&mutated);
    mutated.len()
});
