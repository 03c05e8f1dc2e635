//! Asking in such steps that a run can end in between.

use std::time::{Duration, Instant};

use crate::examine::answers;
use robotspec::implementation::{Answer, BatchRequest, Fault, Implementation};

/// What is answered in less may be followed by more requests at a time.
const QUICK: Duration = Duration::from_millis(100);

/// How many times more.
const GROWTH: usize = 4;

/// How many requests are put at a time, as quickly as they are answered: all of them mostly, one by one where each may
/// take as long as the time-out.
pub(super) struct Asking<'a> {
    is_over: Box<dyn Fn() -> bool + 'a>,
    at_a_time: usize,
    /// Something is asked, however long it took to start.
    has_asked: bool,
}

impl<'a> Asking<'a> {
    pub(super) fn new(is_over: impl Fn() -> bool + 'a) -> Self {
        Asking { is_over: Box::new(is_over), at_a_time: 1, has_asked: false }
    }

    /// The answers to requests, in their order: to all of them, or to those that were put before it was over.
    pub(super) fn answers(
        &mut self,
        implementation: &mut dyn Implementation,
        requests: &[BatchRequest],
    ) -> Vec<Result<Answer, Fault>> {
        let mut answered = Vec::with_capacity(requests.len());
        while answered.len() < requests.len() && !(self.has_asked && (self.is_over)()) {
            self.has_asked = true;
            let rest = &requests[answered.len()..];
            let now = &rest[..self.at_a_time.min(rest.len())];
            let started = Instant::now();
            answered.extend(answers(implementation, now));
            self.at_a_time = match started.elapsed() < QUICK {
                true => self.at_a_time.saturating_mul(GROWTH),
                false => 1,
            };
        }
        answered
    }
}
