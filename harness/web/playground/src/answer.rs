//! The answers of every edition, as the page shows them.

use robotspec_reference::{AgentRules, Edition, RobotsTxt, Ruling};
use robotspec_text::remark::{about_agent, about_file};
use robotspec_text::visible;
use serde::Serialize;

use crate::group::{Group, groups};
use crate::lint::{Lint, lint};
use crate::place::Places;

/// What the page shows about a file, an agent and URLs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// For each URL, in their order, the rulings.
    pub urls: Vec<UrlAnswer>,
    /// The answers about the selected URL, with reasons. Empty where it is not a URL.
    pub groups: Vec<Group>,
    /// What is odd about the agent and the file.
    pub remarks: Vec<String>,
    /// The file compared with the grammar.
    pub lint: Lint,
    /// The number of lines of the file.
    pub lines: usize,
    /// The number of the first line in each row of the text field, where it is not the number of the row.
    pub first_lines: Option<Vec<usize>>,
}

/// The rulings about a URL.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum UrlAnswer {
    /// The ruling of each edition, in their order.
    Rulings([Ruling; Edition::ALL.len()]),
    /// The text is not a URL.
    NotAUrl {
        /// Why not.
        error: String,
    },
}

/// Returns what the page shows.
pub fn answer(file: &[u8], agent: &str, urls: &[String], selected: usize, edition: Edition) -> Answer {
    let robots = RobotsTxt::parse(file);
    let places = Places::new(file);
    let explained = urls.get(selected).and_then(|url| groups(&robots, &places, agent, url).ok());
    let groups = explained.unwrap_or_default();
    // With one URL, which is usual, the reasons contain all rulings.
    let rules: Vec<AgentRules> = match urls {
        [_] if !groups.is_empty() => Vec::new(),
        _ => Edition::ALL.iter().map(|&edition| robots.for_agent(edition, agent)).collect(),
    };
    let of_url = |(place, url): (usize, &String)| {
        if place == selected && !groups.is_empty() {
            return UrlAnswer::Rulings(Edition::ALL.map(|edition| ruling_in(&groups, edition)));
        }
        let rulings: Result<Vec<Ruling>, _> = rules.iter().map(|rules| rules.ruling(url)).collect();
        match rulings.map(<[Ruling; Edition::ALL.len()]>::try_from) {
            Ok(Ok(rulings)) => UrlAnswer::Rulings(rulings),
            Ok(Err(_)) => UrlAnswer::NotAUrl { error: "there is no answer".to_owned() },
            Err(error) => UrlAnswer::NotAUrl { error: visible(&error.to_string()) },
        }
    };
    Answer {
        urls: urls.iter().enumerate().map(|(place, url)| of_url((place, url))).collect(),
        remarks: about_agent(agent, file).into_iter().chain(about_file(file).map(str::to_owned)).collect(),
        lint: lint(file, &places, edition),
        lines: places.count(),
        first_lines: places.first_lines(),
        groups,
    }
}

/// Returns the ruling of an edition.
fn ruling_in(groups: &[Group], edition: Edition) -> Ruling {
    let group = groups.iter().find(|group| group.editions.contains(&edition));
    group.map_or(Ruling::Unspecified, |group| group.ruling)
}
