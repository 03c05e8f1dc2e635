//! Choices, from octets. When the octets are used up, every choice is the first.

use arbitrary::Unstructured;

pub(super) struct Dice<'o> {
    octets: Unstructured<'o>,
}

impl<'o> Dice<'o> {
    pub(super) fn new(octets: Unstructured<'o>) -> Self {
        Dice { octets }
    }

    /// A number below this one, which is not zero.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.octets.int_in_range(0..=count - 1).unwrap_or(0)
    }

    /// Whether one thing in so many happens. It does not once the octets are used up, so that
    /// whatever goes on by chance comes to an end.
    pub(super) fn one_in(&mut self, count: usize) -> bool {
        !self.octets.is_empty() && self.below(count) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    pub(super) fn pick_ref<'t, T>(&mut self, among: &'t [T]) -> &'t T {
        &among[self.below(among.len())]
    }
}
