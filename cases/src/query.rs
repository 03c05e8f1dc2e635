//! The queries to an implementation.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_reference::{Edition, UrlParts};
use serde::{Serialize, Serializer};

use crate::clause::{Clause, Level};
use crate::timed_visit::TimedVisit;

/// A query: one question to an implementation.
///
/// Its `Serialize` is how `robotspec export` writes it: `op`, and the parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(tag = "op", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Query {
    /// May this agent fetch this URL, given this robots.txt?
    Match {
        /// The file.
        #[serde(flatten, serialize_with = "RobotsFormat::serialize_file")]
        #[cfg_attr(feature = "schema", schemars(with = "RobotsFormat"))]
        robots: Arc<[u8]>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// Do these two files, which mean the same, give the same verdict?
    Alike {
        /// The file.
        #[serde(flatten, serialize_with = "RobotsFormat::serialize_file")]
        #[cfg_attr(feature = "schema", schemars(with = "RobotsFormat"))]
        robots: Arc<[u8]>,
        /// The other file.
        #[serde(flatten, serialize_with = "TwinFormat::serialize_file")]
        #[cfg_attr(feature = "schema", schemars(with = "TwinFormat"))]
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
        #[serde(flatten, serialize_with = "RobotsFormat::serialize_file")]
        #[cfg_attr(feature = "schema", schemars(with = "RobotsFormat"))]
        robots: Arc<[u8]>,
    },
    /// Which usage preferences does this file state for this URL?
    Usage {
        /// The file.
        #[serde(flatten, serialize_with = "RobotsFormat::serialize_file")]
        #[cfg_attr(feature = "schema", schemars(with = "RobotsFormat"))]
        robots: Arc<[u8]>,
        /// A product token.
        agent: String,
        /// An absolute URL.
        url: String,
    },
    /// May this agent fetch these paths after these visits to the site?
    Access {
        /// A product token.
        agent: String,
        /// Paths on the site, sorted.
        paths: Arc<[String]>,
        /// What the server does at each visit, in the order of time. The query is sent at the time of the last one.
        visits: Arc<[TimedVisit]>,
    },
    /// Does the grammar derive this file?
    Grammar {
        /// The file.
        #[serde(flatten, serialize_with = "TextFormat::serialize_file")]
        #[cfg_attr(feature = "schema", schemars(with = "TextFormat"))]
        text: Arc<[u8]>,
    },
}

impl Query {
    /// Returns whether the edition only permits an implementation to answer the query, so that no answer breaks it: by
    /// RFC 9309, 2.2.4, crawlers may interpret other records, such as sitemaps.
    pub fn is_optional_in(&self, edition: Edition) -> bool {
        let is_permitted = |clause: &Clause| clause.level(edition) == Some(Level::May);
        matches!(self, Query::Sitemaps { .. }) && Clause::find("S-sitemap").is_some_and(is_permitted)
    }

    /// Returns whether the query is about a URL with another scheme than `http` and `https`. The texts name none that every
    /// implementation knows.
    pub fn has_other_scheme(&self) -> bool {
        let is_known =
            |scheme: &str| ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let is_other = |url: &str| UrlParts::split(url).scheme().is_some_and(|scheme| !is_known(scheme));
        match self {
            Query::Match { url, .. } | Query::Alike { url, .. } | Query::Usage { url, .. } => is_other(url),
            Query::Scope { robots_url, url } => is_other(robots_url) || is_other(url),
            Query::Sitemaps { .. } | Query::Access { .. } | Query::Grammar { .. } => false,
        }
    }

    /// Returns how much there is to read in the query, in bytes.
    pub fn size(&self) -> usize {
        match self {
            Query::Match { robots, agent, url } | Query::Usage { robots, agent, url } => {
                robots.len() + agent.len() + url.len()
            }
            Query::Alike { robots, twin, agent, url } => robots.len() + twin.len() + agent.len() + url.len(),
            Query::Scope { robots_url, url } => robots_url.len() + url.len(),
            Query::Sitemaps { robots: file } | Query::Grammar { text: file } => file.len(),
            Query::Access { visits, paths, .. } => visits.len() + paths.len(),
        }
    }

    /// Returns the file that the query is about.
    pub fn file(&self) -> Option<&Arc<[u8]>> {
        match self {
            Query::Match { robots, .. }
            | Query::Alike { robots, .. }
            | Query::Sitemaps { robots }
            | Query::Usage { robots, .. } => Some(robots),
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
            Query::Usage { agent, url, .. } => {
                Some(Query::Usage { robots: file, agent: agent.clone(), url: url.clone() })
            }
            _ => None,
        }
    }
}

/// Declares how a file is written under a key: as text where it is UTF-8, else in Base64.
macro_rules! file_formats {
    ($($Format:ident = $text:literal | $base64:literal,)+) => {$(
        #[derive(Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
        enum $Format<'f> {
            /// The file, if it is UTF-8.
            #[serde(rename = $text)]
            Text(&'f str),
            /// The file in Base64, if it is not UTF-8.
            #[serde(rename = $base64)]
            Base64(#[cfg_attr(feature = "schema", schemars(extend("contentEncoding" = "base64")))] String),
        }

        impl $Format<'_> {
            fn serialize_file<S: Serializer>(file: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
                match std::str::from_utf8(file) {
                    Ok(text) => $Format::Text(text),
                    Err(_) => $Format::Base64(STANDARD.encode(file)),
                }
                .serialize(serializer)
            }
        }
    )+};
}

file_formats! {
    RobotsFormat = "robots" | "robots-base64",
    TwinFormat = "twin" | "twin-base64",
    TextFormat = "text" | "text-base64",
}
