//! The fuzzer: makes inputs or takes them from files, sends them to implementations, and minimises the divergences.
//!
//! The inputs are divided into blocks, each made from the seed and its number alone. Threads work on blocks side by
//! side, and the blocks are collected in their order, so the same seed gives the same findings with any number of jobs.

mod block;
mod collect;
mod earlier;
pub(crate) mod guided;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod tally;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::deadline::{Deadline, IsStopped};
use crate::search::block::{Judged, Worker, make_inputs};
use crate::search::collect::Collector;
use crate::search::plan::{Limit, Make, SearchPlan};
use crate::search::report::{Progress, Report};

/// How many blocks per job may wait for an earlier block: a slow block must not let the others pile up.
const AHEAD: u64 = 16;

/// Runs until the limit is reached, the last input is judged, or the run is stopped. At the end of its time, and where it is
/// stopped, it does not wait for the blocks that are in work, because an implementation may need long for an answer.
pub fn fuzz(
    plan: &Arc<SearchPlan>,
    subjects: &Arc<[Make]>,
    is_stopped: IsStopped,
    on_progress: &mut dyn FnMut(Progress),
) -> Report {
    let started = Instant::now();
    let (until, end) = plan.limit.map_or((None, None), Limit::ends);
    let deadline = Deadline::new(end, is_stopped);
    let pace = Arc::new(Pace { next: 0.into(), collected: 0.into(), ended: false.into(), until });
    let (sender, receiver) = sync_channel(2 * plan.jobs.max(1));
    let start_worker = |_| {
        let (plan, subjects, pace) = (Arc::clone(plan), Arc::clone(subjects), Arc::clone(&pace));
        let sender = sender.clone();
        thread::spawn(move || work(&plan, &subjects, &pace, &sender))
    };
    let workers: Vec<JoinHandle<()>> = (0..plan.jobs.max(1)).map(start_worker).collect();
    drop(sender);
    let report = collect(plan, subjects, started, &pace, &receiver, deadline, on_progress);
    pace.ended.store(true, Ordering::Relaxed);
    // A worker that waits to hand over a block then fails to do so, and ends.
    drop(receiver);
    if !deadline.is_over() {
        // A panic of a worker ends the program or was reported.
        workers.into_iter().for_each(|worker| drop(worker.join()));
    }
    report
}

/// The progress of the work.
struct Pace {
    /// The number of the next block to work on.
    next: AtomicU64,
    /// The number of blocks that are collected.
    collected: AtomicU64,
    ended: AtomicBool,
    /// When workers stop to send queries.
    until: Option<Instant>,
}

impl Pace {
    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Returns whether workers have to stop, even in the middle of a block.
    fn is_over(&self) -> bool {
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        is_late || self.has_ended()
    }

    /// Waits until the next block is not too far ahead, and takes it. `None` at the end, but each job gets one block.
    fn take(&self, jobs: usize) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        while number > self.collected.load(Ordering::Relaxed) + AHEAD * jobs as u64 {
            if self.is_over() {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        (number < jobs as u64 || !self.is_over()).then_some(number)
    }
}

/// Works on blocks until the collector has ended.
fn work(plan: &SearchPlan, subjects: &[Make], pace: &Pace, sender: &SyncSender<(u64, Judged)>) {
    let mut worker = Worker::new(plan, subjects, || pace.is_over());
    while let Some(number) = pace.take(plan.jobs.max(1)) {
        if plan.source.block(number).is_empty() {
            break;
        }
        let answered = worker.send(plan, make_inputs(plan, number));
        let judged = worker.judge(plan, number, answered, &|| pace.has_ended());
        if sender.send((number, judged)).is_err() {
            break;
        }
    }
    worker.finish();
}

/// Waits for a block, until there is none or the run is over.
fn receive(receiver: &Receiver<(u64, Judged)>, deadline: Deadline) -> Option<(u64, Judged)> {
    const INTERVAL: Duration = Duration::from_millis(50);
    loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(block) => return Some(block),
            Err(RecvTimeoutError::Timeout) if !deadline.is_over() => {}
            Err(_) => return None,
        }
    }
}

/// Collects the blocks in their order.
fn collect(
    plan: &SearchPlan,
    subjects: &[Make],
    started: Instant,
    pace: &Pace,
    receiver: &Receiver<(u64, Judged)>,
    deadline: Deadline,
    on_progress: &mut dyn FnMut(Progress),
) -> Report {
    let is_stopped = deadline.is_stopped;
    let mut collector = Collector::new(plan, subjects, deadline);
    collector.check_first_answers();
    let mut waiting: BTreeMap<u64, Judged> = BTreeMap::new();
    let mut next = 0;
    'blocks: loop {
        // The first block counts, however late it is.
        let until = if next == 0 { Deadline::at_stop(is_stopped) } else { deadline };
        let Some((number, judged)) = receive(receiver, until) else { break };
        waiting.insert(number, judged);
        while let Some(judged) = waiting.remove(&next) {
            next += 1;
            pace.collected.store(next, Ordering::Relaxed);
            collector.add(judged, on_progress);
            collector.report.elapsed = started.elapsed();
            on_progress(Progress::Checked(&collector.report));
            let is_done = matches!(plan.limit, Some(Limit::Runs(runs)) if collector.report.checks >= runs)
                // No implementation is left.
                || collector.report.incomplete.len() >= subjects.len();
            // When the time is up, the blocks that are already judged still count.
            if is_done || collector.has_enough() || is_stopped() {
                break 'blocks;
            }
        }
    }
    if is_stopped() {
        let uncollected = receiver.try_iter().map(|(_, judged)| judged).chain(waiting.into_values());
        collector.report.unexamined += uncollected.map(|judged| judged.seen.len() as u64).sum::<u64>();
        collector.report.is_interrupted = true;
    }
    collector.finish()
}
