//! A finding, told in the words of the clause.

use robotspec_reference::{RobotsTxt, Ruling, split_lines};

use crate::finding::Finding;
use crate::judge::Kind;
use robotspec::excerpt::{deciding, excerpt};
use robotspec::sentences::reasons;
use robotspec_cases::clause::Clause;
use robotspec_cases::suite::Request;

/// How much of a line is shown, in characters.
const LINE_SHOWN: usize = 120;

/// What a finding shows, part by part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The clause and where each edition has it.
    pub clause: String,
    /// The request: the file with the deciding lines marked, and what was asked.
    pub request: Vec<String>,
    /// What the text says, and how it comes to that.
    pub expected: Vec<String>,
    /// What the implementation said.
    pub got: Vec<String>,
}

impl Finding {
    /// What it shows.
    pub fn explain(&self) -> Explanation {
        let clause = Clause::find(self.class.clause);
        let section = clause.and_then(|clause| clause.section(self.edition)).unwrap_or_default();
        let statement = clause.map_or("", |clause| &clause.statement);
        Explanation {
            clause: format!("{statement} ({}, {}: {section})", self.class.clause, self.edition),
            request: shown(self),
            expected: self.reasons(),
            got: self.answer(),
        }
    }

    fn reasons(&self) -> Vec<String> {
        let mut lines = vec![self.expectation()];
        if self.class.kind == Kind::Disagreement {
            return lines;
        }
        if let Request::Match { robots, agent, url } = &self.request
            && let Ok(explanation) = RobotsTxt::parse(robots).explain(self.edition, agent, url)
        {
            // What the answer is, may be open; that it is one answer is not.
            let is_open = explanation.ruling == Ruling::Unspecified;
            if !(is_open && matches!(self.class.kind, Kind::Relation(_))) {
                lines.extend(reasons(&explanation));
            }
        }
        lines
    }

    /// What should have been answered.
    pub fn expectation(&self) -> String {
        let (Kind::Relation(relation), Request::Match { robots, agent, url }) =
            (self.class.kind, &self.request)
        else {
            return self.expected.to_string();
        };
        // Which of the two answers is right is for the edition to say, where it says anything.
        match RobotsTxt::parse(robots).ruling(self.edition, agent, url) {
            Ok(ruling @ (Ruling::Allow | Ruling::Disallow)) => {
                format!("{ruling} in both forms of the file ({})", relation.id())
            }
            _ => format!("the same in both forms of the file ({})", relation.id()),
        }
    }

    /// What was answered.
    pub fn answered(&self) -> String {
        match self.class.kind {
            Kind::Relation(_) => format!("{} to this form, and {} to the other", self.expected, self.got),
            _ => self.got.clone(),
        }
    }

    fn answer(&self) -> Vec<String> {
        let mut lines = vec![self.answered()];
        if let Some((question, answer)) = self.class.answers {
            lines.push(format!("as if {question} were answered `{answer}`: {}", question.row().asks));
        }
        if let (Kind::Relation(relation), Request::Match { robots, .. }) = (self.class.kind, &self.request)
            && let Some(twin) = relation.rewrite(robots)
        {
            lines.push("which is".to_owned());
            lines.extend(numbered(&twin, &[]));
        }
        lines
    }
}

fn shown(finding: &Finding) -> Vec<String> {
    match &finding.request {
        Request::Match { robots, agent, url } | Request::Alike { robots, agent, url, .. } => {
            let explained = RobotsTxt::parse(robots).explain(finding.edition, agent, url);
            let deciding = explained.map(|explanation| deciding(&explanation.decision)).unwrap_or_default();
            let mut lines = numbered(robots, &deciding);
            lines.push(format!("may {agent} fetch {}", cut(url)));
            lines
        }
        Request::Sitemaps { robots } => {
            let mut lines = numbered(robots, &[]);
            lines.push("which sitemaps does it name?".to_owned());
            lines
        }
        Request::Scope { robots_url, url } => vec![format!("does {robots_url} govern {url}?")],
        Request::Access { visits, agent, paths } => {
            let mut lines: Vec<String> = visits.iter().map(ToString::to_string).collect();
            lines.push(format!("may {agent} then fetch {}?", paths.join(", ")));
            lines
        }
        Request::Grammar { text } => numbered(text, &[]),
    }
}

/// The lines of a file with their numbers; `>` marks those that decide.
fn numbered(file: &[u8], deciding: &[usize]) -> Vec<String> {
    let mut lines = Vec::new();
    let all: Vec<_> = split_lines(file).collect();
    if all.is_empty() {
        lines.push("  (an empty file)".to_owned());
    }
    let (shown, rest) = excerpt(all.len(), deciding);
    for number in shown {
        let line = &all[number - 1];
        let mark = if deciding.contains(&number) { '>' } else { ' ' };
        // What ends a line is told where it is not the usual.
        let end = &file[line.start + line.text.len()..];
        let end = match end {
            [b'\n', ..] => "",
            [b'\r', b'\n', ..] => "\\r\\n",
            [b'\r', ..] => "\\r",
            _ => " (no line end)",
        };
        lines.push(format!("{mark}{number:>3}  {}{end}", cut(&escaped(line.text))));
    }
    lines.extend(rest.map(|rest| format!("      {rest} ({} lines, {} octets)", all.len(), file.len())));
    lines
}

fn escaped(text: &[u8]) -> String {
    let mut escaped = String::new();
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\t' => escaped.push_str("\\t"),
                '\u{FEFF}' => escaped.push_str("(byte order mark)"),
                c if c.is_control() || c.is_whitespace() && c != ' ' => {
                    escaped.extend(c.escape_unicode());
                }
                c => escaped.push(c),
            }
        }
        chunk.invalid().iter().for_each(|octet| escaped.push_str(&format!("\\x{octet:02x}")));
    }
    escaped
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LINE_SHOWN {
        return text.to_owned();
    }
    let start: String = text.chars().take(LINE_SHOWN).collect();
    format!("{start}… ({} octets)", text.len())
}
