//! Variants: a file rewritten in a way that provably changes no answer.
//!
//! Each rewriting rests on a clause that an edition decides, and is made only
//! in the editions that have it. What a rewriting might disturb, such as a
//! line whose meaning is open, makes it step aside: a file it cannot rewrite
//! safely has no such variant.

use std::sync::Arc;

use crate::clause::Clause;
use crate::suite::{Check, Request};

/// A way to rewrite a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Lines end with CR LF.
    Crlf,
    /// Lines end with CR.
    Cr,
    /// The last line has no end.
    NoFinalNewline,
    /// A byte order mark stands in front.
    Bom,
    /// Field names in capitals.
    CapitalFields,
    /// Spaces and tabs around fields and values.
    Spaced,
    /// A comment behind each line, and one in front of all.
    Commented,
    /// Blank lines where none ends anything.
    BlankLines,
    /// The rules of each group in reverse order.
    ReversedRules,
    /// Each rule twice.
    DoubledRules,
    /// The groups in reverse order.
    ReversedGroups,
    /// A group for another agent before and after the others.
    UnrelatedGroup,
}

/// The row that the id of a check names, and how it was rewritten, if it was.
pub fn row_and_variant(id: &str) -> (&str, Option<Variant>) {
    let Some((row, name)) = id.rsplit_once('~') else { return (id, None) };
    match Variant::ALL.into_iter().find(|variant| variant.id() == name) {
        Some(variant) => (row, Some(variant)),
        None => (id, None),
    }
}

/// Files larger than this are not rewritten: they test size, and twelve
/// copies of each would cost more than they tell. In octets.
const LARGEST_REWRITTEN: usize = 16 << 10;

/// A name that no case uses.
const UNRELATED_AGENT: &str = "robotspec-unrelated";

impl Variant {
    /// Every variant.
    pub const ALL: [Variant; 12] = [
        Variant::Crlf,
        Variant::Cr,
        Variant::NoFinalNewline,
        Variant::Bom,
        Variant::CapitalFields,
        Variant::Spaced,
        Variant::Commented,
        Variant::BlankLines,
        Variant::ReversedRules,
        Variant::DoubledRules,
        Variant::ReversedGroups,
        Variant::UnrelatedGroup,
    ];

    /// The permanent name, as it stands in the id of a check.
    pub fn id(self) -> &'static str {
        match self {
            Variant::Crlf => "crlf",
            Variant::Cr => "cr",
            Variant::NoFinalNewline => "no-final-newline",
            Variant::Bom => "bom",
            Variant::CapitalFields => "capital-fields",
            Variant::Spaced => "spaced",
            Variant::Commented => "commented",
            Variant::BlankLines => "blank-lines",
            Variant::ReversedRules => "reversed-rules",
            Variant::DoubledRules => "doubled-rules",
            Variant::ReversedGroups => "reversed-groups",
            Variant::UnrelatedGroup => "unrelated-group",
        }
    }

    /// The clause that makes the answers the same.
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

    /// The check with its file rewritten, in the editions that allow it.
    pub fn derive(self, check: &Check) -> Option<Check> {
        let rewritten = match &check.request {
            Request::Match { robots, agent, url } => {
                Request::Match { robots: self.rewrite(robots)?, agent: agent.clone(), url: url.clone() }
            }
            // The order of the lines is the order of the sitemaps.
            Request::Sitemaps { robots } if self != Variant::ReversedGroups => {
                Request::Sitemaps { robots: self.rewrite(robots)? }
            }
            _ => return None,
        };
        let clause = Clause::find(self.clause())?;
        let mut expected = check.expected.clone();
        expected.retain(|&edition, _| clause.section(edition).is_some());
        (!expected.is_empty()).then(|| Check { request: rewritten, expected, ..check.clone() })
    }

    /// Another file that means the same, where this one lets itself be rewritten.
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
                    if line.text.contains('#') {
                        line.text.to_owned()
                    } else {
                        format!("{} # a comment", line.text)
                    }
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

/// A file that can be rewritten: valid UTF-8 in whole lines that end with LF.
struct File<'f> {
    text: &'f str,
    lines: Vec<Line<'f>>,
}

#[derive(Clone, Copy)]
struct Line<'f> {
    text: &'f str,
    kind: LineKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    UserAgent,
    Rule,
    Sitemap,
    /// Blank, or a comment.
    Blank,
    /// Something whose meaning may be open.
    Other,
}

