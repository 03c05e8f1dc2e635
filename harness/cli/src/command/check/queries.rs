//! The queries of `robotspec check`: every agent with every URL.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use robotspec_cases::suite::absolute_url;
use robotspec_cases::{FileError, Query};
use robotspec_reference::{Edition, RobotsTxt};
use robotspec_text::visible_path;

use super::explanation::visible_error;
use crate::command::values::read_file;

/// Returns the URLs of the command line, then those of a file, as they are written.
///
/// # Errors
///
/// The file cannot be read, or a text is neither an absolute URL nor a path.
pub(super) fn read_urls(given: &[String], file: Option<&Path>) -> Result<Vec<String>> {
    let mut urls = given.to_vec();
    for url in &urls {
        check_url(url).map_err(|error| anyhow!(error))?;
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
        urls.push(url.to_owned());
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
pub(super) fn queries(robots: &Arc<[u8]>, agents: &[String], urls: &[String]) -> Vec<Query> {
    let query = |agent: &String, url: &String| Query::Match {
        robots: Arc::clone(robots),
        agent: agent.clone(),
        url: absolute_url(url),
    };
    agents.iter().flat_map(|agent| urls.iter().map(|url| query(agent, url)).collect::<Vec<_>>()).collect()
}
