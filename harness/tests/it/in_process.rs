//! Parsers in this process: crashes, hangs and wrong answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use robotspec::event::Status;
use robotspec::{Batch, BatchAnswer, Endpoint, Fault, InProcess, Info, MatchQuery, Parser, Verdict};
use robotspec_cases::Check;
use robotspec_reference::Ruling;

use crate::support::{LONG, check, in_process, numbered_file, run_checks};

/// A parser that answers with the result of a function.
struct Answers<F>(F);

impl<F: FnMut(&MatchQuery) -> Verdict> Parser for Answers<F> {
    fn info(&self) -> Info {
        Info::named("answers")
    }

    fn check(&mut self, _robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(&mut self.0).collect())
    }
}

/// Makes this number of files, with two checks each that expect `allow`.
fn checks(files: usize) -> Vec<Check> {
    let of_file = |number| {
        let file = numbered_file(number);
        ["innocent", "guilty"].map(|row| {
            check(
                &format!("probe/{number}#{row}"),
                &file,
                &format!("http://example.com/{row}"),
                Ruling::Allow,
            )
        })
    };
    (0..files).flat_map(of_file).collect()
}

fn is_guilty(query: &MatchQuery) -> bool {
    query.url.ends_with("guilty")
}

fn hang() -> ! {
    loop {
        thread::sleep(LONG);
    }
}

#[test]
fn a_panic_is_a_crash_of_the_check_that_causes_it() {
    let panics = || {
        Answers(|query: &MatchQuery| {
            assert!(!is_guilty(query), "too much for me");
            Verdict::Allow
        })
    };
    let ran = run_checks(move || in_process(panics), checks(2));
    for number in 0..2 {
        assert_eq!(ran.status(&format!("probe/{number}#innocent")), Status::Pass);
        assert_eq!(ran.status(&format!("probe/{number}#guilty")), Status::Crash);
    }
    assert_eq!(ran.got("probe/0#guilty"), "crash: panicked: too much for me");
    assert_eq!(ran.outcome.exit_code(), 1);
}

#[test]
fn an_error_concerns_only_its_check() {
    let fails = |query: &MatchQuery| {
        if is_guilty(query) { Verdict::Error("no".into()) } else { Verdict::Allow }
    };
    let ran = run_checks(move || in_process(move || Answers(fails)), checks(1));
    assert_eq!((ran.status("probe/0#innocent"), ran.status("probe/0#guilty")), (Status::Pass, Status::Error));
}

#[test]
fn a_check_without_an_answer_is_not_run() {
    struct Silent;
    impl Endpoint for Silent {
        fn info(&self) -> Info {
            Info::named("silent")
        }
        fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
            let allow = robotspec::Answer::Match(Verdict::Allow);
            let last = batches.len() - 1;
            on_answer(last, vec![Ok(allow); batches[last].queries().len()]);
        }
    }
    let ran = run_checks(|| Silent, checks(3));
    assert_eq!(ran.outcome.totals.of(Status::Pass), 2);
    assert_eq!(ran.outcome.totals.of(Status::NotRun), 4);
    assert_eq!(ran.outcome.exit_code(), 3);
}

#[test]
fn a_wrong_number_of_verdicts_is_a_protocol_error() {
    struct Short;
    impl Parser for Short {
        fn info(&self) -> Info {
            Info::named("short")
        }
        fn check(&mut self, _robots: &[u8], _queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
            Ok(Vec::new())
        }
    }
    let ran = run_checks(move || in_process(|| Short), checks(1));
    assert_eq!(ran.outcome.totals.of(Status::ProtocolError), 2);
    assert_eq!(ran.got("probe/0#guilty"), "protocol error: the reply has 0 verdicts for 1 checks");
}

/// A time limit for a parser that hangs; far longer than an answer in memory takes.
const LIMIT: Duration = Duration::from_secs(3);

#[test]
fn a_run_abandons_a_parser_that_hangs_and_continues_with_a_new_one() {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let make = move || -> Box<dyn Parser + Send> {
        count.fetch_add(1, Ordering::Relaxed);
        Box::new(Answers(|query: &MatchQuery| {
            if query.url.ends_with("hang") {
                hang();
            }
            Verdict::Allow
        }))
    };
    let mut all = checks(2);
    all.insert(2, check("probe/9#hangs", &numbered_file(9), "http://example.com/hang", Ruling::Allow));
    let ran = run_checks(move || InProcess::new(make.clone(), LIMIT), all);
    assert_eq!(ran.status("probe/9#hangs"), Status::Timeout);
    assert_eq!(ran.got("probe/9#hangs"), "timeout: no answer in 3s");
    assert_eq!(ran.outcome.totals.of(Status::Pass), 4);
    // The check is sent once more, to another instance.
    assert_eq!(ran.restarts(), [&Fault::Timeout("no answer in 3s".into())]);
    assert_eq!(made.load(Ordering::Relaxed), 3);
}

#[test]
fn a_run_gives_up_a_parser_that_hangs_ten_times() {
    let make = || -> Box<dyn Parser + Send> { Box::new(Answers(|_: &MatchQuery| hang())) };
    let ran = run_checks(move || InProcess::new(make, Duration::from_millis(20)), checks(12));
    // Each file hangs once for its two checks together, and once for each of them.
    assert_eq!(ran.outcome.totals.of(Status::Timeout), 6);
    assert_eq!(ran.outcome.totals.of(Status::NotRun), 18);
    assert_eq!(ran.gave_up(), Some("it took too long 10 times"));
    assert!(ran.got("probe/11#guilty").starts_with("not run: "), "{}", ran.got("probe/11#guilty"));
    assert_eq!(ran.outcome.exit_code(), 3);
}
