//! The events of a run: how they are read, and how often each status occurs in them.

use std::path::Path;

use robotspec::event::{Event, Judgement, Status, Totals, read};
use robotspec::{Answer, FileError, Level, Verdict};
use robotspec_cases::Expected;
use robotspec_reference::Ruling;

const START: &str = r#"{"event":"run-started","format":1,"robotspec":"0.1.0","editions":["rfc9309"],"level":"must","checks":1}"#;
const IMPLEMENTATION: &str = r#"{"event":"implementation-started","name":"a","version":"1"}"#;
const CHECK: &str = r#"{"event":"check-finished","implementation":"a","id":"a/b#c","clause":"M-prefix","editions":{"rfc9309":{"status":"fail","level":"should","expected":{"ruling":"allow"},"got":{"answer":{"match":"disallow"}},"known":"A reason."}}}"#;
const RESTART: &str =
    r#"{"event":"incident","implementation":"a","incident":"restarted","reason":{"crash":"signal: 9"}}"#;
const LIKELY: &str = r#"{"event":"likely-cause","implementation":"a","cause":"inverted","observed":"the verdicts are inverted","advice":"What does true mean?","evidence":50,"of":"check","rows":40,"example":"a/b#c"}"#;
const END: &str = r#"{"event":"implementation-finished","implementation":"a","totals":{"rfc9309":{"pass":0,"fail":1,"crash":0,"timeout":0,"protocol-error":0,"error":0,"flaky":0,"not-supported":0,"unspecified":0,"unanswered":0,"not-run":0,"violations":0,"departures":1,"known-failures":1,"known-departures":1}},"stale-known-failures":["x"]}"#;
const FINISH: &str = r#"{"event":"run-finished","totals":{"pass":0,"fail":1,"crash":0,"timeout":0,"protocol-error":0,"error":0,"flaky":0,"not-supported":0,"unspecified":0,"unanswered":0,"not-run":0,"violations":0,"departures":1,"known-failures":1,"known-departures":1},"unexpected":0,"stale":1,"exit-code":1}"#;
const WHOLE: [&str; 7] = [START, IMPLEMENTATION, CHECK, RESTART, LIKELY, END, FINISH];

fn text(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn read_text(text: &str) -> Result<(Vec<Event>, bool), FileError> {
    let mut events = Vec::new();
    let end = read(Path::new("run.jsonl"), text.as_bytes(), &mut |event| events.push(event))?;
    Ok((events, end))
}

fn error(lines: &[&str]) -> String {
    read_text(&text(lines)).expect_err("not events").to_string()
}

#[test]
fn written_events_are_read_to_the_same_events_also_where_they_are_cut_off() {
    let whole = text(&WHOLE);
    // A complete file may lack only the line end of its last line.
    for length in START.len() + 1..=whole.len() {
        let (events, is_whole) = read_text(&whole[..length]).expect("events");
        let written = events.iter().map(|event| serde_json::to_string(event).expect("JSON"));
        let written: Vec<String> = written.collect();
        assert_eq!(written, WHOLE[..written.len()]);
        assert_eq!(is_whole, length >= whole.len() - 1, "{}", &whole[..length]);
        assert_eq!(is_whole, written.len() == WHOLE.len());
    }
}

#[test]
fn additions_of_a_later_version_are_ignored() {
    let check = CHECK.replace(r#""id""#, r#""since":"0.2.0","id""#);
    let unknown = r#"{"event":"weather","implementation":"a","temperature":21}"#;
    let events = read_text(&text(&[START, IMPLEMENTATION, unknown, &check])).expect("events").0;
    assert_eq!(events.len(), 3);
}

#[test]
fn an_error_has_its_place() {
    let other = START.replace(r#""format":1"#, r#""format":2"#).replace("0.1.0", "9.9.9");
    let message =
        "run.jsonl:1: the events have format 2, written by robotspec 9.9.9; this version reads format 1";
    assert_eq!(error(&[&other, IMPLEMENTATION]), message);
    for (lines, message) in [
        (&[][..], "run.jsonl: the file is empty; "),
        (&["[]"], "run.jsonl:1: the file does not contain events; "),
        (&[r#"{"format":1,"robotspec":"0.1.0"}"#], "run.jsonl:1: the file does not contain events; "),
        (&[IMPLEMENTATION], "run.jsonl:1: `run-started` is missing"),
        (&[START, START], "run.jsonl:2: another run starts before this one ends"),
        (&[START, CHECK], "run.jsonl:2: `a` is not the current implementation"),
        (&[START, IMPLEMENTATION, "{", END], "run.jsonl:3:1: the line is not an event: EOF"),
        (&[START, r#"{"name":"nonesuch"}"#], "run.jsonl:2:"),
        (&[START, FINISH, IMPLEMENTATION], "run.jsonl:3: an event follows `run-finished`"),
    ] {
        let error = error(lines);
        assert!(error.starts_with(message), "{lines:?}: {error}");
    }
}

#[test]
fn a_broken_event_of_this_version_is_an_error() {
    let names = WHOLE[1..].iter().map(|line| line.split('"').nth(3).expect("a name"));
    let empty = names.map(|name| (format!(r#"{{"event":"{name}"}}"#), "missing field "));
    for (broken, message) in empty.chain([
        (CHECK.replace("rfc9309", "rfc9310"), "rfc9310"),
        (CHECK.replace(r#""level":"should","#, ""), "missing field `level`"),
        (END.replace(r#""crash":0,"#, ""), "missing field `crash`"),
    ]) {
        let error = error(&[START, IMPLEMENTATION, &broken]);
        assert!(error.starts_with("run.jsonl:3:") && error.contains(message), "{broken}: {error}");
    }
}

#[test]
fn failures_are_violations_or_departures() {
    let mut totals = Totals::default();
    for (status, level, is_known) in [
        (Status::Fail, Level::Must, false),
        (Status::Fail, Level::Should, false),
        (Status::Fail, Level::Should, true),
        // No edition recommends to answer at all.
        (Status::Crash, Level::Should, false),
        (Status::Pass, Level::Should, false),
    ] {
        totals.add(&Judgement {
            status,
            level,
            expected: Expected::Ruling(Ruling::Allow),
            got: Ok(Answer::Match(Verdict::Disallow)),
            known: is_known.then(|| "a reason".into()),
        });
    }
    assert_eq!((totals.failures(), totals.violations(), totals.departures), (4, 2, 2));
    assert_eq!(totals.new_failures_at(Level::Must), 2);
    assert_eq!(totals.new_failures_at(Level::Should), 3);
    let json = serde_json::to_string(&totals).expect("JSON");
    assert_eq!(serde_json::from_str::<Totals>(&json).expect("totals"), totals);
}
