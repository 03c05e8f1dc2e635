//! What is under test, and what it answers.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use robotspec_reference::{Edition, Governs, Ruling};
use serde::{Deserialize, Serialize};

use robotspec_cases::suite::TimedVisit;

/// An implementation of robots.txt.
///
/// Only [`info`](Implementation::info) and [`check`](Implementation::check)
/// have to be written; what an implementation cannot do is reported as *not
/// supported*, never as a failure.
pub trait Implementation {
    /// Who this is.
    fn info(&self) -> Info;

    /// May the agents fetch the URLs, given this robots.txt? One verdict for
    /// each query, in their order.
    ///
    /// # Errors
    ///
    /// The file as a whole could not be answered for.
    fn check(&mut self, robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault>;

    /// The sitemaps that the file names, in order.
    ///
    /// # Errors
    ///
    /// It cannot do this, or not for this file.
    fn sitemaps(&mut self, _robots: &[u8]) -> Result<Vec<String>, Fault> {
        Err(Fault::NotSupported)
    }

    /// Is the robots.txt at this URL the one that governs that URL?
    ///
    /// # Errors
    ///
    /// It cannot do this, or not for these URLs.
    fn scope(&mut self, _robots_url: &str, _url: &str) -> Result<Governs, Fault> {
        Err(Fault::NotSupported)
    }

    /// May the agent fetch these paths of a site, at the time of the last visit, having met this?
    /// One verdict for each path, in their order.
    ///
    /// # Errors
    ///
    /// It cannot do this, or not for these visits.
    fn access(&mut self, _visits: &[TimedVisit], _agent: &str, _paths: &[String]) -> Result<Accessed, Fault> {
        Err(Fault::NotSupported)
    }

    /// Does the grammar of the specification derive this file?
    ///
    /// # Errors
    ///
    /// It cannot do this, or not for this file.
    fn grammar(&mut self, _file: &[u8]) -> Result<bool, Fault> {
        Err(Fault::NotSupported)
    }

    /// Tells which edition the next requests are judged by. An implementation
    /// whose answers depend on that returns `true`, and is then asked
    /// everything once for each edition.
    fn read_as(&mut self, _edition: Edition) -> bool {
        false
    }

    /// Answers requests, each with its index, in any order. What stays
    /// unanswered is reported as *not run*.
    ///
    /// The default asks one after the other, and takes a panic for a crash. An implementation that can
    /// answer several at a time does better here.
    fn answer_all(
        &mut self,
        requests: &[BatchRequest],
        answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
    ) {
        for (index, request) in requests.iter().enumerate() {
            let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
            answered(index, answer.unwrap_or_else(|panic| Err(Fault::Crash(panic_message(panic.as_ref())))));
        }
    }

    /// Answers one request.
    ///
    /// # Errors
    ///
    /// Whatever kept it from answering.
    fn answer(&mut self, request: &BatchRequest) -> Result<Answer, Fault> {
        match request {
            BatchRequest::Match { robots, queries } => self.check(robots, queries).map(Answer::Verdicts),
            BatchRequest::Sitemaps { robots } => self.sitemaps(robots).map(Answer::Sitemaps),
            BatchRequest::Scope { robots_url, url } => self.scope(robots_url, url).map(Answer::Governs),
            BatchRequest::Access { visits, agent, paths } => {
                self.access(visits, agent, paths).map(Answer::Accessed)
            }
            // Only what speaks the protocol is asked so, visit by visit.
            BatchRequest::Fetch { .. } => Err(Fault::NotSupported),
            BatchRequest::Grammar { text } => self.grammar(text).map(Answer::Derived),
        }
    }

    /// Ends it: nothing more will be asked.
    fn finish(&mut self) {}

    /// What happened to it since it was last asked: restarts, for a person to
    /// know about.
    fn incidents(&mut self) -> Vec<Incident> {
        Vec::new()
    }
}

/// Answers one request, where many are answered together.
pub fn answer_alone(
    implementation: &mut dyn Implementation,
    request: &BatchRequest,
) -> Result<Answer, Fault> {
    let mut answer = Err(Fault::NotRun("there was no answer".to_owned()));
    implementation.answer_all(std::slice::from_ref(request), &mut |_, answered| answer = answered);
    answer
}

/// Checks one file, where many are checked together.
pub fn check_alone(
    implementation: &mut dyn Implementation,
    robots: &[u8],
    queries: &[Query],
) -> Result<Vec<Verdict>, Fault> {
    let request = BatchRequest::Match { robots: robots.into(), queries: queries.to_vec() };
    match answer_alone(implementation, &request)? {
        Answer::Verdicts(verdicts) => Ok(verdicts),
        _ => Err(Fault::NotSupported),
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_default())
}

/// Who an implementation is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// What it is called.
    pub name: String,
    /// Its version, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The language it is written in, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Where to read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
}

