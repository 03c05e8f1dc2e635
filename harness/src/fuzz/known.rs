//! Lists of known findings: divergences that are accepted, and why. With one, a run fails on new ones only.

use std::path::Path;
use std::sync::Arc;

use robotspec_reference::Edition;
use serde::Deserialize;

use crate::fuzz::engine::Make;
use crate::fuzz::examine::{Examiner, Oracle};
use crate::fuzz::finding::Class;
use crate::fuzz::judge::Kind;
use crate::suite::Request;
use crate::suite::bytes;
use crate::suite::format::BytesFormat;
use crate::yaml::{Document, FileError};

/// A list of known findings.
#[derive(Debug, Clone, Default)]
pub struct KnownFindings {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    implementation: String,
    class: String,
    edition: Edition,
    example: Option<Request>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ListFormat {
    known_findings: Vec<EntryFormat>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct EntryFormat {
    /// Why it is accepted.
    reason: String,
    /// Whose it is.
    implementation: String,
    /// What it is, as a run prints it: `violation M-star`.
    finding: String,
    /// In which edition the example shows it.
    edition: String,
    /// What shows it, so that one that no longer occurs is told; not for what cannot be asked again cheaply.
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
    /// It is no such list, has an entry without a reason, or has one twice.
    pub fn read(file: &Path, text: &str) -> Result<Self, FileError> {
        let (list, document): (ListFormat, Document) = Document::read(file, text)?;
        let mut entries: Vec<Entry> = Vec::new();
        for (index, written) in list.known_findings.into_iter().enumerate() {
            let part = format!("known-findings[{index}]");
            let wrong = |key: &str, message: String| document.error(&format!("{part}.{key}"), message);
            if written.reason.trim().is_empty() {
                return Err(wrong("reason", "say why this is accepted".to_owned()));
            }
            let is_same = |entry: &Entry| {
                entry.implementation == written.implementation && entry.class == written.finding
            };
            if entries.iter().any(is_same) {
                return Err(wrong("finding", format!("`{}` is listed twice; remove one", written.finding)));
            }
            let edition = written.edition.parse().map_err(|error| wrong("edition", format!("{error}")))?;
            let example = match written.example {
                Some(example) => Some(example.request().map_err(|message| wrong("example", message))?),
                None => None,
            };
            entries.push(Entry {
                implementation: written.implementation,
                class: written.finding,
                edition,
                example,
            });
        }
        Ok(KnownFindings { entries })
    }

    /// Whether a finding is known.
    pub fn has(&self, class: &Class) -> bool {
        let name = class.to_string();
        self.entries.iter().any(|entry| entry.implementation == class.implementation && entry.class == name)
    }

    /// The entries about these implementations whose example does not show a divergence any more.
    pub fn gone(&self, subjects: &[Make]) -> Vec<String> {
        let mut gone = Vec::new();
        for make in subjects {
            let mut implementation = make();
            let name = implementation.info().name;
            for entry in self.entries.iter().filter(|entry| entry.implementation == name) {
                let Some(example) = &entry.example else { continue };
                let kind = kind_of(&entry.class);
                let mut examiner =
                    Examiner { implementation: implementation.as_mut(), oracle: &mut Oracle::Text };
                let seen = examiner.examine(entry.edition, kind, std::slice::from_ref(example));
                if seen.iter().all(Option::is_none) {
                    gone.push(format!("{name}: {}", entry.class));
                }
            }
            implementation.finish();
        }
        gone
    }
}

/// The kind that a class is named after.
fn kind_of(class: &str) -> Kind {
    let mut words = class.split(' ');
    match (words.next(), words.nth(1).and_then(super::Relation::from_id)) {
        (Some("relation"), Some(relation)) => Kind::Relation(relation),
        (Some("crash"), _) => Kind::Crash,
        (Some("timeout"), _) => Kind::Timeout,
        (Some("protocol-error"), _) => Kind::ProtocolError,
        (Some("error"), _) => Kind::Error,
        _ => Kind::Violation,
    }
}

impl ExampleFormat {
    fn request(self) -> Result<Request, String> {
        let file = |bytes: &BytesFormat| bytes::file(bytes).map(Arc::from);
        match self {
            ExampleFormat { robots: Some(robots), agent: Some(agent), robots_url: None, url: Some(url) } => {
                Ok(Request::Match { robots: file(&robots)?, agent, url })
            }
            ExampleFormat { robots: Some(robots), agent: None, robots_url: None, url: None } => {
                Ok(Request::Sitemaps { robots: file(&robots)? })
            }
            ExampleFormat { robots: None, agent: None, robots_url: Some(robots_url), url: Some(url) } => {
                Ok(Request::Scope { robots_url, url })
            }
            _ => {
                Err("give `robots`, `agent` and `url`; or `robots` alone; or `robots-url` and `url`"
                    .to_owned())
            }
        }
    }
}
