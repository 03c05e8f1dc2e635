//! Requests of the page and their responses.

use robotspec_cases::Query;
use robotspec_cases::suite::write_case::proposed_suite;
use robotspec_reference::grammar::has_grammar;
use robotspec_reference::{AgentRules, Edition, RobotsTxt, Ruling};
use robotspec_text::lint::{Finding, Severity, lint as find};
use robotspec_text::remark::about_agent;
use robotspec_text::visible;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::group::groups;
use crate::issue::issue;
use crate::place::Places;

/// The number of findings that are listed, and of lines of each. All findings are counted.
const LISTED: usize = 1000;

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

/// Returns what the page shows about a file, an agent and URLs, with the reasons for one of the URLs.
fn answer(file: &[u8], agent: &str, urls: &[String], selected: usize) -> Value {
    let robots = RobotsTxt::parse(file);
    let places = Places::new(file);
    let explained = urls.get(selected).and_then(|url| groups(&robots, &places, agent, url).ok());
    let rules: Vec<AgentRules> =
        Edition::ALL.iter().map(|&edition| robots.for_agent(edition, agent)).collect();
    let rulings = |url: &String| {
        let rulings: Result<Vec<Ruling>, _> = rules.iter().map(|rules| rules.ruling(url)).collect();
        match rulings {
            Ok(rulings) => json!(rulings),
            Err(error) => json!({ "error": visible(&error.to_string()) }),
        }
    };
    json!({
        // For each URL, the ruling of each edition, or why it is none.
        "urls": urls.iter().map(rulings).collect::<Vec<_>>(),
        // The answers about the selected URL. Empty where it is not a URL.
        "groups": explained.unwrap_or_default(),
        // What is odd about the agent.
        "remarks": about_agent(agent, file).into_iter().collect::<Vec<_>>(),
        "lines": places.count(),
        "firstLines": places.first_lines(),
    })
}

/// Returns what an edition makes of lines that seem to do something else.
fn lint(file: &[u8], edition: Edition) -> Value {
    let places = Places::new(file);
    let findings = find(edition, file);
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let shown = |Finding { severity, lines, message, .. }: &Finding| {
        let lines = lines.iter().take(LISTED).filter_map(|line| places.shown(*line));
        json!({ "kind": severity, "reason": message, "lines": lines.collect::<Vec<_>>() })
    };
    json!({
        "edition": edition,
        "hasGrammar": has_grammar(edition),
        "errors": count(Severity::Error),
        "warnings": count(Severity::Warning),
        "notes": count(Severity::Note),
        // The first of these.
        "findings": findings.iter().take(LISTED).map(shown).collect::<Vec<_>>(),
    })
}
