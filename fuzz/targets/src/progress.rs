//! Reports combinations of answers to libFuzzer.
//!
//! Coverage does not show that two implementations answer differently, and an implementation in another process has none.
//! libFuzzer takes the bytes in a section of this name for counters, and keeps an input that sets a counter for the first
//! time. It finds the counters by the section, reads them after each input and clears them before the next. They have to be
//! a static that is written without the knowledge of the compiler, so this module is the only one with `unsafe`.
#![allow(unsafe_code)]

const COUNTERS: usize = 1 << 14;

#[used]
#[unsafe(link_section = "__libfuzzer_extra_counters")]
static mut REACHED: [u8; COUNTERS] = [0; COUNTERS];

/// Marks a combination as reached by this input. Combinations may share a counter.
pub(crate) fn mark(combination: u64) {
    // Multiplication spreads similar numbers, so that few combinations share a counter.
    let place = (combination.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50) as usize;
    // SAFETY: The place is below 2^14, so it is within the array. A target runs its inputs one after the other in one
    // thread, in which libFuzzer reads and clears the counters, so there is no other access at the same time.
    unsafe { (&raw mut REACHED).cast::<u8>().add(place).write_volatile(1) }
}
