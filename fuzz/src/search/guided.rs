//! A search for divergences in inputs of another fuzzer, such as one that is guided by coverage.
//!
//! To judge an input is quick, and is all that happens while that fuzzer measures it. To minimise a divergence is slow, so
//! divergences wait until [`Guided::examine`].

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

use robotspec::{Batch, status};

use crate::deadline::Deadline;
use crate::explain::finding::Finding;
use crate::oracle::divergence::definite_verdict;
use crate::search::block::{Answered, Judged, Worker};
use crate::search::collect::Collector;
use crate::search::plan::{Make, SearchPlan};
use crate::search::report::Progress;
use crate::send::answer_at;

/// How many inputs with divergences may wait. Others will be seen again.
const MOST_WAITING: usize = 256;

/// A search for divergences in inputs of another fuzzer. It takes no inputs from the source of its plan.
pub struct Guided<'p> {
    plan: &'p SearchPlan,
    worker: Worker<'p>,
    collector: Collector<'p>,
    waiting: Vec<Judged>,
    inputs: u64,
}

impl<'p> Guided<'p> {
    /// Connects to the implementations.
    pub fn new(plan: &'p SearchPlan, subjects: &'p [Make]) -> Self {
        Guided {
            plan,
            worker: Worker::new(plan, subjects, || false),
            collector: Collector::new(plan, subjects, Deadline::at_stop(&|| false)),
            waiting: Vec::new(),
            inputs: 0,
        }
    }

    /// Sends a batch to the implementations, and keeps the divergences.
    ///
    /// Returns a number for each query and edition that stands for the combination of what is expected and what each
    /// implementation answered. A guided fuzzer keeps an input with a new combination, even of implementations whose
    /// coverage it cannot measure.
    pub fn judge(&mut self, batch: Batch) -> Vec<u64> {
        let answered = self.worker.send(self.plan, batch.into());
        let combinations = combinations(&answered);
        self.inputs += 1;
        let judged = self.worker.judge(self.plan, self.inputs, answered, &|| false);
        if judged.seen.is_empty() {
            self.collector.add(judged, &mut |_| {});
        } else if self.waiting.len() < MOST_WAITING {
            self.waiting.push(judged);
        }
        combinations
    }

    /// Examines the divergences since the last time.
    pub fn examine(&mut self, on_found: &mut dyn FnMut(&Finding)) {
        for judged in self.waiting.drain(..) {
            self.collector.add(judged, &mut |progress| {
                if let Progress::Found(finding) = progress {
                    on_found(finding);
                }
            });
        }
    }
}

fn combinations(Answered { expected, answers, .. }: &Answered) -> Vec<u64> {
    let mut combinations = Vec::new();
    for (edition, expected) in expected.iter().enumerate() {
        for (place, expected) in expected.iter().flatten().enumerate() {
            let mut combination = DefaultHasher::new();
            (edition, discriminant(expected), expected.is_unspecified()).hash(&mut combination);
            for (_, answers) in answers {
                let got = answers.first().map(|answer| answer_at(answer, place));
                let verdict = got.as_ref().and_then(definite_verdict);
                (verdict, got.as_ref().map(|got| status(expected, got))).hash(&mut combination);
            }
            combinations.push(combination.finish());
        }
    }
    combinations
}
