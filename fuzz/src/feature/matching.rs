//! Features of an agent and a URL, and of the decision about them.

use std::collections::HashSet;

use robotspec_reference::bytes::is_token_byte;
use robotspec_reference::scan::Field;
use robotspec_reference::{DecidedBy, Decision, Prevails, RuleCitation, UrlParts, WhichGroups, split_lines};

use super::path::add_bytes;
use super::set::Features;

/// Adds the features of a URL. `paths` are those of the rules.
pub(super) fn add_url(features: &mut Features, url: &str, paths: &[&[u8]]) {
    let parts = UrlParts::split(url);
    let path = parts.from_path().as_bytes();
    add_bytes(features, path);
    if !path.starts_with(b"/") {
        features.add("M-root");
    }
    if path == b"/robots.txt" {
        features.add("M-robots-txt");
    }
    if parts.fragment().is_some() {
        features.add("M-query");
    }
    let differs_in_case = |rule: &&[u8]| {
        let start = path.get(..rule.len());
        start.is_some_and(|start| start != *rule && start.eq_ignore_ascii_case(rule))
    };
    if paths.iter().any(differs_in_case) {
        features.add("M-case");
    }
}

/// Adds the relations between the names in the file and the agent of the query.
pub(super) fn add_agents(features: &mut Features, file: &[u8], agent: &str) {
    let parts = split_lines(file).map(|line| line.parts());
    let names =
        parts.filter(|parts| parts.known_field() == Some(Field::UserAgent)).map(|parts| parts.value.text);
    let (mut known, mut count) = (HashSet::new(), 0);
    let is_start =
        |a: &[u8], b: &[u8]| !a.is_empty() && b.len() > a.len() && b[..a.len()].eq_ignore_ascii_case(a);
    for name in names {
        count += 1;
        if !known.insert(name.to_ascii_lowercase()) {
            features.add("G-merge");
        }
        if name.eq_ignore_ascii_case(agent.as_bytes()) {
            if name != agent.as_bytes() {
                features.add("A-case");
            }
            features.add("A-one");
        } else if name == b"*" {
            features.add("A-star");
        } else if is_start(name, agent.as_bytes()) || is_start(agent.as_bytes(), name) {
            features.add("A-specific");
        }
    }
    if count > 1 {
        features.add("G-merge-alone");
        features.add("G-end");
    }
    if !agent.bytes().all(is_token_byte) {
        features.add("A-token");
    }
    if agent.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("adsbot")) {
        features.add("A-adsbot");
    }
}

/// Adds the features of the decision in the plainest reading.
pub(super) fn add_decision(features: &mut Features, decision: &Decision) {
    features.add(match decision.groups {
        WhichGroups::None => "A-none",
        WhichGroups::Star => "A-star",
        WhichGroups::Named => "A-one",
    });
    match &decision.by {
        DecidedBy::Default => {
            features.add("M-default");
            features.add("M-prefix");
            features.add("M-first-octet");
        }
        DecidedBy::RobotsTxtItself => features.add("M-robots-txt"),
        DecidedBy::Rule { rule, over, why } => {
            features.add("M-prefix");
            let has_wildcard = |rule: &RuleCitation| rule.path.contains('*');
            if over.as_ref().is_some_and(|over| has_wildcard(rule) || has_wildcard(over)) {
                features.add("O-wildcard");
            }
            match why {
                Prevails::Alone => {}
                Prevails::Longest => features.add("O-longest"),
                Prevails::EqualLength => features.add("O-tie"),
                Prevails::First => features.add("O-first"),
                Prevails::Wildcard => features.add("O-wildcard"),
            }
        }
    }
}
