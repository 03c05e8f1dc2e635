//! What an agent and a URL bring into play, and how the file decides about them.

use robotspec_reference::{DecidedBy, Decision, Prevails, RuleCitation, WhichGroups, split_lines};

use super::Features;
use super::file::of_octets;

pub(super) fn of_url(features: &mut Features, url: &str, rules: &[&[u8]]) {
    let path = path_of(url);
    of_octets(features, path.as_bytes());
    if !path.starts_with('/') {
        features.add("M-root");
    }
    if path == "/robots.txt" {
        features.add("M-robots-txt");
    }
    if url.contains('#') {
        features.add("M-query");
    }
    let differs_in_case = |rule: &&[u8]| {
        let start = path.as_bytes().get(..rule.len());
        start.is_some_and(|start| start != *rule && start.eq_ignore_ascii_case(rule))
    };
    if rules.iter().any(differs_in_case) {
        features.add("M-case");
    }
}

/// The path as it is written, which may be empty, and what follows it.
pub(crate) fn path_of(url: &str) -> &str {
    let authority = url.find("://").map_or(0, |at| at + 3);
    url[authority..].find(['/', '?', '#']).map_or("", |end| &url[authority + end..])
}

/// How the names in the file stand to the crawler that asks.
pub(super) fn of_agents(features: &mut Features, file: &[u8], agent: &str) {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for line in split_lines(file).take(2000) {
        let text = line.text.split(|&octet| octet == b'#').next().unwrap_or_default().trim_ascii();
        let Some(colon) = text.iter().position(|&octet| octet == b':') else { continue };
        if text[..colon].trim_ascii().eq_ignore_ascii_case(b"user-agent") {
            names.push(text[colon + 1..].trim_ascii().to_vec());
        }
    }
    for (index, name) in names.iter().enumerate() {
        if names[..index].iter().any(|earlier| earlier.eq_ignore_ascii_case(name)) {
            features.add("G-merge");
        }
        if name.eq_ignore_ascii_case(agent.as_bytes()) {
            if name != agent.as_bytes() {
                features.add("A-case");
            }
            features.add("A-one");
        } else if name == b"*" {
            features.add("A-star");
        } else {
            let starts = |a: &[u8], b: &[u8]| {
                !a.is_empty() && b.len() > a.len() && b[..a.len()].eq_ignore_ascii_case(a)
            };
            if starts(name, agent.as_bytes()) || starts(agent.as_bytes(), name) {
                features.add("A-specific");
            }
        }
    }
    if names.len() > 1 {
        features.add("G-merge-alone");
        features.add("G-end");
    }
    if agent.len() >= 6 && agent[..6].eq_ignore_ascii_case("adsbot") {
        features.add("A-adsbot");
    }
}

pub(super) fn of_decision(features: &mut Features, decision: &Decision) {
    match decision.groups {
        WhichGroups::None => features.add("A-none"),
        WhichGroups::Star => features.add("A-star"),
        WhichGroups::Named => features.add("A-one"),
    }
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
            if has_wildcard(rule) && over.is_some() || over.as_ref().is_some_and(has_wildcard) {
                features.add("O-wildcard");
            }
            match why {
                Prevails::Alone => {}
                Prevails::Longest => features.add("O-longest"),
                Prevails::EqualLength => features.add("O-tie"),
                Prevails::Wildcard => features.add("O-wildcard"),
            }
        }
    }
}

pub(super) fn of_wildcards(features: &mut Features, path: &[u8]) {
    let trailing = path.iter().rev().take_while(|&&octet| octet == b'*').count();
    if trailing > 0 {
        features.add("M-trailing-star");
    }
    if path[..path.len() - trailing].contains(&b'*') {
        features.add("M-star");
    }
    if path.contains(&b'$') {
        features.add("M-dollar");
    }
}
