//! Which checks there are in messages.
//!
//! A message has what its own fields say and, where they say nothing, what those of the messages around it say. Where
//! all that makes a check is known, there is one.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::import::node::{Node, Said};
use crate::import::role::{Meaning, Role};

/// How many checks are taken: repeated agents and URLs are multiplied.
pub(super) const MOST_CHECKS: usize = 100_000;

/// A check as it was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) robots: Rc<[u8]>,
    pub(super) agent: Rc<str>,
    pub(super) url: Rc<str>,
    pub(super) is_allowed: bool,
    /// Those of each message down to this one.
    pub(super) labels: Rc<[Rc<Labels>]>,
    /// How many of these are about the file.
    pub(super) of_file: usize,
}

/// What a message is called, and what is said about it.
#[derive(Debug)]
pub(super) struct Labels {
    /// Its names, as part of an id.
    pub(super) slug: String,
    pub(super) notes: Vec<String>,
}

impl Labels {
    fn new(node: &Node) -> Self {
        let mut notes = Vec::new();
        let mut slugs = Vec::new();
        for name in node.names.iter().map(|said| &said.what) {
            let slug = slug(name);
            // What an id cannot hold is told otherwise.
            if !name.is_ascii() || slug.len() == LONGEST_SLUG {
                notes.push(name.clone());
            }
            slugs.extend((!slug.is_empty()).then_some(slug));
        }
        notes.extend(node.notes.iter().map(|said| said.what.clone()));
        Labels { slug: slug(&slugs.join("-")), notes }
    }
}

/// How much of a name becomes part of an id.
const LONGEST_SLUG: usize = 60;

/// A name as part of an id.
pub(super) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if slug.len() == LONGEST_SLUG {
            break;
        } else if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// What is known in a message: its own, or else of those around it.
#[derive(Debug, Clone, Default)]
struct Known {
    robots: Option<Said<Rc<[u8]>>>,
    agents: Rc<[Said<Rc<str>>]>,
    urls: Rc<[Said<Rc<str>>]>,
    expected: Option<Said<Meaning>>,
    labels: Vec<Rc<Labels>>,
    of_file: usize,
}

impl Known {
    /// With what a message within says.
    fn with(&self, node: &Node) -> Known {
        let mut known = self.clone();
        known.labels.push(Rc::new(Labels::new(node)));
        if node.robots.is_some() {
            known.robots.clone_from(&node.robots);
            known.of_file = known.labels.len();
        }
        if !node.agents.is_empty() {
            known.agents = node.agents.clone().into();
        }
        if !node.urls.is_empty() {
            known.urls = node.urls.clone().into();
        }
        if node.expected.is_some() {
            known.expected.clone_from(&node.expected);
        }
        known
    }

    fn lacks(&self) -> Vec<Role> {
        let lacks = |role: &Role| match role {
            Role::Robots => self.robots.is_none(),
            Role::Agent => self.agents.is_empty(),
            Role::Url => self.urls.is_empty(),
            Role::Expected => self.expected.is_none(),
            Role::Name | Role::Note | Role::Ignore => false,
        };
        Role::OF_A_CHECK.into_iter().filter(lacks).collect()
    }
}

/// Finds the checks of files.
#[derive(Debug, Default)]
pub(super) struct Finder {
    pub(super) found: Vec<Found>,
    /// How many checks are left out, as their outcome is to be ignored.
    pub(super) ignored: usize,
    /// Whether there are more than are taken.
    pub(super) has_too_many: bool,
    /// The numbers of the values that are part of a check.
    pub(super) used: HashSet<usize>,
    /// For the values of a message that is no check, what it lacks.
    pub(super) lacking: HashMap<usize, Vec<Role>>,
}

impl Finder {
    pub(super) fn file(&mut self, mut node: Node) {
        settle(&mut node, Has::default());
        self.find(&node, &Known::default());
    }

