//! What happens in a run, as a stream. Every report is a function of it, and
//! the JSON Lines report is it: one event a line, the last of them
//! `run-finished`, so that a report that was cut off can be told from a whole one.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::implementation::{Incident, Info};
use crate::sentences::counted;
pub use read::{End, read, read_file};
pub use robotspec_cases::edition_id::EditionId;
use robotspec_cases::shard::Shard;

mod read;

/// The version of the stream's format: raised when something that stood there
/// is gone or means something else.
pub const FORMAT: u32 = 1;

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Event {
    /// The first.
    RunStarted {
        /// [`FORMAT`].
        format: u32,
        /// The version of this program.
        robotspec: String,
        /// The editions that judge.
        editions: Vec<EditionId>,
        /// How many checks each implementation is put to.
        checks: usize,
        /// Which share of the checks these are, such as `2/4`, if they are not all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shard: Option<Shard>,
    },
    /// An implementation is about to be asked.
    ImplementationStarted {
        /// Who it is.
        #[serde(flatten)]
        info: Info,
    },
    /// A check is judged.
    CheckFinished(CheckFinished),
    /// Something happened to an implementation.
    Incident {
        /// Whose name this is.
        implementation: String,
        /// What happened.
        #[serde(flatten)]
        incident: Incident,
    },
    /// What likely makes many checks fail.
    LikelyCause {
        /// Whose name this is.
        implementation: String,
        /// What it is.
        #[serde(flatten)]
        likely: LikelyCause,
    },
    /// An implementation has been asked everything.
    ImplementationFinished {
        /// Whose name this is.
        implementation: String,
        /// How often each status came out in each edition; the numbers of an
        /// edition add up to the checks that it has an expectation for.
        totals: BTreeMap<EditionId, Totals>,
        /// What the list of known failures says that is not so.
        stale_known_failures: Vec<String>,
    },
    /// The last.
    RunFinished {
        /// All implementations and editions together.
        totals: Totals,
        /// Failures that no list knows.
        unexpected: usize,
        /// Entries of lists of known failures that are not so.
        stale: usize,
        /// The exit code that follows: see `robotspec run --help`.
        exit_code: u8,
    },
}

/// A check, judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckFinished {
    /// Whose name this is.
    pub implementation: String,
    /// The id of the check.
    pub id: String,
    /// The clause it is reported under.
    pub clause: String,
    /// What each edition makes of it.
    pub editions: BTreeMap<EditionId, Judged>,
}

/// What an edition makes of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// What becomes of it.
    pub status: Status,
    /// What the edition expects.
    pub expected: String,
    /// What was answered.
    pub got: String,
    /// Whether a list of known failures has it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub known: bool,
    /// Why it fails, as that list says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants a reference
fn is_false(value: &bool) -> bool {
    !*value
}

/// What likely makes many checks fail, so that it is to be mended first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LikelyCause {
    /// What it is called, such as `agent-ignored`. Later versions know of more.
    pub cause: String,
    /// What is observed.
    pub observed: String,
    /// What to look at.
    pub advice: String,
    /// How many pieces of evidence there are.
    pub evidence: usize,
    /// What each of these is: a check, a comparison of checks that differ in one thing, a request.
    pub of: String,
    /// How many rows may fail for it, of those that no list knows to.
    pub rows: usize,
    /// The id of a check of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

impl LikelyCause {
    /// All of it, in a line.
    pub fn told(&self) -> String {
        let LikelyCause { observed, advice, evidence, of, rows, example, .. } = self;
        let evidence = counted(*evidence, of);
        let told = format!("{observed}: {evidence} bear it out");
        match example {
            Some(example) => {
                format!("{told}, and {} may fail for it, such as {example}. {advice}", counted(*rows, "row"))
            }
            None => format!("{told}. {advice}"),
        }
    }
}

impl CheckFinished {
    /// Whether it fails in an edition in which no list knows it.
    pub fn has_new_failure(&self) -> bool {
        self.editions.values().any(Judged::is_new_failure)
    }
}

impl Judged {
    /// Whether it is a failure that no list knows.
    pub fn is_new_failure(&self) -> bool {
        self.status.is_failure() && !self.known
    }
}

/// What becomes of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// The implementation died.
    Crash,
    /// It took too long.
    Timeout,
    /// It answered what is no answer.
    ProtocolError,
    /// It said that it failed.
    Error,
    /// It does not do such things.
    NotSupported,
    /// The edition leaves it open, so any answer will do.
    Unspecified,
    /// It was not asked.
    NotRun,
}

impl Status {
    /// Every status.
    pub const ALL: [Status; 9] = [
        Status::Pass,
        Status::Fail,
        Status::Crash,
        Status::Timeout,
        Status::ProtocolError,
        Status::Error,
        Status::NotSupported,
        Status::Unspecified,
        Status::NotRun,
    ];

    /// Whether the implementation is to blame.
    pub fn is_failure(self) -> bool {
        matches!(self, Status::Fail | Status::Crash | Status::Timeout | Status::ProtocolError | Status::Error)
    }

    /// What it is called.
    pub fn id(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Crash => "crash",
            Status::Timeout => "timeout",
            Status::ProtocolError => "protocol-error",
            Status::Error => "error",
            Status::NotSupported => "not-supported",
            Status::Unspecified => "unspecified",
            Status::NotRun => "not-run",
        }
    }
}

/// How often each status came out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    counts: [usize; Status::ALL.len()],
    /// How many failures a list of known failures has.
    pub known: usize,
}

impl Totals {
    /// Counts one more.
    pub fn add(&mut self, judged: &Judged) {
        self.counts[judged.status as usize] += 1;
        self.known += usize::from(judged.known);
    }

    /// Counts those of another.
    pub fn extend(&mut self, other: &Totals) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.known += other.known;
    }

    /// How often a status came out.
    pub fn of(&self, status: Status) -> usize {
        self.counts[status as usize]
    }

    /// How often the implementation was to blame.
    pub fn failures(&self) -> usize {
        Status::ALL.into_iter().filter(|status| status.is_failure()).map(|status| self.of(status)).sum()
    }

    /// How many of these no list of known failures has.
    pub fn new_failures(&self) -> usize {
        self.failures() - self.known
    }

    /// How many were judged.
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
        // What a later version counts besides is no business of this one.
        let written = BTreeMap::<String, usize>::deserialize(deserializer)?;
        let of = |name: &str| written.get(name).copied().unwrap_or_default();
        Ok(Totals { counts: Status::ALL.map(|status| of(status.id())), known: of("known-failures") })
    }
}
