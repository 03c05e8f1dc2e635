//! Batches that are answered in parallel.

use std::sync::{Mutex, mpsc};
use std::thread;

use crate::endpoint::{Batch, BatchAnswer};

/// Answers batches, `jobs` at the same time, and passes on each answer when it arrives.
pub(crate) fn answer_all(
    jobs: usize,
    batches: &[Batch],
    answer: impl Fn(&Batch) -> BatchAnswer + Sync,
    on_answer: &mut dyn FnMut(usize, BatchAnswer),
) {
    let next = Mutex::new(0..batches.len());
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, batches.len().max(1)) {
            let (sender, next, answer) = (sender.clone(), &next, &answer);
            scope.spawn(move || {
                let take = || next.lock().ok()?.next();
                while let Some(index) = take() {
                    if sender.send((index, answer(&batches[index]))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, answer) in receiver {
            on_answer(index, answer);
        }
    });
}