    /// Whether there is a check in a message.
    fn find(&mut self, node: &Node, around: &Known) -> bool {
        let known = around.with(node);
        let mut has_any = node.has().any() && self.message(node, &known);
        for (_, within) in &node.within {
            has_any |= self.find(within, &known);
        }
        if has_any {
            self.used.extend(node.names.iter().chain(&node.notes).map(|said| said.number));
        }
        has_any
    }

    fn message(&mut self, node: &Node, known: &Known) -> bool {
        let lacks = known.lacks();
        let (Some(robots), Some(expected), []) = (&known.robots, &known.expected, &lacks[..]) else {
            self.lacking.extend(node.numbers().map(|number| (number, lacks.clone())));
            return false;
        };
        let checks = known.agents.len().saturating_mul(known.urls.len());
        if checks.saturating_add(self.found.len() + self.ignored) > MOST_CHECKS {
            self.has_too_many = true;
            return true;
        }
        self.used.extend([robots.number, expected.number]);
        self.used.extend(known.agents.iter().chain(&*known.urls).map(|said| said.number));
        let is_allowed = match expected.what {
            Meaning::Allow => true,
            Meaning::Disallow => false,
            Meaning::Ignore => {
                self.ignored += checks;
                return true;
            }
        };
        let labels: Rc<[Rc<Labels>]> = known.labels.clone().into();
        // Where it has a file of its own, nothing is about the file alone.
        let of_file = if known.of_file == labels.len() { 0 } else { known.of_file };
        for agent in &*known.agents {
            self.found.extend(known.urls.iter().map(|url| Found {
                robots: Rc::clone(&robots.what),
                agent: Rc::clone(&agent.what),
                url: Rc::clone(&url.what),
                is_allowed,
                labels: Rc::clone(&labels),
                of_file,
            }));
        }
        true
    }
}

/// Which of robots, agent, url and expected are there.
#[derive(Debug, Clone, Copy, Default)]
struct Has([bool; 4]);

impl Has {
    fn any(self) -> bool {
        self.0.contains(&true)
    }

    fn all(self) -> bool {
        !self.0.contains(&false)
    }

    fn or(self, other: Has) -> Has {
        Has(std::array::from_fn(|role| self.0[role] || other.0[role]))
    }

    fn overlaps(self, other: Has) -> bool {
        (0..4).any(|role| self.0[role] && other.0[role])
    }
}

/// Moves what a message says into the one around it, where it stands there once and is no check by itself: such as a
/// message for the file beside those for the checks.
fn settle(node: &mut Node, around: Has) {
    let mut times: HashMap<String, usize> = HashMap::new();
    for (name, _) in &node.within {
        *times.entry(name.clone()).or_default() += 1;
    }
    let mut kept = Vec::new();
    for (name, mut within) in std::mem::take(&mut node.within) {
        let known = around.or(node.has());
        settle(&mut within, known);
        let has = within.has();
        let is_check = has.any() && known.or(has).all();
        if times[&name] == 1 && within.within.is_empty() && !is_check && !node.has().overlaps(has) {
            node.absorb(within);
        } else {
            kept.push((name, within));
        }
    }
    node.within = kept;
}

impl Node {
    fn has(&self) -> Has {
        let (robots, expected) = (self.robots.is_some(), self.expected.is_some());
        Has([robots, !self.agents.is_empty(), !self.urls.is_empty(), expected])
    }

    fn absorb(&mut self, part: Node) {
        self.robots = self.robots.take().or(part.robots);
        self.agents.extend(part.agents);
        self.urls.extend(part.urls);
        self.expected = self.expected.take().or(part.expected);
        self.names.extend(part.names);
        self.notes.extend(part.notes);
    }

    /// The numbers of the values that are part of a check.
    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let robots = self.robots.iter().map(|said| said.number);
        let texts = self.agents.iter().chain(&self.urls).map(|said| said.number);
        robots.chain(texts).chain(self.expected.iter().map(|said| said.number))
    }
}
