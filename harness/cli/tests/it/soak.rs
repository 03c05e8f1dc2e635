//! A long run of an adapter that misbehaves at every fiftieth check, in every way in turn: no check is lost or blamed for
//! another one, nothing is left behind, and the memory is bounded.
//!
//! `ROBOTSPEC_LONG=1` runs ten times the checks (see `.ci/long`).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::support::{Done, example, folder, json_lines, robotspec};

/// How the adapter misbehaves, and the statuses that its check may have.
const FAULTS: [(&str, &[&str]); 24] = [
    ("exits", &["crash"]),
    ("talks", &["protocol-error"]),
    ("hangs", &["timeout"]),
    ("answers-twice", &["pass"]),
    ("dies", &["crash"]),
    ("talks-without-end", &["protocol-error"]),
    ("fails-on-the-check", &["error"]),
    ("answers-then-exits", &["pass"]),
    ("talks-much", &["protocol-error"]),
    ("fails-at-length", &["error"]),
    ("closes-its-output", &["crash"]),
    ("answers-then-talks", &["pass"]),
    ("talks-latin-1", &["protocol-error"]),
    ("shouts-and-exits", &["crash"]),
    ("answers-another", &["protocol-error"]),
    ("forgets-a-verdict", &["protocol-error"]),
    ("leaves-a-child", &["pass"]),
    ("forgets-the-verdicts", &["protocol-error"]),
    ("fails-on-the-request", &["error"]),
    ("invents-a-verdict", &["protocol-error"]),
    ("remembers", &["pass"]),
    ("logs-before-the-reply", &["protocol-error"]),
    ("exits-and-misspells", &["crash"]),
    // Where the first answer was not read, because of another fault, the second one is the first.
    ("answers-in-two-ways", &["flaky", "pass"]),
];

const FAULT_EVERY: usize = 50;

/// The number of checks after a fault that is remembered whose answers it may change.
const REMEMBERED: usize = 2 * CHECKS_OF_A_FILE;

const CHECKS_OF_A_FILE: usize = 8;

/// The memory that the program may need, in KiB.
const MOST_MEMORY: usize = 300 << 10;

/// Returns the fault at a check, if there is one.
fn fault_at(check: usize) -> Option<(&'static str, &'static [&'static str])> {
    (check % FAULT_EVERY == FAULT_EVERY / 2).then(|| FAULTS[check / FAULT_EVERY % FAULTS.len()])
}

/// Returns a suite of files with several checks each.
fn suite(checks: usize) -> String {
    let mut suite = "suite: soak\ntitle: Soak\nsource: none\ncases:\n".to_owned();
    for check in 0..checks {
        if check % CHECKS_OF_A_FILE == 0 {
            let file = check / CHECKS_OF_A_FILE;
            let robots = format!("\"# {file}\\nuser-agent: *\\ndisallow: /private\\n\"");
            let case =
                format!("  - id: file-{file}\n    clauses: [M-prefix]\n    robots: {robots}\n    rows:\n");
            suite.push_str(&case);
        }
        let (url, expect) = match fault_at(check) {
            Some((fault, _)) => (format!("/private/guilty/{fault}/{check}"), "disallow"),
            None if check % 2 == 0 => (format!("/open/{check}"), "allow"),
            None => (format!("/private/{check}"), "disallow"),
        };
        writeln!(suite, "      - {{id: check-{check}, url: {url}, expect: {expect}}}").expect("a string");
    }
    suite
}

/// Returns the most memory that a process has needed so far, in KiB.
fn peak_of(id: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the command lines of the processes that have an argument.
fn processes_with(argument: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").expect("Linux has `/proc`").filter_map(Result::ok);
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(argument)).collect()
}

#[test]
fn nothing_is_lost_misattributed_or_left_behind_in_a_long_run_of_faults() {
    let checks =
        if std::env::var_os("ROBOTSPEC_LONG").is_some() { 10_000 } else { FAULTS.len() * FAULT_EVERY };
    let folder = folder(&[]);
    let temporary = folder.path().join("tmp");
    let state = folder.path().join("state");
    fs::create_dir(&temporary).expect("a folder");
    fs::create_dir(&state).expect("a folder");
    let file = folder.path().join("soak.yaml");
    fs::write(&file, suite(checks)).expect("the suite");
    // The path of the folder occurs in no other command line.
    let state = format!("state={}", state.to_str().expect("a UTF-8 path"));
    let adapter = example("misbehaving_adapter", &["as-the-url-says", &state]);
    let run =
        ["run", "--edition", "rfc9309", "--no-variants", "--format", "jsonl", "--max-failures", "10000"];
    let more = ["--timeout", "3", "--suite", file.to_str().expect("a UTF-8 path"), "--adapter", &adapter];
    let mut command = robotspec([&run[..], &more[..]].concat()).command();
    command.env("TMPDIR", &temporary).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let program = command.spawn().expect("robotspec starts");
    let id = program.id();
    let peak = thread::spawn(move || {
        let mut peak = 0;
        while let Some(memory) = peak_of(id) {
            peak = memory;
            thread::sleep(Duration::from_millis(10));
        }
        peak
    });
    let done = Done::of(program.wait_with_output().expect("robotspec ends"));
    let peak = peak.join().expect("no panic");
    assert_eq!((done.code, &*done.stderr), (Some(1), ""));

    let mut statuses: BTreeMap<String, String> = BTreeMap::new();
    for event in json_lines(&done.stdout).iter().filter(|event| event["event"] == "check-finished") {
        let id = event["id"].as_str().expect("an id").to_owned();
        let status = event["editions"]["rfc9309"]["status"].as_str().expect("a status").to_owned();
        assert_eq!(statuses.insert(id.clone(), status), None, "{id} is judged twice");
    }
    assert_eq!(statuses.len(), checks, "every check is judged");
    let mut wrong = Vec::new();
    for check in 0..checks {
        let status = &statuses[&format!("soak/file-{}#check-{check}", check / CHECKS_OF_A_FILE)];
        let earlier = (check.saturating_sub(REMEMBERED)..check).filter_map(fault_at);
        let innocent: &[&str] = match earlier.into_iter().any(|(fault, _)| fault == "remembers") {
            true => &["pass", "flaky"],
            false => &["pass"],
        };
        let (fault, admitted) = fault_at(check).unwrap_or(("no fault", innocent));
        if !admitted.contains(&&**status) {
            wrong.push(format!("check {check}, {fault}: {status}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(done.stdout.contains("\"dependent\""), "state is found");
    assert_eq!(fs::read_dir(&temporary).expect("the folder").count(), 0, "temporary files are left");
    // The guard may need a moment to kill what the adapter left behind.
    for _ in 0..600 {
        if processes_with(&state).is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(processes_with(&state), [""; 0], "processes are left");
    assert!(peak > 0 && peak < MOST_MEMORY, "{peak} KiB");
    eprintln!("{checks} checks, {peak} KiB");
}
