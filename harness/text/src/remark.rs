//! Remarks about an agent that is no product token, and about a file that is odd as a whole.

use robotspec_reference::bytes::is_token_byte;
use robotspec_reference::scan::{Field, LineKind};
use robotspec_reference::split_lines;

use crate::visible;

/// The ends of the tokens of crawlers, in small letters.
const ENDS: [&str; 3] = ["bot", "spider", "crawler"];

/// The tokens of a header that browsers and crawlers share.
const OF_BROWSERS: [&str; 2] = ["Mozilla", "compatible"];

/// Returns what is wrong with an agent that is no product token (RFC 9309, 2.2.1), with the token that may be meant.
pub fn about_agent(agent: &str, file: &[u8]) -> Option<String> {
    if !agent.is_empty() && agent.bytes().all(is_token_byte) {
        return None;
    }
    Some(match agent {
        "" => "the agent is empty, so that it is no product token".to_owned(),
        "*" => "the agent `*` is no product token: a group with this name is for all agents that no other group names"
            .to_owned(),
        _ => {
            let meant = meant_token(agent, file);
            let question = meant.map(|token| format!("; did you mean `{token}`?")).unwrap_or_default();
            format!("the agent `{}` is no product token{question}", visible(agent))
        }
    })
}

/// Returns what is odd about a file as a whole.
pub fn about_file(file: &[u8]) -> Option<&'static str> {
    if file.starts_with("\u{FEFF}".as_bytes()) {
        Some("the file starts with a byte order mark, which some parsers read as a part of the first line")
    } else if is_html(file) {
        Some(
            "this is an HTML page and not a robots.txt, such as a server sends for a page that does not exist",
        )
    } else {
        None
    }
}

/// Returns whether a file starts as an HTML page does.
pub(crate) fn is_html(file: &[u8]) -> bool {
    let text = file.trim_ascii_start();
    ["<!doctype", "<html"].iter().any(|start| {
        text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// Returns the token that a header may stand for: one that the file names, or else one that ends like those of crawlers,
/// or else the first.
fn meant_token<'a>(agent: &'a str, file: &[u8]) -> Option<&'a str> {
    let is_other = |c: char| !u8::try_from(c).is_ok_and(is_token_byte);
    let is_possible = |token: &&str| token.len() > 1 && !OF_BROWSERS.contains(token);
    let tokens: Vec<&str> = agent.split(is_other).filter(is_possible).collect();
    let lines = split_lines(file).map(|line| line.parts());
    let agents = lines.filter(|parts| parts.kind() == LineKind::Known(Field::UserAgent));
    let names: Vec<&[u8]> = agents.map(|parts| parts.value.text).collect();
    let is_named = |token: &&str| names.iter().any(|name| name.eq_ignore_ascii_case(token.as_bytes()));
    let is_crawler = |token: &&str| ENDS.iter().any(|end| token.to_ascii_lowercase().ends_with(end));
    let mut of_last = tokens.iter().copied().rev();
    of_last.clone().find(is_named).or_else(|| of_last.find(is_crawler)).or(tokens.first().copied())
}
