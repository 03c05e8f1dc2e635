//! Finds the part of a sequence that has an effect.

/// The number of items at the end that are tried one by one.
const FEW: usize = 64;

/// Removes parts of a sequence as long as the rest still has its effect: all but the last few items, then half of it, then a
/// quarter, down to single items. It ends early when `is_over`.
pub fn shorten<T: Clone>(
    sequence: &mut Vec<T>,
    is_over: impl Fn() -> bool,
    has_effect: impl Fn(&[T]) -> bool,
) {
    let few = sequence.len().saturating_sub(FEW)..=sequence.len();
    if let Some(from) = few.rev().find(|&from| !is_over() && has_effect(&sequence[from..])) {
        sequence.drain(..from);
    }
    let mut length = sequence.len().div_ceil(2);
    while length > 0 {
        let mut from = 0;
        while from < sequence.len() && !is_over() {
            let to = sequence.len().min(from + length);
            let rest = [&sequence[..from], &sequence[to..]].concat();
            if has_effect(&rest) {
                *sequence = rest;
            } else {
                from = to;
            }
        }
        length = if length == 1 { 0 } else { length.div_ceil(2) };
    }
}
