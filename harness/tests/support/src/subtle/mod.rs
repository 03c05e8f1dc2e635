//! Parsers that are right nearly always: their mistakes show only with certain sizes, at certain places, in rare texts or
//! after certain queries.
//!
//! Each is the sound [`FaultyParser`] with one change.

mod confusion;
mod count;
mod memory;
mod pattern;
mod place;
mod record;
mod scope;
mod sitemap;
mod text;
mod url;

use robotspec::{Fault, Governs, Info, MatchQuery, Parser, Verdict};

use crate::faulty::FaultyParser;
use crate::faulty::parser::Rule;
use crate::faulty::path::{allows, is_robots_txt, matches, normalise, path_of};
use confusion::{Side, confuse};
use memory::Memory;
use robotspec_cases::confusion::Confusion;

/// A mistake that most inputs do not show.
#[derive(Clone, Copy)]
pub struct Subtle {
    /// The mistake in a few words.
    pub name: &'static str,
    /// The family that it belongs to.
    pub family: Family,
    change: Change,
}

/// The families of subtle mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Answers that depend on earlier queries.
    State,
    /// Limits of lengths and counts.
    Count,
    /// Texts at multiples of the size of a buffer.
    Place,
    /// Wildcards and precedence.
    Pattern,
    /// Encodings and characters.
    Text,
    /// URLs.
    Url,
    /// Texts that are taken for others.
    Confusion,
    /// Other records, comments and lists of other formats, and groups.
    Record,
    /// Which robots.txt governs a URL.
    Scope,
    /// Sitemaps.
    Sitemap,
}

/// What a mistake changes.
#[derive(Clone, Copy)]
enum Change {
    /// The file, before it is parsed.
    File(fn(&[u8]) -> Vec<u8>),
    /// The agent of a query.
    Agent(fn(&str) -> String),
    /// A text, which is taken for another.
    Confuse(Side, &'static Confusion),
    /// The URL of a query.
    Url(fn(&str) -> String),
    /// The rules that apply.
    Rules(fn(Vec<Rule>) -> Vec<Rule>),
    /// Whether a path pattern matches a path, both in their normal form.
    Match(fn(&[u8], &[u8]) -> bool),
    /// The length of a path pattern.
    Length(fn(usize) -> usize),
    /// Whether the rule prevails that comes later among those of the same length, which is not empty.
    Later(bool),
    /// The answer to a query, with a memory of the queries before.
    Answer(fn(&mut Memory, &[u8], &MatchQuery) -> Result<bool, Fault>),
    /// Both URLs of a scope query.
    Scope(fn(&str) -> String),
    /// Whether a robots.txt governs a URL, where they have these authorities.
    Authorities(fn(&str, &str) -> bool),
    /// The sitemaps of a file.
    Sitemaps(fn(Vec<String>) -> Vec<String>),
}

/// Returns every subtle mistake.
pub fn mistakes() -> Vec<Subtle> {
    let families = [
        (Family::State, memory::MISTAKES),
        (Family::Count, count::MISTAKES),
        (Family::Place, place::MISTAKES),
        (Family::Pattern, pattern::MISTAKES),
        (Family::Text, text::MISTAKES),
        (Family::Url, url::MISTAKES),
        (Family::Record, record::MISTAKES),
        (Family::Scope, scope::MISTAKES),
        (Family::Sitemap, sitemap::MISTAKES),
    ];
    let of_family = |(family, mistakes): (Family, &'static [(&'static str, Change)])| {
        mistakes.iter().map(move |&(name, change)| Subtle { name, family, change })
    };
    let family = Family::Confusion;
    let confusions = confusion::mistakes().into_iter().map(|(name, change)| Subtle { name, family, change });
    families.into_iter().flat_map(of_family).chain(confusions).collect()
}

/// The parser with one mistake.
pub struct SubtleParser {
    subtle: Subtle,
    sound: FaultyParser,
    memory: Memory,
}

impl SubtleParser {
    /// Makes a parser with this mistake.
    pub fn new(subtle: Subtle) -> Self {
        SubtleParser { subtle, sound: FaultyParser::sound(), memory: Memory::default() }
    }

