//! Advice: what a file means for crawlers where its owner may have meant something else.
//!
//! The [grammar](crate::grammar) judges lines; advice is about their effect. Each piece of advice is confirmed by a query:
//! there is an agent and a path whose answer shows it, so that a file that all crawlers read alike, and as it is written,
//! has none.

mod facts;
mod groups;
mod open;
mod outside;
mod reach;
mod size;
mod split;
mod star;
#[cfg(test)]
mod tests;
mod text;
mod token;

use crate::edition::Edition;
use crate::question::Question;
use crate::scan::RuleKind;

use facts::Facts;

named_enum! {
    /// How serious a piece of advice is.
    pub enum Severity: "severity" {
        /// A part of the file, or all of it, has no effect.
        Error = "error",
        /// Crawlers may do otherwise than the file seems to say.
        Warning = "warning",
        /// A consequence of the file that may be intended.
        Note = "note",
    }
}

named_enum! {
    /// What a piece of advice is about.
    pub enum AdviceKind: "kind of advice" {
        /// The file is an HTML page.
        HtmlPage = "html-page",
        /// No user-agent line precedes a rule.
        RuleWithoutGroup = "rule-without-group",
        /// A name is not a product token, and crawlers may not recognise it.
        NotAProductToken = "not-a-product-token",
        /// A named group drops the rules of the `*` group.
        DropsStarRules = "drops-star-rules",
        /// An agent has several groups, which not all crawlers combine.
        SplitGroup = "split-group",
        /// Another rule prevails for each URL that a rule matches.
        UnreachableRule = "unreachable-rule",
        /// Rules follow the bytes that every crawler reads.
        BeyondSizeLimit = "beyond-size-limit",
        /// The edition does not specify an answer.
        UnspecifiedAnswer = "unspecified-answer",
    }
}

/// A piece of advice about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The line, from 1.
    pub line: usize,
    /// The other line that it is about, if there is one.
    pub other_line: Option<usize>,
    /// How serious it is.
    pub severity: Severity,
    /// What the line means.
    pub meaning: Meaning,
    /// A query that shows it: an agent and a path.
    pub example: Option<Example>,
}

/// An agent and a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// A product token, or the name of a crawler as the file writes it.
    pub agent: String,
    /// The path of a URL.
    pub path: String,
}

/// What a line means. Its `Display` is a sentence for the owner of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// The file is an HTML page.
    HtmlPage,
    /// No user-agent line precedes the rule.
    RuleWithoutGroup,
    /// The name is not a product token.
    NotAProductToken {
        /// The name.
        name: String,
        /// The product token that it starts with.
        token: Option<String>,
        /// The question on which the crawlers that it names depend, if the edition does not decide it.
        question: Option<Question>,
    },
    /// The agent does not obey the rules of the `*` group.
    DropsStarRules {
        /// The agent.
        agent: String,
        /// The number of rules of the `*` group without which the agent may fetch a path.
        rules: usize,
    },
    /// The agent has an earlier group.
    SplitGroup {
        /// The agent.
        agent: String,
    },
    /// Another rule prevails for each URL that the rule matches.
    UnreachableRule {
        /// The kind of the other rule.
        kind: RuleKind,
        /// Its path.
        path: String,
    },
    /// Rules follow the bytes that every crawler reads.
    BeyondSizeLimit {
        /// The number of the rules.
        rules: usize,
    },
    /// The edition does not specify the answer to a query about the line.
    UnspecifiedAnswer {
        /// The question on which the answer depends.
        question: Question,
    },
}

impl Meaning {
    /// Returns what it is about.
    pub fn kind(&self) -> AdviceKind {
        match self {
            Meaning::HtmlPage => AdviceKind::HtmlPage,
            Meaning::RuleWithoutGroup => AdviceKind::RuleWithoutGroup,
            Meaning::NotAProductToken { .. } => AdviceKind::NotAProductToken,
            Meaning::DropsStarRules { .. } => AdviceKind::DropsStarRules,
            Meaning::SplitGroup { .. } => AdviceKind::SplitGroup,
            Meaning::UnreachableRule { .. } => AdviceKind::UnreachableRule,
            Meaning::BeyondSizeLimit { .. } => AdviceKind::BeyondSizeLimit,
            Meaning::UnspecifiedAnswer { .. } => AdviceKind::UnspecifiedAnswer,
        }
    }
}

impl Advice {
    /// Returns the question on which it depends how a crawler reads the line, if there is one.
    pub fn question(&self) -> Option<Question> {
        match &self.meaning {
            Meaning::NotAProductToken { question, .. } => *question,
            Meaning::SplitGroup { agent } if agent == "*" => Some(Question::StarGroups),
            Meaning::SplitGroup { .. } => Some(Question::SameAgentGroups),
            Meaning::UnspecifiedAnswer { question } => Some(*question),
            _ => None,
        }
    }
}

/// Returns advice about a file in an edition, in the order of the lines.
pub fn advise(file: &[u8], edition: Edition) -> Vec<Advice> {
    if is_html(file) {
        let severity = Severity::Error;
        return vec![Advice {
            line: 1,
            other_line: None,
            severity,
            meaning: Meaning::HtmlPage,
            example: None,
        }];
    }
    let facts = Facts::new(file, edition);
    let mut advice = Vec::new();
    advice.extend(outside::without_group(&facts));
    advice.extend(token::names(&facts));
    advice.extend(star::dropped(&facts));
    advice.extend(split::groups(&facts));
    advice.extend(reach::unreachable(&facts));
    advice.extend(size::beyond(&facts));
    advice.extend(open::answers(&facts));
    advice.sort_by_key(|advice| (advice.line, advice.severity, advice.meaning.kind()));
    advice
}

/// Returns whether a file starts as an HTML page does.
pub fn is_html(file: &[u8]) -> bool {
    let text = file.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(file).trim_ascii_start();
    ["<!doctype", "<html"].iter().any(|start| {
        text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
    })
}
