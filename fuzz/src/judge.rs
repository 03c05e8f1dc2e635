//! What an edition expects of a request, and what becomes of an answer.

use std::fmt;

use robotspec_reference::{Edition, Governs, RobotsTxt, Ruling, access, scope};

use crate::relation::Relation;
use robotspec::event::Status;
use robotspec::implementation::{Answer, BatchRequest, Fault, Verdict};
use robotspec::judge::{self as judging, Single};
use robotspec_cases::suite::{Expected, ExpectedAccess, Request, TimedVisit};

/// In which way an implementation departs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It contradicts a definite ruling.
    Violation,
    /// It answers differently for two files that mean the same.
    Relation(Relation),
    /// It dies.
    Crash,
    /// It does not come to an end in time.
    Timeout,
    /// It answers what is no answer.
    ProtocolError,
    /// It says that it failed.
    Error,
    /// Its cost grows faster than the product of pattern and path.
    Cost,
    /// It answers other than the implementation that it is held against.
    Disagreement,
}

impl Kind {
    /// Every kind.
    pub(crate) fn all() -> impl Iterator<Item = Kind> {
        let others = [
            Kind::Violation,
            Kind::Crash,
            Kind::Timeout,
            Kind::ProtocolError,
            Kind::Error,
            Kind::Cost,
            Kind::Disagreement,
        ];
        others.into_iter().chain(Relation::all().map(Kind::Relation))
    }