    fn rules(&self, robots: &[u8], agent: &str) -> Vec<Rule> {
        match self.subtle.change {
            Change::File(change) => self.sound.rules(&change(robots), agent),
            Change::Agent(change) => self.sound.rules(robots, &change(agent)),
            Change::Rules(change) => change(self.sound.rules(robots, agent)),
            Change::Confuse(Side::Rule | Side::Both, confusion) => {
                let rules = self.sound.rules(robots, agent).into_iter();
                rules.map(|(is_allow, path)| (is_allow, confuse(&path, confusion))).collect()
            }
            _ => self.sound.rules(robots, agent),
        }
    }

    fn allows(&self, rules: &[Rule], url: &str) -> bool {
        let identity = |length| length;
        let is_match: fn(&[u8], &[u8]) -> bool = is_match;
        match self.subtle.change {
            Change::Url(change) => allows(&self.sound, rules, &change(url)),
            Change::Confuse(Side::Url | Side::Both, confusion) => {
                let confused = confuse(url.as_bytes(), confusion);
                allows(&self.sound, rules, &String::from_utf8_lossy(&confused))
            }
            Change::Match(is_match) => decide(rules, url, is_match, identity, None),
            Change::Length(length) => decide(rules, url, is_match, length, None),
            Change::Later(is_later) => decide(rules, url, is_match, identity, Some(is_later)),
            _ => allows(&self.sound, rules, url),
        }
    }
}

/// Returns whether a path pattern matches a path, both in their normal form.
fn is_match(pattern: &[u8], path: &[u8]) -> bool {
    matches(&FaultyParser::sound(), pattern, path)
}

/// Returns whether rules allow a URL.
fn decide(
    rules: &[Rule],
    url: &str,
    is_match: fn(&[u8], &[u8]) -> bool,
    length: fn(usize) -> usize,
    is_later: Option<bool>,
) -> bool {
    let sound = FaultyParser::sound();
    let mut path = path_of(url);
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    if is_robots_txt(&path) {
        return true;
    }
    let path = normalise(&sound, path.as_bytes(), false);
    let matching: Vec<(bool, usize)> = rules
        .iter()
        .filter(|rule| is_match(&normalise(&sound, &rule.1, true), &path))
        .map(|rule| (rule.0, length(rule.1.len())))
        .collect();
    let Some(longest) = matching.iter().map(|rule| rule.1).max() else { return true };
    let mut longest = matching.iter().filter(|rule| rule.1 == longest).map(|rule| rule.0);
    match is_later {
        None => longest.any(|is_allow| is_allow),
        Some(true) => longest.next_back().is_none_or(|is_allow| is_allow),
        Some(false) => longest.next().is_none_or(|is_allow| is_allow),
    }
}

impl Parser for SubtleParser {
    fn info(&self) -> Info {
        Info::named(self.subtle.name)
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        if let Change::Answer(answer) = self.subtle.change {
            let answer = |query| answer(&mut self.memory, robots, query).map(Verdict::from);
            return queries.iter().map(answer).collect();
        }
        let mut verdicts = Vec::new();
        for queries in queries.chunk_by(|a, b| a.agent == b.agent) {
            let rules = self.rules(robots, queries[0].agent);
            verdicts.extend(queries.iter().map(|query| Verdict::from(self.allows(&rules, query.url))));
        }
        Ok(verdicts)
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        match self.subtle.change {
            Change::File(change) => self.sound.sitemaps(&change(robots)),
            Change::Sitemaps(change) => self.sound.sitemaps(robots).map(change),
            _ => self.sound.sitemaps(robots),
        }
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        match self.subtle.change {
            Change::Scope(change) => self.sound.scope(&change(robots_url), &change(url)),
            Change::Authorities(governs) => {
                let [of_robots, of_url] = [robots_url, url].map(scope::authority);
                Ok(match self.sound.scope(robots_url, url)? {
                    Governs::Yes => Governs::Yes,
                    _ if governs(of_robots, of_url) && robots_url.ends_with("/robots.txt") => Governs::Yes,
                    other => other,
                })
            }
            _ => self.sound.scope(robots_url, url),
        }
    }
}
