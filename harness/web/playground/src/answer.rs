//! The answers of every edition, as the page shows them.

use robotspec_reference::{AgentRules, Edition, RobotsTxt, Ruling};
use robotspec_text::remark::about_agent;
use robotspec_text::visible;
use serde_json::{Value, json};

use crate::group::groups;
use crate::place::Places;

/// Returns what the page shows about a file, an agent and URLs, with the reasons for one of the URLs.
pub fn answer(file: &[u8], agent: &str, urls: &[String], selected: usize) -> Value {
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
