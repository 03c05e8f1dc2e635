//! The groups of a file as they are written.

use crate::bytes::is_token_byte;
use crate::scan::{Field, LineKind, RuleKind, split_lines};

/// A name on a user-agent line.
pub(super) struct Name {
    pub(super) line: usize,
    pub(super) text: String,
}

impl Name {
    /// Returns whether the name is a product token (RFC 9309, 2.2.1).
    pub(super) fn is_token(&self) -> bool {
        !self.text.is_empty() && self.text.bytes().all(is_token_byte)
    }

    /// Returns whether the line names an agent, or `*`.
    pub(super) fn is(&self, agent: &str) -> bool {
        self.text.eq_ignore_ascii_case(agent)
    }

    /// Returns the product token that the name starts with.
    pub(super) fn token(&self) -> Option<&str> {
        let end = self.text.bytes().position(|byte| !is_token_byte(byte)).unwrap_or(self.text.len());
        (end > 0).then(|| &self.text[..end])
    }
}

/// A rule.
pub(super) struct RuleText {
    pub(super) line: usize,
    /// Where the line starts in the file, in bytes.
    pub(super) start: usize,
    pub(super) kind: RuleKind,
    pub(super) path: String,
}

/// User-agent lines and the rules below them.
#[derive(Default)]
pub(super) struct Group {
    /// Empty for the rules that precede all user-agent lines.
    pub(super) names: Vec<Name>,
    pub(super) rules: Vec<RuleText>,
}

/// Returns the groups of a file: a user-agent line after a rule starts one (RFC 9309, 2.2.1).
pub(super) fn read_groups(file: &[u8]) -> Vec<Group> {
    let text = file.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(file);
    let skipped = file.len() - text.len();
    let mut groups = vec![Group::default()];
    for line in split_lines(text) {
        let parts = line.parts();
        let value = || String::from_utf8_lossy(&parts.value).into_owned();
        match parts.kind() {
            LineKind::Known(Field::UserAgent) => {
                let name = Name { line: line.number, text: value() };
                match groups.last_mut().filter(|group| group.rules.is_empty()) {
                    Some(group) => group.names.push(name),
                    None => groups.push(Group { names: vec![name], rules: Vec::new() }),
                }
            }
            LineKind::Known(Field::Rule(kind)) => {
                let rule = RuleText { line: line.number, start: skipped + line.start, kind, path: value() };
                if let Some(group) = groups.last_mut() {
                    group.rules.push(rule);
                }
            }
            _ => {}
        }
    }
    groups
}
