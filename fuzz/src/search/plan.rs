//! What a run has to do.

use std::time::{Duration, Instant};

use robotspec::Endpoint;
use robotspec_reference::Edition;

use crate::search::source::Source;

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
    /// The number of findings after which the run ends.
    pub max_findings: Option<usize>,
    /// The number of threads that make and judge inputs.
    pub jobs: usize,
    /// An implementation that decides which answers are right, instead of the editions.
    pub against: Option<Make>,
}
