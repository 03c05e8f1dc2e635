//! Tells libFuzzer what was said.
//!
//! Coverage alone does not see that two implementations part, and sees nothing at all of one in another process.
//! libFuzzer takes octets in a section of this name for counters: an input that sets one which none set before is
//! worth keeping. It finds them by the section, reads them after each input and clears them before the next, so they
//! have to be a static that is written past the compiler: this module is the one place with `unsafe`.
#![allow(unsafe_code)]

const COUNTERS: usize = 1 << 14;

#[used]
#[unsafe(link_section = "__libfuzzer_extra_counters")]
static mut REACHED: [u8; COUNTERS] = [0; COUNTERS];

/// Marks something as reached by this input: of two things with one number modulo the counters, either.
pub(crate) fn mark(thing: u64) {
    // Neighbouring numbers are spread out, so that a few of two sorts seldom meet.
    let place = (thing.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50) as usize;
    // SAFETY: the place is below 2^14, so within the array. Targets run their inputs one after the other in
    // one thread, in which libFuzzer reads and clears, so nothing else accesses it meanwhile.
    unsafe { (&raw mut REACHED).cast::<u8>().add(place).write_volatile(1) }
}
