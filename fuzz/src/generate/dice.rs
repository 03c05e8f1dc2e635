//! Random choices, from bytes. After the last byte, every choice is the first one.

use arbitrary::Unstructured;

pub(super) struct Dice<'b> {
    bytes: Unstructured<'b>,
    /// The [oddities](super::oddity) that the input may have, each a bit.
    pub(super) oddities: u64,
}

impl<'b> Dice<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Dice { bytes: Unstructured::new(bytes), oddities: 0 }
    }

    /// Returns a number below `count`, which is not zero.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.bytes.int_in_range(0..=count - 1).unwrap_or(0)
    }

    /// Returns whether an event with the probability 1/`count` happens. After the last byte it never does, so that a
    /// loop that goes on by chance ends.
    pub(super) fn one_in(&mut self, count: usize) -> bool {
        !self.bytes.is_empty() && self.below(count) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    pub(super) fn pick_ref<'t, T>(&mut self, among: &'t [T]) -> &'t T {
        &among[self.below(among.len())]
    }
}
