//! Records to groups (RFC 9309 2.1, 2.2.1; Google, "Grouping of lines and rules").

use super::agents::{Name, name};
use super::lines::Record;
use super::questions::{Answer, Question::*};
use super::readings::Reading;

/// The names of some crawlers and the rules for them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Group {
    pub names: Vec<Name>,
    pub rules: Vec<Rule>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    pub allows: bool,
    /// What the path stands for.
    pub pattern: Vec<u8>,
    /// The path in the file.
    pub written: Vec<u8>,
    /// Whether it prevails over every other rule.
    pub is_extension: bool,
}

/// Returns the groups of a file in a reading.
pub fn groups(records: &[Record], reading: &mut Reading) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut is_in_names = false;
    for record in records {
        match record {
            Record::UserAgent(value) => {
                let Some(name) = name(value, reading) else {
                    is_in_names = is_in_names && (!value.is_empty() || is_transparent(reading));
                    continue;
                };
                if !is_in_names {
                    groups.push(Group::default());
                }
                groups.last_mut().expect("a group").names.push(name);
                is_in_names = true;
            }
            // The grammar of RFC 9309, to which google-2026 refers, derives a rule without a path.
            Record::Rule { path, .. } if path.is_empty() => is_in_names = false,
            Record::Rule { allows, path } => {
                let Some(pattern) = pattern(path, reading) else { continue };
                is_in_names = false;
                // A rule before the first group is ignored.
                if let Some(group) = groups.last_mut() {
                    group.rules.push(Rule {
                        allows: *allows,
                        pattern,
                        written: path.clone(),
                        is_extension: false,
                    });
                }
            }
            Record::Extension(path) => {
                let Some(pattern) = pattern(path, reading) else { continue };
                if let Some(group) = groups.last_mut() {
                    group.rules.push(Rule {
                        allows: false,
                        pattern,
                        written: path.clone(),
                        is_extension: true,
                    });
                }
            }
            Record::Invalid => is_in_names = is_in_names && is_transparent(reading),
            Record::Sitemap(_) => {}
        }
    }
    groups
}

/// Returns whether user-agent lines before and after a line that is no record share a group.
fn is_transparent(reading: &mut Reading) -> bool {
    reading.ask(InvalidBetweenAgents) == Answer::Transparent
}

/// Returns what a path stands for; `None` where the line is not valid.
fn pattern(path: &[u8], reading: &mut Reading) -> Option<Vec<u8>> {
    let answer = match path[0] {
        b'/' => Answer::Literal,
        b'*' => reading.ask(LeadingStar),
        _ => reading.ask(LeadingSlash),
    };
    match answer {
        Answer::Literal => Some(path.to_vec()),
        Answer::AssumeSlash => Some([b"/", path].concat()),
        _ => None,
    }
}
