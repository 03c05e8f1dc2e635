//! Lists of known findings: divergences that are accepted, with reasons. A run with a list fails on new findings only.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use robotspec::Endpoint;
use robotspec_cases::Query;
use robotspec_cases::suite::format::BytesFormat;
use robotspec_cases::suite::write::{put, written_file};
use robotspec_cases::suite::{BadBytes, TotalSize, decode_bytes};
use robotspec_cases::yaml::{Document, FileError};
use robotspec_reference::Edition;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use crate::deadline::Deadline;
use crate::explain::finding::{Class, Finding};
use crate::minimise::again::Examiner;
use crate::oracle::Oracle;
use crate::oracle::kind::Kind;
use crate::search::cost::measure_cost;
use crate::search::plan::Make;

/// The reason of an entry that still needs one.
const TODO: &str = "TODO say why";

/// A list of known findings.
#[derive(Debug, Clone, Default)]
pub struct KnownFindings {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    class: Class,
    edition: Edition,
    example: Option<Query>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ListFormat {
    /// Missing in an empty file.
    #[serde(default)]
    known_findings: Vec<EntryFormat>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct EntryFormat {
    /// Why the finding is accepted.
    reason: String,
    /// The name of the implementation.
    implementation: String,
    /// The class, as a run prints it: `violation M-star`.
    finding: String,
    /// The edition in which the example shows the finding.
    edition: Edition,
    /// A query that shows the finding, so that a stale entry is reported. Missing where sending it again is expensive.
    example: Option<ExampleFormat>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ExampleFormat {
    robots: Option<BytesFormat>,
    agent: Option<String>,
    robots_url: Option<String>,
    url: Option<String>,
}

impl KnownFindings {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// The text is not a list of known findings, an entry has no reason, or two entries are about the same finding.
    pub fn read(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        for (index, entry) in list.known_findings.iter().enumerate() {
            if entry.reason.trim().is_empty() || entry.reason.starts_with(TODO) {
                let part = format!("known-findings[{index}].reason");
                return Err(document.error(&part, "say why this is accepted"));
            }
        }
        Self::from_list(list, &document)
    }

    /// Reads the entries of a list in which some reasons are not written yet.
    fn from_list(list: ListFormat, document: &Document) -> Result<Self, FileError> {
        let mut entries: Vec<Entry> = Vec::new();
        let total_size = TotalSize::default();
        for (index, entry) in list.known_findings.into_iter().enumerate() {
            let part = format!("known-findings[{index}]");
            let wrong = |key: &str, message: String| document.error(&format!("{part}.{key}"), message);
            let class = Class::read(&entry.implementation, &entry.finding)
                .map_err(|error| wrong("finding", error.to_string()))?;
            if entries.iter().any(|known| known.class == class) {
                return Err(wrong("finding", format!("`{class}` is listed twice; remove one")));
            }
            let example = entry.example.map(|example| example.read(&total_size)).transpose();
            let example = example.map_err(|error| wrong("example", error.to_string()))?;
            entries.push(Entry { class, edition: entry.edition, example });
        }
        Ok(KnownFindings { entries })
    }

    /// Returns whether a finding of this class is known.
    pub fn has(&self, class: &Class) -> bool {
        self.entries.iter().any(|entry| entry.class == *class)
    }

    /// Returns the classes of the stale entries about these implementations: no finding belongs to the class, and the
    /// example no longer shows it. After the deadline, no further entry is checked.
    pub fn find_stale(&self, subjects: &[Make], found: &[Finding], deadline: Deadline) -> Vec<Class> {
        let mut stale = Vec::new();
        for make in subjects {
            let mut endpoint = make();
            let name = endpoint.info().name;
            for entry in self.entries.iter().filter(|entry| entry.class.implementation == name) {
                let is_found = found.iter().any(|finding| finding.class == entry.class);
                let is_due = !is_found && !deadline.is_over();
                // An answer that an interruption cut off says nothing.
                if is_due && entry.occurs(endpoint.as_mut(), deadline) == Some(false) && !deadline.is_over() {
                    stale.push(entry.class.clone());
                }
            }
            endpoint.finish();
        }
        stale
    }
}

impl Entry {
    /// Returns whether the finding still occurs. The result is `None` where that cannot be checked.
    fn occurs(&self, endpoint: &mut dyn Endpoint, deadline: Deadline) -> Option<bool> {
        let Class { implementation, kind, relation, .. } = &self.class;
        match kind {
            Kind::Disagreement => None,
            Kind::Cost => {
                let measured = measure_cost(endpoint, self.edition, deadline);
                let mut grown = measured.grown.iter();
                let occurs =
                    grown.any(|divergence| Class::new(implementation, divergence, None) == self.class);
                (occurs || measured.is_complete).then_some(occurs)
            }
            _ => {
                let mut examiner = Examiner { endpoint, oracle: &mut Oracle::Editions, deadline };
                Some(examiner.shows(self.edition, *kind, *relation, self.example.as_ref()?))
            }
        }
    }
}

/// Returns a list with the findings that it does not have yet, to which the reasons have to be added. What the list has
/// stays as it is, with reasons and comments. An empty text is an empty list.
///
/// # Errors
///
/// The text is not a list of known findings, or is written in a style that cannot be edited.
pub fn add_to_list(file: &Path, text: &str, findings: &[&Finding]) -> Result<String, FileError> {
    let (list, document): (ListFormat, Document) = Document::read(file, text)?;
    let is_empty = list.known_findings.is_empty();
    let known = KnownFindings::from_list(list, &document)?;
    let new: Vec<Value> =
        findings.iter().filter(|finding| !known.has(&finding.class)).map(|finding| entry(finding)).collect();
    if new.is_empty() {
        return Ok(text.to_owned());
    }
    // The key of an empty list is written anew. Comments stay.
    let old_key = document.place("known-findings").filter(|_| is_empty).map(|(line, _)| line);
    let kept = text.split_inclusive('\n').zip(1..).filter(|(_, number)| Some(*number) != old_key);
    let mut added: String = kept.map(|(line, _)| line).collect();
    if !added.is_empty() && !added.ends_with('\n') {
        added.push('\n');
    }
    if is_empty {
        added.push_str("known-findings:\n");
    }
    let indent = document.place("known-findings[0]").map_or(0, |(_, column)| column.saturating_sub(3));
    let entries = serde_yaml::to_string(&new).unwrap_or_default();
    let entries = entries.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("{:indent$}{line}\n", ""),
    });
    added.extend(entries);
    let not_editable = || {
        document.error(
            "known-findings",
            "the list cannot be edited; write each entry on lines of its own, after `-`",
        )
    };
    // A list in another style would be broken by the new lines.
    let (list, document): (ListFormat, Document) =
        Document::read(file, &added).map_err(|_| not_editable())?;
    let updated = KnownFindings::from_list(list, &document)?;
    let is_complete = updated.entries.len() == known.entries.len() + new.len();
    if is_complete { Ok(added) } else { Err(not_editable()) }
}

/// Returns the entry of a finding, without a reason.
fn entry(finding: &Finding) -> Value {
    let mut entry = Mapping::new();
    put(&mut entry, "reason", TODO);
    put(&mut entry, "implementation", finding.class.implementation.as_str());
    put(&mut entry, "finding", finding.class.to_string());
    put(&mut entry, "edition", finding.edition.id());
    if let Some(example) = write_example(finding) {
        put(&mut entry, "example", example);
    }
    Value::from(entry)
}

/// Returns the query that shows a finding, where the format can express it and sending it again is cheap.
fn write_example(finding: &Finding) -> Option<Mapping> {
    let mut example = Mapping::new();
    match &finding.query {
        _ if finding.class.kind == Kind::Cost => return None,
        Query::Match { robots, agent, url } => {
            put(&mut example, "robots", written_file(robots));
            put(&mut example, "agent", agent.as_str());
            put(&mut example, "url", url.as_str());
        }
        Query::Sitemaps { robots } => put(&mut example, "robots", written_file(robots)),
        Query::Scope { robots_url, url } => {
            put(&mut example, "robots-url", robots_url.as_str());
            put(&mut example, "url", url.as_str());
        }
        Query::Alike { .. } | Query::Access { .. } | Query::Grammar { .. } => return None,
    }
    Some(example)
}

/// Why an example is not a query.
enum BadExample {
    /// The example does not have the keys of a query.
    Keys,
    /// `robots` does not describe a file.
    Robots(BadBytes),
}

impl fmt::Display for BadExample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadExample::Keys => {
                f.write_str("give `robots`, `agent` and `url`; or `robots` alone; or `robots-url` and `url`")
            }
            BadExample::Robots(error) => error.fmt(f),
        }
    }
}

