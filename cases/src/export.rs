//! The suite as data, for who wants the vectors without the harness.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_mock_server::Visit;
use robotspec_reference::Edition;
use serde::Serialize;

use crate::clause::Clause;
use crate::edition_id::EditionId;
use crate::suite::{Check, Expected, Request, TimedVisit};

/// The version of the format of an export: raised when something that stood
/// there is gone or means something else.
const FORMAT: u32 = 1;

/// The suite, flattened: every check with all that it needs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Export {
    /// The version of this format.
    pub format: u32,
    /// The version of the program that has the suite inside.
    pub robotspec: String,
    /// The editions, in the order of time.
    pub editions: Vec<ExportedEdition>,
    /// The clauses that checks cite.
    pub clauses: Vec<ExportedClause>,
    /// The checks.
    pub checks: Vec<ExportedCheck>,
}

/// An edition of the specification.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExportedEdition {
    /// What it is called here.
    pub id: EditionId,
    /// What it is.
    pub title: String,
}

/// A normative statement of the specification.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExportedClause {
    /// Permanent.
    pub id: String,
    /// What it says.
    pub statement: String,
    /// The editions that have it, with the section that says so.
    pub sections: BTreeMap<EditionId, String>,
}

/// A question to an implementation, and its answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExportedCheck {
    /// `suite/case#row`, and `~variant` where it is derived. Permanent.
    pub id: String,
    /// How the file of the row was rewritten, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The clauses it tests.
    pub clauses: Vec<String>,
    /// Whether the text marks it as one operator's own.
    pub google_specific: bool,
    /// What is asked.
    #[serde(flatten)]
    pub request: ExportedRequest,
    /// What each edition expects that has the clauses.
    pub expected: BTreeMap<EditionId, ExportedExpectation>,
    /// Which questions make it unspecified where it is: see `robotspec editions`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
}

/// What is asked.
#[derive(Debug, Serialize)]
#[serde(tag = "op", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ExportedRequest {
    /// May this agent fetch this URL, given this robots.txt?
    Match {
        /// The file, if it is UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        robots: Option<String>,
        /// The file, if it is not.
        #[serde(skip_serializing_if = "Option::is_none")]
        robots_base64: Option<String>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// Do these two files, which mean the same, give the same answer?
    Alike {
        /// The file, if it is UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        robots: Option<String>,
        /// The file, if it is not.
        #[serde(skip_serializing_if = "Option::is_none")]
        robots_base64: Option<String>,
        /// The other file, if it is UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        twin: Option<String>,
        /// The other file, if it is not.
        #[serde(skip_serializing_if = "Option::is_none")]
        twin_base64: Option<String>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// Is the robots.txt at this URL the one that governs that URL?
    Scope {
        /// Where the robots.txt is.
        robots_url: String,
        /// The URL to be fetched.
        url: String,
    },
    /// Which sitemaps does this file name?
    Sitemaps {
        /// The file, if it is UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        robots: Option<String>,
        /// The file, if it is not.
        #[serde(skip_serializing_if = "Option::is_none")]
        robots_base64: Option<String>,
    },
    /// May this agent fetch these paths, once it has asked for the robots.txt?
    Access {
        /// A product token.
        agent: String,
        /// Paths on the site.
        paths: Vec<String>,
        /// What it meets, in the order of time. At the time of the last it is asked.
        visits: Vec<ExportedVisit>,
    },
    /// Does the grammar derive this file?
    Grammar {
        /// The file, if it is UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// The file, if it is not.
        #[serde(skip_serializing_if = "Option::is_none")]
        text_base64: Option<String>,
    },
}

/// A request for the robots.txt, and what the server does.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExportedVisit {
    /// When, in seconds from the start.
    pub at: u64,
    /// Whether the site answers for other pages.
    pub site_answers: bool,
    /// What the server does.
    pub server: Visit,
}