impl<'f> Line<'f> {
    fn read(text: &'f str) -> Self {
        let before_comment = text.split('#').next().unwrap_or_default();
        let kind = match before_comment.split_once(':') {
            _ if before_comment.trim_matches([' ', '\t']).is_empty() => LineKind::Blank,
            Some((field, _)) => match field.trim_matches([' ', '\t']).to_ascii_lowercase().as_str() {
                "user-agent" => LineKind::UserAgent,
                "allow" | "disallow" => LineKind::Rule,
                "sitemap" => LineKind::Sitemap,
                _ => LineKind::Other,
            },
            None => LineKind::Other,
        };
        Line { text, kind }
    }

    fn value(&self) -> &'f str {
        let before_comment = self.text.split('#').next().unwrap_or_default();
        before_comment.split_once(':').map_or("", |(_, value)| value.trim_matches([' ', '\t']))
    }

    /// Whether no reading drops the line or cuts its value.
    fn is_plain(&self) -> bool {
        match self.kind {
            LineKind::UserAgent => {
                let value = self.value();
                value == "*"
                    || !value.is_empty()
                        && value.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_'))
            }
            LineKind::Rule => !self.value().contains(|c: char| c.is_whitespace() || c.is_control()),
            LineKind::Sitemap | LineKind::Blank => true,
            LineKind::Other => false,
        }
    }
}

impl<'f> File<'f> {
    fn read(robots: &'f [u8]) -> Option<Self> {
        let text = std::str::from_utf8(robots).ok()?;
        let lines = text.strip_suffix('\n')?;
        let is_rewritable =
            text.len() <= LARGEST_REWRITTEN && !text.contains('\r') && !text.starts_with('\u{FEFF}');
        is_rewritable.then(|| File { text, lines: lines.split('\n').map(Line::read).collect() })
    }

    fn with_lines(&self, rewrite: impl Fn(&Line) -> String) -> String {
        let known =
            |line: &Line| matches!(line.kind, LineKind::UserAgent | LineKind::Rule | LineKind::Sitemap);
        let rewritten = |line: &Line| if known(line) { rewrite(line) } else { line.text.to_owned() };
        self.lines.iter().map(|line| rewritten(line) + "\n").collect()
    }

    fn with_fields(&self, rewrite: impl Fn(&str, &str) -> String) -> String {
        self.with_lines(|line| {
            let (field, value) = line.text.split_once(':').unwrap_or((line.text, ""));
            rewrite(field, value)
        })
    }

    /// Blank lines in front, behind each rule, and between the last
    /// user-agent line of a group and its first rule.
    fn with_blank_lines(&self) -> String {
        let mut text = "\n".to_owned();
        for (index, line) in self.lines.iter().enumerate() {
            text.push_str(line.text);
            text.push('\n');
            let before_rule = self.lines.get(index + 1).is_some_and(|next| next.kind == LineKind::Rule);
            if line.kind == LineKind::Rule || line.kind == LineKind::UserAgent && before_rule {
                text.push_str(" \t\n");
            }
        }
        text
    }

    /// The rules of each group rewritten, where every line is plain.
    fn with_rules(&self, rewrite: impl Fn(&mut Vec<&str>)) -> Option<String> {
        if !self.lines.iter().all(Line::is_plain) {
            return None;
        }
        let mut text = String::new();
        let mut rules: Vec<&str> = Vec::new();
        let mut rest: Vec<&str> = Vec::new();
        let mut flush = |rules: &mut Vec<&str>, rest: &mut Vec<&str>| {
            rewrite(rules);
            for line in rules.drain(..).chain(rest.drain(..)) {
                text.push_str(line);
                text.push('\n');
            }
        };
        for line in &self.lines {
            match line.kind {
                LineKind::Rule => rules.push(line.text),
                LineKind::UserAgent => {
                    flush(&mut rules, &mut rest);
                    rest.push(line.text);
                    flush(&mut rules, &mut rest);
                }
                _ => rest.push(line.text),
            }
        }
        flush(&mut rules, &mut rest);
        Some(text)
    }

    /// What stands before the first group, and the groups, where every line is plain.
    fn groups(&self) -> Option<(&[Line<'f>], Vec<&[Line<'f>]>)> {
        if !self.lines.iter().all(Line::is_plain) {
            return None;
        }
        let starts_group = |index: &usize| {
            let before = self.lines[..*index]
                .iter()
                .rev()
                .find(|line| matches!(line.kind, LineKind::UserAgent | LineKind::Rule));
            self.lines[*index].kind == LineKind::UserAgent
                && before.is_none_or(|line| line.kind == LineKind::Rule)
        };
        let starts: Vec<usize> = (0..self.lines.len()).filter(starts_group).collect();
        let ends = starts.iter().skip(1).copied().chain([self.lines.len()]);
        let groups = starts.iter().zip(ends).map(|(&start, end)| &self.lines[start..end]).collect();
        Some((&self.lines[..*starts.first()?], groups))
    }

