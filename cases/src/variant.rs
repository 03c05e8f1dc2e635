//! Variants: files that are rewritten in a way that provably changes no answer.
//!
//! Each way to rewrite a file rests on a clause, and applies only in the editions that have the clause. A file that
//! cannot be rewritten safely, for example because the meaning of a line is unspecified, has no such variant.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use robotspec_reference::bytes::is_token_byte;
use robotspec_reference::scan::{Field, LineKind, Parts, split_lines};
use robotspec_reference::{AgentRules, Edition, RobotsTxt, named_enum};

use crate::query::Query;

named_enum! {
    /// A way to rewrite a file.
    pub enum Variant: "variant" {
        Crlf = "crlf": "Lines end with CR LF.",
        Cr = "cr": "Lines end with CR.",
        NoFinalNewline = "no-final-newline": "The last line has no line end.",
        Bom = "bom": "The file starts with a byte order mark.",
        CapitalFields = "capital-fields": "Field names are in capitals.",
        Spaced = "spaced": "Fields and values have spaces and tabs around them.",
        Commented = "commented": "Each line has a comment, and a comment precedes all lines.",
        BlankLines = "blank-lines": "Blank lines are added where they end nothing.",
        ReversedRules = "reversed-rules": "The rules of each group are in reverse order.",
        DoubledRules = "doubled-rules": "Each rule occurs twice.",
        ReversedGroups = "reversed-groups": "The groups are in reverse order.",
        UnrelatedGroup = "unrelated-group": "A group for another agent precedes the others, and one follows \
            them.",
    }
}

/// Larger files are not rewritten. They test the size limit, and twelve copies of each would be slow. In bytes.
const LARGEST_REWRITTEN: usize = 16 << 10;

/// The name of an agent that no case uses.
const UNRELATED_AGENT: &str = "robotspec-unrelated";

impl Variant {
    /// Returns the clause that makes the answers the same.
    pub fn clause(self) -> &'static str {
        match self {
            Variant::Crlf | Variant::Cr | Variant::NoFinalNewline => "L-eol",
            Variant::Bom => "L-bom",
            Variant::CapitalFields => "L-field-case",
            Variant::Spaced => "L-record",
            Variant::Commented => "L-comment",
            Variant::BlankLines => "G-blank",
            Variant::ReversedRules => "O-order-free",
            Variant::DoubledRules => "O-duplicates",
            Variant::ReversedGroups => "G-order",
            Variant::UnrelatedGroup => "A-one",
        }
    }

    /// Returns the rewritten file, which means the same. The result is `None` where the file cannot be rewritten, or
    /// does not change.
    pub fn rewrite(self, robots: &[u8]) -> Option<Arc<[u8]>> {
        let file = File::read(robots)?;
        let text = match self {
            Variant::Crlf => file.text.replace('\n', "\r\n"),
            Variant::Cr => file.text.replace('\n', "\r"),
            Variant::NoFinalNewline => file.text.trim_end_matches('\n').to_owned(),
            Variant::Bom => format!("\u{FEFF}{}", file.text),
            Variant::CapitalFields => {
                file.with_fields(|field, value| format!("{}:{value}", field.to_ascii_uppercase()))
            }
            Variant::Spaced => file.with_fields(|field, value| {
                format!(" \t{} \t:\t {} \t", field.trim(), value.trim_start_matches([' ', '\t']))
            }),
            Variant::Commented => {
                let lines = file.with_lines(|line| {
                    let comment = if line.text.contains('#') { "" } else { " # a comment" };
                    format!("{}{comment}", line.text)
                });
                format!("# Disallow: /\n{lines}")
            }
            Variant::BlankLines => file.with_blank_lines(),
            Variant::ReversedRules => file.with_rules(|rules| rules.reverse())?,
            Variant::DoubledRules => {
                file.with_rules(|rules| *rules = rules.iter().flat_map(|rule| [*rule, *rule]).collect())?
            }
            Variant::ReversedGroups => file.with_groups_reversed()?,
            Variant::UnrelatedGroup => file.with_unrelated_groups()?,
        };
        (text.as_bytes() != robots).then(|| text.into_bytes().into())
    }
}

/// A file that is rewritten, and what is known about it.
pub(crate) struct Original<'f> {
    /// Whether no reading reads a line of the file in another way, wherever it is.
    is_plain: bool,
    robots: &'f RobotsTxt<'f>,
    rules: HashMap<(Edition, String), AgentRules<'f>>,
}

