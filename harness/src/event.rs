//! What happens in a run, as a stream. Every report is a function of it, and
//! the JSON Lines report is it: one event a line, the last of them
//! `run-finished`, so that a report that was cut off can be told from a whole one.

use std::collections::BTreeMap;
use std::sync::Arc;

use robotspec_cases::shard::Shard;
use robotspec_cases::{CheckId, Expected};
use robotspec_reference::{Edition, named_enum};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::answer::{Answer, Fault};
use crate::cause::{Cause, Evidence};
use crate::endpoint::Incident;
use crate::parser::Info;
use crate::sentences::counted;
pub use read::{End, read, read_file};

mod read;

/// The version of the stream's format: raised when something that stood there
/// is gone or means something else.
pub const FORMAT: u32 = 2;

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
        editions: Vec<Edition>,
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
        implementation: Arc<str>,
        /// What happened.
        #[serde(flatten)]
        incident: Incident,
    },
    /// What likely makes many checks fail.
    LikelyCause {
        /// Whose name this is.
        implementation: Arc<str>,
        /// What it is.
        #[serde(flatten)]
        likely: LikelyCause,
    },
    /// An implementation has been asked everything.
    ImplementationFinished {
        /// Whose name this is.
        implementation: Arc<str>,
        /// How often each status came out in each edition; the numbers of an
        /// edition add up to the checks that it has an expectation for.
        totals: BTreeMap<Edition, Totals>,
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

/// A check, judged in each edition that has an expectation for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckFinished {
    /// The name of the implementation.
    pub implementation: Arc<str>,
    /// The name of the check.
    pub id: CheckId,
    /// The clause that the check is reported under.
    pub clause: Arc<str>,
    /// The judgement of each edition.
    pub editions: Arc<Judgements>,
}

/// The judgement of each edition.
pub type Judgements = BTreeMap<Edition, Judgement>;

/// The result of a check in an edition.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Judgement {
    /// The status.
    pub status: Status,
    /// What the edition expects.
    pub expected: Expected,
    /// What the implementation answered, or why it did not.
    #[serde(with = "Got")]
    pub got: Result<Answer, Fault>,
    /// The reason that a list of known failures gives, where a list has this failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Arc<str>>,
}

/// How a result is written: `{"answer": …}` or `{"fault": …}`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Result::<Answer, Fault>", rename_all = "kebab-case")]
enum Got {
    #[serde(rename = "answer")]
    Ok(Answer),
    #[serde(rename = "fault")]
    Err(Fault),
}

impl CheckFinished {
    /// Whether the check fails in an edition.
    pub fn has_failure(&self) -> bool {
        self.editions.values().any(|judgement| judgement.status.is_failure())
    }

    /// Whether the check fails in an edition in which no list of known failures has it.
    pub fn has_new_failure(&self) -> bool {
        self.editions.values().any(Judgement::is_new_failure)
    }

    /// Whether the check was not run in an edition.
    pub fn has_not_run(&self) -> bool {
        self.editions.values().any(|judgement| judgement.status == Status::NotRun)
    }
}

impl Judgement {
    /// Whether this is a failure that no list of known failures has.
    pub fn is_new_failure(&self) -> bool {
        self.status.is_failure() && self.known.is_none()
    }

    /// What the implementation answered, in words.
    pub fn describe_got(&self) -> String {
        match &self.got {
            Ok(answer) => answer.to_string(),
            Err(fault) => fault.to_string(),
        }
    }

    /// The expectation and the answer, in words.
    pub fn describe_difference(&self) -> String {
        format!("expected {}, got {}", self.expected, self.describe_got())
    }
}

/// A likely common cause of many failures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LikelyCause {
    /// The cause.
    pub cause: Cause,
    /// What is observed.
    pub observed: String,
    /// What to look at.
    pub advice: String,
    /// The number of pieces of evidence.
    pub evidence: usize,
    /// What each piece of evidence is.
    pub of: Evidence,
    /// How many rows may fail for this cause, without those that a list of known failures has.
    pub rows: usize,
    /// One of these checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<CheckId>,
}

impl LikelyCause {
    /// The whole cause in one line.
    pub fn describe(&self) -> String {
        let LikelyCause { observed, advice, evidence, of, rows, example, .. } = self;
        let observed = format!("{observed}: {} as evidence", counted(*evidence, of.id()));
        match example {
            Some(example) => {
                format!(
                    "{observed}, and {} may fail for it, such as {example}. {advice}",
                    counted(*rows, "row")
                )
            }
            None => format!("{observed}. {advice}"),
        }
    }
}

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
        /// The implementation does not have the operation.
        NotSupported = "not-supported",
        /// The edition does not specify the answer, so any answer is right.
        Unspecified = "unspecified",
        /// The query was not put.
        NotRun = "not-run",
    }
}

impl Status {
    /// Whether the implementation is to blame.
    pub fn is_failure(self) -> bool {
        matches!(self, Status::Fail | Status::Crash | Status::Timeout | Status::ProtocolError | Status::Error)
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
    pub fn add(&mut self, judgement: &Judgement) {
        self.counts[judgement.status as usize] += 1;
        self.known += usize::from(judgement.known.is_some());
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
