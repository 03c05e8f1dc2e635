//! A search for divergences in inputs of another fuzzer, such as one that is guided by coverage.
//!
//! To judge an input is quick, and is all that happens while that fuzzer measures it. To minimise a divergence is slow, so
//! divergences wait until [`Guided::examine`].

use robotspec::{Answer, Batch, Fault, Verdict};
use robotspec_cases::Expected;

use crate::deadline::Deadline;
use crate::explain::finding::Finding;
use crate::search::block::{Answered, Judged, Worker};
use crate::search::collect::Collector;
use crate::search::plan::{Make, SearchPlan};
use crate::search::report::Progress;

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
        let answered = self.worker.send_input(self.plan, batch);
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
    let of_edition = |(place, expected): (usize, &Vec<Vec<Expected>>)| {
        let expected = expected.iter().flatten().enumerate();
        let combine = |(query, expected): (usize, &Expected)| {
            let of_query =
                answers.iter().map(|(_, answers)| answers.first().and_then(|answer| answer.get(query)));
            of_query.fold(place as u64 * 7 + expected_code(expected), |combination, got| {
                combination * 7 + got.map_or(5, answer_code)
            })
        };
        expected.map(combine).collect::<Vec<u64>>()
    };
    expected.iter().enumerate().flat_map(of_edition).collect()
}

fn expected_code(expected: &Expected) -> u64 {
    match expected {
        Expected::Ruling(ruling) => *ruling as u64,
        other => 3 + u64::from(other.is_unspecified()),
    }
}

fn answer_code(got: &Result<Answer, Fault>) -> u64 {
    match got {
        Ok(Answer::Match(Verdict::Allow)) => 0,
        Ok(Answer::Match(Verdict::Disallow)) => 1,
        Ok(Answer::Match(Verdict::Unspecified)) => 2,
        Ok(Answer::Match(Verdict::Error(_))) | Err(Fault::Error(_)) => 3,
        Err(Fault::Crash(_)) => 4,
        Err(_) => 5,
        Ok(_) => 6,
    }
}
