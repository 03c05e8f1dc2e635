//! Nothing: how fast the fuzzer itself is, which the speed of the other targets is measured by.
#![no_main]
#![forbid(unsafe_code)]

libfuzzer_sys::fuzz_target!(|_octets: &[u8]| {});
