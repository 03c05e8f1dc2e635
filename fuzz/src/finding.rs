//! Findings: a divergence, minimised, with what it is about.

use std::fmt;

use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Edition, Question, Reading, RobotsTxt, Ruling};

use crate::examine::Divergence;
use crate::feature::features;
use crate::judge::Kind;
use robotspec_cases::suite::{Expected, Request};

/// What divergences have in common that are one finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// Whose it is.
    pub implementation: String,
    /// In which way it departs.
    pub kind: Kind,
    /// The clause that is broken, or that is in play.
    pub clause: &'static str,
    /// The question that the implementation answers as the edition does not, where that explains it.
    pub answers: Option<Choice>,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.clause)?;
        if let Kind::Relation(relation) = self.kind {
            write!(f, " {}", relation.id())?;
        }
        if let Some(answer) = self.answers {
            write!(f, " {}={answer}", answer.question)?;
        }
        Ok(())
    }
}

/// A divergence, minimised.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What it is one of.
    pub class: Class,
    /// The edition in which it was minimised.
    pub edition: Edition,
    /// The editions that it breaks, of those that judge.
    pub editions: Vec<Edition>,
    /// The smallest request that shows it.
    pub request: Request,
    /// What is expected.
    pub expected: Expected,
    /// What was answered.
    pub got: String,
    /// After how many checks it was found.
    pub after: u64,
    /// The first request that showed it.
    pub first_seen: Request,
}

/// What a divergence is about, once it is minimal.
pub(crate) fn class(implementation: &str, divergence: &Divergence) -> Class {
    let Divergence { edition, kind, request, .. } = divergence;
    let clause = match kind {
        Kind::Relation(relation) => relation.clause(),
        _ => features(*edition, request).clause(*edition),
    };
    let answers = match kind {
        Kind::Violation => {
            other_answers(divergence).into_iter().find(|answer| is_about(answer.question, clause))
        }
        _ => None,
    };
    Class { implementation: implementation.to_owned(), kind: *kind, clause, answers }
}

/// The answers to questions that no reading of the edition gives, and with each of which the implementation
/// would be right: what it says is what the text would say, if it said that.
fn other_answers(divergence: &Divergence) -> Vec<Choice> {
    let Request::Match { robots, agent, url } = &divergence.request else { return Vec::new() };
    let robots = RobotsTxt::parse(robots);
    let mut explain = Vec::new();
    for row in TABLE {
        let admitted = row.answers(divergence.edition);
        let mut others: Vec<Choice> =
            Edition::ALL.iter().flat_map(|&edition| row.answers(edition)).copied().collect();
        others.retain(|answer| !admitted.contains(answer));
        others.sort();
        others.dedup();
        for answer in others {
            let reading = Reading::plainest(divergence.edition).supposing(answer);
            let Ok(decision) = robots.decide(&reading, agent, url) else { continue };
            if Ruling::from(decision.verdict).id() == divergence.got {
                explain.push(answer);
            }
        }
    }
    explain
}

/// Whether a clause decides a question.
fn is_about(question: Question, clause: &str) -> bool {
    use Question::*;
    let clauses: &[&str] = match question {
        Typo | FieldPrefix => &["L-typo", "L-unknown"],
        MissingColon => &["L-record", "L-valid-only"],
        Bom => &["L-bom"],
        SizeLimit => &["L-size", "L-size-minimum"],
        AgentCase => &["A-case"],
        AgentSuffix => &["A-suffix"],
        AgentMatch => &["A-specific"],
        SameAgentGroups | StarGroups => &["G-merge"],
        OtherRecordBetweenAgents => &["G-nongroup", "L-unknown", "L-valid-only"],
        BlankBetweenAgents => &["G-blank"],
        AdsBotStar => &["A-adsbot"],
        LeadingSlash | LeadingStar => &["M-root", "M-first-octet"],
        AsciiEscape | ReservedEscape => &["M-percent"],
        EscapedSpecial => &["M-literal"],
        RobotsTxtItself => &["M-robots-txt"],
        WildcardPrecedence => &["O-wildcard", "O-longest", "M-star", "M-dollar"],
        EqualLength => &["O-tie"],
        _ => &[],
    };
    clauses.contains(&clause)
}

impl Finding {
    /// How large the file is, in lines and octets.
    pub fn size(&self) -> (usize, usize) {
        match &self.request {
            Request::Match { robots, .. } | Request::Sitemaps { robots } => {
                (robotspec_reference::split_lines(robots).count(), robots.len())
            }
            _ => (0, 0),
        }
    }
}
