//! What a run has to do.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robotspec::{Batch, Endpoint};
use robotspec_reference::Edition;

use crate::generate::{self, Shares};

/// Makes an endpoint. Each job uses its own.
pub type Make = Box<dyn Fn() -> Box<dyn Endpoint + Send> + Send + Sync>;

/// When a run ends.
#[derive(Debug, Clone, Copy)]
pub enum Limit {
    /// After this number of checks.
    Runs(u64),
    /// After this time.
    Time(Duration),
}

impl Limit {
    /// Returns when a run that starts now stops to make inputs, and when it stops to minimise.
    pub(crate) fn ends(self) -> (Option<Instant>, Option<Instant>) {
        let Limit::Time(time) = self else { return (None, None) };
        let started = Instant::now();
        (started.checked_add(time), started.checked_add(time + time / 20))
    }
}

/// What a run has to do.
pub struct SearchPlan {
    /// The editions that judge the answers.
    pub editions: Vec<Edition>,
    /// Where the inputs come from.
    pub source: Source,
    /// The number from which all choices are made.
    pub seed: u64,
    /// When the run ends, if not after the last input.
    pub limit: Option<Limit>,
    /// How long a divergence is minimised and explained. What is found by then is a finding, too, only not as small as it
    /// could be.
    pub time_for_divergence: Duration,
    /// The number of findings after which the run ends.
    pub max_findings: Option<usize>,
    /// The number of threads that make and judge inputs.
    pub jobs: usize,
    /// An implementation that decides which answers are right, instead of the editions.
    pub against: Option<Make>,
}

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
