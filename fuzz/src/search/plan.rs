//! What a run has to do.

use robotspec::Endpoint;
use robotspec_reference::Edition;

use crate::search::source::Source;

/// Makes an endpoint. Each job uses its own.
pub type Make = Box<dyn Fn() -> Box<dyn Endpoint + Send> + Send + Sync>;

/// What a run has to do.
pub struct SearchPlan {
    /// The editions that judge the answers.
    pub editions: Vec<Edition>,
    /// Where the inputs come from.
    pub source: Source,
    /// The number from which all choices are made.
    pub seed: u64,
    /// The number of findings after which the run ends.
    pub max_findings: Option<usize>,
    /// The number of threads that make and judge inputs.
    pub jobs: usize,
    /// An implementation that decides which answers are right, instead of the editions.
    pub against: Option<Make>,
}
