//! Implementations that keep something from one query to the next, and those that cannot be judged at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use robotspec::event::Status;
use robotspec::external::AdapterLimits;
use robotspec::{Fault, InProcess, Incident, Info, MatchQuery, Parser, Verdict};
use robotspec_cases::Check;
use robotspec_reference::Ruling;

use crate::adapter::{PATIENT, adapter};
use crate::support::{LONG, Ran, check, in_process, numbered_file, run_checks};

const FILES: usize = 400;

/// Makes files with a check that is allowed and one that is not. One file has a check that a parser may remember.
fn checks(guilty: usize) -> Vec<Check> {
    let of_file = |number| {
        let file = numbered_file(number);
        let id = |row| format!("probe/{number}#{row}");
        let mut checks = vec![check(&id("open"), &file, "http://example.com/open", Ruling::Allow)];
        if number == guilty {
            checks.push(check(&id("guilty"), &file, "http://example.com/guilty", Ruling::Allow));
        }
        checks.push(check(&id("private"), &file, "http://example.com/private", Ruling::Disallow));
        checks
    };
    (0..FILES).flat_map(of_file).collect()
}

fn keeps_state(ran: &Ran) -> Option<(usize, Vec<String>)> {
    ran.incidents.iter().find_map(|incident| match incident {
        Incident::KeepsState { checks, after, .. } => {
            Some((*checks, after.iter().map(ToString::to_string).collect()))
        }
        _ => None,
    })
}

#[test]
fn no_check_is_blamed_for_what_a_parser_remembers_of_an_earlier_one() {
    let ran = run_checks(adapter(&["remembers-a-guilty-check"], PATIENT), checks(3));
    let wrong = 2 * FILES + 1 - 2 * 3 - 2;
    assert_eq!((ran.outcome.totals.of(Status::Flaky), ran.outcome.totals.of(Status::Fail)), (wrong, 0));
    for (id, judgement) in ran.checks.iter().filter(|(_, judgement)| judgement.status == Status::Flaky) {
        let Err(Fault::Dependent(dependent)) = &judgement.got else { panic!("{id}: {:?}", judgement.got) };
        let after: Vec<String> = dependent.after.iter().map(ToString::to_string).collect();
        assert_eq!(after, ["probe/3#guilty"], "{id}");
        assert_ne!(dependent.first, dependent.alone, "{id}");
    }
    assert_eq!(keeps_state(&ran), Some((wrong, vec!["probe/3#guilty".to_owned()])));
    assert_eq!(ran.outcome.exit_code(), 1);
}

#[test]
fn a_parser_without_state_has_failures_of_its_own() {
    let ran = run_checks(adapter(&["always-allows"], PATIENT), checks(3));
    assert_eq!((ran.outcome.totals.of(Status::Fail), keeps_state(&ran)), (FILES, None));
}

/// Allows everything until it has answered some queries, and is right from then on.
struct RightAtLast {
    answered: usize,
    after: usize,
}

impl Parser for RightAtLast {
    fn info(&self) -> Info {
        Info::named("right at last")
    }

    fn check(&mut self, _: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let verdict = |query: &MatchQuery| {
            self.answered += 1;
            Verdict::from(self.answered <= self.after || !query.url.ends_with("/private"))
        };
        Ok(queries.iter().map(verdict).collect())
    }
}

#[test]
fn a_failure_that_state_turns_into_a_pass_is_found() {
    let ran = run_checks(|| in_process(|| RightAtLast { answered: 0, after: 300 }), checks(FILES));
    // The first ones fail without earlier queries as well.
    assert!(ran.outcome.totals.of(Status::Fail) > 0, "{:?}", ran.outcome.totals);
    assert!(keeps_state(&ran).is_some(), "{:?} {:?}", ran.incidents, ran.outcome.totals);
}

#[test]
fn a_parser_without_failures_is_asked_hardly_more_often_than_once() {
    struct Counted(Arc<AtomicUsize>);
    impl Parser for Counted {
        fn info(&self) -> Info {
            Info::named("counted")
        }

        fn check(&mut self, _: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
            self.0.fetch_add(queries.len(), Ordering::Relaxed);
            Ok(queries.iter().map(|query| Verdict::from(!query.url.ends_with("/private"))).collect())
        }
    }
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let make = move || {
        let counted = Arc::clone(&counted);
        InProcess::new(move || Box::new(Counted(Arc::clone(&counted))), LONG)
    };
    let ran = run_checks(make, checks(FILES));
    assert_eq!(ran.outcome.exit_code(), 0);
    let more = asked.load(Ordering::Relaxed) - 2 * FILES;
    assert!((100..200).contains(&more), "{more} queries more");
}

#[test]
fn an_adapter_that_supports_nothing_is_not_as_expected() {
    let ran = run_checks(adapter(&["supports-nothing"], PATIENT), checks(3));
    assert_eq!(ran.outcome.totals.of(Status::NotSupported), 2 * FILES + 1);
    assert!(ran.incidents.contains(&Incident::NothingJudged), "{:?}", ran.incidents);
    assert_eq!(ran.outcome.exit_code(), 3);
}

#[test]
fn an_adapter_that_cannot_be_judged_is_given_up_with_a_hint() {
    let limits = AdapterLimits { chatter: AdapterLimits::default().chatter, ..PATIENT };
    for (way, hint, restarts) in [
        ("misspells-an-operation", "unknown operation `Match`; did you mean `match`?", 0),
        // Once for the first requests together, and once for each of three that were sent alone.
        ("logs", "write logs to standard error", 4),
        ("exits-after-each-reply", "--exec", 3),
    ] {
        let ran = run_checks(adapter(&[way], limits), checks(3));
        let reason = ran.gave_up().expect("it is given up");
        assert!(reason.contains(hint), "{reason}");
        assert!(way != "logs" || reason.contains("INFO: a request"), "{reason}");
        assert_eq!((ran.restarts().len(), ran.outcome.exit_code()), (restarts, 3), "{way}");
    }
}

#[test]
fn a_process_that_exits_while_its_child_holds_its_output_is_a_crash_at_once() {
    // The time limit is longer than a test may take.
    let ran = run_checks(adapter(&["leaves-its-output-to-a-child"], PATIENT), checks(3));
    assert_eq!((ran.outcome.totals.of(Status::Crash), ran.outcome.totals.of(Status::Pass)), (1, 2 * FILES));
    assert!(ran.got("probe/3#guilty").contains("exit status: 3"), "{}", ran.got("probe/3#guilty"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_adapter_that_needs_more_memory_than_it_may_is_killed() {
    let limits = AdapterLimits { memory: Some(256 << 20), ..PATIENT };
    let ran = run_checks(adapter(&["needs-memory"], limits), checks(3));
    assert_eq!((ran.outcome.totals.of(Status::Crash), ran.outcome.totals.of(Status::Pass)), (1, 2 * FILES));
    let got = ran.got("probe/3#guilty");
    assert!(got.starts_with("crash: killed: its processes used "), "{got}");
    assert!(got.ends_with("and --memory-limit is 256 MiB"), "{got}");
}