impl ExampleFormat {
    fn read(self, total_size: &TotalSize) -> Result<Query, BadExample> {
        let file = |bytes: &BytesFormat| {
            let file = decode_bytes(bytes).map_err(BadExample::Robots)?;
            total_size.add(file.len()).map_err(BadExample::Robots)?;
            Ok(Arc::from(file))
        };
        match self {
            ExampleFormat { robots: Some(robots), agent: Some(agent), robots_url: None, url: Some(url) } => {
                Ok(Query::Match { robots: file(&robots)?, agent, url })
            }
            ExampleFormat { robots: Some(robots), agent: None, robots_url: None, url: None } => {
                Ok(Query::Sitemaps { robots: file(&robots)? })
            }
            ExampleFormat { robots: None, agent: None, robots_url: Some(robots_url), url: Some(url) } => {
                Ok(Query::Scope { robots_url, url })
            }
            _ => Err(BadExample::Keys),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_that_are_too_large_together_are_refused() {
        let entry = |finding: &str| {
            format!(
                "  - reason: Why.\n    implementation: a\n    finding: violation {finding}\n    edition: rfc9309\n    example: {{robots: {{parts: [{{repeat: '#', times: 60000000}}]}}}}\n"
            )
        };
        let list = format!("known-findings:\n{}{}", entry("M-star"), entry("M-dollar"));
        let read = |list: &str| KnownFindings::read(Path::new("list.yaml"), list).map(|_| ());
        assert_eq!(read(&list), Ok(()));
        let error = read(&(list + &entry("M-prefix"))).expect_err("180 MB").to_string();
        assert!(error.starts_with("list.yaml:16:5: the files, URLs and agents up to here"), "{error}");
    }
}
