//! Requests that are answered side by side.

use std::sync::{Mutex, mpsc};
use std::thread;

use crate::implementation::{Answer, BatchRequest, Fault};

/// Answers requests, so many at a time, and hands each answer over as it comes.
pub(crate) fn answer_all(
    jobs: usize,
    requests: &[BatchRequest],
    answer: impl Fn(&BatchRequest) -> Result<Answer, Fault> + Sync,
    answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
) {
    let next = Mutex::new(0..requests.len());
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, requests.len().max(1)) {
            let (sender, next, answer) = (sender.clone(), &next, &answer);
            scope.spawn(move || {
                let take = || next.lock().ok()?.next();
                while let Some(index) = take() {
                    if sender.send((index, answer(&requests[index]))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, answer) in receiver {
            answered(index, answer);
        }
    });
}
