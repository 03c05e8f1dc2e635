//! What is known of all processes of a command: how many requests they answered, and how many of them were lost.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use robotspec_text::sentences::counted;

use crate::answer::Fault;

/// The number of lost processes after which a plain query has to be answered, where the command has answered fewer requests.
const LOST_PROCESSES: usize = 5;

/// The number of failures that one process which takes too long counts as, where the command has answered fewer requests than
/// such processes: each takes the whole time limit.
const FAILURES_OF_LATE: usize = 5;

/// All processes of a command. A command that answers nothing, or little, is not started again and again.
#[derive(Default)]
pub(super) struct Life {
    counts: Mutex<Counts>,
    /// The reason why there are no further ones.
    pub(super) end: OnceLock<String>,
}

/// What the processes of a command did.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    /// The number of requests that they answered.
    pub(super) answered: usize,
    /// The number of those that ended, or took too long.
    lost: usize,
    /// The number of those that took too long.
    late: usize,
}

impl Life {
    pub(super) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a process that ended or took too long. Returns the counts.
    pub(super) fn lose(&self, fault: &Fault) -> Counts {
        let mut counts = self.counts();
        counts.lost += 1;
        counts.late += usize::from(matches!(fault, Fault::Timeout(_)));
        *counts
    }
}

impl Counts {
    /// Returns whether a plain query has to be answered now.
    pub(super) fn need_plain_query(&self) -> bool {
        self.answered < self.lost && self.lost.is_multiple_of(LOST_PROCESSES)
    }

    /// Returns why a command is given up of which too many processes took too long, where it may fail on this number of
    /// requests.
    pub(super) fn too_late(&self, fault: &Fault, failures: usize) -> Option<String> {
        let is_too_late = self.answered < self.late && self.late * FAILURES_OF_LATE >= failures;
        is_too_late.then(|| self.reason(&format!("{} of its processes took too long", self.late), fault))
    }

    /// Returns why a command is given up that does not answer a plain query, most likely because what it needs cannot be loaded.
    pub(super) fn without_plain_query(&self, fault: &Fault) -> String {
        let why = format!(
            "{} of its processes ended or took too long, one more did not answer a plain query",
            self.lost
        );
        self.reason(&why, fault)
    }

    fn reason(&self, why: &str, fault: &Fault) -> String {
        format!("{why}, and it answered {}. At last: {fault}", counted(self.answered, "request"))
    }
}
