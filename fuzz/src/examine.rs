//! Whether a request shows a divergence: asked of an implementation, and held against the text or
//! against another implementation.

use std::sync::Arc;
use std::time::Instant;

use robotspec_reference::{Edition, Ruling};

use crate::finding::{Finding, class};
use crate::judge::{self, Kind};
use crate::reduce::reduce;
use robotspec::implementation::{Answer, BatchRequest, Fault, Implementation, Query, Verdict};
use robotspec::judge::Single;
use robotspec_cases::suite::{Expected, Request};

/// Who says what is right.
pub(crate) enum Oracle {
    /// The editions.
    Text,
    /// Another implementation.
    Implementation(Box<dyn Implementation + Send>),
}

impl Oracle {
    /// What is expected of each query of each request.
    pub(crate) fn expectations(&mut self, edition: Edition, requests: &[BatchRequest]) -> Vec<Vec<Expected>> {
        let Oracle::Implementation(other) = self else {
            return requests.iter().map(|request| judge::expectations(edition, request)).collect();
        };
        other.read_as(edition);
        let answers = answers(other.as_mut(), requests);
        let expected = |(request, answer): (&BatchRequest, &Result<Answer, Fault>)| {
            (0..judge::queries(request))
                .map(|place| as_expected(judge::got(request, answer, place)))
                .collect()
        };
        requests.iter().zip(&answers).map(expected).collect()
    }

    /// How an answer departs from what is expected, if it does, and the text stands by that in every detail. To
    /// be sure of it costs much, so the request is made only when it is needed.
    pub(crate) fn departs(
        &self,
        edition: Edition,
        expected: &Expected,
        got: &Result<Single, Fault>,
        request: impl FnOnce() -> Request,
    ) -> Option<Kind> {
        match (judge::departs(expected, got)?, self) {
            (Kind::Violation, Oracle::Implementation(_)) => Some(Kind::Disagreement),
            (Kind::Violation, Oracle::Text) => {
                judge::is_certain(edition, &request(), expected).then_some(Kind::Violation)
            }
            (kind, _) => Some(kind),
        }
    }
}

/// An answer of the other implementation as what is expected; nothing is, where it gives none.
fn as_expected(got: Result<Single, Fault>) -> Expected {
    match got {
        Ok(Single::Verdict(Verdict::Allow)) => Expected::Ruling(Ruling::Allow),
        Ok(Single::Verdict(Verdict::Disallow)) => Expected::Ruling(Ruling::Disallow),
        Ok(Single::Sitemaps(certain)) => Expected::Sitemaps { certain, open: Vec::new() },
        Ok(Single::Governs(governs)) => Expected::Governs(governs),
        _ => Expected::Ruling(Ruling::Unspecified),
    }
}

/// The answers to requests, in their order.
pub(crate) fn answers(
    implementation: &mut dyn Implementation,
    requests: &[BatchRequest],
) -> Vec<Result<Answer, Fault>> {
    let mut answers = vec![Err(Fault::NotRun("it was not answered".to_owned())); requests.len()];
    implementation.answer_all(requests, &mut |index, answer| answers[index] = answer);
    answers
}

/// A divergence that was seen.
#[derive(Debug, Clone)]
pub(crate) struct Divergence {
    pub(crate) edition: Edition,
    pub(crate) kind: Kind,
    pub(crate) request: Request,
    pub(crate) expected: Expected,
    pub(crate) got: String,
}

impl Divergence {
    /// Whether another one is of the same sort: the same kind, and where a verdict is wrong, wrong in the
    /// same direction.
    fn is_like(&self, other: &Divergence) -> bool {
        let directed = |divergence: &Divergence| match &divergence.expected {
            Expected::Ruling(ruling) => (Some((*ruling, divergence.got.clone())), false),
            Expected::Sitemaps { open, .. } => (None, open.is_empty()),
            _ => (None, false),
        };
        let has_direction = matches!(self.kind, Kind::Violation | Kind::Disagreement);
        self.kind == other.kind && (!has_direction || directed(self) == directed(other))
    }
}

/// An implementation, and who says what is right.
pub(crate) struct Examiner<'i> {
    pub(crate) implementation: &'i mut dyn Implementation,
    pub(crate) oracle: &'i mut Oracle,
    /// When to minimise no further.
    pub(crate) until: Option<Instant>,
}

