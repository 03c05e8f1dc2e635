//! The connections to implementations, and the bridge from a [`Parser`] to one.

mod blame;
mod in_process;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use robotspec_cases::{CheckId, Query};
use serde::{Deserialize, Serialize};

use crate::answer::{AccessAnswer, Answer, Breach, Fault, ProtocolError, Verdict, in_order};
use crate::interrupt;
use crate::parser::{Info, MatchQuery, Parser};

pub(crate) use blame::{Failures, Transport};
pub use in_process::{InProcess, SUBJECT_THREAD};

/// The answer to each query of a batch, or why it has none. A query has a fault of its own only where it was sent alone,
/// because another query of its batch may have caused the fault of the batch.
pub type BatchAnswer = Vec<Result<Answer, Fault>>;

/// The answers to all queries of a request, or why the request has none.
pub(crate) type RequestAnswers = Result<Vec<Answer>, Fault>;

/// Receives the answer to each batch with the index of the batch, in any order.
pub(crate) type OnAnswer<'a> = &'a mut (dyn FnMut(usize, BatchAnswer) + 'a);

/// Receives the answers to each request with the index of the request, in any order.
pub(crate) type OnReply<'a> = &'a mut (dyn FnMut(usize, RequestAnswers) + 'a);

/// A connection to an implementation.
pub trait Endpoint {
    /// Returns the name and version of the implementation.
    fn info(&self) -> Info;

    /// Sends batches of queries, and passes on the answer to each with the index of its batch, in any order. A batch
    /// without an answer is reported as *not run*.
    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer));

    /// Returns whether the implementation is started anew for each query, so that it cannot keep anything from one to the
    /// next.
    fn starts_anew(&self) -> bool {
        false
    }

    /// Ends the implementation: no further query will be sent.
    fn finish(&mut self) {}

    /// Returns the incidents since the last call.
    fn incidents(&mut self) -> Vec<Incident> {
        Vec::new()
    }
}

/// An instance of an implementation.
pub type BoxedEndpoint = Box<dyn Endpoint + Send>;

/// Makes an instance of an implementation.
pub type MakeEndpoint = Box<dyn Fn() -> BoxedEndpoint + Send>;

/// Queries that are sent together: one query of any kind, or several match queries about one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    queries: Vec<Query>,
}

impl Batch {
    /// Returns a batch of one query.
    pub fn single(query: Query) -> Self {
        Batch { queries: vec![query] }
    }

    /// Returns the queries in batches, those about one file that follow each other together.
    pub fn group<'q>(queries: impl IntoIterator<Item = &'q Query>) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        for query in queries {
            if !batches.last_mut().is_some_and(|batch| batch.try_push(query)) {
                batches.push(Batch::single(query.clone()));
            }
        }
        batches
    }

    /// Adds a match query about the same file. Returns whether it could.
    pub fn try_push(&mut self, query: &Query) -> bool {
        let is_same_file = match (&self.queries[0], query) {
            (Query::Match { robots, .. }, Query::Match { robots: other, .. }) => {
                Arc::ptr_eq(robots, other) || robots == other
            }
            _ => false,
        };
        if is_same_file {
            self.queries.push(query.clone());
        }
        is_same_file
    }

    /// Returns the queries. There is at least one.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Returns the first query, which is the only one of any kind but a match query.
    pub fn first(&self) -> &Query {
        &self.queries[0]
    }

    /// Returns a fault as the answer to each query.
    pub fn each_fails(&self, fault: &Fault) -> BatchAnswer {
        vec![Err(fault.clone()); self.queries.len()]
    }

    /// Returns the agents and URLs of match queries.
    pub fn match_queries(&self) -> Vec<MatchQuery<'_>> {
        let queries = self.queries.iter().filter_map(|query| match query {
            Query::Match { agent, url, .. } => Some(MatchQuery { agent, url }),
            _ => None,
        });
        queries.collect()
    }
}

/// Returns the fault of a query that an endpoint left unanswered.
pub(crate) fn not_answered() -> Fault {
    Fault::NotRun("there was no answer".into())
}

fn ensure_count(verdicts: usize, checks: usize) -> Result<(), Fault> {
    if verdicts == checks { Ok(()) } else { Err(Breach::VerdictCount { verdicts, checks }.into()) }
}

/// Verdicts as answers to match queries.
///
/// # Errors
///
/// Their number is not that of the checks.
pub(crate) fn match_answers<V: Into<Answer>>(verdicts: Vec<V>, checks: usize) -> RequestAnswers {
    ensure_count(verdicts.len(), checks)?;
    Ok(verdicts.into_iter().map(V::into).collect())
}

/// Answers to two match queries as an answer to a query about two files.
///
/// # Errors
///
/// They are not the answers to two match queries.
pub(crate) fn alike_answer(answers: impl IntoIterator<Item = Answer>) -> Result<Answer, Fault> {
    match answers.into_iter().map(Answer::without_line).collect::<Vec<_>>().as_slice() {
        [Answer::Match(file), Answer::Match(twin)] => {
            Ok(Answer::Alike { file: file.clone(), twin: twin.clone() })
        }
        _ => Err(Breach::WrongKind.into()),
    }
}

/// Verdicts on paths as an answer to an access query, with the violations of the requests.
///
/// # Errors
///
/// Their number is not that of the paths.
pub(crate) fn access_answer(
    paths: &[String],
    verdicts: Vec<Verdict>,
    violations: Vec<String>,
    followed: bool,
) -> Result<Answer, Fault> {
    ensure_count(verdicts.len(), paths.len())?;
    let verdicts = paths.iter().cloned().zip(verdicts).collect();
    Ok(Answer::Access(AccessAnswer { verdicts, violations, followed }))
}

