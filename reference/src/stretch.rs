//! The stretch of a path that a pattern matches, and patterns that are used as regular expressions: no edition has either,
//! but parsers do by mistake.
//!
//! All places of the path that the parts of the pattern so far may lead to are kept, so that the cost is at most the product
//! of the lengths of both.

use crate::part::Part;
use crate::path_byte::PathByte;

/// A unit of a pattern, and how often it occurs.
pub(crate) struct Unit {
    what: What,
    is_optional: bool,
    is_repeated: bool,
}

enum What {
    Part(Part),
    /// `.`: any byte.
    Any,
}

impl Unit {
    fn once(what: What) -> Self {
        Unit { what, is_optional: false, is_repeated: false }
    }
}

/// Returns the units of a pattern whose characters stand for themselves.
pub(crate) fn literally(parts: &[Part]) -> Vec<Unit> {
    parts.iter().map(|part| Unit::once(What::Part(*part))).collect()
}

/// Returns the units of a pattern that is a regular expression, apart from its wildcards: with `.`, `?` and `+`, which are
/// the operators that most paths have.
pub(crate) fn as_expression(parts: &[Part]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(parts.len());
    for part in parts {
        let operator = if let Part::Byte(byte) = part { byte.as_plain() } else { None };
        match (operator, units.last_mut()) {
            (Some(b'.'), _) => units.push(Unit::once(What::Any)),
            (Some(b'?'), Some(last)) => last.is_optional = true,
            (Some(b'+'), Some(last)) => last.is_repeated = true,
            _ => units.push(Unit::once(What::Part(*part))),
        }
    }
    units
}

/// Returns the length of the longest stretch at the start of a path of this length that a pattern matches. `equals` compares
/// a byte of the pattern with that at a place of the path.
pub(crate) fn longest_match(
    units: &[Unit],
    length: usize,
    mut equals: impl FnMut(PathByte, usize) -> bool,
) -> Option<usize> {
    // In ascending order.
    let mut reached = vec![0];
    for Unit { what, is_optional, is_repeated } in units {
        let mut next = Vec::new();
        match what {
            What::Part(Part::Star) => next.extend(*reached.first()?..=length),
            What::Part(Part::End | Part::MidDollar) => {
                next.extend(reached.last().filter(|last| **last == length))
            }
            What::Part(Part::Byte(_)) | What::Any => {
                let mut occurs = |at: usize| match what {
                    What::Part(Part::Byte(byte)) => equals(*byte, at),
                    _ => true,
                };
                for &start in &reached {
                    let mut at = start;
                    // Where the unit occurs again, an earlier start may have led further.
                    while at < length && next.last().is_none_or(|last| at >= *last) && occurs(at) {
                        at += 1;
                        next.push(at);
                        if !is_repeated {
                            break;
                        }
                    }
                }
            }
        }
        if *is_optional {
            next.extend(reached);
            next.sort_unstable();
            next.dedup();
        }
        reached = next;
    }
    reached.last().copied()
}
