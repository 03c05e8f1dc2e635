//! Divergences: what an implementation does on a query, and what is expected instead.
//!
//! Relations are rewritings of a file that change no answer, in any reading of an edition. They need no reference: an
//! implementation that answers differently for two files which mean the same breaks the specification, even where the
//! specification does not specify the answer.

use robotspec::event::Status;
use robotspec::{Answer, Fault, Verdict};
use robotspec_cases::{Clause, Expected, Query, Variant};
use robotspec_reference::{Edition, RobotsTxt, Ruling, named_enum};

/// A query that shows that an implementation diverges.
#[derive(Debug, Clone)]
pub(crate) struct Divergence {
    pub(crate) edition: Edition,
    pub(crate) kind: FindingKind,
    /// The relation that does not hold; only of the kind `relation`.
    pub(crate) relation: Option<Variant>,
    pub(crate) query: Query,
    pub(crate) expected: Expected,
    pub(crate) got: Result<Answer, Fault>,
}

impl Divergence {
    /// Compares the answers to the two forms of a file. `None` where they agree or one is not a definite verdict.
    pub(crate) fn between_forms(
        edition: Edition,
        relation: Variant,
        query: &Query,
        [file, twin]: [&Result<Answer, Fault>; 2],
    ) -> Option<Divergence> {
        let (file, twin) = (definite_verdict(file)?.clone(), definite_verdict(twin)?.clone());
        let Query::Match { robots, agent, url } = query else { return None };
        let rewritten = (file != twin).then(|| relation.rewrite(robots)).flatten()?;
        let forms = (RobotsTxt::parse(robots), RobotsTxt::parse(&rewritten));
        // No reading of the edition answers differently for the two forms.
        let is_safe = forms.0.agrees_in_every_reading(&forms.1, edition, agent, url).unwrap_or(false);
        is_safe.then(|| Divergence {
            edition,
            kind: FindingKind::Relation,
            relation: Some(relation),
            query: query.clone(),
            expected: Expected::Alike,
            got: Ok(Answer::Alike { file, twin }),
        })
    }

    /// Returns whether another divergence is of the same sort: of the same kind, and wrong in the same direction where
    /// a verdict is wrong.
    pub(crate) fn is_like(&self, other: &Divergence) -> bool {
        let has_direction = matches!(self.kind, FindingKind::Violation | FindingKind::Disagreement);
        self.kind == other.kind && (!has_direction || self.direction() == other.direction())
    }

    fn direction(&self) -> (Option<Ruling>, Option<&Result<Answer, Fault>>, bool) {
        match &self.expected {
            Expected::Ruling(ruling) => (Some(*ruling), Some(&self.got), false),
            Expected::Sitemaps(sitemaps) => (None, None, sitemaps.optional.is_empty()),
            _ => (None, None, false),
        }
    }
}

/// Returns the verdict of an answer, where it is allow or disallow.
pub(crate) fn definite_verdict(got: &Result<Answer, Fault>) -> Option<&Verdict> {
    match got {
        Ok(Answer::Match(verdict @ (Verdict::Allow | Verdict::Disallow))) => Some(verdict),
        _ => None,
    }
}

named_enum! {
    /// How an implementation diverges.
    pub enum FindingKind: "kind of finding" {
        Violation = "violation": "The implementation contradicts a definite ruling.",
        Relation = "relation": "The implementation answers differently for two files that mean the same.",
        Crash = "crash": "The implementation dies.",
        Timeout = "timeout": "The implementation does not answer in time. This breaks no edition, because \
            none limits the time.",
        ProtocolError = "protocol-error": "The reply of the implementation does not follow the protocol.",
        Error = "error": "The implementation reports an error.",
        Disagreement = "disagreement": "The implementation answers differently than the implementation that \
            it is compared with.",
    }
}

impl FindingKind {
    /// Returns the kind of divergence that an answer of this status shows.
    pub(crate) fn from_status(status: Status) -> Option<FindingKind> {
        Some(match status {
            Status::Fail => FindingKind::Violation,
            Status::Crash => FindingKind::Crash,
            Status::Timeout => FindingKind::Timeout,
            Status::ProtocolError => FindingKind::ProtocolError,
            Status::Error => FindingKind::Error,
            Status::Pass
            | Status::Flaky
            | Status::NotSupported
            | Status::Unspecified
            | Status::Unanswered
            | Status::NotRun => return None,
        })
    }
}

/// Returns whether an edition says that a variant of a file means the same.
pub(crate) fn holds_in(relation: Variant, edition: Edition) -> bool {
    Clause::find(relation.clause()).is_some_and(|clause| clause.section(edition).is_some())
}

/// Returns the query about the other form of its file. `None` where the file cannot be rewritten.
pub(crate) fn twin(relation: Variant, query: &Query) -> Option<Query> {
    query.with_robots(relation.rewrite(query.file()?)?)
}