/// The bridge: every parser is an endpoint that answers in the calling thread. A panic is a crash.
impl<P: Parser + ?Sized> Endpoint for P {
    fn info(&self) -> Info {
        Parser::info(self)
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        Failures::default().answer(&mut Bridge(self), batches, on_answer);
    }
}

/// A parser that answers in the calling thread.
struct Bridge<'p, P: ?Sized>(&'p mut P);

impl<P: Parser + ?Sized> Transport for Bridge<'_, P> {
    fn send(&mut self, batches: &[Batch], on_reply: OnReply) -> Result<(), Fault> {
        for (index, batch) in batches.iter().enumerate() {
            let answered = catch_unwind(AssertUnwindSafe(|| answer_batch(self.0, batch)));
            let crash = |panic: Box<dyn Any + Send>| {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                Fault::Crash(format!("panicked: {}", text.unwrap_or_default()).into())
            };
            on_reply(index, answered.unwrap_or_else(|panic| Err(crash(panic))));
        }
        Ok(())
    }
}

fn answer_batch<P: Parser + ?Sized>(parser: &mut P, batch: &Batch) -> RequestAnswers {
    let answer = match batch.first() {
        Query::Match { robots, .. } => {
            let queries = batch.match_queries();
            let answers = match_answers(parser.check(robots, &queries)?, queries.len())?;
            // The lines of the rules that decided, where the parser says it.
            let lines = match parser.deciding_lines(robots, &queries) {
                Err(Fault::NotSupported) => return Ok(answers),
                lines => lines?,
            };
            ensure_count(lines.len(), answers.len())?;
            let with_line = |(answer, line)| match (answer, line) {
                (Answer::Match(verdict), Some(line)) => Answer::Decided { verdict, line },
                (answer, _) => answer,
            };
            return Ok(answers.into_iter().zip(lines).map(with_line).collect());
        }
        Query::Alike { robots, twin, agent, url } => {
            let mut check = |file: &[u8]| match_answers(parser.check(file, &[MatchQuery { agent, url }])?, 1);
            let (file, twin) = (check(robots)?, check(twin)?);
            alike_answer(file.into_iter().chain(twin))
        }
        Query::Sitemaps { robots } => parser.sitemaps(robots).map(Answer::Sitemaps),
        Query::Usage { robots, agent, url } => {
            parser.usage(robots, MatchQuery { agent, url }).map(Answer::Usage)
        }
        Query::Scope { robots_url, url } => parser.scope(robots_url, url).map(Answer::Scope),
        Query::Access { visits, agent, paths } => parser
            .access(visits, agent, paths)
            .and_then(|verdicts| access_answer(paths, verdicts, Vec::new(), false)),
        Query::Grammar { text } => parser.grammar(text).map(Answer::Grammar),
    };
    Ok(vec![answer?])
}

/// Something that happened to an implementation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(tag = "incident", rename_all = "kebab-case")]
pub enum Incident {
    /// The implementation was restarted.
    Restarted {
        /// Why.
        reason: Fault,
    },
    /// The implementation receives no further queries.
    GaveUp {
        /// Why.
        reason: String,
    },
    /// The implementation wrote lines that answer no request.
    ProtocolError {
        /// How many lines.
        lines: usize,
        /// What is wrong with the first one.
        first: ProtocolError,
    },
    /// The implementation supports none of the checks of the run.
    NothingJudged,
    /// Many runs of a command ended with a status that means neither allow nor disallow.
    OddStatus {
        /// The status.
        status: i32,
        /// How many runs ended with it.
        runs: usize,
        /// How many runs there were.
        of: usize,
    },
    /// The implementation keeps something from one query to the next, so that many of its answers may be those to other
    /// queries.
    KeepsState {
        /// How many answers were seen to depend on earlier queries.
        checks: usize,
        /// A check whose answer does.
        example: CheckId,
        /// A shortest sequence of checks after which the answer to the example is another one.
        after: Vec<CheckId>,
    },
    /// The run was interrupted, and the implementation received no further queries.
    Interrupted,
    /// The implementation did not exit with status 0 at the end.
    BadExit {
        /// How it ended.
        status: String,
    },
}

impl Incident {
    /// Returns whether every result of the implementation must be read in its light, so that reports begin with it.
    pub fn comes_first(&self) -> bool {
        matches!(self, Incident::NothingJudged | Incident::OddStatus { .. } | Incident::KeepsState { .. })
    }

    /// Returns whether the implementation receives no further queries, so that the run is incomplete.
    pub fn is_end(&self) -> bool {
        matches!(self, Incident::GaveUp { .. } | Incident::NothingJudged | Incident::Interrupted)
    }
}

impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Incident::Restarted { reason } => write!(f, "restarted after {reason}"),
            Incident::GaveUp { reason } => write!(f, "could not be run: {reason}"),
            Incident::ProtocolError { lines: 1, first } => write!(f, "protocol error: {first}"),
            Incident::ProtocolError { lines, first } => {
                write!(f, "protocol error, the first of {lines} surplus lines: {first}")
            }
            Incident::OddStatus { status, runs, of } => write!(
                f,
                "ended with status {status} in {runs} of {of} runs, which means neither allow nor disallow; if it means \
                 disallow, add `--disallow-exit {status}`"
            ),
            Incident::NothingJudged => {
                f.write_str("nothing was judged: the implementation supports none of these checks")
            }
            Incident::KeepsState { checks, example, after } => write!(
                f,
                "keeps state: {} on earlier queries; for example, {example} after {}",
                if *checks == 1 { "1 answer depends".to_owned() } else { format!("{checks} answers depend") },
                in_order(after)
            ),
            Incident::Interrupted => f.write_str(interrupt::REASON),
            Incident::BadExit { status } => write!(f, "bad exit: {status}"),
        }
    }
}