    /// In reverse order, where no agent has two groups and every group has a
    /// rule: an empty one would share the rules of the next.
    fn with_groups_reversed(&self) -> Option<String> {
        let (head, mut groups) = self.groups()?;
        let mut agents: Vec<String> = self
            .lines
            .iter()
            .filter(|line| line.kind == LineKind::UserAgent)
            .map(|line| line.value().to_ascii_lowercase())
            .collect();
        let named = agents.len();
        agents.sort();
        agents.dedup();
        let every_group_has_a_rule =
            groups.iter().all(|group| group.iter().any(|line| line.kind == LineKind::Rule));
        if agents.len() < named || !every_group_has_a_rule {
            return None;
        }
        groups.reverse();
        let lines = head.iter().chain(groups.into_iter().flatten());
        Some(lines.map(|line| format!("{}\n", line.text)).collect())
    }

    /// Between groups of another agent, where the first line that counts
    /// starts a group and the last one is a rule.
    fn with_unrelated_groups(&self) -> Option<String> {
        let (head, groups) = self.groups()?;
        let last = groups.last()?.iter().rev().find(|line| line.kind != LineKind::Blank)?;
        if head.iter().any(|line| line.kind != LineKind::Blank) || last.kind != LineKind::Rule {
            return None;
        }
        let unrelated = format!("user-agent: {UNRELATED_AGENT}\nallow: /\ndisallow: /*\n");
        Some(format!("{unrelated}\n{}\n{unrelated}", self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(variant: Variant, text: &str) -> Option<String> {
        variant.rewrite(text.as_bytes()).map(|file| String::from_utf8(file.to_vec()).expect("UTF-8"))
    }

    const TWO_GROUPS: &str =
        "user-agent: a\ndisallow: /x\nallow: /y\n\nuser-agent: b\nuser-agent: c\ndisallow: /\n";

    #[test]
    fn rules_are_reversed_within_their_group() {
        assert_eq!(
            rewritten(Variant::ReversedRules, TWO_GROUPS).as_deref(),
            Some("user-agent: a\nallow: /y\ndisallow: /x\n\nuser-agent: b\nuser-agent: c\ndisallow: /\n")
        );
    }

    #[test]
    fn groups_are_reversed_whole() {
        assert_eq!(
            rewritten(Variant::ReversedGroups, TWO_GROUPS).as_deref(),
            Some("user-agent: b\nuser-agent: c\ndisallow: /\nuser-agent: a\ndisallow: /x\nallow: /y\n\n")
        );
    }

    #[test]
    fn groups_stay_where_one_has_no_rule_or_an_agent_has_two() {
        assert_eq!(rewritten(Variant::ReversedGroups, "user-agent: a\ndisallow: /x\nuser-agent: b\n"), None);
        let twice = "user-agent: a\ndisallow: /x\nuser-agent: A\ndisallow: /y\n";
        assert_eq!(rewritten(Variant::ReversedGroups, twice), None);
    }

    #[test]
    fn an_unrelated_group_never_joins_a_run_of_agents() {
        assert_eq!(rewritten(Variant::UnrelatedGroup, "user-agent: a\ndisallow: /x\nuser-agent: b\n"), None);
        assert_eq!(rewritten(Variant::UnrelatedGroup, "disallow: /x\nuser-agent: b\ndisallow: /\n"), None);
        let file = rewritten(Variant::UnrelatedGroup, "user-agent: b\ndisallow: /\n").expect("rewritten");
        assert_eq!(file.matches(UNRELATED_AGENT).count(), 2);
    }

    #[test]
    fn lines_of_open_meaning_are_not_moved() {
        for file in [
            "user-agent: a\ndissallow: /x\nallow: /y\ndisallow: /z\n",
            "user-agent: a b\nallow: /y\ndisallow: /z\n",
        ] {
            for variant in [
                Variant::ReversedRules,
                Variant::DoubledRules,
                Variant::ReversedGroups,
                Variant::UnrelatedGroup,
            ] {
                assert_eq!(rewritten(variant, file), None, "{}", variant.id());
            }
        }
    }

    #[test]
    fn blank_lines_do_not_part_user_agents() {
        let file = rewritten(Variant::BlankLines, TWO_GROUPS).expect("rewritten");
        assert!(file.contains("user-agent: b\nuser-agent: c\n \t\ndisallow"), "{file:?}");
    }

    #[test]
    fn a_variant_that_changes_nothing_is_none() {
        assert_eq!(rewritten(Variant::ReversedRules, "user-agent: a\ndisallow: /x\n"), None);
        assert_eq!(rewritten(Variant::Crlf, "user-agent: a"), None);
    }
}
