//! The statuses of checks, and how often each occurs.

use std::collections::BTreeMap;

use robotspec_cases::Level;
use robotspec_reference::named_enum;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use serde_json::{Value, json};

use super::Judgement;

named_enum! {
    /// The status of a check in an edition.
    pub enum Status: "status" {
        Pass = "pass": "The answer is as expected.",
        Fail = "fail": "The answer is not as expected.",
        Crash = "crash": "The implementation died.",
        Timeout = "timeout": "The implementation did not answer in time.",
        ProtocolError = "protocol-error": "The implementation broke the protocol.",
        Error = "error": "The implementation reported an error.",
        Flaky = "flaky": "The implementation answered the same query in two ways: by chance, or as it was \
            asked others before.",
        NotSupported = "not-supported": "The implementation does not have the operation.",
        Unspecified = "unspecified": "The edition does not specify the answer, so any answer is right. Nor \
            does it require to name a line: the right verdict with another line breaks nothing.",
        Unanswered = "unanswered": "The implementation died, or gave no answer in time, or no steady one, \
            where the edition does not specify the answer: it breaks no clause.",
        NotRun = "not-run": "The query was not sent.",
    }
}

impl Status {
    /// Returns whether the status is a failure of the implementation.
    pub fn is_failure(self) -> bool {
        use Status::{Crash, Error, Fail, Flaky, ProtocolError, Timeout};
        matches!(self, Fail | Crash | Timeout | ProtocolError | Error | Flaky)
    }
}

/// How often each status occurs. Failures are violations of what an edition requires, or departures from what it
/// recommends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    counts: [usize; Status::ALL.len()],
    /// The number of failures that a list of known failures has.
    pub known: usize,
    /// The number of failures that are departures from recommendations.
    pub departures: usize,
    /// The number of departures that a list of known failures has.
    pub known_departures: usize,
}

/// The names of the counts that are not those of statuses.
const VIOLATIONS: &str = "violations";
const DEPARTURES: &str = "departures";
const KNOWN: &str = "known-failures";
const KNOWN_DEPARTURES: &str = "known-departures";

impl Totals {
    /// Adds a judgement.
    pub fn add(&mut self, judgement: &Judgement) {
        self.counts[judgement.status as usize] += 1;
        let (is_known, is_departure) = (judgement.known.is_some(), judgement.is_departure());
        self.known += usize::from(is_known);
        self.departures += usize::from(is_departure);
        self.known_departures += usize::from(is_known && is_departure);
    }

    /// Adds other totals.
    pub fn extend(&mut self, other: &Totals) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.known += other.known;
        self.departures += other.departures;
        self.known_departures += other.known_departures;
    }

    /// Returns how often a status occurs.
    pub fn of(&self, status: Status) -> usize {
        self.counts[status as usize]
    }

    /// Returns the number of failures.
    pub fn failures(&self) -> usize {
        Status::ALL.into_iter().filter(|status| status.is_failure()).map(|status| self.of(status)).sum()
    }

    /// Returns the number of failures that are not departures from recommendations.
    pub fn violations(&self) -> usize {
        self.failures() - self.departures
    }

    /// Returns the number of failures that no list of known failures has.
    pub fn new_failures(&self) -> usize {
        self.failures() - self.known
    }

    /// Returns the number of failures that no list of known failures has and that fail a run with this level.
    pub fn new_failures_at(&self, level: Level) -> usize {
        let new_departures = self.departures - self.known_departures;
        match level {
            Level::Must => self.new_failures() - new_departures,
            Level::Should | Level::May => self.new_failures(),
        }
    }

    /// Returns the number of judgements.
    pub fn sum(&self) -> usize {
        self.counts.iter().sum()
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = Status::ALL.into_iter().map(|status| (status.id(), self.of(status)));
        serializer.collect_map(counts.chain([
            (VIOLATIONS, self.violations()),
            (DEPARTURES, self.departures),
            (KNOWN, self.known),
            (KNOWN_DEPARTURES, self.known_departures),
        ]))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Totals {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Totals".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let count =
            |description: &str| json!({ "description": description, "type": "integer", "minimum": 0 });
        let statuses = Status::ALL.into_iter().map(|status| {
            (status.id(), count(&format!("The number of judgements with the status `{status}`.")))
        });
        let properties: serde_json::Map<String, Value> = statuses
            .chain([
                (VIOLATIONS, count("The number of failures that are not departures from recommendations.")),
                (DEPARTURES, count("The number of failures that are departures from recommendations.")),
                (KNOWN, count("The number of failures that a list of known failures has.")),
                (KNOWN_DEPARTURES, count("The number of departures that a list of known failures has.")),
            ])
            .map(|(name, schema)| (name.to_owned(), schema))
            .collect();
        let names: Vec<&String> = properties.keys().collect();
        schemars::json_schema!({
            "description": "How often each status occurs, and how many of the failures are violations, departures and known.",
            "type": "object",
            "required": names,
            "properties": properties,
            "additionalProperties": false,
        })
    }
}

impl<'de> Deserialize<'de> for Totals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Counts that a later version adds are ignored.
        let written = BTreeMap::<String, usize>::deserialize(deserializer)?;
        let of = |name| written.get(name).copied().ok_or_else(|| D::Error::missing_field(name));
        let mut counts = [0; Status::ALL.len()];
        for status in Status::ALL {
            counts[status as usize] = of(status.id())?;
        }
        Ok(Totals {
            counts,
            known: of(KNOWN)?,
            departures: of(DEPARTURES)?,
            known_departures: of(KNOWN_DEPARTURES)?,
        })
    }
}
