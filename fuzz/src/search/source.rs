//! Where the inputs of a search come from. Everything behind the inputs is the same for all of them.

use std::ops::Range;
use std::sync::Arc;

use robotspec::Batch;

use crate::generate::{self, Shares};

/// The number of inputs in a block.
const BLOCK: u64 = 64;

/// Where the inputs of a search come from.
#[derive(Debug)]
pub enum Source {
    /// They are generated, in these shares, without end.
    Generated(Shares),
    /// They are files that were not made here, each once.
    Files(Vec<Arc<[u8]>>),
    /// There is one input.
    Given(Batch),
}

impl Source {
    /// Returns the numbers of the inputs of a block. A block after the last input is empty.
    pub(crate) fn block(&self, number: u64) -> Range<u64> {
        let most = match self {
            Source::Generated(_) => u64::MAX,
            Source::Files(files) => files.len() as u64,
            Source::Given(_) => 1,
        };
        let place = |block: u64| block.saturating_mul(BLOCK).min(most);
        place(number)..place(number.saturating_add(1))
    }

    /// Makes an input from its number and random bytes: queries about a file, mostly.
    pub(crate) fn input(&self, number: u64, bytes: &[u8]) -> Batch {
        match self {
            Source::Generated(shares) => generate::input(bytes, *shares),
            Source::Files(files) => generate::about_file(&files[number as usize], bytes),
            Source::Given(batch) => batch.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_in_one_block() {
        let source = Source::Files(vec![Arc::from(&b""[..]); 100]);
        let blocks = [0, 1, 2, u64::MAX].map(|number| source.block(number));
        assert_eq!(blocks, [0..64, 64..100, 100..100, 100..100]);
    }
}
