//! `robotspec expect`.

use std::fs;

use robotspec_cases::suite::built_in;
use robotspec_cases::{Query, checks};
use robotspec_mock_server::MockServer;

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
    assert_output!(reports.join("\n"));
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
            "expect holds.yaml ftp://example.com/robots.txt",
            "expect holds.yaml https://",
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

/// Returns what the server of a case answers, as the URL of its robots.txt.
fn server(case: &str) -> MockServer {
    let id = format!("access/{case}");
    let checks = checks(&built_in().expect("valid suites"), false);
    let check = checks.into_iter().find(|check| check.id.to_string() == id).expect("a case");
    let Query::Access { visits, .. } = &check.query else { panic!("{id} is about access") };
    MockServer::start(&visits[0].visit).expect("a server")
}

#[test]
fn the_robots_txt_of_a_url_is_fetched_as_a_crawler_does() {
    let site = folder(&[(
        "table.yaml",
        b"expectations:\n  - {agent: FooBot, url: /open, expect: allow}\n  - {agent: FooBot, url: /private, expect: disallow}\n",
    )]);
    for (case, code, said) in [
        ("success#status-200", 0, "all hold"),
        ("redirects#hops-5", 0, "all hold"),
        ("redirect-to-another-origin#other-port", 0, "all hold"),
        ("many-redirects#hops-6", 2, "more than 5 redirects"),
        ("endless-redirects#loop", 2, "more than 5 redirects"),
        (
            "client-error#status-404",
            2,
            "404, so that there is no file to read: crawlers may access every URL",
        ),
        ("server-error#status-503", 2, "503, so that there is no file to read: crawlers must access no URL"),
        ("other-status#status-304", 2, "304"),
        ("failure#refused", 2, "refused"),
        ("failure#short-body", 2, "cannot fetch"),
        ("failure#endless-header", 2, "cannot fetch"),
        ("failure#no-status-line", 2, "cannot fetch"),
        ("failure#name-not-found", 2, "cannot fetch"),
    ] {
        let server = server(case);
        let url = format!("{}/robots.txt", server.origin());
        for line in [format!("expect table.yaml {url}"), format!("check --agent FooBot --url /open {url}")] {
            let done = run_in(site.path(), &line);
            assert_eq!(done.code, Some(code), "{case}: {}", done.transcript());
            let said = if code == 0 && line.starts_with("check") { "allow" } else { said };
            let has_said = done.words().contains(said) || done.stderr.contains(said);
            assert!(has_said, "{case}: {}", done.transcript());
        }
        let requests = server.requests().len();
        assert!(requests <= 12, "{case}: {requests} requests");
    }
}

#[test]
fn the_scheme_of_a_url_may_have_capitals() {
    let server = server("success#status-200");
    let url = format!("{}/robots.txt", server.origin().replace("http:", "HTTP:"));
    let done = run_in(site().path(), &format!("check --agent FooBot --url /private {url}"));
    assert_eq!((done.code, &*done.words()), (Some(1), "disallow"), "{}", done.transcript());
}

#[test]
fn https_to_a_server_without_it_fails() {
    let server = server("success#status-200");
    let url = format!("{}/robots.txt", server.origin().replace("http:", "https:"));
    let done = run_in(site().path(), &format!("lint {url}"));
    assert_eq!(done.code, Some(2), "{}", done.transcript());
    assert!(done.stderr.contains("cannot fetch https://127.0.0.1"), "{}", done.stderr);
}

#[test]
#[ignore = "waits for a time limit"]
fn a_server_that_does_not_answer_is_left() {
    for case in ["failure#silent-in-header", "failure#silent-in-body"] {
        let server = server(case);
        let done = run_in(site().path(), &format!("sitemaps {}/robots.txt", server.origin()));
        assert_eq!(done.code, Some(2), "{case}: {}", done.transcript());
        assert!(done.stderr.contains("cannot fetch http://127.0.0.1"), "{case}: {}", done.stderr);
    }
}
