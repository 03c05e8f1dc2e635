//! Interruption: ends the runs of this process early, with what they have so far.
//!
//! There is one state for the whole process, because a signal is sent to a process: whatever waits for an implementation
//! stops to wait, and what is left of a run is *not run*.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::answer::Fault;

static IS_REQUESTED: AtomicBool = AtomicBool::new(false);

/// How often a wait looks whether it is interrupted.
const INTERVAL: Duration = Duration::from_millis(50);

/// Asks the runs of this process to end early. Returns whether they were asked before.
pub fn request() -> bool {
    IS_REQUESTED.swap(true, Ordering::Relaxed)
}

/// Returns whether the runs of this process have to end early.
pub fn is_requested() -> bool {
    IS_REQUESTED.load(Ordering::Relaxed)
}

/// Why a query is not sent after an interruption.
pub(crate) const REASON: &str = "the run was interrupted";

/// Returns the fault of a query that is not sent, or not answered, after an interruption.
pub(crate) fn fault() -> Fault {
    Fault::NotRun(REASON.into())
}

/// The end of a wait.
pub(crate) enum Waited<T> {
    Received(T),
    /// The sender is gone.
    Closed,
    /// The time is over.
    Late,
    Interrupted,
}

/// Waits for a message until a time limit or an interruption.
pub(crate) fn receive<T>(receiver: &Receiver<T>, timeout: Duration) -> Waited<T> {
    let end = Instant::now().checked_add(timeout);
    // A sender that is never late must not keep the run going.
    while !is_requested() {
        let left = end.map_or(INTERVAL, |end| end.saturating_duration_since(Instant::now()));
        match receiver.recv_timeout(left.min(INTERVAL)) {
            Ok(message) => return Waited::Received(message),
            Err(RecvTimeoutError::Disconnected) => return Waited::Closed,
            Err(RecvTimeoutError::Timeout) if left <= INTERVAL => return Waited::Late,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    Waited::Interrupted
}
