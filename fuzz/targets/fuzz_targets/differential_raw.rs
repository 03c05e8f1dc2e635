//! A file, octet for octet, and queries derived from it: what implementations say is held against the editions.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use robotspec::fuzz::generate::OCTETS;
use robotspec::fuzz::rendered::Rendered;
use robotspec_fuzz::{between_inputs, judge, let_panics_unwind};

fuzz_target!(
    init: let_panics_unwind(),
    |file: &[u8]| {
        // The queries follow from the file, so that the file is all that need be kept.
        let choices: Vec<u8> = file.iter().rev().copied().cycle().take(OCTETS.min(16 * file.len())).collect();
        let input = Rendered::of_file(file, &choices);
        judge(&input);
    }
);

fuzz_mutator!(|octets: &mut [u8], size: usize, max_size: usize, _seed: u32| {
    between_inputs();
    fuzzer_mutate(octets, size, max_size)
});
