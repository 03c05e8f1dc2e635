//! A small parser that can be told to make the mistakes that many a first parser makes.
//!
//! The reference reads texts, in ways that somebody might defend; no reading of a text makes these mistakes.

/// What a parser gets wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// The first rule that matches decides.
    FirstMatch,
    /// The last rule that matches decides.
    LastMatch,
    /// Allow rules do nothing.
    NoAllow,
    /// An allow rule that matches decides, however short.
    AllowWins,
    /// A disallow rule that matches decides, however short.
    DisallowWins,
    /// Of two rules of the same length, disallow decides.
    TieDisallows,
    /// Names of agents are compared with their case.
    AgentCase,
    /// A name that begins the agent's is taken for it.
    AgentPrefix,
    /// Of the groups of an agent, the first alone counts.
    FirstGroup,
    /// Of the groups of an agent, the last alone counts.
    LastGroup,
    /// `*` in a path stands for itself.
    StarIsLiteral,
    /// `$` at the end of a path stands for itself.
    DollarIsLiteral,
    /// Escapes are compared as they are written.
    EscapesStay,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Mistake; 13] = [
        Mistake::FirstMatch,
        Mistake::LastMatch,
        Mistake::NoAllow,
        Mistake::AllowWins,
        Mistake::DisallowWins,
        Mistake::TieDisallows,
        Mistake::AgentCase,
        Mistake::AgentPrefix,
        Mistake::FirstGroup,
        Mistake::LastGroup,
        Mistake::StarIsLiteral,
        Mistake::DollarIsLiteral,
        Mistake::EscapesStay,
    ];
}

/// A robots.txt, read.
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
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        for line in file.split(|octet| matches!(octet, b'\n' | b'\r')) {
            let text = line.split(|&octet| octet == b'#').next().unwrap_or_default();
            let Some(colon) = text.iter().position(|&octet| octet == b':') else { continue };
            let (field, value) = (text[..colon].trim_ascii(), text[colon + 1..].trim_ascii());
            match field.to_ascii_lowercase().as_slice() {
                b"user-agent" => {
                    if groups.last().is_none_or(|group| group.has_rule_line) {
                        groups.push(Group::default());
                    }
                    groups.last_mut().into_iter().for_each(|group| group.agents.push(value.to_vec()));
                }
                field @ (b"allow" | b"disallow") => {
                    // Rules before the first group are nobody's.
                    let Some(group) = groups.last_mut() else { continue };
                    group.has_rule_line = true;
                    if !value.is_empty() {
                        group.rules.push(Rule { is_allow: field == b"allow", path: value.to_vec() });
                    }
                }
                _ => {}
            }
        }
        File { groups }
    }

    /// Whether the agent may fetch the URL, to a parser with these mistakes.
    pub(super) fn allows(&self, mistakes: &[Mistake], agent: &str, url: &str) -> bool {
        let path = path_of(url);
        path == "/robots.txt" || self.allows_path(mistakes, agent, path)
    }

    /// The same where the rules are held against this text, whatever it is.
    pub(super) fn allows_path(&self, mistakes: &[Mistake], agent: &str, path: &str) -> bool {
        let makes = |mistake| mistakes.contains(&mistake);
        let is_raw = makes(Mistake::EscapesStay);
        let path = if is_raw { path.as_bytes().to_vec() } else { encoded(path.as_bytes(), &[]) };
        let rules = self.rules(mistakes, agent).into_iter();
        let rules = rules.filter(|rule| !rule.is_allow || !makes(Mistake::NoAllow));
        let mut matching = rules.filter(|rule| {
            let (written, is_anchored) = match rule.path.strip_suffix(b"$") {
                Some(written) if !makes(Mistake::DollarIsLiteral) => (written, true),
                _ => (&*rule.path, false),
            };
            let stars: &[u8] = if makes(Mistake::StarIsLiteral) { b"" } else { b"*" };
            let pattern = if is_raw { written.to_vec() } else { encoded(written, stars) };
            matches(&pattern, is_anchored, !stars.is_empty(), &path)
        });
        let decisive = if makes(Mistake::FirstMatch) {
            matching.next()
        } else if makes(Mistake::LastMatch) {
            matching.next_back()
        } else {
            let wins = |rule: &Rule| {
                makes(Mistake::AllowWins) && rule.is_allow || makes(Mistake::DisallowWins) && !rule.is_allow
            };
            let in_a_tie = !makes(Mistake::TieDisallows);
            matching.max_by_key(|rule| (wins(rule), rule.path.len(), rule.is_allow == in_a_tie))
        };
        decisive.is_none_or(|rule| rule.is_allow)
    }

    fn rules(&self, mistakes: &[Mistake], agent: &str) -> Vec<&Rule> {
        let makes = |mistake| mistakes.contains(&mistake);
        let agent = agent.as_bytes();
        let is_same = |name: &[u8], agent: &[u8]| match makes(Mistake::AgentCase) {
            true => name == agent,
            false => name.eq_ignore_ascii_case(agent),
        };
        let names = |name: &[u8]| match makes(Mistake::AgentPrefix) {
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
        if makes(Mistake::FirstGroup) {
            groups.truncate(1);
        } else if makes(Mistake::LastGroup) {
            groups = groups.pop().into_iter().collect();
        }
        groups.into_iter().flat_map(|group| &group.rules).collect()
    }
}

/// The path and the query of a URL.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find(['/', '?', '#']).map_or("/", |start| &rest[start..]);
    path.split('#').next().unwrap_or_default()
}

/// The octets of a path as they are compared (RFC 9309, 2.2.2): unreserved characters as they are, what is not ASCII
/// escaped, and so the characters that are special in a rule, but for those that are kept.
fn encoded(path: &[u8], kept: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&octet, after)) = rest.split_first() {
        rest = after;
        let digits =
            after.get(..2).filter(|_| octet == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (octet, was_escaped) = match escaped {
            Some(escaped) => {
                rest = &after[2..];
                (escaped, true)
            }
            None => (octet, false),
        };
        let is_unreserved = octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
        let is_special = b"*$".contains(&octet) && !kept.contains(&octet);
        if is_unreserved || (!was_escaped && octet.is_ascii() && !is_special) {
            encoded.push(octet);
        } else {
            encoded.extend(format!("%{octet:02X}").bytes());
        }
    }
    encoded
}

/// Whether a path begins with what a pattern describes, or is that from end to end.
fn matches(pattern: &[u8], is_anchored: bool, has_stars: bool, path: &[u8]) -> bool {
    let mut parts: Vec<&[u8]> =
        if has_stars { pattern.split(|&octet| octet == b'*').collect() } else { vec![pattern] };
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
