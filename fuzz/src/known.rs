//! Lists of known findings: divergences that are accepted, and why. With one, a run fails on new ones only.

use std::path::Path;
use std::sync::Arc;

use robotspec_reference::Edition;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use crate::cost::cost;
use crate::engine::Make;
use crate::examine::{Examiner, Oracle};
use crate::finding::{Class, Finding, class};
use crate::judge::Kind;
use crate::relation::Relation;
use robotspec::implementation::Implementation;
use robotspec_cases::clause::Clause;
use robotspec_cases::suite::Request;
use robotspec_cases::suite::bytes;
use robotspec_cases::suite::format::BytesFormat;
use robotspec_cases::suite::write::{put, written_file};
use robotspec_cases::yaml::{Document, FileError};

/// The reason of an entry to which nobody has written one yet.
const TODO: &str = "TODO say why";

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
    /// None in an empty file.
    #[serde(default)]
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
            if written.reason.trim().is_empty() || written.reason.starts_with(TODO) {
                return Err(wrong("reason", "say why this is accepted".to_owned()));
            }
            is_class(&written.finding).map_err(|message| wrong("finding", message))?;
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
        self.entries.iter().any(|entry| entry.is(class))
    }

    /// The entries about these implementations that do not occur any more: neither among what was found, nor is
    /// it shown by their example.
    pub fn gone(&self, subjects: &[Make], found: &[Finding]) -> Vec<String> {
        let mut gone = Vec::new();
        for make in subjects {
            let mut implementation = make();
            let name = implementation.info().name;
            for entry in self.entries.iter().filter(|entry| entry.implementation == name) {
                let was_found = |finding: &Finding| entry.is(&finding.class);
                if !found.iter().any(was_found) && entry.occurs(implementation.as_mut()) == Some(false) {
                    gone.push(format!("{name}: {}", entry.class));
                }
            }
            implementation.finish();
        }
        gone
    }
}

impl Entry {
    fn is(&self, class: &Class) -> bool {
        self.implementation == class.implementation && self.class == class.to_string()
    }

    /// Whether it still occurs, where there is something to ask.
    fn occurs(&self, implementation: &mut dyn Implementation) -> Option<bool> {
        let kind = kind_of(&self.class)?;
        if kind == Kind::Disagreement {
            return None;
        }
        if kind == Kind::Cost {
            let grown = cost(implementation, self.edition);
            return Some(grown.iter().any(|divergence| self.is(&class(&self.implementation, divergence))));
        }
        let example = self.example.as_ref()?;
        let mut examiner = Examiner { implementation, oracle: &mut Oracle::Text, until: None };
        let seen = examiner.examine(self.edition, kind, std::slice::from_ref(example));
        Some(seen.iter().any(Option::is_some))
    }
}

/// A list of findings to which reasons have to be written.
pub fn list_of(findings: &[&Finding]) -> String {
    let entries = findings.iter().map(|finding| {
        let mut entry = Mapping::new();
        put(&mut entry, "reason", TODO);
        put(&mut entry, "implementation", finding.class.implementation.as_str());
        put(&mut entry, "finding", finding.class.to_string());
        put(&mut entry, "edition", finding.edition.id());
        if let Some(example) = example(finding) {
            put(&mut entry, "example", example);
        }
        Value::from(entry)
    });
    let mut list = Mapping::new();
    put(&mut list, "known-findings", entries.collect::<Vec<_>>());
    serde_yaml::to_string(&list).unwrap_or_default()
}

/// What shows a finding, where an entry has words for it and asking it again tells.
fn example(finding: &Finding) -> Option<Mapping> {
    let mut example = Mapping::new();
    match &finding.request {
        _ if finding.class.kind == Kind::Cost => return None,
        Request::Match { robots, agent, url } => {
            put(&mut example, "robots", written_file(robots));
            put(&mut example, "agent", agent.as_str());
            put(&mut example, "url", url.as_str());
        }
        Request::Sitemaps { robots } => put(&mut example, "robots", written_file(robots)),
        Request::Scope { robots_url, url } => {
            put(&mut example, "robots-url", robots_url.as_str());
            put(&mut example, "url", url.as_str());
        }
        _ => return None,
    }
    Some(example)
}

/// Whether a class can be called so.
///
/// # Errors
///
/// It cannot; the message says what may be meant.
fn is_class(name: &str) -> Result<(), String> {
    let (kind, rest) = name.split_once(' ').unwrap_or((name, ""));
    let mut kinds: Vec<&str> = Kind::all().map(Kind::id).collect();
    kinds.dedup();
    if !kinds.contains(&kind) {
        return Err(format!("`{kind}` is no kind of finding; write {}, and a clause", kinds.join(", ")));
    }
    let clause = rest.split(' ').next().unwrap_or_default();
    if Clause::find(clause).is_none() {
        let near =
            Clause::nearest(clause).map(|near| format!("; is `{}` meant?", near.id)).unwrap_or_default();
        return Err(format!("there is no clause `{clause}`{near}"));
    }
    if kind_of(name).is_none() {
        let relations: Vec<&str> = Relation::all().map(Relation::id).collect();
        return Err(format!("write behind the clause which relation it is: {}", relations.join(", ")));
    }
    Ok(())
}

/// The kind that a class is named after.
fn kind_of(class: &str) -> Option<Kind> {
    let mut words = class.split(' ');
    let (id, relation) = (words.next()?, words.nth(1));
    Kind::all().find(|kind| match kind {
        Kind::Relation(of) => kind.id() == id && relation == Some(of.id()),
        _ => kind.id() == id,
    })
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
