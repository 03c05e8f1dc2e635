//! Asks an implementation again, to see whether a query shows a divergence.

use std::slice;

use robotspec::{Batch, Endpoint, Fault};
use robotspec_cases::{Query, Variant};
use robotspec_reference::Edition;

use crate::deadline::Deadline;
use crate::oracle::Oracle;
use crate::oracle::divergence::{Divergence, FindingKind, twin};
use crate::oracle::known::Known;
use crate::send::ask;

/// An implementation, and the oracle that judges it.
pub(crate) struct Examiner<'i> {
    pub(crate) endpoint: &'i mut dyn Endpoint,
    pub(crate) oracle: &'i mut Oracle,
    /// What is known of the implementation.
    pub(crate) known: Known,
    /// When minimising ends.
    pub(crate) deadline: Deadline<'i>,
}

impl Examiner<'_> {
    /// Returns the divergence of the first query that shows one like this in the same edition, which no known mistake
    /// explains. Without all answers before the deadline, there is none.
    pub(crate) fn first_like(&mut self, divergence: &Divergence, queries: &[Query]) -> Option<Divergence> {
        let seen = self.find_divergences(divergence.edition, divergence.relation, queries);
        seen?.into_iter().find(|seen| seen.is_like(divergence) && self.known.explains(seen, false).is_none())
    }

    /// Returns whether the query shows a divergence of this kind.
    pub(crate) fn shows(
        &mut self,
        edition: Edition,
        kind: FindingKind,
        relation: Option<Variant>,
        query: &Query,
    ) -> bool {
        let seen = self.find_divergences(edition, relation, slice::from_ref(query));
        seen.into_iter().flatten().any(|seen| seen.kind == kind)
    }

    /// Returns whether the implementation still receives queries.
    pub(crate) fn is_available(&mut self, query: &Query) -> bool {
        let answers = ask(self.endpoint, slice::from_ref(query), self.deadline);
        !matches!(answers.as_deref(), Some([Err(Fault::NotRun(_))]))
    }

    /// Returns the divergences that queries show: from what is expected, or with a relation, between the two forms of a
    /// file. `None` where the deadline is over before the last answer.
    fn find_divergences(
        &mut self,
        edition: Edition,
        relation: Option<Variant>,
        queries: &[Query],
    ) -> Option<Vec<Divergence>> {
        if let Some(relation) = relation {
            let forms = queries.iter().filter_map(|query| Some([query.clone(), twin(relation, query)?]));
            let forms: Vec<[Query; 2]> = forms.collect();
            let answers = ask(self.endpoint, forms.as_flattened(), self.deadline)?;
            let compare = |([query, _], answers): (&[Query; 2], &[_; 2])| {
                Divergence::between_forms(edition, relation, query, answers.each_ref())
            };
            return Some(forms.iter().zip(answers.as_chunks().0).filter_map(compare).collect());
        }
        let batches: Vec<Batch> = queries.iter().cloned().map(Batch::single).collect();
        let expected = self.oracle.expect(&[edition], &batches).concat().concat();
        let answers = ask(self.endpoint, queries, self.deadline)?;
        let judge = |((query, expected), got): ((&Query, _), _)| {
            let kind = self.oracle.judge(edition, query, &expected, &got).1?;
            Some(Divergence { edition, kind, relation, query: query.clone(), expected, got })
        };
        Some(queries.iter().zip(expected).zip(answers).filter_map(judge).collect())
    }
}