impl<'f> Original<'f> {
    pub(crate) fn new(file: &[u8], robots: &'f RobotsTxt<'f>) -> Self {
        let is_plain = split_lines(file).all(|line| is_plain(line.parts()));
        Original { is_plain, robots, rules: HashMap::new() }
    }
}

/// A file and its rewritten form.
pub(crate) struct Rewriting<'a, 'f> {
    original: &'a mut Original<'f>,
    twin: RobotsTxt<'a>,
    /// Whether an agent follows the same rules in both, in every reading of an edition.
    is_same_for: HashMap<(Edition, String), bool>,
}

impl<'a, 'f> Rewriting<'a, 'f> {
    pub(crate) fn new(original: &'a mut Original<'f>, twin: &'a [u8]) -> Self {
        Rewriting { original, twin: RobotsTxt::parse(twin), is_same_for: HashMap::new() }
    }

    /// Returns whether the rewritten file leaves the answer to a query unchanged, in every reading of an edition.
    pub(crate) fn is_safe(&mut self, edition: Edition, query: &Query) -> bool {
        let (original, twin) = (&mut *self.original, &self.twin);
        let (agent, url) = match query {
            Query::Match { agent, url, .. } => (agent, url),
            Query::Usage { agent, url, .. } => {
                // A usage rule is not plain, and rewriting may add one or change its path.
                let usage =
                    |robots: &RobotsTxt| robots.usage(edition, agent, url).map(|usage| usage.preferences);
                return usage(original.robots) == usage(twin);
            }
            _ => return true,
        };
        if original.is_plain {
            return true;
        }
        let robots = original.robots;
        let is_same = self.is_same_for.entry((edition, agent.clone())).or_insert_with(|| {
            let rules = original.rules.entry((edition, agent.clone()));
            rules.or_insert_with(|| robots.for_agent_in_detail(edition, agent)).are_those_of(twin)
        });
        // What is not a URL has no answer that could change.
        *is_same || robots.agrees_in_every_reading(twin, edition, agent, url).unwrap_or(true)
    }
}

/// Returns whether a line has one meaning in every reading: a product token, a path without special characters, a
/// sitemap, a comment, or nothing.
fn is_plain(parts: Parts) -> bool {
    let value = parts.value.text;
    match parts.kind() {
        LineKind::Known(Field::UserAgent) => {
            value == b"*" || !value.is_empty() && value.iter().all(|&byte| is_token_byte(byte))
        }
        LineKind::Known(Field::Rule(_)) => {
            value.starts_with(b"/") && value.iter().all(|&byte| byte.is_ascii_graphic() && byte != b'%')
        }
        LineKind::Blank | LineKind::Comment => true,
        _ => false,
    }
}

/// A file that can be rewritten: valid UTF-8 in whole lines that end with LF.
struct File<'f> {
    text: &'f str,
    lines: Vec<Line<'f>>,
}

#[derive(Clone, Copy)]
struct Line<'f> {
    text: &'f str,
    value: &'f str,
    kind: LineKind,
}

impl Line<'_> {
    fn is_agent(&self) -> bool {
        self.kind == LineKind::Known(Field::UserAgent)
    }

    fn is_rule(&self) -> bool {
        matches!(self.kind, LineKind::Known(Field::Rule(_)))
    }

    fn is_blank(&self) -> bool {
        matches!(self.kind, LineKind::Blank | LineKind::Comment)
    }

    /// Returns whether every reading keeps the line and its whole value.
    fn is_plain(&self) -> bool {
        match self.kind {
            LineKind::Known(Field::UserAgent) => {
                self.value == "*" || !self.value.is_empty() && self.value.bytes().all(is_token_byte)
            }
            LineKind::Known(Field::Rule(_)) => {
                !self.value.contains(|c: char| c.is_whitespace() || c.is_control())
            }
            LineKind::Known(Field::Sitemap) | LineKind::Blank | LineKind::Comment => true,
            LineKind::Other => false,
        }
    }
}

impl<'f> File<'f> {
    fn read(robots: &'f [u8]) -> Option<Self> {
        let text = std::str::from_utf8(robots).ok()?;
        let is_rewritable = text.len() <= LARGEST_REWRITTEN
            && text.ends_with('\n')
            && !text.contains('\r')
            && !text.starts_with('\u{FEFF}');
        if !is_rewritable {
            return None;
        }
        let lines = split_lines(robots).map(|line| {
            let parts = line.parts();
            let value = &text[parts.value.span()];
            Line { text: &text[line.start..line.start + line.text.len()], value, kind: parts.kind() }
        });
        Some(File { text, lines: lines.collect() })
    }

