//! The time of the whole suite and of the pipe to an adapter.
//!
//! Machines differ and do other work: compare the figures of one run with each other; the times alone mean little.

#[path = "../tests/programs/echo_adapter.rs"]
mod echo_adapter;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Sender};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use robotspec::external::{Adapter, AdapterLimits};
use robotspec::{Batch, BatchAnswer, Endpoint, InProcess, Info, Plan, Reference, Subject, run};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Level, Query, Suite, checks};
use robotspec_reference::Edition;

/// The argument that makes this program the adapter.
const ECHO: &str = "--echo-adapter";

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some(ECHO) => echo_adapter::main(),
        _ => divan::main(),
    }
}

fn suites() -> Vec<Suite> {
    built_in().expect("valid suites")
}

fn plan() -> Plan {
    Plan {
        checks: checks(&suites(), true),
        editions: Edition::ALL.to_vec(),
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    }
}

fn run_on(plan: &Plan, subject: Subject) {
    run(black_box(plan), vec![subject], &mut |event| {
        black_box(event);
    });
}

fn reference() -> Subject {
    let connect =
        |edition| InProcess::new(move || Box::new(Reference::new(edition)), AdapterLimits::default().request);
    Subject::by_edition(move |edition| Box::new(connect(edition)))
}

/// The reference in all editions.
#[divan::bench_group]
mod whole_suite {
    use super::*;

    #[divan::bench]
    fn load() -> Vec<Suite> {
        suites()
    }

    #[divan::bench]
    fn derive_checks(bencher: Bencher) {
        let suites = suites();
        bencher.bench_local(|| checks(black_box(&suites), true));
    }

    #[divan::bench]
    fn run_reference(bencher: Bencher) {
        let plan = plan();
        bencher.bench_local(|| run_on(&plan, reference()));
    }

    #[divan::bench]
    fn altogether() {
        run_on(&plan(), reference());
    }
}

/// The match queries of the suite, sent to an adapter that allows everything: those about files up to a size in bytes.
#[divan::bench_group]
mod adapter {
    use super::*;

    const LARGEST: [usize; 2] = [4 << 10, 1 << 20];

    /// The number of requests that are written before their replies are read. More replies would fill the pipe.
    const WINDOW: usize = 64;

    #[divan::bench(args = LARGEST)]
    fn subprocess(bencher: Bencher, largest: usize) {
        let batches = batches(largest);
        let exe = std::env::current_exe().expect("the path of this program");
        let mut adapter = start(&format!("'{}' {ECHO}", exe.display()));
        bencher.counter(ItemsCount::new(batches.len())).bench_local(|| put(&mut adapter, &batches));
    }

    /// The same bytes, written and read by a loop.
    #[divan::bench(args = LARGEST)]
    fn bare_loop(bencher: Bencher, largest: usize) {
        let lines = lines(&batches(largest));
        let exe = std::env::current_exe().expect("the path of this program");
        let mut command = Command::new(exe);
        let command = command.arg(ECHO).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a child");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut reply = Vec::new();
        bencher.counter(ItemsCount::new(lines.len())).bench_local(|| {
            for window in lines.chunks(WINDOW) {
                input.write_all(&window.concat()).expect("the child reads");
                for _ in window {
                    reply.clear();
                    output.read_until(b'\n', &mut reply).expect("a reply");
                }
            }
        });
        drop(input);
        child.wait().expect("the child ends");
    }

    fn start(command: &str) -> Adapter {
        Adapter::start(command, AdapterLimits::default()).expect("a command")
    }

    fn put(adapter: &mut Adapter, batches: &[Batch]) {
        let mut answered = 0;
        adapter.answer(batches, &mut |_, answer| answered += usize::from(answer.iter().all(Result::is_ok)));
        assert_eq!(answered, batches.len());
    }

    /// Returns the batches that a run sends.
    fn batches(largest: usize) -> Vec<Batch> {
        let (sender, receiver) = mpsc::channel();
        run_on(&plan(), Subject::new(move || Box::new(Recorder(sender.clone()))));
        let is_small =
            |batch: &Batch| matches!(batch.first(), Query::Match { robots, .. } if robots.len() <= largest);
        receiver.iter().flatten().filter(is_small).collect()
    }

    /// Returns the requests as the harness writes them, a line each.
    fn lines(batches: &[Batch]) -> Vec<Vec<u8>> {
        let written = tempfile::NamedTempFile::new().expect("a file");
        let exe = std::env::current_exe().expect("the path of this program");
        let tee = format!("tee '{}' | '{}' {ECHO}", written.path().display(), exe.display());
        let mut adapter = start(&format!("sh -c \"{tee}\""));
        put(&mut adapter, batches);
        adapter.finish();
        let written = std::fs::read(written.path()).expect("the written requests");
        let lines = written.split_inclusive(|&byte| byte == b'\n');
        lines.skip(1).map(<[u8]>::to_vec).collect() // the first request is `hello`
    }

    /// An endpoint that records the batches and answers none.
    struct Recorder(Sender<Vec<Batch>>);

    impl Endpoint for Recorder {
        fn info(&self) -> Info {
            Info::named("recorder")
        }

        fn answer(&mut self, batches: &[Batch], _on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
            let _ = self.0.send(batches.to_vec());
        }
    }
}
