//! The rules whose paths start like that of a URL, among many.
//!
//! Few of the rules of a large group may match a URL. Their order finds these without a look at each of the others.

use std::iter;

use crate::fast::path::settled_start_of_rule;

/// The starts of the paths of rules that no reading changes.
#[derive(Debug, Clone)]
pub(crate) struct Starts {
    /// In ascending order.
    starts: Vec<Start>,
}

#[derive(Debug, Clone)]
struct Start {
    text: Box<[u8]>,
    /// The place of its rule.
    rule: usize,
    /// Where the last one before it stands that it starts with.
    shorter: Option<usize>,
}

impl Starts {
    pub(crate) fn new<'r>(paths: impl Iterator<Item = &'r [u8]>) -> Self {
        let start = |(rule, path)| Start { text: settled_start_of_rule(path).into(), rule, shorter: None };
        let mut starts: Vec<Start> = paths.enumerate().map(start).collect();
        starts.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        let mut open: Vec<usize> = Vec::new();
        for place in 0..starts.len() {
            while open.last().is_some_and(|&last| !starts[place].text.starts_with(&starts[last].text)) {
                open.pop();
            }
            starts[place].shorter = open.last().copied();
            open.push(place);
        }
        Starts { starts }
    }

    /// Returns the places of the rules, in any order, with a start that this one of a URL starts with, and, where it
    /// is open, of those with a start that starts with it.
    pub(crate) fn near(&self, (start, is_open): (&[u8], bool)) -> Vec<usize> {
        let end = self.starts.partition_point(|other| *other.text <= *start);
        let mut near = Vec::new();
        // What stands between a text and those that start with it starts with it, too. After one of them, all are. Comparisons
        // with empty texts, of which there may be many, are slow: their address is none of the memory.
        let shorter = iter::successors(end.checked_sub(1), |&place| self.starts[place].shorter);
        let is_longer = |place: &usize| !start.starts_with(&self.starts[*place].text);
        near.extend(shorter.skip_while(is_longer).map(|place| self.starts[place].rule));
        if is_open {
            let longer = self.starts[end..].iter().take_while(|other| other.text.starts_with(start));
            near.extend(longer.map(|other| other.rule));
        }
        near
    }
}

#[cfg(test)]
#[path = "../../tests/unit/fast_starts.rs"]
mod tests;
