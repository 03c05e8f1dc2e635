//! Where the inputs of a search come from. Everything behind the inputs is the same for all of them.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robotspec::Batch;

use crate::generate::{self, Shares};

/// The number of inputs in a block.
const BLOCK: u64 = 64;

/// Where the inputs of a run come from.
#[derive(Debug)]
pub enum Source {
    /// They are generated until the limit is reached.
    Generated {
        /// The kinds of inputs.
        shares: Shares,
        /// When the run ends.
        limit: Limit,
    },
    /// They are files that were not made here. The run ends after the last one.
    Files(Vec<Arc<[u8]>>),
}

/// When a run ends.
#[derive(Debug, Clone, Copy)]
pub enum Limit {
    /// After this number of checks.
    Runs(u64),
    /// After this time.
    Time(Duration),
}

impl Source {
    /// Returns the numbers of the inputs of a block. A block after the last input is empty.
    pub(crate) fn block(&self, number: u64) -> Range<u64> {
        let block = number.saturating_mul(BLOCK)..number.saturating_add(1).saturating_mul(BLOCK);
        match self {
            Source::Generated { .. } => block,
            Source::Files(files) => block.start.min(files.len() as u64)..block.end.min(files.len() as u64),
        }
    }

    /// Makes an input from its number and random bytes: queries about a file, mostly.
    pub(crate) fn input(&self, number: u64, bytes: &[u8]) -> Batch {
        match self {
            Source::Generated { shares, .. } => generate::input(bytes, *shares),
            Source::Files(files) => generate::about_file(&files[number as usize], bytes),
        }
    }

    /// Returns whether a run has made enough checks.
    pub(crate) fn is_done_after(&self, checks: u64) -> bool {
        matches!(self, Source::Generated { limit: Limit::Runs(runs), .. } if checks >= *runs)
    }

    /// Returns when a run that starts now stops to make inputs, and when it stops to minimise.
    pub(crate) fn ends(&self) -> (Option<Instant>, Option<Instant>) {
        let Source::Generated { limit: Limit::Time(time), .. } = self else { return (None, None) };
        let started = Instant::now();
        (started.checked_add(*time), started.checked_add(*time + *time / 20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_in_one_block() {
        let source = Source::Files(vec![Arc::from(&b""[..]); 100]);
        assert_eq!(
            [0, 1, 2, u64::MAX].map(|number| source.block(number)),
            [0..64, 64..100, 100..100, 100..100]
        );
    }
}
