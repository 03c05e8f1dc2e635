//! What the author of a parser implements.

use std::borrow::Cow;

use robotspec_cases::TimedVisit;
use robotspec_reference::Governs;
use serde::{Deserialize, Serialize};

use crate::answer::{Fault, Verdict};

/// A robots.txt parser under test.
///
/// Only [`info`](Parser::info) and [`check`](Parser::check) are required. An operation that a parser does not have is
/// reported as *not supported*, never as a failure.
pub trait Parser {
    /// Returns the name and version of the parser.
    fn info(&self) -> Info;

    /// May the agents fetch the URLs, given this robots.txt? One verdict for each query, in their order.
    ///
    /// # Errors
    ///
    /// The parser failed on the file as a whole.
    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault>;

    /// Which rules decided these verdicts? The number of the line of each, from 1, or nothing where no rule matches or where
    /// the parser does not say it.
    ///
    /// # Errors
    ///
    /// The parser does not support this, or failed on the file as a whole.
    fn deciding_lines(
        &mut self,
        _robots: &[u8],
        _queries: &[MatchQuery],
    ) -> Result<Vec<Option<usize>>, Fault> {
        Err(Fault::NotSupported)
    }

    /// Returns the sitemaps that the file names, in any order.
    ///
    /// # Errors
    ///
    /// The parser does not support this, or failed on this file.
    fn sitemaps(&mut self, _robots: &[u8]) -> Result<Vec<String>, Fault> {
        Err(Fault::NotSupported)
    }

    /// Which usage preferences does the file state for a URL? The statements of preference that apply, such as `train-ai=n`,
    /// in any order. There are none for a URL that the agent may not fetch. Nothing where the specification does not
    /// decide, which only a parser that knows this says.
    ///
    /// # Errors
    ///
    /// The parser does not support this, or failed on this file.
    fn usage(&mut self, _robots: &[u8], _query: MatchQuery) -> Result<Option<Vec<String>>, Fault> {
        Err(Fault::NotSupported)
    }

    /// Is the robots.txt at this URL the one that governs that URL?
    ///
    /// # Errors
    ///
    /// The parser does not support this, or failed on these URLs.
    fn scope(&mut self, _robots_url: &str, _url: &str) -> Result<Governs, Fault> {
        Err(Fault::NotSupported)
    }

    /// May the agent fetch these paths of a site, at the time of the last of these visits? One verdict for each path,
    /// in their order.
    ///
    /// # Errors
    ///
    /// The parser does not support this, or failed on these visits.
    fn access(
        &mut self,
        _visits: &[TimedVisit],
        _agent: &str,
        _paths: &[String],
    ) -> Result<Vec<Verdict>, Fault> {
        Err(Fault::NotSupported)
    }

    /// Is this file valid: does the grammar of the specification derive it, with the records that it lets implementors define?
    ///
    /// # Errors
    ///
    /// The parser does not support this, or failed on this file.
    fn grammar(&mut self, _file: &[u8]) -> Result<bool, Fault> {
        Err(Fault::NotSupported)
    }
}

/// One agent and one URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct MatchQuery<'q> {
    /// A product token such as `FooBot`.
    pub agent: &'q str,
    /// An absolute URL, as a crawler requests it.
    pub url: &'q str,
}

/// The name and version of an implementation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Info {
    /// The name.
    pub name: String,
    /// The version, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The programming language, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The URL of its home page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// The package that contains it and the registry of the package, such as `protego (PyPI)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
}

impl Info {
    /// Returns an implementation of which only the name is known.
    pub fn named<'n>(name: impl Into<Cow<'n, str>>) -> Self {
        Info { name: name.into().into_owned(), ..Info::default() }
    }
}
