//! The kinds of findings.

use robotspec::event::Status;
use robotspec_reference::named_enum;

named_enum! {
    /// How an implementation diverges.
    pub enum FindingKind: "kind of finding" {
        /// The implementation contradicts a definite ruling.
        Violation = "violation",
        /// The implementation answers differently for two files that mean the same.
        Relation = "relation",
        /// The implementation dies.
        Crash = "crash",
        /// The implementation does not answer in time. This breaks no edition, because none limits the time.
        Timeout = "timeout",
        /// The reply of the implementation does not follow the protocol.
        ProtocolError = "protocol-error",
        /// The implementation reports an error.
        Error = "error",
        /// The implementation answers differently than the implementation that it is compared with.
        Disagreement = "disagreement",
    }
}

impl FindingKind {
    /// Returns the kind of divergence that an answer of this status shows.
    pub(crate) fn from_status(status: Status) -> Option<FindingKind> {
        Some(match status {
            Status::Fail => FindingKind::Violation,
            Status::Crash => FindingKind::Crash,
            Status::Timeout => FindingKind::Timeout,
            Status::ProtocolError => FindingKind::ProtocolError,
            Status::Error => FindingKind::Error,
            Status::Pass | Status::Flaky | Status::NotSupported | Status::Unspecified | Status::NotRun => {
                return None;
            }
        })
    }
}