impl Info {
    /// An implementation of which no more than its name is told.
    pub fn named(name: impl Into<String>) -> Self {
        Info { name: name.into(), version: None, language: None, homepage: None }
    }
}

/// One agent and one URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Query {
    /// A product token such as `FooBot`.
    pub agent: String,
    /// An absolute URL, as a crawler would request it.
    pub url: String,
}

/// What an implementation says to one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The agent may fetch the URL.
    Allow,
    /// The agent must not fetch the URL.
    Disallow,
    /// The specification leaves it open. Only an implementation that knows
    /// this third answer, such as the reference, gives it.
    Unspecified,
    /// It failed on this query, in its own words.
    Error(String),
}

impl From<Ruling> for Verdict {
    fn from(ruling: Ruling) -> Verdict {
        match ruling {
            Ruling::Allow => Verdict::Allow,
            Ruling::Disallow => Verdict::Disallow,
            Ruling::Unspecified => Verdict::Unspecified,
        }
    }
}

/// `true` for allow, as most parsers say it.
impl From<bool> for Verdict {
    fn from(allowed: bool) -> Verdict {
        if allowed { Verdict::Allow } else { Verdict::Disallow }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Allow => f.write_str("allow"),
            Verdict::Disallow => f.write_str("disallow"),
            Verdict::Unspecified => f.write_str("unspecified"),
            Verdict::Error(error) => write!(f, "error: {error}"),
        }
    }
}

/// Why an implementation did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It does not do such things.
    NotSupported,
    /// It failed, in its own words.
    Error(String),
    /// It died.
    Crash(String),
    /// It took too long.
    Timeout(String),
    /// It answered what is no answer.
    Protocol(String),
    /// It was not asked, because it is no use any more.
    NotRun(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotSupported => f.write_str("not supported"),
            Fault::Error(text) => write!(f, "error: {text}"),
            Fault::Crash(text) => write!(f, "crash: {text}"),
            Fault::Timeout(text) => write!(f, "timeout: {text}"),
            Fault::Protocol(text) => write!(f, "protocol error: {text}"),
            Fault::NotRun(text) => write!(f, "not run: {text}"),
        }
    }
}

impl std::error::Error for Fault {}

/// A request as it is put to an implementation: all queries about a file together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchRequest {
    /// May these agents fetch these URLs?
    Match {
        /// The file.
        robots: Arc<[u8]>,
        /// At least one.
        queries: Vec<Query>,
    },
    /// Which sitemaps does the file name?
    Sitemaps {
        /// The file.
        robots: Arc<[u8]>,
    },
    /// Is the robots.txt there the one that governs the URL?
    Scope {
        /// Where the robots.txt is.
        robots_url: String,
        /// The URL to be fetched.
        url: String,
    },
    /// May the agent fetch these paths, once it has asked for the robots.txt?
    Access {
        /// What it met, in the order of time.
        visits: Arc<[TimedVisit]>,
        /// A product token.
        agent: String,
        /// Paths on the site.
        paths: Arc<[String]>,
    },
    /// May the agent fetch these URLs of a site that is live? One visit of an access.
    Fetch {
        /// A product token.
        agent: String,
        /// URLs on one origin.
        urls: Vec<String>,
        /// The simulated time, in seconds since 1970; nothing where it is the real one.
        now: Option<u64>,
        /// How long the implementation may wait for the site, in milliseconds.
        timeout_ms: u64,
    },
    /// Does the grammar derive the file?
    Grammar {
        /// The file.
        text: Arc<[u8]>,
    },
}

/// An answer to a [`BatchRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// One verdict for each query, in their order.
    Verdicts(Vec<Verdict>),
    /// The URLs, in order.
    Sitemaps(Vec<String>),
    /// Whether it governs.
    Governs(Governs),
    /// What may be fetched.
    Accessed(Accessed),
    /// Whether it is derived.
    Derived(bool),
}

/// What an implementation would fetch, and how it asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accessed {
    /// One verdict for each path, in their order.
    pub verdicts: Vec<Verdict>,
    /// What it did that the text does not want of a client, in sentences.
    pub departures: Vec<String>,
}

/// Something that happened to an implementation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "incident", rename_all = "kebab-case")]
pub enum Incident {
    /// It was started again.
    Restarted {
        /// Why.
        reason: String,
    },
    /// It is not asked any more.
    GaveUp {
        /// Why.
        reason: String,
    },
    /// It did not exit as it should when there was nothing more to ask.
    BadExit {
        /// How it ended.
        status: String,
    },
}
