//! Which checks are blamed for the misbehaviour of an adapter.

use robotspec::Incident;
use robotspec::event::Status;
use robotspec::external::AdapterLimits;
use robotspec_cases::Check;
use robotspec_reference::Ruling;

use crate::adapter::{GUILTY, HURRIED, PATIENT, adapter};
use crate::support::{check, numbered_file, run_checks};

/// Makes files with three checks each, the second of which makes the adapter misbehave.
fn checks_of_guilty_files(files: usize) -> Vec<Check> {
    checks_of_files(files, 1)
}

/// Makes files with three checks each, the second of which makes the adapter misbehave in each file with such a number.
fn checks_of_files(files: usize, guilty_every: usize) -> Vec<Check> {
    let of_file = |number: usize| {
        let guilty = if number.is_multiple_of(guilty_every) { "guilty" } else { "innocent" };
        let file = numbered_file(number);
        let id = |row| format!("probe/{number}#{row}");
        [
            check(&id("open"), &file, "http://example.com/open", Ruling::Allow),
            check(&id("guilty"), &file, &format!("http://example.com/private/{guilty}"), Ruling::Disallow),
            check(&id("private"), &file, "http://example.com/private", Ruling::Disallow),
        ]
    };
    (0..files).flat_map(of_file).collect()
}

#[test]
fn every_guilty_check_is_blamed_and_no_other_check_of_its_file() {
    for (way, status) in
        [("exits", Status::Crash), ("talks", Status::ProtocolError), ("fails-on-the-request", Status::Error)]
    {
        let ran = run_checks(adapter(&[way], PATIENT), checks_of_guilty_files(70));
        assert_eq!((ran.outcome.totals.of(status), ran.outcome.totals.of(Status::Pass)), (70, 140), "{way}");
        assert_eq!((ran.gave_up(), ran.outcome.exit_code()), (None, 1), "{way}");
    }
}

#[test]
fn an_adapter_is_given_up_after_the_given_number_of_requests_and_only_guilty_checks_are_blamed() {
    let limits = AdapterLimits { failures: 20, ..PATIENT };
    let ran = run_checks(adapter(&["exits"], limits), checks_of_guilty_files(70));
    let is_guilty = |id: &str| id.ends_with("#guilty");
    for (id, judgement) in &ran.checks {
        let expected: &[Status] = match is_guilty(id) {
            true => &[Status::Crash, Status::NotRun],
            false => &[Status::Pass, Status::NotRun],
        };
        assert!(expected.contains(&judgement.status), "{id}: {:?}", judgement.status);
    }
    assert!(ran.outcome.totals.of(Status::Crash) >= 19, "{:?}", ran.outcome.totals);
    assert!(ran.outcome.totals.of(Status::NotRun) >= 100, "{:?}", ran.outcome.totals);
    assert_eq!((ran.gave_up(), ran.outcome.exit_code()), (Some("it failed on 20 requests"), 3));
}

#[test]
fn a_run_that_gives_up_an_adapter_at_its_last_request_is_incomplete() {
    let limits = AdapterLimits { failures: 1, ..PATIENT };
    let last = check("probe/last", &numbered_file(0), "http://example.com/private/guilty", Ruling::Disallow);
    let ran = run_checks(adapter(&["exits"], limits), vec![last]);
    assert_eq!((ran.status("probe/last"), ran.gave_up()), (Status::Crash, Some("it failed on 1 request")));
    assert_eq!(ran.outcome.exit_code(), 3);
}

#[test]
fn a_check_that_takes_too_long_is_a_timeout_and_no_other_check_of_its_file() {
    let ran = run_checks(adapter(&["hangs"], HURRIED), checks_of_guilty_files(1));
    let statuses = ["open", "guilty", "private"].map(|row| ran.status(&format!("probe/0#{row}")));
    assert_eq!(statuses, [Status::Pass, Status::Timeout, Status::Pass]);
}

#[test]
fn no_request_is_blamed_for_what_an_earlier_one_causes_after_its_answer() {
    // An adapter that exits after every reply is given up.
    for (way, guilty_every) in [("answers-twice", 1), ("answers-then-talks", 1), ("answers-then-exits", 3)] {
        let ran = run_checks(adapter(&[way], PATIENT), checks_of_files(30, guilty_every));
        assert_eq!(ran.outcome.totals.of(Status::Pass), 90, "{way}: {:?}", ran.outcome.totals);
        assert_eq!(ran.gave_up(), None, "{way}");
    }
}

#[test]
fn lines_that_answer_no_request_are_an_incident_also_after_the_last_answer() {
    let last = |way: &str| {
        let last = check(GUILTY, &numbered_file(0), "http://example.com/private/guilty", Ruling::Disallow);
        let ran = run_checks(adapter(&[way], PATIENT), vec![last]);
        assert_eq!(ran.status(GUILTY), Status::Pass, "{way}");
        ran.incidents.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let surplus = "protocol error: there was no request to answer; the line is: ";
    assert_eq!(last("answers-twice"), format!("{surplus}{{\"id\":1,\"verdicts\":[\"disallow\"]}}"));
    assert_eq!(last("answers-then-talks"), format!("{surplus}That was hard."));
    let ran = run_checks(adapter(&["answers-twice"], PATIENT), checks_of_guilty_files(30));
    assert!(ran.restarts().is_empty());
    let lines = ran.incidents.iter().filter_map(|incident| match incident {
        Incident::ProtocolError { lines, .. } => Some(*lines),
        _ => None,
    });
    assert_eq!(lines.sum::<usize>(), 30);
}

#[test]
fn a_check_that_is_answered_in_two_ways_is_flaky() {
    let state = tempfile::tempdir().expect("a temporary folder");
    let state = format!("state={}", state.path().display());
    let ran = run_checks(adapter(&["answers-in-two-ways", &state], PATIENT), checks_of_guilty_files(1));
    let statuses = ["open", "guilty", "private"].map(|row| ran.status(&format!("probe/0#{row}")));
    assert_eq!(statuses, [Status::Pass, Status::Flaky, Status::Pass]);
    assert_eq!(ran.got("probe/0#guilty"), "first allow, then disallow");
    assert_eq!(ran.outcome.exit_code(), 1);
}

#[test]
fn a_check_that_fails_in_the_same_way_twice_is_not_flaky() {
    for (way, status) in
        [("exits", Status::Crash), ("hangs", Status::Timeout), ("talks", Status::ProtocolError)]
    {
        let ran = run_checks(adapter(&[way], HURRIED), checks_of_guilty_files(1));
        assert_eq!(ran.status("probe/0#guilty"), status, "{way}");
    }
}
