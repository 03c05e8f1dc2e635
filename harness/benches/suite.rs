//! The whole suite, and the pipe to an adapter.
//!
//! Machines differ and are busy: read the figures of one run against each
//! other, never as times.

#[path = "../examples/echo_adapter.rs"]
mod echo_adapter;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Sender};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use robotspec::Reference;
use robotspec::implementation::{Answer, BatchRequest, Info};
use robotspec::{
    Fault, Implementation, KnownFailures, Plan, Query, Subject, Subprocess, Timeouts, Verdict, run,
};
use robotspec_cases::suite::{Suite, built_in, checks};
use robotspec_reference::Edition;

/// Makes this program the adapter.
const ECHO: &str = "--echo-adapter";

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some(ECHO) => echo_adapter::main(),
        _ => divan::main(),
    }
}

fn suites() -> Vec<Suite> {
    built_in().expect("suites without a fault")
}

fn plan() -> Plan {
    Plan {
        checks: checks(&suites(), true),
        editions: Edition::ALL.to_vec(),
        lists_are_about: None,
        shard: None,
        jobs: 1,
    }
}

fn run_on(plan: &Plan, implementation: impl Implementation + Send + 'static) {
    let subject = Subject { implementation: Box::new(implementation), known: KnownFailures::default() };
    run(black_box(plan), vec![subject], &mut |event| {
        black_box(event);
    });
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
        bencher.bench_local(|| run_on(&plan, Reference::default()));
    }

    #[divan::bench]
    fn altogether() {
        run_on(&plan(), Reference::default());
    }
}

/// The suite's match requests, to an adapter that does nothing with them:
/// those about files up to a size, in octets.
#[divan::bench_group]
mod adapter {
    use super::*;

    const LARGEST: [usize; 2] = [4 << 10, 1 << 20];

    /// How many requests are written before their replies are read: not so
    /// many that the replies would fill the pipe.
    const WINDOW: usize = 64;

    #[divan::bench(args = LARGEST)]
    fn subprocess(bencher: Bencher, largest: usize) {
        let requests = requests(largest);
        let exe = std::env::current_exe().expect("a path");
        let mut adapter = start(&format!("'{}' {ECHO}", exe.display()));
        bencher.counter(ItemsCount::new(requests.len())).bench_local(|| ask(&mut adapter, &requests));
    }

    /// The same octets, written and read by a loop.
    #[divan::bench(args = LARGEST)]
    fn bare_loop(bencher: Bencher, largest: usize) {
        let lines = lines(&requests(largest));
        let exe = std::env::current_exe().expect("a path");
        let mut command = Command::new(exe);
        let command = command.arg(ECHO).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a child");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut reply = Vec::new();
        bencher.counter(ItemsCount::new(lines.len())).bench_local(|| {
            for window in lines.chunks(WINDOW) {
                input.write_all(&window.concat()).expect("a reader");
                for _ in window {
                    reply.clear();
                    output.read_until(b'\n', &mut reply).expect("a reply");
                }
            }
        });
        drop(input);
        child.wait().expect("an end");
    }

    fn start(command: &str) -> Subprocess {
        Subprocess::start(command, Timeouts::default()).expect("a command")
    }

    fn ask(adapter: &mut Subprocess, requests: &[BatchRequest]) {
        let mut answered = 0;
        adapter.answer_all(requests, &mut |_, answer| answered += usize::from(answer.is_ok()));
        assert_eq!(answered, requests.len());
    }

    /// The requests as a run makes them.
    fn requests(largest: usize) -> Vec<BatchRequest> {
        let (sender, receiver) = mpsc::channel();
        run_on(&plan(), Recorder(sender));
        let requests = receiver.recv().expect("requests").into_iter();
        let fits = |request: &BatchRequest| matches!(request, BatchRequest::Match { robots, .. } if robots.len() <= largest);
        requests.filter(fits).collect()
    }

    /// The requests as lines, as the harness writes them.
    fn lines(requests: &[BatchRequest]) -> Vec<Vec<u8>> {
        let written = tempfile::NamedTempFile::new().expect("a file");
        let exe = std::env::current_exe().expect("a path");
        let tee = format!("tee '{}' | '{}' {ECHO}", written.path().display(), exe.display());
        let mut adapter = start(&format!("sh -c \"{tee}\""));
        ask(&mut adapter, requests);
        adapter.finish();
        let written = std::fs::read(written.path()).expect("what was written");
        let lines = written.split_inclusive(|&octet| octet == b'\n');
        lines.skip(1).map(<[u8]>::to_vec).collect() // the first is `hello`
    }

    /// Answers nothing, and passes on what it is asked.
    struct Recorder(Sender<Vec<BatchRequest>>);

    impl Implementation for Recorder {
        fn info(&self) -> Info {
            Info { name: "recorder".to_owned(), version: None, language: None, homepage: None }
        }

        fn check(&mut self, _robots: &[u8], _queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
            Err(Fault::NotSupported)
        }

        fn answer_all(
            &mut self,
            requests: &[BatchRequest],
            _answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
        ) {
            let _ = self.0.send(requests.to_vec());
        }
    }
}
