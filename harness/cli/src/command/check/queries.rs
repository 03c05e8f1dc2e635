//! The queries of `robotspec check`: every agent with every URL.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use robotspec_cases::{FileError, Query};
use robotspec_reference::{Edition, RobotsTxt};
use robotspec_text::visible_path;

use super::explanation::visible_error;
use crate::command::values::read_file;

/// The origin of a URL that is only a path, as in the cases.
const DEFAULT_ORIGIN: &str = "http://example.com";

/// A URL, and how the user wrote it.
pub(super) struct Url {
    pub(super) written: String,
    pub(super) absolute: String,
}

impl Url {
    fn new(written: &str) -> Self {
        let origin = if written.starts_with('/') { DEFAULT_ORIGIN } else { "" };
        Url { written: written.to_owned(), absolute: format!("{origin}{written}") }
    }
}

/// Returns the URLs of the command line, then those of a file.
///
/// # Errors
///
/// The file cannot be read, or a text is neither an absolute URL nor a path.
pub(super) fn read_urls(given: &[String], file: Option<&Path>) -> Result<Vec<Url>> {
    let mut urls: Vec<Url> = given.iter().map(|url| Url::new(url)).collect();
    for url in &urls {
        check_url(&url.written).map_err(|error| anyhow!(error))?;
    }
    let Some(file) = file else { return Ok(urls) };
    let bytes = read_file(file)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| anyhow!("{} is not UTF-8; percent-encode the bytes of its URLs", visible_path(file)))?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    for (place, line) in text.lines().enumerate() {
        let url = line.trim();
        // No URL starts with `#`.
        if url.is_empty() || url.starts_with('#') {
            continue;
        }
        check_url(url).map_err(|message| {
            let column = line.len() - line.trim_start().len() + 1;
            FileError::new(file, (place + 1, column), message)
        })?;
        urls.push(Url::new(url));
    }
    if urls.is_empty() {
        bail!("{} has no URL; write one URL or path per line", visible_path(file));
    }
    Ok(urls)
}

/// Checks that a text is an absolute URL or a path.
fn check_url(url: &str) -> Result<(), String> {
    let ruling = RobotsTxt::parse(b"").ruling(Edition::Rfc9309, "FooBot", url);
    ruling.map(drop).map_err(|error| visible_error(error).to_string())
}

/// Returns a query for each agent and URL.
pub(super) fn queries(robots: &Arc<[u8]>, agents: &[String], urls: &[Url]) -> Vec<Query> {
    let query = |agent: &String, url: &Url| Query::Match {
        robots: Arc::clone(robots),
        agent: agent.clone(),
        url: url.absolute.clone(),
    };
    agents.iter().flat_map(|agent| urls.iter().map(|url| query(agent, url)).collect::<Vec<_>>()).collect()
}
