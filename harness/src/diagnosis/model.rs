//! A small parser that makes common mistakes on request.
//!
//! The reference cannot serve as this model: no reading of a text makes these mistakes.

use robotspec_reference::UrlParts;
use robotspec_reference::bytes::{BOM, escape, hex_digits, is_unreserved, unescape};
use robotspec_reference::scan::{Field, RuleKind, split_lines};

use crate::cause::Cause;

/// A parsed robots.txt.
pub(super) struct File {
    groups: Vec<Group>,
}

#[derive(Default)]
struct Group {
    agents: Vec<Vec<u8>>,
    rules: Vec<Rule>,
    has_rule_line: bool,
}

struct Rule {
    is_allow: bool,
    path: Vec<u8>,
}

impl File {
    pub(super) fn read(file: &[u8]) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let file = file.strip_prefix(BOM).unwrap_or(file);
        for line in split_lines(file) {
            let parts = line.parts();
            match parts.known_field() {
                Some(Field::UserAgent) => {
                    if groups.last().is_none_or(|group| group.has_rule_line) {
                        groups.push(Group::default());
                    }
                    groups.last_mut().into_iter().for_each(|group| group.agents.push(parts.value.to_vec()));
                }
                Some(Field::Rule(kind)) => {
                    // Rules before the first group apply to no agent.
                    let Some(group) = groups.last_mut() else { continue };
                    group.has_rule_line = true;
                    if !parts.value.is_empty() {
                        group
                            .rules
                            .push(Rule { is_allow: kind == RuleKind::Allow, path: parts.value.to_vec() });
                    }
                }
                Some(Field::Sitemap) | None => {}
            }
        }
        File { groups }
    }

    /// Returns whether a parser with these mistakes allows the agent to fetch the URL.
    pub(super) fn allows(&self, mistakes: &[Cause], agent: &str, url: &str) -> bool {
        let path = path_of(url);
        path == "/robots.txt" || self.allows_path(mistakes, agent, path)
    }

    /// Like [`allows`](File::allows), but matches the rules against this text.
    pub(super) fn allows_path(&self, mistakes: &[Cause], agent: &str, path: &str) -> bool {
        let makes = |mistake| mistakes.contains(&mistake);
        let is_raw = makes(Cause::EscapesStay);
        let path = if is_raw { path.as_bytes().to_vec() } else { normalize(path.as_bytes(), &[]) };
        let rules = self.rules(mistakes, agent).into_iter();
        let rules = rules.filter(|rule| !rule.is_allow || !makes(Cause::NoAllow));
        let mut matching = rules.filter(|rule| {
            let (written, is_anchored) = match rule.path.strip_suffix(b"$") {
                Some(written) if !makes(Cause::DollarIsLiteral) => (written, true),
                _ => (&*rule.path, false),
            };
            let stars: &[u8] = if makes(Cause::StarIsLiteral) { b"" } else { b"*" };
            let pattern = if is_raw { written.to_vec() } else { normalize(written, stars) };
            matches(&pattern, is_anchored, !stars.is_empty(), &path)
        });
        let decisive = if makes(Cause::FirstMatch) {
            matching.next()
        } else if makes(Cause::LastMatch) {
            matching.next_back()
        } else {
            let wins = |rule: &Rule| {
                makes(Cause::AllowWins) && rule.is_allow || makes(Cause::DisallowWins) && !rule.is_allow
            };
            let in_a_tie = !makes(Cause::TieDisallows);
            matching.max_by_key(|rule| (wins(rule), rule.path.len(), rule.is_allow == in_a_tie))
        };
        decisive.is_none_or(|rule| rule.is_allow)
    }

    fn rules(&self, mistakes: &[Cause], agent: &str) -> Vec<&Rule> {
        let makes = |mistake| mistakes.contains(&mistake);
        let agent = agent.as_bytes();
        let is_same = |name: &[u8], agent: &[u8]| match makes(Cause::AgentCase) {
            true => name == agent,
            false => name.eq_ignore_ascii_case(agent),
        };
        let names = |name: &[u8]| match makes(Cause::AgentPrefix) {
            true => !name.is_empty() && agent.get(..name.len()).is_some_and(|start| is_same(name, start)),
            false => is_same(name, agent),
        };
        let fits = |group: &&Group, length: usize| {
            group.agents.iter().any(|name| name.len() == length && names(name))
        };
        let all_names = self.groups.iter().flat_map(|group| &group.agents);
        let mut groups: Vec<&Group> = match all_names.filter(|name| names(name)).map(Vec::len).max() {
            Some(length) => self.groups.iter().filter(|group| fits(group, length)).collect(),
            None => self.groups.iter().filter(|group| group.agents.iter().any(|name| name == b"*")).collect(),
        };
        if makes(Cause::FirstGroup) {
            groups.truncate(1);
        } else if makes(Cause::LastGroup) {
            groups = groups.pop().into_iter().collect();
        }
        groups.into_iter().flat_map(|group| &group.rules).collect()
    }
}

/// Returns the path and the query of a URL.
fn path_of(url: &str) -> &str {
    match UrlParts::split(url).path_and_query() {
        "" => "/",
        path => path,
    }
}

/// Returns the bytes of a path as they are compared (RFC 9309, 2.2.2): unreserved characters unescaped; characters that
/// are not ASCII escaped, and also those that are special in a rule, except for the kept ones.
fn normalize(path: &[u8], kept: &[u8]) -> Vec<u8> {
    let mut normalized = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&first, after)) = rest.split_first() {
        let escaped = escape(rest);
        let byte = escaped.map_or(first, unescape);
        rest = if escaped.is_some() { &after[2..] } else { after };
        let is_special = b"*$".contains(&byte) && !kept.contains(&byte);
        if is_unreserved(byte) || (escaped.is_none() && byte.is_ascii() && !is_special) {
            normalized.push(byte);
        } else {
            normalized.push(b'%');
            normalized.extend(hex_digits(byte));
        }
    }
    normalized
}

/// Returns whether a pattern matches the start of a path, or the whole path where the pattern is anchored.
fn matches(pattern: &[u8], is_anchored: bool, has_stars: bool, path: &[u8]) -> bool {
    let mut parts: Vec<&[u8]> =
        if has_stars { pattern.split(|&byte| byte == b'*').collect() } else { vec![pattern] };
    let first = parts.remove(0);
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let last = if is_anchored { parts.pop() } else { None };
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        let Some(at) = rest.windows(part.len()).position(|window| window == part) else { return false };
        rest = &rest[at + part.len()..];
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => !is_anchored || rest.is_empty(),
    }
}
