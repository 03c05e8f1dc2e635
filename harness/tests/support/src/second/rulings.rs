//! The ruling of an edition: what all of its readings say.

use std::collections::HashMap;

use robotspec_reference::{Edition, Ruling};

use super::agents::rules;
use super::groups::{Group, Rule, groups};
use super::lines::{Record, records};
use super::paths::{Target, has_wildcard, matches, names_robots_txt};
use super::precedence::allows;
use super::questions::{Answer, Question};
use super::readings::{Reading, for_each_reading};

/// The most readings of one chapter. Files that are full of oddities have more; they are left out.
const MOST_READINGS: usize = 2000;

/// The most forms that the groups of a file may have.
const MOST_FORMS: usize = 100;

/// Something that differs from reading to reading, and an example of a reading for each form.
type Forms<T> = Vec<(T, Example)>;

/// The answers of a reading that matter.
pub type Example = Vec<(Question, Answer)>;

/// The groups of a file in each reading.
pub struct File {
    edition: Edition,
    forms: Forms<Vec<Group>>,
}

/// The ruling, and for each verdict a reading that gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruled {
    pub ruling: Ruling,
    pub allowing: Option<Example>,
    pub disallowing: Option<Example>,
}

/// Evaluates in every reading, and returns the results that differ. `None` where there are too many readings.
fn forms<T: Clone + Eq + std::hash::Hash>(
    edition: Edition,
    mut evaluate: impl FnMut(&mut Reading) -> T,
) -> Option<Forms<T>> {
    let mut places: HashMap<T, Example> = HashMap::new();
    let is_complete = for_each_reading(edition, MOST_READINGS, |reading| {
        let result = evaluate(reading);
        places.entry(result).or_insert_with(|| reading.asked().to_vec());
        true
    });
    is_complete.then(|| places.into_iter().collect())
}

impl File {
    /// Reads a file in every reading. `None` where there are too many.
    pub fn read(edition: Edition, robots: &[u8]) -> Option<File> {
        let forms = forms(edition, |reading| groups(&records(robots, reading), reading))?;
        Some(File { edition, forms })
    }

    /// Returns the ruling about an agent and a URL. `None` where there are too many readings.
    pub fn ruling(&self, agent: &str, url: &str) -> Option<Ruled> {
        let target = Target::of(url);
        let mut rules_of: HashMap<Vec<Rule>, Example> = HashMap::new();
        if self.forms.len() > MOST_FORMS {
            return None;
        }
        for (groups, example) in &self.forms {
            for (rules, further) in forms(self.edition, |reading| rules(groups, agent, reading))? {
                rules_of.entry(rules).or_insert_with(|| [&example[..], &further].concat());
            }
        }
        let (mut allowing, mut disallowing) = (None, None);
        let mut left = MOST_READINGS;
        for (rules, example) in &rules_of {
            let is_complete = for_each_reading(self.edition, left, |reading| {
                left -= 1;
                let verdict = if verdict(rules, &target, reading) { &mut allowing } else { &mut disallowing };
                verdict.get_or_insert_with(|| [example, reading.asked()].concat());
                allowing.is_none() || disallowing.is_none()
            });
            if !is_complete {
                return None;
            }
        }
        let ruling = match (&allowing, &disallowing) {
            (Some(_), Some(_)) => Ruling::Unspecified,
            (Some(_), None) => Ruling::Allow,
            _ => Ruling::Disallow,
        };
        Some(Ruled { ruling, allowing, disallowing })
    }
}

/// Returns whether these rules allow a target.
fn verdict(rules: &[Rule], target: &Target, reading: &mut Reading) -> bool {
    if target.is_broken() {
        match reading.ask(Question::BrokenEscape) {
            Answer::Allow => return true,
            Answer::Disallow => return false,
            _ => {}
        }
    }
    let is_robots_txt = target.is_robots_txt(reading);
    let has_wildcards = rules.iter().any(|rule| has_wildcard(&rule.pattern));
    let matching: Vec<&Rule> =
        rules.iter().filter(|rule| matches(rule, target, has_wildcards, reading)).collect();
    if is_robots_txt {
        // RFC 9309: "implicitly allowed", except perhaps against an explicit rule.
        let may_be_ruled = reading.edition != Edition::Rfc9309
            || matching.iter().any(|rule| names_robots_txt(&rule.pattern, reading));
        if !may_be_ruled || reading.ask(Question::RobotsTxtItself) == Answer::Allow {
            return true;
        }
    }
    allows(&matching, reading)
}

/// Returns whether a file with these groups allows a URL in one reading.
pub fn allows_in(groups: &[Group], agent: &str, url: &str, reading: &mut Reading) -> bool {
    verdict(&rules(groups, agent, reading), &Target::of(url), reading)
}

/// Returns the groups of a file in one reading.
pub fn groups_in(robots: &[u8], reading: &mut Reading) -> Vec<Group> {
    groups(&records(robots, reading), reading)
}

/// Returns the sitemaps that a file names in one reading.
pub fn sitemaps(robots: &[u8], reading: &mut Reading) -> Vec<String> {
    let values = records(robots, reading).into_iter().filter_map(|record| match record {
        Record::Sitemap(url) => Some(String::from_utf8_lossy(&url).into_owned()),
        _ => None,
    });
    values.collect()
}
