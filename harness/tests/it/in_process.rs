//! Implementations in this process that misbehave: they cost no check, and
//! hold nobody up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::{check, numbered_file, run_checks};
use robotspec::event::Status;
use robotspec::implementation::{Answer, BatchRequest};
use robotspec::{Fault, Guarded, Implementation, Info, Query, Verdict};
use robotspec_cases::suite::Check;
use robotspec_reference::Ruling;

/// Says what the function says.
struct Does<F>(F);

impl<F: FnMut(&Query) -> Verdict> Implementation for Does<F> {
    fn info(&self) -> Info {
        Info { name: "does".to_owned(), version: None, language: None, homepage: None }
    }

    fn check(&mut self, _robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(&mut self.0).collect())
    }
}

/// So many files, with two checks each that expect `allow`.
fn checks(files: usize) -> Vec<Check> {
    let of_file = |number| {
        let file = numbered_file(number);
        ["innocent", "guilty"].map(|what| {
            check(&format!("{number}#{what}"), &file, &format!("http://example.com/{what}"), Ruling::Allow)
        })
    };
    (0..files).flat_map(of_file).collect()
}

fn is_guilty(query: &Query) -> bool {
    query.url.ends_with("guilty")
}

#[test]
fn a_panic_is_a_crash_of_the_check_that_brings_it_about() {
    let panics = Does(|query: &Query| {
        assert!(!is_guilty(query), "too much for me");
        Verdict::Allow
    });
    let ran = run_checks(panics, checks(2));
    for number in 0..2 {
        assert_eq!(ran.status(&format!("{number}#innocent")), Status::Pass);
        assert_eq!(ran.status(&format!("{number}#guilty")), Status::Crash);
    }
    assert_eq!(ran.got("0#guilty"), "crash: panicked: too much for me");
    assert_eq!(ran.outcome.exit_code(), 1);
}

#[test]
fn an_error_is_one_of_its_check_alone() {
    let fails =
        Does(|query: &Query| if is_guilty(query) { Verdict::Error("no".to_owned()) } else { Verdict::Allow });
    let ran = run_checks(fails, checks(1));
    assert_eq!((ran.status("0#innocent"), ran.status("0#guilty")), (Status::Pass, Status::Error));
}

#[test]
fn what_is_left_unanswered_is_not_run() {
    struct Silent;
    impl Implementation for Silent {
        fn info(&self) -> Info {
            Info { name: "silent".to_owned(), version: None, language: None, homepage: None }
        }
        fn check(&mut self, _robots: &[u8], _queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
            Err(Fault::NotSupported)
        }
        fn answer_all(
            &mut self,
            requests: &[BatchRequest],
            answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
        ) {
            answered(requests.len() - 1, Ok(Answer::Verdicts(vec![Verdict::Allow, Verdict::Allow])));
        }
    }
    let ran = run_checks(Silent, checks(3));
    assert_eq!(ran.outcome.totals.of(Status::Pass), 2);
    assert_eq!(ran.outcome.totals.of(Status::NotRun), 4);
    assert_eq!(ran.outcome.exit_code(), 3);
}

#[test]
fn a_wrong_number_of_verdicts_is_a_protocol_error() {
    struct Short;
    impl Implementation for Short {
        fn info(&self) -> Info {
            Info { name: "short".to_owned(), version: None, language: None, homepage: None }
        }
        fn check(&mut self, _robots: &[u8], _queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
            Ok(vec![Verdict::Allow])
        }
    }
    let ran = run_checks(Short, checks(1));
    assert_eq!(ran.outcome.totals.of(Status::ProtocolError), 2);
    assert_eq!(ran.got("0#guilty"), "protocol error: there are 1 verdicts for 2 checks");
}

/// How long a guarded one may take: far more than an answer in memory takes.
const PATIENCE: Duration = Duration::from_secs(1);

#[test]
fn one_that_hangs_is_left_behind_and_a_fresh_one_goes_on() {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let make = move || -> Box<dyn Implementation + Send> {
        count.fetch_add(1, Ordering::Relaxed);
        Box::new(Does(|query: &Query| {
            if query.url.ends_with("hang") {
                loop {
                    thread::sleep(PATIENCE * 60);
                }
            }
            Verdict::Allow
        }))
    };
    let mut all = checks(2);
    all.insert(2, check("hangs", &numbered_file(9), "http://example.com/hang", Ruling::Allow));
    let ran = run_checks(Guarded::new(make, PATIENCE), all);
    assert_eq!(ran.status("hangs"), Status::Timeout);
    assert_eq!(ran.got("hangs"), "timeout: no answer in 1s");
    assert_eq!(ran.outcome.totals.of(Status::Pass), 4);
    assert_eq!(ran.restarts(), ["no answer in 1s"]);
    assert_eq!(made.load(Ordering::Relaxed), 2);
}

#[test]
fn one_that_hangs_ten_times_is_not_asked_any_more() {
    let make = || -> Box<dyn Implementation + Send> {
        Box::new(Does(|_: &Query| {
            loop {
                thread::sleep(PATIENCE * 60);
            }
        }))
    };
    let ran = run_checks(Guarded::new(make, Duration::from_millis(20)), checks(12));
    assert_eq!(ran.outcome.totals.of(Status::Timeout), 20);
    assert_eq!(ran.outcome.totals.of(Status::NotRun), 4);
    assert_eq!(ran.got("11#guilty"), "not run: it took too long 10 times");
    assert_eq!(ran.outcome.exit_code(), 3);
}

#[test]
fn a_guarded_one_answers_as_it_would_alone() {
    let make = || -> Box<dyn Implementation + Send> {
        Box::new(Does(|query: &Query| Verdict::from(!is_guilty(query))))
    };
    let alone = run_checks(Does(|query: &Query| Verdict::from(!is_guilty(query))), checks(3));
    let guarded = run_checks(Guarded::new(make, PATIENCE * 60), checks(3));
    assert_eq!(guarded.checks, alone.checks);
    assert_eq!(guarded.incidents, []);
}
