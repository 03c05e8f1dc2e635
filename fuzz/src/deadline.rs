//! When a phase of a run ends.

use std::time::{Duration, Instant};

/// Returns whether a run was stopped from outside.
pub type IsStopped<'s> = &'s (dyn Fn() -> bool + Sync);

/// The end of a phase: a time, or that the run is stopped.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'s> {
    /// `None` where the time is not limited.
    until: Option<Instant>,
    pub(crate) is_stopped: IsStopped<'s>,
}

impl<'s> Deadline<'s> {
    /// Returns the end of a phase that lasts until a time, or until the run is stopped.
    pub(crate) fn new(until: Option<Instant>, is_stopped: IsStopped<'s>) -> Self {
        Deadline { until, is_stopped }
    }

    /// Returns the end of a phase that lasts until the run is stopped.
    pub(crate) fn at_stop(is_stopped: IsStopped<'s>) -> Self {
        Deadline::new(None, is_stopped)
    }

    /// Returns the end of a part of this phase that may take this long from now on.
    pub(crate) fn within(self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        Deadline { until: self.until.into_iter().chain(end).min(), ..self }
    }

    /// Returns whether the phase is over.
    pub(crate) fn is_over(self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until) || (self.is_stopped)()
    }
}