    fn with_lines(&self, rewrite: impl Fn(&Line) -> String) -> String {
        let rewritten = |line: &Line| match line.kind {
            LineKind::Known(_) => rewrite(line),
            _ => line.text.to_owned(),
        };
        self.lines.iter().map(|line| rewritten(line) + "\n").collect()
    }

    fn with_fields(&self, rewrite: impl Fn(&str, &str) -> String) -> String {
        self.with_lines(|line| {
            let (field, value) = line.text.split_once(':').unwrap_or((line.text, ""));
            rewrite(field, value)
        })
    }

    /// Returns the file with blank lines at the start, after each rule, and between the last user-agent line of a group
    /// and its first rule.
    fn with_blank_lines(&self) -> String {
        let mut text = "\n".to_owned();
        for (index, line) in self.lines.iter().enumerate() {
            text.push_str(line.text);
            text.push('\n');
            let before_rule = self.lines.get(index + 1).is_some_and(Line::is_rule);
            if line.is_rule() || line.is_agent() && before_rule {
                text.push_str(" \t\n");
            }
        }
        text
    }

    /// Returns the file with the rules of each group rewritten. The result is `None` where a line is not plain.
    fn with_rules(&self, rewrite: impl Fn(&mut Vec<Line<'f>>)) -> Option<String> {
        if !self.lines.iter().all(Line::is_plain) {
            return None;
        }
        // A user-agent line is a section of its own. In the others, the rules come before the other lines.
        let sections = self.lines.chunk_by(|line, next| !line.is_agent() && !next.is_agent());
        let rewritten = sections.flat_map(|section| {
            let (mut rules, rest): (Vec<Line>, Vec<Line>) = section.iter().copied().partition(Line::is_rule);
            rewrite(&mut rules);
            rules.into_iter().chain(rest)
        });
        Some(rewritten.map(|line| format!("{}\n", line.text)).collect())
    }

    /// Returns the lines before the first group, and the groups. The result is `None` where a line is not plain.
    fn groups(&self) -> Option<(&[Line<'f>], Vec<&[Line<'f>]>)> {
        if !self.lines.iter().all(Line::is_plain) {
            return None;
        }
        let starts_group = |index: &usize| {
            let before = self.lines[..*index].iter().rev().find(|line| line.is_agent() || line.is_rule());
            self.lines[*index].is_agent() && before.is_none_or(Line::is_rule)
        };
        let starts: Vec<usize> = (0..self.lines.len()).filter(starts_group).collect();
        let ends = starts.iter().skip(1).copied().chain([self.lines.len()]);
        let groups = starts.iter().zip(ends).map(|(&start, end)| &self.lines[start..end]).collect();
        Some((&self.lines[..*starts.first()?], groups))
    }

    /// Returns the file with its groups in reverse order. The result is `None` where an agent has two groups, or where
    /// a group has no rule and so shares the rules of the next group.
    fn with_groups_reversed(&self) -> Option<String> {
        let (head, mut groups) = self.groups()?;
        let mut known = HashSet::new();
        let mut agents = self.lines.iter().filter(|line| line.is_agent());
        let every_agent_has_one_group = agents.all(|line| known.insert(line.value.to_ascii_lowercase()));
        let every_group_has_a_rule = groups.iter().all(|group| group.iter().any(Line::is_rule));
        if !every_agent_has_one_group || !every_group_has_a_rule {
            return None;
        }
        groups.reverse();
        let lines = head.iter().chain(groups.into_iter().flatten());
        Some(lines.map(|line| format!("{}\n", line.text)).collect())
    }

    /// Returns the file between groups of another agent. The result is `None` where the first line that is not blank
    /// does not start a group, or the last one is not a rule.
    fn with_unrelated_groups(&self) -> Option<String> {
        let (head, groups) = self.groups()?;
        let last = groups.last()?.iter().rev().find(|line| !line.is_blank())?;
        if head.iter().any(|line| !line.is_blank()) || !last.is_rule() {
            return None;
        }
        let unrelated = format!("user-agent: {UNRELATED_AGENT}\nallow: /\ndisallow: /*\n");
        Some(format!("{unrelated}\n{}\n{unrelated}", self.text))
    }
}
