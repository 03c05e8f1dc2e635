//! Findings: minimised divergences, and the classes that they belong to.

use std::fmt;

use robotspec::{Answer, Fault, general_message};
use robotspec_cases::{Clause, Expected, Level, Query, Variant};
use robotspec_reference::{Choice, Edition, Reading, RobotsTxt};

use crate::feature::features;
use crate::oracle::divergence::{Divergence, FindingKind};

/// What the divergences of one finding have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The name of the implementation.
    pub implementation: String,
    /// How the implementation diverges.
    pub kind: FindingKind,
    /// The relation that does not hold; only of the kind `relation`.
    pub relation: Option<Variant>,
    /// The clause that the cause is about. Without a proven cause, the clause that decides the query in the reference, or
    /// that the query is about. `None` for a time-out: no edition limits the time for an answer.
    pub clause: Option<&'static str>,
    /// Without a proven cause: the most unusual clause that the query brings into play, where it is another one. It keeps
    /// classes apart, and need not be the cause.
    pub in_play: Option<&'static str>,
    /// The proven cause: an answer to a question that the edition does not admit.
    pub answers: Option<Choice>,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        if let Some(clause) = self.clause {
            // No text says which of two implementations is wrong.
            let about = if self.kind == FindingKind::Disagreement { " about" } else { "" };
            write!(f, "{about} {clause}")?;
        }
        if let Some(relation) = self.relation {
            write!(f, " {relation}")?;
        }
        if let Some(in_play) = self.in_play {
            write!(f, " with {in_play}")?;
        }
        if let Some(choice) = self.answers {
            write!(f, " {}", choice.name())?;
        }
        Ok(())
    }
}

impl Class {
    /// Returns the class of a minimal divergence with its proven cause.
    pub(crate) fn new(implementation: &str, divergence: &Divergence, cause: Option<Choice>) -> Class {
        let Divergence { edition, kind, relation, query, .. } = divergence;
        let class = Class {
            implementation: implementation.to_owned(),
            kind: *kind,
            relation: None,
            clause: None,
            in_play: None,
            answers: None,
        };
        if *kind == FindingKind::Timeout {
            return class;
        }
        let about = || features(*edition, query).clause(*edition);
        let clause = match (relation, cause) {
            (Some(relation), _) => relation.clause(),
            (None, Some(cause)) => {
                let mut clauses = cause.question.row().clauses.iter().copied();
                let broken = clauses.find(|clause| is_binding(*edition, clause));
                let in_play = || Some(about()).filter(|clause| is_binding(*edition, clause));
                let broken = broken.or_else(in_play).or_else(|| deciding_clause(*edition, query));
                broken.unwrap_or_else(about)
            }
            (None, None) if *kind == FindingKind::Violation => {
                deciding_clause(*edition, query).unwrap_or_else(about)
            }
            (None, None) => about(),
        };
        let is_unexplained = relation.is_none() && cause.is_none();
        let in_play = is_unexplained.then(about).filter(|about| *about != clause);
        Class { relation: *relation, clause: Some(clause), in_play, answers: cause, ..class }
    }

    /// Returns whether the class is one of violations without a proven cause.
    pub fn is_unexplained(&self) -> bool {
        self.kind == FindingKind::Violation && self.answers.is_none()
    }
}

/// Returns the clause of the last step by which the reference decides a query, or else the most unusual clause that the
/// query brings into play, other than a permission, which nothing breaks.
fn deciding_clause(edition: Edition, query: &Query) -> Option<&'static str> {
    let in_play = || features(edition, query).clauses().find(|clause| is_binding(edition, clause));
    let Query::Match { robots, agent, url } = query else { return in_play() };
    let decision = RobotsTxt::parse(robots).decide(&Reading::plainest(edition), agent, url).ok()?;
    decision.clauses().into_iter().rev().find(|clause| is_binding(edition, clause)).or_else(in_play)
}

/// Returns whether an edition requires or recommends what a clause states.
fn is_binding(edition: Edition, clause: &str) -> bool {
    let level = Clause::find(clause).and_then(|clause| clause.level(edition));
    level.is_some_and(|level| level != Level::May)
}

/// A minimised divergence.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The class of the finding.
    pub class: Class,
    /// The edition in which the finding was minimised.
    pub edition: Edition,
    /// The judging editions that the finding breaks.
    pub editions: Vec<Edition>,
    /// The smallest query that shows the finding.
    pub query: Query,
    /// What is expected.
    pub expected: Expected,
    /// The implementation that expects it; `None` where the edition does.
    pub against: Option<String>,
    /// What the implementation did.
    pub got: Result<Answer, Fault>,
    /// The number of checks after which the finding was found.
    pub after: u64,
    /// The first query that showed the finding.
    pub first_seen: Query,
    /// The number of the input that this query, or another form of it, is about; `None` outside of a search.
    pub input: Option<u64>,
}

impl Finding {
    /// Returns whether both are the same mistake, error or crash of one implementation, whatever clauses their queries are about.
    pub(crate) fn has_cause_of(&self, other: &Finding) -> bool {
        let (class, of_other) = (&self.class, &other.class);
        let message = general_message(&self.got);
        let has_error = message.is_some() && message == general_message(&other.got);
        class.implementation == of_other.implementation
            && (class.answers.is_some() && class.answers == of_other.answers
                || has_error && class.kind == of_other.kind)
    }

    /// Returns the divergence that was minimised.
    pub(crate) fn divergence(&self) -> Divergence {
        Divergence {
            edition: self.edition,
            kind: self.class.kind,
            relation: self.class.relation,
            query: self.query.clone(),
            expected: self.expected.clone(),
            got: self.got.clone(),
        }
    }

    /// Returns the size of the file, in lines and bytes; zero without a file.
    pub fn size(&self) -> (usize, usize) {
        let file = self.query.file().map_or(&[][..], |file| file);
        (robotspec_reference::split_lines(file).count(), file.len())
    }
}
