//! Sends single queries again, to see whether they show a divergence.

use std::slice;

use robotspec::{Batch, Endpoint, Fault};
use robotspec_cases::Query;
use robotspec_reference::Edition;

use crate::deadline::Deadline;
use crate::oracle::Oracle;
use crate::oracle::divergence::{Divergence, Observed};
use crate::oracle::kind::Kind;
use crate::oracle::relation::Relation;
use crate::send::{answer_at, send};

/// An implementation, and the oracle that judges it.
pub(crate) struct Examiner<'i> {
    pub(crate) endpoint: &'i mut dyn Endpoint,
    pub(crate) oracle: &'i mut Oracle,
    /// When minimising ends.
    pub(crate) deadline: Deadline<'i>,
}

impl Examiner<'_> {
    /// Returns the divergence of the first query that shows one like this.
    pub(crate) fn first_like(&mut self, divergence: &Divergence, queries: &[Query]) -> Option<Divergence> {
        let Divergence { edition, kind, relation, .. } = *divergence;
        let seen = self.examine(edition, kind, relation, queries);
        seen.into_iter().flatten().find(|seen| seen.is_like(divergence))
    }

    /// Returns whether the query shows a divergence of this kind.
    pub(crate) fn shows(
        &mut self,
        edition: Edition,
        kind: Kind,
        relation: Option<Relation>,
        query: &Query,
    ) -> bool {
        self.examine(edition, kind, relation, slice::from_ref(query)).iter().any(Option::is_some)
    }

    /// Returns whether the implementation still receives queries.
    pub(crate) fn is_available(&mut self, query: &Query) -> bool {
        let answers = send(self.endpoint, &[Batch::single(query.clone())]);
        !matches!(answer_at(&answers[0], 0), Err(Fault::NotRun(_)))
    }

    /// Returns the divergence of this kind that each query shows.
    fn examine(
        &mut self,
        edition: Edition,
        kind: Kind,
        relation: Option<Relation>,
        queries: &[Query],
    ) -> Vec<Option<Divergence>> {
        if let Some(relation) = relation {
            return queries.iter().map(|query| self.compare_forms(edition, relation, query)).collect();
        }
        let batches: Vec<Batch> = queries.iter().cloned().map(Batch::single).collect();
        let expected = self.oracle.expect(slice::from_ref(&edition), &batches).pop().unwrap_or_default();
        let answers = send(self.endpoint, &batches);
        let judge = |((query, mut expected), answer): ((&Query, Vec<_>), &_)| {
            let (expected, got) = (expected.pop()?, answer_at(answer, 0));
            let seen = self.oracle.judge(edition, query, &expected, &got)?;
            let (query, got) = (query.clone(), Observed::Answer(got));
            (seen == kind).then_some(Divergence { edition, kind, relation, query, expected, got })
        };
        queries.iter().zip(expected).zip(&answers).map(judge).collect()
    }

    /// Returns the divergence between the answers to a file and to its form that means the same.
    fn compare_forms(&mut self, edition: Edition, relation: Relation, query: &Query) -> Option<Divergence> {
        let Query::Match { robots, .. } = query else { return None };
        let twin = query.with_robots(relation.rewrite(robots)?)?;
        let answers = send(self.endpoint, &[Batch::single(query.clone()), Batch::single(twin)]);
        let [file, twin] = [answer_at(&answers[0], 0), answer_at(&answers[1], 0)];
        Divergence::between_forms(edition, relation, query, [&file, &twin])
    }
}
