//! The statuses of checks, and how often each occurs.

use std::collections::BTreeMap;

use robotspec_reference::named_enum;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Judgement;

named_enum! {
    /// The status of a check in an edition.
    pub enum Status: "status" {
        /// The answer is as expected.
        Pass = "pass",
        /// The answer is not as expected.
        Fail = "fail",
        /// The implementation died.
        Crash = "crash",
        /// The implementation did not answer in time.
        Timeout = "timeout",
        /// The implementation broke the protocol.
        ProtocolError = "protocol-error",
        /// The implementation reported an error.
        Error = "error",
        /// The implementation answered the same query in two ways.
        Flaky = "flaky",
        /// The implementation does not have the operation.
        NotSupported = "not-supported",
        /// The edition does not specify the answer, so any answer is right.
        Unspecified = "unspecified",
        /// The query was not put.
        NotRun = "not-run",
    }
}

impl Status {
    /// Returns whether the status is a failure of the implementation.
    pub fn is_failure(self) -> bool {
        use Status::{Crash, Error, Fail, Flaky, ProtocolError, Timeout};
        matches!(self, Fail | Crash | Timeout | ProtocolError | Error | Flaky)
    }
}

/// How often each status occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    counts: [usize; Status::ALL.len()],
    /// The number of failures that a list of known failures has.
    pub known: usize,
}

impl Totals {
    /// Adds a judgement.
    pub fn add(&mut self, judgement: &Judgement) {
        self.counts[judgement.status as usize] += 1;
        self.known += usize::from(judgement.known.is_some());
    }

    /// Adds other totals.
    pub fn extend(&mut self, other: &Totals) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.known += other.known;
    }

    /// Returns how often a status occurs.
    pub fn of(&self, status: Status) -> usize {
        self.counts[status as usize]
    }

    /// Returns the number of failures.
    pub fn failures(&self) -> usize {
        Status::ALL.into_iter().filter(|status| status.is_failure()).map(|status| self.of(status)).sum()
    }

    /// Returns the number of failures that no list of known failures has.
    pub fn new_failures(&self) -> usize {
        self.failures() - self.known
    }

    /// Returns the number of judgements.
    pub fn sum(&self) -> usize {
        self.counts.iter().sum()
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = Status::ALL.into_iter().map(|status| (status.id(), self.of(status)));
        serializer.collect_map(counts.chain([("known-failures", self.known)]))
    }
}

impl<'de> Deserialize<'de> for Totals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Counts that a later version adds are ignored.
        let written = BTreeMap::<String, usize>::deserialize(deserializer)?;
        let of = |name: &str| written.get(name).copied().unwrap_or_default();
        Ok(Totals { counts: Status::ALL.map(|status| of(status.id())), known: of("known-failures") })
    }
}
