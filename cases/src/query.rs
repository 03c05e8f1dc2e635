//! The queries to an implementation.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::timed_visit::TimedVisit;

/// A query: one question to an implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// May this agent fetch this URL, given this robots.txt?
    Match {
        /// The file.
        robots: Arc<[u8]>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// Do these two files, which mean the same, give the same verdict?
    Alike {
        /// The file.
        robots: Arc<[u8]>,
        /// The other file.
        twin: Arc<[u8]>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// Is the robots.txt at this URL the one that governs that URL?
    Scope {
        /// The URL of the robots.txt.
        robots_url: String,
        /// The URL to be fetched.
        url: String,
    },
    /// Which sitemaps does this file name?
    Sitemaps {
        /// The file.
        robots: Arc<[u8]>,
    },
    /// May this agent fetch these paths after these visits to the site?
    Access {
        /// What the server does at each visit, in the order of time. The query is put at the time of the last one.
        visits: Arc<[TimedVisit]>,
        /// A product token.
        agent: String,
        /// Paths on the site, sorted.
        paths: Arc<[String]>,
    },
    /// Does the grammar derive this file?
    Grammar {
        /// The file.
        text: Arc<[u8]>,
    },
}

impl Query {
    /// Returns the name of the kind of query.
    pub fn kind(&self) -> &'static str {
        match self {
            Query::Match { .. } => "match",
            Query::Alike { .. } => "alike",
            Query::Scope { .. } => "scope",
            Query::Sitemaps { .. } => "sitemaps",
            Query::Access { .. } => "access",
            Query::Grammar { .. } => "grammar",
        }
    }

    /// Returns the file that the query is about.
    pub fn file(&self) -> Option<&Arc<[u8]>> {
        match self {
            Query::Match { robots, .. } | Query::Alike { robots, .. } | Query::Sitemaps { robots } => {
                Some(robots)
            }
            Query::Grammar { text } => Some(text),
            Query::Scope { .. } | Query::Access { .. } => None,
        }
    }

    /// Returns the same query about another file. The result is `None` where the query is not about one robots.txt.
    #[must_use]
    pub fn with_robots(&self, file: Arc<[u8]>) -> Option<Query> {
        match self {
            Query::Match { agent, url, .. } => {
                Some(Query::Match { robots: file, agent: agent.clone(), url: url.clone() })
            }
            Query::Sitemaps { .. } => Some(Query::Sitemaps { robots: file }),
            _ => None,
        }
    }
}

/// As `robotspec export` writes a query: `op` and its parts. A file is text where it is UTF-8, else Base64.
impl Serialize for Query {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("op", self.kind())?;
        match self {
            Query::Match { robots, agent, url } => {
                serialize_file(&mut map, ["robots", "robots-base64"], robots)?;
                map.serialize_entry("agent", agent)?;
                map.serialize_entry("url", url)?;
            }
            Query::Alike { robots, twin, agent, url } => {
                serialize_file(&mut map, ["robots", "robots-base64"], robots)?;
                serialize_file(&mut map, ["twin", "twin-base64"], twin)?;
                map.serialize_entry("agent", agent)?;
                map.serialize_entry("url", url)?;
            }
            Query::Scope { robots_url, url } => {
                map.serialize_entry("robots-url", robots_url)?;
                map.serialize_entry("url", url)?;
            }
            Query::Sitemaps { robots } => serialize_file(&mut map, ["robots", "robots-base64"], robots)?,
            Query::Access { visits, agent, paths } => {
                map.serialize_entry("agent", agent)?;
                map.serialize_entry("paths", paths.as_ref())?;
                map.serialize_entry("visits", visits.as_ref())?;
            }
            Query::Grammar { text } => serialize_file(&mut map, ["text", "text-base64"], text)?,
        }
        map.end()
    }
}

fn serialize_file<M: SerializeMap>(
    map: &mut M,
    [text, base64]: [&'static str; 2],
    file: &[u8],
) -> Result<(), M::Error> {
    match std::str::from_utf8(file) {
        Ok(file) => map.serialize_entry(text, file),
        Err(_) => map.serialize_entry(base64, &STANDARD.encode(file)),
    }
}
