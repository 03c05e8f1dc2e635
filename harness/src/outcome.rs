//! The outcome of a run: what its exit code depends on.

use robotspec_cases::Level;

use crate::event::{Event, Totals};

/// The exit code of a run in which an implementation could not be run.
pub const INCOMPLETE: u8 = 3;

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOutcome {
    /// The weakest level of failures that fail the run.
    pub level: Level,
    /// The totals of all implementations and editions together.
    pub totals: Totals,
    /// The number of failures that no list of known failures has.
    pub unexpected: usize,
    /// The number of entries of lists of known failures that do not hold.
    pub stale: usize,
    /// Whether some checks were not run, or an implementation was given up.
    pub is_incomplete: bool,
}

impl RunOutcome {
    /// Returns the outcome of a run with this level, before its first check.
    pub fn new(level: Level) -> Self {
        RunOutcome { level, totals: Totals::default(), unexpected: 0, stale: 0, is_incomplete: false }
    }

    /// 0 where all is as expected, 1 where it is not, 3 where an implementation could not be run. With the level
    /// [`Level::Must`], departures from recommendations are as expected.
    pub fn exit_code(&self) -> u8 {
        if self.is_incomplete { INCOMPLETE } else { u8::from(self.failing() > 0 || self.stale > 0) }
    }

    /// Returns the number of failures that no list of known failures has and that fail the run.
    pub fn failing(&self) -> usize {
        self.totals.new_failures_at(self.level)
    }

    /// Returns the event that ends a run.
    pub fn event(&self) -> Event {
        Event::RunFinished {
            totals: self.totals.clone(),
            unexpected: self.unexpected,
            stale: self.stale,
            exit_code: self.exit_code(),
        }
    }
}