/// What an edition expects.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ExportedExpectation {
    /// To `match`: `allow`, `disallow` or `unspecified`, where any answer will do. To `scope`: `yes`, `no` or
    /// `unspecified`. To `grammar`: `valid` or `not valid`. To `alike`: `the same for both`.
    Answer(String),
    /// To `sitemaps`: the URLs, in any order.
    Sitemaps {
        /// Those that must be found.
        certain: Vec<String>,
        /// Those that may be found.
        open: Vec<String>,
    },
    /// To `access`: for each path `allow`, `disallow` or `unspecified`.
    Paths(BTreeMap<String, String>),
}

impl Export {
    /// Exports checks.
    pub fn new(checks: &[Check]) -> Self {
        let is_cited = |clause: &&Clause| {
            checks.iter().any(|check| check.clauses.iter().any(|cited| cited.id == clause.id))
        };
        let edition =
            |edition: Edition| ExportedEdition { id: EditionId(edition), title: edition.title().to_owned() };
        Export {
            format: FORMAT,
            robotspec: env!("CARGO_PKG_VERSION").to_owned(),
            editions: Edition::ALL.into_iter().map(edition).collect(),
            clauses: Clause::all().iter().filter(is_cited).map(clause).collect(),
            checks: checks.iter().map(check).collect(),
        }
    }
}

fn clause(clause: &Clause) -> ExportedClause {
    let sections = clause.editions.iter();
    ExportedClause {
        id: clause.id.clone(),
        statement: clause.statement.clone(),
        sections: sections.map(|(&edition, section)| (EditionId(edition), section.clone())).collect(),
    }
}

fn check(check: &Check) -> ExportedCheck {
    let expected = check.expected.iter();
    ExportedCheck {
        id: check.id.clone(),
        variant: check.variant.map(|variant| variant.id().to_owned()),
        clauses: check.clauses.iter().map(|clause| clause.id.clone()).collect(),
        google_specific: check.google_specific,
        request: request(&check.request),
        expected: expected
            .map(|(&edition, expected)| (EditionId(edition), expectation(expected, &check.request)))
            .collect(),
        questions: check.questions.iter().map(|question| question.id().to_owned()).collect(),
    }
}

/// Octets as text, or else in Base64.
fn octets(octets: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(octets) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(STANDARD.encode(octets))),
    }
}

fn request(request: &Request) -> ExportedRequest {
    match request {
        Request::Match { robots, agent, url } => {
            let (robots, robots_base64) = octets(robots);
            ExportedRequest::Match { robots, robots_base64, agent: agent.clone(), url: url.clone() }
        }
        Request::Alike { robots, twin, agent, url } => {
            let ((robots, robots_base64), (twin, twin_base64)) = (octets(robots), octets(twin));
            let (agent, url) = (agent.clone(), url.clone());
            ExportedRequest::Alike { robots, robots_base64, twin, twin_base64, agent, url }
        }
        Request::Scope { robots_url, url } => {
            ExportedRequest::Scope { robots_url: robots_url.clone(), url: url.clone() }
        }
        Request::Sitemaps { robots } => {
            let (robots, robots_base64) = octets(robots);
            ExportedRequest::Sitemaps { robots, robots_base64 }
        }
        Request::Access { visits, agent, paths } => ExportedRequest::Access {
            agent: agent.clone(),
            paths: paths.to_vec(),
            visits: visits.iter().map(visit).collect(),
        },
        Request::Grammar { text } => {
            let (text, text_base64) = octets(text);
            ExportedRequest::Grammar { text, text_base64 }
        }
    }
}

fn visit(visit: &TimedVisit) -> ExportedVisit {
    ExportedVisit { at: visit.at, site_answers: visit.site_answers, server: visit.visit.clone() }
}

fn expectation(expected: &Expected, request: &Request) -> ExportedExpectation {
    match (expected, request) {
        (Expected::Sitemaps { certain, open }, _) => {
            ExportedExpectation::Sitemaps { certain: certain.clone(), open: open.clone() }
        }
        (Expected::Access(access), Request::Access { paths, .. }) => {
            let ruling = |path: &String| (path.clone(), access.ruling(path).id().to_owned());
            ExportedExpectation::Paths(paths.iter().map(ruling).collect())
        }
        (expected, _) => ExportedExpectation::Answer(expected.to_string()),
    }
}