impl Examiner<'_> {
    /// The first of the requests that shows a divergence like this one.
    pub(crate) fn first_like(
        &mut self,
        divergence: &Divergence,
        requests: &[Request],
    ) -> Option<(usize, Divergence)> {
        let seen = self.examine(divergence.edition, divergence.kind, requests);
        seen.into_iter()
            .enumerate()
            .find_map(|(index, seen)| seen.filter(|seen| seen.is_like(divergence)).map(|seen| (index, seen)))
    }

    /// What each of the requests shows, of this kind.
    pub(crate) fn examine(
        &mut self,
        edition: Edition,
        kind: Kind,
        requests: &[Request],
    ) -> Vec<Option<Divergence>> {
        self.implementation.read_as(edition);
        if let Kind::Relation(relation) = kind {
            return requests.iter().map(|request| self.relates(edition, relation, request)).collect();
        }
        let batch: Vec<BatchRequest> = requests.iter().map(batch_request).collect();
        let expected = self.oracle.expectations(edition, &batch);
        let answers = answers(self.implementation, &batch);
        let seen = requests.iter().zip(&batch).zip(expected).zip(&answers);
        seen.map(|(((request, batch), mut expected), answer)| {
            let expected = expected.pop()?;
            let got = judge::got(batch, answer, 0);
            let seen = self.oracle.departs(edition, &expected, &got, || request.clone())?;
            (seen == kind).then(|| Divergence {
                edition,
                kind,
                request: request.clone(),
                expected,
                got: judge::told(&got),
            })
        })
        .collect()
    }

    /// Whether two files that mean the same are answered differently.
    fn relates(
        &mut self,
        edition: Edition,
        relation: super::Relation,
        request: &Request,
    ) -> Option<Divergence> {
        let Request::Match { robots, agent, url } = request else { return None };
        let twin =
            Request::Match { robots: relation.rewrite(robots)?, agent: agent.clone(), url: url.clone() };
        let batch = [batch_request(request), batch_request(&twin)];
        let answers = answers(self.implementation, &batch);
        let verdict = |index: usize| judge::verdict(&judge::got(&batch[index], &answers[index], 0));
        let (before, after) = (verdict(0)?, verdict(1)?);
        (before != after).then(|| Divergence {
            edition,
            kind: Kind::Relation(relation),
            request: request.clone(),
            expected: Expected::Ruling(before),
            got: after.to_string(),
        })
    }
}

/// The smallest form of a divergence as a finding, where it shows again when asked alone: else it was another
/// query's doing, which shows by itself.
pub(crate) fn finding(
    examiner: &mut Examiner,
    editions: &[Edition],
    divergence: &Divergence,
    after: u64,
) -> Option<Finding> {
    let first_seen = divergence.request.clone();
    let (_, seen) = examiner.first_like(divergence, std::slice::from_ref(&first_seen))?;
    let minimal = reduce(examiner, seen);
    let class = class(&examiner.implementation.info().name, &minimal);
    let breaks = |edition: &Edition| {
        let seen = examiner.examine(*edition, minimal.kind, std::slice::from_ref(&minimal.request));
        seen.iter().any(Option::is_some)
    };
    let editions = match minimal.kind {
        // Who is right is for no edition to say then.
        Kind::Disagreement => Vec::new(),
        _ => editions.iter().copied().filter(breaks).collect(),
    };
    let Divergence { edition, request, expected, got, .. } = minimal;
    Some(Finding { class, edition, editions, request, expected, got, after, first_seen })
}

/// A request as it is put to an implementation.
pub(crate) fn batch_request(request: &Request) -> BatchRequest {
    match request {
        // The twin of a file follows from the relation: see `relates`.
        Request::Match { robots, agent, url } | Request::Alike { robots, agent, url, .. } => {
            BatchRequest::Match {
                robots: Arc::clone(robots),
                queries: vec![Query { agent: agent.clone(), url: url.clone() }],
            }
        }
        Request::Scope { robots_url, url } => {
            BatchRequest::Scope { robots_url: robots_url.clone(), url: url.clone() }
        }
        Request::Sitemaps { robots } => BatchRequest::Sitemaps { robots: Arc::clone(robots) },
        Request::Access { visits, agent, paths } => BatchRequest::Access {
            visits: Arc::clone(visits),
            agent: agent.clone(),
            paths: Arc::clone(paths),
        },
        Request::Grammar { text } => BatchRequest::Grammar { text: Arc::clone(text) },
    }
}
