//! Requests of the page and their responses.

use robotspec_cases::Query;
use robotspec_cases::suite::write_case::proposed_suite;
use robotspec_reference::Edition;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::answer;
use crate::issue::issue;
use crate::lint::lint;

/// A request about a file. It is JSON in one line; the bytes of the file follow after the line end.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// The rulings of each edition about each URL, and the reasons for one of the URLs.
    Answer {
        /// The agent.
        agent: String,
        /// The URLs.
        urls: Vec<String>,
        /// The place of the URL for which the response has reasons.
        selected: usize,
    },
    /// The lines that do not do what they seem to. No agent and no URL changes them.
    Lint {
        /// The edition by which the lines are explained.
        edition: Edition,
    },
    /// The input as a file of cases.
    Case {
        /// The agent.
        agent: String,
        /// The URL.
        url: String,
        /// The edition whose clauses the case cites.
        edition: Edition,
    },
    /// The input and the answers as Markdown.
    Issue {
        /// The agent.
        agent: String,
        /// The URL.
        url: String,
        /// The address of the page with the same input, if it is short enough.
        link: Option<String>,
    },
}

/// Returns the response to a request: JSON, which is `{"error": "…"}` where there is no answer.
pub fn respond(request: &[u8]) -> Vec<u8> {
    let response = read(request).and_then(|(request, file)| match request {
        Request::Answer { agent, urls, selected } => Ok(answer(file, &agent, &urls, selected)),
        Request::Lint { edition } => Ok(lint(file, edition)),
        Request::Case { agent, url, edition } => {
            let query = Query::Match { robots: file.into(), agent, url };
            let others = Edition::ALL.into_iter().filter(|other| *other != edition);
            let editions: Vec<Edition> = [edition].into_iter().chain(others).collect();
            let text = proposed_suite(&[query], &editions)?;
            Ok(json!({ "text": text }))
        }
        Request::Issue { agent, url, link } => {
            Ok(json!({ "text": issue(file, &agent, &url, link.as_deref())? }))
        }
    });
    response.unwrap_or_else(|error| json!({ "error": error })).to_string().into_bytes()
}

/// Splits a request into its JSON and the file.
fn read(request: &[u8]) -> Result<(Request, &[u8]), String> {
    let end = request.iter().position(|&byte| byte == b'\n').ok_or("the request has no line end")?;
    let (line, file) = (&request[..end], &request[end + 1..]);
    Ok((serde_json::from_slice(line).map_err(|error| format!("the request is wrong: {error}"))?, file))
}
