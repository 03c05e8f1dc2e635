//! `robotspec expect`.

use std::fs;

use crate::reports::report_filters;
use crate::support::{assert_output, folder, json_lines, run_in};
use tempfile::TempDir;

const ROBOTS: &[u8] = b"user-agent: Googlebot
disallow: /fish
allow: /fish/salmon

user-agent: *
allow: /page
disallow: /*.htm
disallow: /private/
";

const HOLDS: &[u8] = b"expectations:
  - {agent: Googlebot, url: /fish/salmon, expect: allow}
  - {agent: ExampleBot, url: https://example.com/private/a, expect: disallow}
";

const BREAKS: &[u8] = b"expectations:
  - {agent: Googlebot, url: /fish/salmon, expect: disallow}
  - {agent: Googlebot, url: /private/a, expect: disallow}
  - {agent: ExampleBot, url: /page.htm, expect: disallow}
  - {agent: ExampleBot, url: /private/a, expect: disallow}
";

fn site() -> TempDir {
    folder(&[("robots.txt", ROBOTS), ("holds.yaml", HOLDS), ("breaks.yaml", BREAKS)])
}

#[test]
fn an_expectation_that_does_not_hold_is_shown_with_the_line_that_decides() {
    let site = site();
    let done = run_in(site.path(), "expect holds.yaml robots.txt --edition rfc9309 --edition google-2026");
    assert_eq!((done.code, done.stdout.lines().count()), (Some(0), 1), "{}", done.transcript());
    let line = "expect breaks.yaml robots.txt --edition google-2019 --edition rfc9309 robots_txt \
                --adapter 'misbehaving_adapter always-allows'";
    let done = run_in(site.path(), line);
    assert_eq!(done.code, Some(1));
    assert_output!(done.transcript());
}

#[test]
fn an_open_answer_does_not_hold() {
    let site = site();
    let table = "agent,url,expect\nExampleBot,/page.htm,ANSWER\n";
    for answer in ["allow", "disallow"] {
        fs::write(site.path().join("open.csv"), table.replace("ANSWER", answer)).expect("a file");
        let done = run_in(site.path(), "expect open.csv robots.txt --edition google-2019");
        assert_eq!(done.code, Some(1), "{}", done.transcript());
        assert!(done.words().contains("unspecified depends on WildcardPrecedence"), "{}", done.transcript());
    }
}

#[test]
fn an_implementation_must_answer_as_expected_too() {
    let site = site();
    for (implementation, code) in [
        ("robotxt", 0),
        ("--exec 'true {url}'", 1),
        ("robotxt --exec 'true {url}'", 1),
        ("--adapter nowhere", 3),
    ] {
        let done = run_in(site.path(), &format!("expect holds.yaml robots.txt {implementation}"));
        assert_eq!(done.code, Some(code), "{}", done.transcript());
    }
}

#[test]
fn every_report_of_a_run_is_one_of_expectations() {
    let site = site();
    let mut reports = Vec::new();
    for format in ["junit", "tap", "markdown", "github"] {
        let done = run_in(site.path(), &format!("expect breaks.yaml robots.txt --format {format}"));
        assert_eq!(done.code, Some(1));
        reports.push(done.transcript());
    }
    assert_output!(reports.join("\n"); report_filters());
    let done = run_in(site.path(), "expect breaks.yaml robots.txt robotxt --format jsonl");
    let events = json_lines(&done.stdout);
    let judged = events.iter().filter(|event| event["event"] == "check-finished").count();
    assert_eq!(judged, 8);
    assert!(!events.iter().any(|event| event["event"] == "likely-cause"));
}

#[test]
fn a_project_names_editions_and_implementations() {
    let site = site();
    let config = "editions = ['google-2019']\n[[implementation]]\nname = 'mine'\nexec = 'true {url}'\n";
    fs::write(site.path().join("robotspec.toml"), config).expect("a file");
    let done = run_in(site.path(), "expect holds.yaml robots.txt");
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    assert!(done.stdout.contains("answered by google-2019: all hold"), "{}", done.stdout);
    let done = run_in(site.path(), "expect holds.yaml robots.txt mine");
    assert_eq!(done.code, Some(1), "{}", done.transcript());
    assert!(done.words().contains("mine allow"), "{}", done.transcript());
}

#[test]
fn a_proposal_holds_and_nothing_is_written_unless_asked() {
    let site = site();
    let before = fs::read_dir(site.path()).expect("a folder").count();
    let done = run_in(site.path(), "expect --init robots.txt --edition google-2019");
    assert_eq!(done.code, Some(0));
    assert_eq!(fs::read_dir(site.path()).expect("a folder").count(), before);
    assert_output!(done.transcript());
    fs::write(site.path().join("new.yaml"), &done.stdout).expect("a file");
    let done = run_in(site.path(), "expect new.yaml robots.txt --edition google-2019");
    assert_eq!(done.code, Some(0), "{}", done.transcript());
}

#[test]
fn a_wrong_table_or_command_is_refused_with_the_fix() {
    let site = site();
    let tables: [(&str, &[u8]); 5] = [
        ("word.yaml", b"expectations:\n  - {agent: A, url: /, expect: perhaps}\n"),
        ("key.yaml", b"expectations:\n  - {agent: A, uri: /, expect: allow}\n"),
        ("star.csv", b"agent,url,expect\n*,/,allow\n"),
        ("latin-1.csv", b"agent,url,expect\nA,/caf\xe9,allow\n"),
        ("empty.yaml", b""),
    ];
    let mut refused = Vec::new();
    for (name, text) in tables {
        fs::write(site.path().join(name), text).expect("a file");
        refused.push(format!("expect {name} robots.txt"));
    }
    refused.extend(
        [
            "expect",
            "expect holds.yaml",
            "expect none.yaml robots.txt",
            "expect - -",
            "expect holds.yaml https://example.com/robots.txt",
            "expect holds.yaml robots.txt --report junit=robots.txt",
            "expect holds.yaml robots.txt --config none.toml",
            "expect --init robots.txt --edition all",
            "expect --init robots.txt holds.yaml",
        ]
        .map(str::to_owned),
    );
    let transcripts = refused.iter().map(|line| {
        let done = run_in(site.path(), line);
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{line}");
        done.transcript()
    });
    assert_output!(transcripts.collect::<Vec<_>>().join("\n"));
}

#[test]
#[cfg(unix)]
fn a_file_without_an_end_is_refused() {
    let done = run_in(site().path(), "expect holds.yaml /dev/zero");
    assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{}", done.transcript());
    assert!(done.stderr.contains("/dev/zero has more than 16777216 bytes"), "{}", done.stderr);
}
