//! The events of a run.
//!
//! Every report is a function of the events. The JSON Lines report contains them, one event a line. Its last event is
//! `run-finished`, so that a reader can distinguish a complete report from one that was cut off.

use std::collections::BTreeMap;
use std::sync::Arc;

#[cfg(feature = "schema")]
use robotspec_cases::schema::ClauseOrCase;
use robotspec_cases::shard::Shard;
use robotspec_cases::{CheckId, Expected, Level};
use robotspec_reference::Edition;
use robotspec_text::sentences::counted;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Fault, GotFormat, describe};
use crate::cause::{Cause, Evidence};
use crate::endpoint::Incident;
use crate::parser::Info;
pub use read::{read, read_file};
pub use totals::{Status, Totals};

mod read;
mod totals;

/// The version of the format of events. It is raised when a part is removed or changes its meaning.
pub const FORMAT: u32 = 1;

/// An event of a run: one line of the JSON Lines report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Event {
    /// A run starts. This is its first event.
    RunStarted {
        /// The version of this format. It is raised when a key or an event is removed or changes its meaning.
        #[cfg_attr(feature = "schema", schemars(extend("const" = FORMAT)))]
        format: u32,
        /// The version of robotspec.
        robotspec: String,
        /// The editions that judge.
        editions: Vec<Edition>,
        /// The weakest level of failures that fail the run.
        level: Level,
        /// The number of checks for each implementation.
        checks: usize,
        /// The share of the checks that the run has, if it does not have all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shard: Option<Shard>,
    },
    /// The checks of an implementation start.
    ImplementationStarted {
        /// The name and version of the implementation.
        #[serde(flatten)]
        info: Info,
        /// How it is run.
        #[serde(flatten)]
        source: Source,
    },
    /// A check is judged.
    CheckFinished(CheckFinished),
    /// Something happened to an implementation.
    Incident {
        /// The name of the implementation.
        implementation: Arc<str>,
        /// What happened.
        #[serde(flatten)]
        incident: Incident,
    },
    /// A likely common cause of many failures was found.
    LikelyCause {
        /// The name of the implementation.
        implementation: Arc<str>,
        /// The cause.
        #[serde(flatten)]
        likely: LikelyCause,
    },
    /// All checks of an implementation are finished.
    ImplementationFinished {
        /// The name of the implementation.
        implementation: Arc<str>,
        /// How often each status occurs in each edition. The numbers of an edition add up to the checks for which it has
        /// an expectation.
        totals: BTreeMap<Edition, Totals>,
        /// The entries of the list of known failures that do not hold.
        stale_known_failures: Vec<String>,
    },
    /// The run ends. This is its last event.
    RunFinished {
        /// The totals of all implementations and editions together.
        totals: Totals,
        /// The number of failures that no list of known failures has.
        unexpected: usize,
        /// The number of entries of lists of known failures that do not hold.
        stale: usize,
        /// The exit code of `robotspec run`; see its `--help`.
        #[cfg_attr(feature = "schema", schemars(extend("enum" = [0, 1, 3])))]
        exit_code: u8,
    },
}

/// How an implementation is run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Source {
    /// The command that starts it, as the user wrote it, where it is not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The date of the run in UTC, such as `2026-01-01T00:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// A check that is judged in each edition that has an expectation for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct CheckFinished {
    /// The name of the implementation.
    pub implementation: Arc<str>,
    /// The name of the check.
    pub id: CheckId,
    /// The clause that the check is reported under, or its case if it cites none.
    #[cfg_attr(feature = "schema", schemars(with = "ClauseOrCase"))]
    pub clause: Arc<str>,
    /// The judgement of each edition.
    pub editions: Arc<Judgements>,
}

/// The judgement of each edition.
pub type Judgements = BTreeMap<Edition, Judgement>;

/// The result of a check in an edition.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Judgement {
    /// The status.
    pub status: Status,
    /// How strongly the edition requires what it expects.
    pub level: Level,
    /// What the edition expects.
    pub expected: Expected,
    /// What the implementation answered, or why it did not.
    #[serde(with = "GotFormat")]
    pub got: Result<Answer, Fault>,
    /// The reason that a list of known failures gives, where a list has this failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Arc<str>>,
}

impl CheckFinished {
    /// Returns whether the check fails in an edition.
    pub fn has_failure(&self) -> bool {
        self.editions.values().any(|judgement| judgement.status.is_failure())
    }

    /// Returns whether the check fails in an edition in which no list of known failures has it.
    pub fn has_new_failure(&self) -> bool {
        self.editions.values().any(Judgement::is_new_failure)
    }

    /// Returns whether the implementation answered the check in two ways, which is the fault of no clause.
    pub fn is_flaky(&self) -> bool {
        self.editions.values().any(|judgement| judgement.status == Status::Flaky)
    }

    /// Returns whether the check was not run in an edition.
    pub fn has_not_run(&self) -> bool {
        self.editions.values().any(|judgement| judgement.status == Status::NotRun)
    }
}

impl Judgement {
    /// Returns whether the answer departs from a recommendation, and violates nothing that the edition requires. No
    /// edition recommends an answer: a crash or another fault is never a departure.
    pub fn is_departure(&self) -> bool {
        self.status == Status::Fail && self.level > Level::Must
    }

    /// Returns whether this is a failure that fails a run with this level.
    pub fn is_failure_at(&self, level: Level) -> bool {
        self.status.is_failure() && !(level == Level::Must && self.is_departure())
    }

    /// Returns whether this is a failure that no list of known failures has.
    pub fn is_new_failure(&self) -> bool {
        self.status.is_failure() && self.known.is_none()
    }

    /// Returns what the implementation answered, in words.
    pub fn describe_got(&self) -> String {
        describe(&self.got)
    }

    /// Returns the expectation and the answer, in words.
    pub fn describe_difference(&self) -> String {
        let recommended = if self.is_departure() { " (recommended)" } else { "" };
        format!("expected {}{recommended}, got {}", self.expected, self.describe_got())
    }
}

/// A likely common cause of many failures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub struct LikelyCause {
    /// The cause.
    pub cause: Cause,
    /// What is observed.
    pub observed: String,
    /// What to look at.
    pub advice: String,
    /// The agent or the URL for which the answers are, where those of the checks are ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<String>,
    /// The number of pieces of evidence.
    pub evidence: usize,
    /// What each piece of evidence is.
    pub of: Evidence,
    /// How many failing rows the cause explains, without those that a list of known failures has.
    pub rows: usize,
    /// One of these checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<CheckId>,
}

impl LikelyCause {
    /// Returns the whole cause in one line.
    pub fn describe(&self) -> String {
        let LikelyCause { observed, advice, evidence, of, rows, example, .. } = self;
        let observed = format!("{observed}: {} as evidence", counted(*evidence, of.id()));
        match example {
            Some(example) => {
                format!("{observed}; it explains {}, such as {example}. {advice}", counted(*rows, "row"))
            }
            None => format!("{observed}. {advice}"),
        }
    }
}
