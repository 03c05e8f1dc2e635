//! Divergences: what an implementation does on a query, and what is expected instead.

use robotspec::{Answer, Fault, Verdict};
use robotspec_cases::{Expected, Query};
use robotspec_reference::{Edition, Ruling};

use crate::oracle::kind::FindingKind;
use crate::oracle::relation::Relation;

/// A query that shows that an implementation diverges.
#[derive(Debug, Clone)]
pub(crate) struct Divergence {
    pub(crate) edition: Edition,
    pub(crate) kind: FindingKind,
    /// The relation that does not hold; only of the kind `relation`.
    pub(crate) relation: Option<Relation>,
    pub(crate) query: Query,
    pub(crate) expected: Expected,
    pub(crate) got: Result<Answer, Fault>,
}

impl Divergence {
    /// Compares the answers to the two forms of a file. `None` where they agree or one is not a definite verdict.
    pub(crate) fn between_forms(
        edition: Edition,
        relation: Relation,
        query: &Query,
        [file, twin]: [&Result<Answer, Fault>; 2],
    ) -> Option<Divergence> {
        let (file, twin) = (definite_verdict(file)?.clone(), definite_verdict(twin)?.clone());
        (file != twin && relation.is_safe(edition, query)).then(|| Divergence {
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
