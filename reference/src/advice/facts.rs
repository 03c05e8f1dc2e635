//! What the advice about a file is derived from: its groups as they are written, agents and paths.

use std::collections::BTreeSet;

use super::Example;
use super::groups::{Group, read_groups};
use crate::edition::Edition;
use crate::reading::Reading;
use crate::ruling::{Decision, RobotsTxt, Ruling};
use crate::witness::path_of;

/// The agent that stands for all agents that a file does not name.
pub(super) const ORDINARY: &str = "ExampleBot";

/// The number of agents and of paths about which there are queries, at most. They bound the time for a large file.
const AGENTS: usize = 40;
const PATHS: usize = 200;

/// A file and its parts.
pub(super) struct Facts<'f> {
    pub(super) file: &'f [u8],
    pub(super) edition: Edition,
    pub(super) robots: RobotsTxt<'f>,
    /// The groups as they are written, in their order.
    pub(super) groups: Vec<Group>,
    /// The names that are product tokens, in small letters.
    pub(super) agents: Vec<String>,
    /// The root, and a path for each of some rules.
    pub(super) paths: Vec<String>,
}

impl<'f> Facts<'f> {
    pub(super) fn new(file: &'f [u8], edition: Edition) -> Self {
        let groups = read_groups(file);
        let names = groups.iter().flat_map(|group| &group.names);
        let agents = spread(
            unique(names.filter(|name| name.is_token()).map(|name| name.text.to_ascii_lowercase())),
            AGENTS,
        );
        let rules = groups.iter().flat_map(|group| &group.rules);
        let paths = spread(unique(rules.filter_map(|rule| path_of(&rule.path))), PATHS);
        let paths = [vec!["/".to_owned()], paths].concat();
        Facts { file, edition, robots: RobotsTxt::parse(file), groups, agents, paths }
    }

    /// Returns the groups that name an agent, or `*`.
    pub(super) fn groups_of(&self, agent: &str) -> Vec<&Group> {
        self.groups.iter().filter(|group| group.names.iter().any(|name| name.is(agent))).collect()
    }

    /// Returns a path for each rule of these groups that has a path, with the line of the rule.
    pub(super) fn paths_of(groups: &[&Group]) -> Vec<(usize, String)> {
        let rules = groups.iter().flat_map(|group| &group.rules);
        spread(rules.filter_map(|rule| Some((rule.line, path_of(&rule.path)?))).collect(), PATHS)
    }

    /// Returns the rulings about an agent and some paths. A path is always a URL.
    pub(super) fn rulings<'p>(&self, agent: &str, paths: impl IntoIterator<Item = &'p str>) -> Vec<Ruling> {
        let rules = self.robots.for_agent(self.edition, agent);
        paths.into_iter().map(|path| rules.ruling(path).unwrap_or(Ruling::Unspecified)).collect()
    }

    /// Returns the decision of the plainest reading about a query.
    pub(super) fn decision(&self, agent: &str, path: &str) -> Option<Decision> {
        self.robots.decide(&Reading::plainest(self.edition), agent, path).ok()
    }

    /// Returns the rulings of a file that has only these groups, which an agent obeys.
    pub(super) fn rulings_of(&self, groups: &[&Group], paths: &[(usize, String)]) -> Vec<Ruling> {
        let mut file = format!("user-agent: {ORDINARY}\n");
        for rule in groups.iter().flat_map(|group| &group.rules) {
            file += &format!("{}: {}\n", rule.kind.field(), rule.path);
        }
        let robots = RobotsTxt::parse(file.as_bytes());
        let rules = robots.for_agent(self.edition, ORDINARY);
        paths.iter().map(|(_, path)| rules.ruling(path).unwrap_or(Ruling::Unspecified)).collect()
    }
}

/// Returns an example.
pub(super) fn example(agent: &str, path: &str) -> Option<Example> {
    Some(Example { agent: agent.to_owned(), path: path.to_owned() })
}

/// Removes repetitions.
fn unique(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    texts.filter(|text| seen.insert(text.clone())).collect()
}

/// Returns some of the items, from the whole list.
fn spread<T>(items: Vec<T>, count: usize) -> Vec<T> {
    let step = items.len().div_ceil(count).max(1);
    items.into_iter().step_by(step).collect()
}
