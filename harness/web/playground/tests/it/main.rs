//! Tests of the playground: the responses to requests, and the page in a browser.

mod browser;
mod copies;
mod exports;
mod page;
mod responses;

use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Query, checks};
use robotspec_playground::request::Request;
use robotspec_playground::respond;
use serde_json::Value;

/// A row of the suites that asks whether an agent may fetch a URL.
struct MatchRow {
    check: Check,
    robots: Vec<u8>,
    agent: String,
    url: String,
}

/// Returns every row of this kind.
fn match_rows() -> Vec<MatchRow> {
    let all = checks(built_in().expect("the suites are correct"), false);
    let rows = all.into_iter().filter_map(|check| match check.query.clone() {
        Query::Match { robots, agent, url } => Some(MatchRow { check, robots: robots.to_vec(), agent, url }),
        _ => None,
    });
    let rows: Vec<MatchRow> = rows.collect();
    assert!(rows.len() > 500, "{}", rows.len());
    rows
}

/// Writes a request.
fn written(request: &Request, file: &[u8]) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(request).expect("JSON");
    bytes.push(b'\n');
    bytes.extend_from_slice(file);
    bytes
}

/// Returns the response to a request.
fn response(request: &Request, file: &[u8]) -> Value {
    serde_json::from_slice(&respond(&written(request, file))).expect("JSON")
}

/// Returns the response to a request for the answers about URLs.
fn ask(file: &[u8], agent: &str, urls: &[&str], selected: usize) -> Value {
    let urls = urls.iter().map(|url| (*url).to_owned()).collect();
    response(&Request::Answer { agent: agent.to_owned(), urls, selected }, file)
}
