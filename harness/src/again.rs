//! Asks an implementation again, each query alone, and finds the earlier queries on which an answer depends.

use std::time::{Duration, Instant};

use robotspec_cases::Query;

use crate::answer::{Answer, Fault};
use crate::endpoint::{Batch, BatchAnswer, Endpoint, not_answered};

/// Batches that are answered within this time may be followed by more batches at once.
const QUICK: Duration = Duration::from_millis(100);

/// The factor by which the number of batches grows.
const GROWTH: usize = 4;

/// Sends batches in portions, so that a run can end between two of them.
///
/// A portion grows while the implementation is quick. It is a single batch while each may take as long as the time-out.
pub struct PacedSender<'a> {
    is_over: Box<dyn Fn() -> bool + 'a>,
    portion: usize,
    /// At least one batch is sent, however long the implementation took to start.
    has_sent: bool,
}

impl<'a> PacedSender<'a> {
    /// Returns a sender that sends no more once the run is over.
    pub fn new(is_over: impl Fn() -> bool + 'a) -> Self {
        PacedSender { is_over: Box::new(is_over), portion: 1, has_sent: false }
    }

    /// Returns the answers to batches, in their order: to all of them, or to those that were sent before the run was
    /// over.
    pub fn send(&mut self, endpoint: &mut dyn Endpoint, batches: &[Batch]) -> Vec<BatchAnswer> {
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

/// Returns the answers to batches, in the order of the batches.
pub fn send(endpoint: &mut dyn Endpoint, batches: &[Batch]) -> Vec<BatchAnswer> {
    let mut answers: Vec<_> = batches.iter().map(|batch| batch.each_fails(&not_answered())).collect();
    endpoint.answer(batches, &mut |index, answer| answers[index] = answer);
    answers
}

/// Sends one query to an endpoint.
///
/// # Errors
///
/// The implementation did not answer.
pub fn ask(endpoint: &mut dyn Endpoint, query: &Query) -> Result<Answer, Fault> {
    let answers = ask_again(endpoint, [query.clone()], &|| false);
    answers.and_then(|mut answers| answers.pop()).unwrap_or_else(|| Err(not_answered()))
}

/// Asks an implementation queries, each alone and one after the other. `None` where the time is over before the last answer;
/// the first query is sent in any case.
pub fn ask_again(
    endpoint: &mut dyn Endpoint,
    queries: impl IntoIterator<Item = Query>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Result<Answer, Fault>>> {
    let batches: Vec<Batch> = queries.into_iter().map(Batch::single).collect();
    let answers = PacedSender::new(is_over).send(endpoint, &batches);
    let only = |mut answer: BatchAnswer| answer.pop().unwrap_or_else(|| Err(not_answered()));
    (answers.len() == batches.len()).then(|| answers.into_iter().map(only).collect())
}

/// Returns the first of these sequences that has an effect, without the parts that it does not need. The result is `None`
/// where none has it before the time is over.
///
/// Parts are removed as long as the rest still has its effect: halves of the sequence, then quarters, down to single items.
pub fn find_sequence<T: Clone>(
    sequences: impl IntoIterator<Item = Vec<T>>,
    is_over: impl Fn() -> bool,
    has_effect: impl Fn(&[T]) -> bool,
) -> Option<Vec<T>> {
    let is_found = |sequence: &Vec<T>| !is_over() && has_effect(sequence);
    let mut sequence = sequences.into_iter().find(is_found)?;
    let mut length = sequence.len().div_ceil(2);
    while length > 0 {
        let mut from = 0;
        while from < sequence.len() && !is_over() {
            let to = sequence.len().min(from + length);
            let rest = [&sequence[..from], &sequence[to..]].concat();
            if has_effect(&rest) {
                sequence = rest;
            } else {
                from = to;
            }
        }
        length = if length == 1 { 0 } else { length.div_ceil(2) };
    }
    Some(sequence)
}
