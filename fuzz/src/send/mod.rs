//! Sends batches of queries to an endpoint.

pub(crate) mod bounded;

use std::time::{Duration, Instant};

use robotspec::{Answer, Batch, BatchAnswer, Breach, Endpoint, Fault};
use robotspec_cases::Query;

use crate::deadline::Deadline;

/// Returns the answers to batches, in the order of the batches.
///
/// How a client requests the robots.txt is not judged here, nor which rule it says decided, so the answers have neither.
pub(crate) fn send(endpoint: &mut dyn Endpoint, batches: &[Batch]) -> Vec<BatchAnswer> {
    let not_run = Fault::NotRun("there was no answer".into());
    let mut answers: Vec<BatchAnswer> = batches.iter().map(|batch| batch.each_fails(&not_run)).collect();
    endpoint.answer(batches, &mut |index, mut answer| {
        for answer in &mut answer {
            match answer {
                Ok(Answer::Access(access)) => access.violations.clear(),
                Ok(Answer::Decided { verdict, .. }) => *answer = Ok(Answer::Match(verdict.clone())),
                _ => {}
            }
        }
        answers[index] = answer;
    });
    answers
}

/// Returns the answer to the query at this place of a batch.
pub(crate) fn answer_at(answer: &BatchAnswer, place: usize) -> Result<Answer, Fault> {
    answer.get(place).cloned().unwrap_or_else(|| Err(Fault::Protocol(Breach::WrongKind.without_line())))
}

/// Asks an implementation queries again, each in a batch of its own and one after the other. `None` where the deadline is
/// over before the last answer; the first query is sent in any case.
pub(crate) fn ask(
    endpoint: &mut dyn Endpoint,
    queries: &[Query],
    deadline: Deadline,
) -> Option<Vec<Result<Answer, Fault>>> {
    let batches: Vec<Batch> = queries.iter().cloned().map(Batch::single).collect();
    let answers = PacedSender::new(|| deadline.is_over()).send(endpoint, &batches);
    (answers.len() == batches.len()).then(|| answers.iter().map(|answer| answer_at(answer, 0)).collect())
}

/// Batches that are answered within this time may be followed by more batches at once.
const QUICK: Duration = Duration::from_millis(100);

/// The factor by which the number of batches grows.
const GROWTH: usize = 4;

/// Sends batches in portions, so that a run can end between two of them.
///
/// A portion grows while the implementation is quick. It is a single batch while each may take as long as the time-out.
pub(crate) struct PacedSender<'a> {
    is_over: Box<dyn Fn() -> bool + 'a>,
    portion: usize,
    /// At least one batch is sent, however long the implementation took to start.
    has_sent: bool,
}

impl<'a> PacedSender<'a> {
    pub(crate) fn new(is_over: impl Fn() -> bool + 'a) -> Self {
        PacedSender { is_over: Box::new(is_over), portion: 1, has_sent: false }
    }

    /// Returns the answers to batches, in their order: to all of them, or to those that were sent before the run was
    /// over.
    pub(crate) fn send(&mut self, endpoint: &mut dyn Endpoint, batches: &[Batch]) -> Vec<BatchAnswer> {
        let mut answers = Vec::with_capacity(batches.len());
        while answers.len() < batches.len() && !(self.has_sent && (self.is_over)()) {
            self.has_sent = true;
            let rest = &batches[answers.len()..];
            let started = Instant::now();
            answers.extend(send(endpoint, &rest[..self.portion.min(rest.len())]));
            self.portion = match started.elapsed() < QUICK {
                true => self.portion.saturating_mul(GROWTH),
                false => 1,
            };
        }
        answers
    }
}
