//! Does nothing. Its speed is the baseline for the other targets.
#![no_main]
#![forbid(unsafe_code)]

libfuzzer_sys::fuzz_target!(|_bytes: &[u8]| {});