    /// What it is called.
    pub fn id(self) -> &'static str {
        match self {
            Kind::Violation => "violation",
            Kind::Relation(_) => "relation",
            Kind::Crash => "crash",
            Kind::Timeout => "timeout",
            Kind::ProtocolError => "protocol-error",
            Kind::Error => "error",
            Kind::Cost => "cost",
            Kind::Disagreement => "disagreement",
        }
    }

    fn of(status: Status) -> Option<Kind> {
        Some(match status {
            Status::Fail => Kind::Violation,
            Status::Crash => Kind::Crash,
            Status::Timeout => Kind::Timeout,
            Status::ProtocolError => Kind::ProtocolError,
            Status::Error => Kind::Error,
            Status::Pass | Status::NotSupported | Status::Unspecified | Status::NotRun => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// What is expected of each of the queries of a request.
pub(crate) fn expectations(edition: Edition, request: &BatchRequest) -> Vec<Expected> {
    match request {
        BatchRequest::Match { robots, queries } => {
            let robots = RobotsTxt::parse(robots);
            let mut expected = Vec::with_capacity(queries.len());
            // Queries about one agent stand together.
            for queries in queries.chunk_by(|a, b| a.agent == b.agent) {
                let rules = robots.for_agent(edition, &queries[0].agent);
                expected.extend(queries.iter().map(|query| {
                    // What is no URL is asked of nobody.
                    Expected::Ruling(rules.ruling(&query.url).unwrap_or(Ruling::Unspecified))
                }));
            }
            expected
        }
        BatchRequest::Sitemaps { robots } => {
            let sitemaps = RobotsTxt::parse(robots).sitemaps(edition);
            let (certain, open): (Vec<_>, Vec<_>) = sitemaps.into_iter().partition(|sitemap| sitemap.certain);
            let urls = |sitemaps: Vec<robotspec_reference::sitemap::Sitemap>| {
                sitemaps.into_iter().map(|sitemap| sitemap.url).collect()
            };
            vec![Expected::Sitemaps { certain: urls(certain), open: urls(open) }]
        }
        BatchRequest::Scope { robots_url, url } => {
            vec![Expected::Governs(scope(edition, robots_url, url).unwrap_or(Governs::Unspecified))]
        }
        BatchRequest::Access { visits, agent, paths } => {
            vec![Expected::Access(expected_access(edition, visits, agent, paths))]
        }
        BatchRequest::Grammar { .. } | BatchRequest::Fetch { .. } => Vec::new(),
    }
}

/// The outcome in the few words that a row has for it; what they cannot say counts as open.
fn expected_access(edition: Edition, visits: &[TimedVisit], agent: &str, paths: &[String]) -> ExpectedAccess {
    let observed: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
    let access = access(edition, &observed);
    let mut disallowed = Vec::new();
    for path in paths {
        match access.ruling(edition, agent, path) {
            Ok(Ruling::Allow) => {}
            Ok(Ruling::Disallow) => disallowed.push(path),
            _ => return ExpectedAccess::Unspecified,
        }
    }
    match disallowed[..] {
        [] => ExpectedAccess::FullAllow,
        _ if disallowed.len() == paths.len() => ExpectedAccess::FullDisallow,
        [path] => ExpectedAccess::Conditional(path.clone()),
        _ => ExpectedAccess::Unspecified,
    }
}

/// How many queries a request has.
pub(crate) fn queries(request: &BatchRequest) -> usize {
    match request {
        BatchRequest::Match { queries, .. } => queries.len(),
        _ => 1,
    }
}

/// The query at this place as a request of its own.
pub(crate) fn single(request: &BatchRequest, place: usize) -> Request {
    match request {
        BatchRequest::Match { robots, queries } => {
            let query = &queries[place];
            Request::Match { robots: robots.clone(), agent: query.agent.clone(), url: query.url.clone() }
        }
        BatchRequest::Sitemaps { robots } => Request::Sitemaps { robots: robots.clone() },
        BatchRequest::Scope { robots_url, url } => {
            Request::Scope { robots_url: robots_url.clone(), url: url.clone() }
        }
        BatchRequest::Access { visits, agent, paths } => {
            Request::Access { visits: visits.clone(), agent: agent.clone(), paths: paths.clone() }
        }
        BatchRequest::Grammar { text } => Request::Grammar { text: text.clone() },
        BatchRequest::Fetch { .. } => Request::Scope { robots_url: String::new(), url: String::new() },
    }
}

/// What became of the query at this place.
pub(crate) fn got(
    request: &BatchRequest,
    answer: &Result<Answer, Fault>,
    place: usize,
) -> Result<Single, Fault> {
    match answer {
        Ok(Answer::Verdicts(verdicts)) if verdicts.len() == queries(request) => {
            Ok(Single::Verdict(verdicts[place].clone()))
        }
        Ok(Answer::Verdicts(verdicts)) => Err(Fault::Protocol(format!(
            "there are {} verdicts for {} checks",
            verdicts.len(),
            queries(request)
        ))),
        Ok(Answer::Sitemaps(urls)) => Ok(Single::Sitemaps(urls.clone())),
        Ok(Answer::Governs(governs)) => Ok(Single::Governs(*governs)),
        Ok(Answer::Accessed(accessed)) => match request {
            BatchRequest::Access { paths, .. } => {
                Ok(Single::Accessed { paths: paths.clone(), accessed: accessed.clone() })
            }
            _ => Err(Fault::Protocol("that is no answer to this request".to_owned())),
        },
        Ok(Answer::Derived(derived)) => Ok(Single::Derived(*derived)),
        Err(fault) => Err(fault.clone()),
    }
}

/// How the answer departs from what is expected, if it does.
pub(crate) fn departs(expected: &Expected, got: &Result<Single, Fault>) -> Option<Kind> {
    Kind::of(judging::judge(expected, got, false))
}

/// Whether the edition stands by its ruling however a reader answers a question from one place to the next.
/// Nobody who reads one misspelling as a field and another not breaks the text.
pub(crate) fn is_certain(edition: Edition, request: &Request, expected: &Expected) -> bool {
    match (request, expected) {
        (Request::Match { robots, agent, url }, Expected::Ruling(ruling)) => {
            RobotsTxt::parse(robots).ruling_in_detail(edition, agent, url) == Ok(*ruling)
        }
        _ => true,
    }
}

/// An answer in a word.
pub(crate) fn told(got: &Result<Single, Fault>) -> String {
    judging::describe(got, false)
}

/// The verdict, where it is a plain one.
pub(crate) fn verdict(got: &Result<Single, Fault>) -> Option<Ruling> {
    match got {
        Ok(Single::Verdict(Verdict::Allow)) => Some(Ruling::Allow),
        Ok(Single::Verdict(Verdict::Disallow)) => Some(Ruling::Disallow),
        _ => None,
    }
}
