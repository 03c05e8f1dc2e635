//! What is known of all processes of a command: how many requests they answered, and how many of them were lost.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// The number of requests that they answered.
    answered: AtomicUsize,
    /// The number of those that ended, or took too long.
    lost: AtomicUsize,
    /// The number of those that took too long.
    late: AtomicUsize,
    /// The reason why there are no further ones.
    end: OnceLock<String>,
}

/// The counts of a command when it loses a process.
pub(super) struct Losses {
    answered: usize,
    lost: usize,
    late: usize,
}

impl Life {
    pub(super) fn count_answer(&self) {
        self.answered.fetch_add(1, Ordering::Relaxed);
    }

    /// Does not count the last answer: it was to a query that is not of the run.
    pub(super) fn drop_answer(&self) {
        self.answered.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed) > 0
    }

    /// Counts a process that ended or took too long.
    pub(super) fn lose(&self, fault: &Fault) -> Losses {
        let count = |counter: &AtomicUsize, more| counter.fetch_add(more, Ordering::Relaxed) + more;
        Losses {
            late: count(&self.late, usize::from(matches!(fault, Fault::Timeout(_)))),
            lost: count(&self.lost, 1),
            answered: self.answered.load(Ordering::Relaxed),
        }
    }

    /// Starts no further process, for this reason or an earlier one.
    pub(super) fn end(&self, reason: &str) {
        self.end.get_or_init(|| reason.to_owned());
    }

    /// Returns the reason why no further process is started.
    pub(super) fn reason(&self) -> Option<&String> {
        self.end.get()
    }
}

impl Losses {
    /// Returns whether a plain query has to be answered now.
    pub(super) fn need_plain_query(&self) -> bool {
        self.answered < self.lost && self.lost.is_multiple_of(LOST_PROCESSES)
    }

    /// Returns whether too many processes took too long, where a command may fail on this number of requests.
    pub(super) fn are_too_late(&self, failures: usize) -> bool {
        self.answered < self.late && self.late * FAILURES_OF_LATE >= failures
    }

    /// Returns why a command is given up of which too many processes took too long.
    pub(super) fn too_late(&self, fault: &Fault) -> String {
        self.reason(&format!("{} of its processes took too long", self.late), fault)
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
