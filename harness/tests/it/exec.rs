//! A foreign tool that is run once for each check: the meaning of its exit and output, and its arguments.

use std::time::Duration;

use robotspec::event::Status;
use robotspec::external::{Command, Meaning};
use robotspec::{Endpoint, Fault, Incident, ask};
use robotspec_cases::{Check, Query};
use robotspec_reference::Ruling;
use robotspec_test_support::programs;

use crate::support::{Ran, check, numbered_file, run_checks};

/// A time limit that a tool does not reach unless it hangs, also on a machine that does other work.
const PATIENT: Duration = Duration::from_secs(60);

/// Makes a command that runs the tool with arguments.
fn tool(arguments: &str, meaning: Meaning, timeout: Duration) -> Command {
    let command = format!("{} {arguments}", programs::command("foreign_tool", &[]));
    Command::new(&command, meaning, timeout, 2).expect("a command with a URL")
}

/// Makes two files with two checks each.
fn checks() -> Vec<Check> {
    let of_file = |number| {
        let file = numbered_file(number);
        [
            check(&format!("probe/{number}#open"), &file, "http://example.com/open", Ruling::Allow),
            check(&format!("probe/{number}#private"), &file, "http://example.com/private", Ruling::Disallow),
        ]
    };
    [1, 2].map(of_file).concat()
}

fn run_tool(arguments: &str, meaning: Meaning) -> Ran {
    let tool = tool(arguments, meaning, PATIENT);
    run_checks(move || tool.clone(), checks())
}

/// Asserts that all checks have a status, and returns the description of the first answer.
fn assert_all(ran: &Ran, status: Status) -> String {
    assert_eq!(ran.outcome.totals.of(status), checks().len(), "{:?}", ran.checks);
    ran.got("probe/1#open")
}

// ---- The meaning of the exit and the output ----

fn words(allow: &str, disallow: &str) -> Meaning {
    let pattern = |text| regex::bytes::Regex::new(text).expect("a pattern");
    Meaning::Output { allow: pattern(allow), disallow: pattern(disallow) }
}

#[test]
fn an_exit_status_or_an_output_means_allow_or_disallow() {
    for (arguments, meaning) in [
        ("{file} {agent} {url}", Meaning::default()),
        // Without a file in the command, the tool gets the robots.txt on standard input.
        ("- {agent} {url}", Meaning::default()),
        ("--exit 30 40 {file} {agent} {url}", Meaning::Status { allow: vec![7, 30], disallow: vec![40] }),
        ("--words {file} {agent} {url}", words("open to all", "off limits")),
    ] {
        assert_all(&run_tool(arguments, meaning), Status::Pass);
    }
}

#[test]
fn a_large_file_that_the_tool_does_not_read_does_not_block_it() {
    let file = "# the tool does not read this\n".repeat(50_000).into_bytes().into();
    let large = check("probe/large", &file, "http://example.com/", Ruling::Allow);
    let meaning = Meaning::Status { allow: vec![42], disallow: vec![] };
    let tool = tool("--mutter {agent} {url}", meaning, PATIENT);
    let ran = run_checks(move || tool.clone(), vec![large]);
    assert_eq!(ran.status("probe/large"), Status::Pass);
}

#[test]
fn an_exit_status_without_a_meaning_is_an_error_with_the_output_of_the_tool() {
    let ran = run_tool("--mutter {agent} {url}", Meaning::default());
    let got = assert_all(&ran, Status::Error);
    assert!(got.starts_with("error: exit status: 42"), "{got}");
    assert!(got.contains("my arguments are "), "{got}");
}

#[test]
fn an_output_that_matches_neither_pattern_or_both_is_an_error_that_shows_it() {
    for (meaning, wrong) in
        [(words("yes", "no"), "neither pattern matches"), (words("page", "the"), "both patterns match")]
    {
        let got = assert_all(&run_tool("--words {file} {agent} {url}", meaning), Status::Error);
        assert!(got.starts_with(&format!("error: {wrong} its output: the page is open to all")), "{got}");
    }
}

#[cfg(unix)]
#[test]
fn a_tool_that_dies_by_a_signal_has_crashed() {
    let ran = run_tool("--crash {url}", Meaning::default());
    let got = assert_all(&ran, Status::Crash);
    assert!(got.contains("signal: 6"), "{got}");
}

#[cfg(unix)]
#[test]
fn a_status_that_many_runs_end_with_and_that_has_no_meaning_comes_first() {
    let ran = run_checks(
        || Command::new("sh -c 'exit 3' {url}", Meaning::default(), PATIENT, 2).expect("a command"),
        checks(),
    );
    let [Incident::OddStatus { status: 3, runs, of }] = ran.incidents[..] else {
        panic!("{:?}", ran.incidents)
    };
    assert!(runs == of && runs >= checks().len() && ran.incidents[0].comes_first(), "{runs} of {of}");
    assert!(ran.incidents[0].to_string().contains("`--disallow-exit 3`"), "{}", ran.incidents[0]);
    let meaning = Meaning::Status { allow: vec![0], disallow: vec![3] };
    let ran = run_checks(
        move || Command::new("sh -c 'exit 3' {url}", meaning.clone(), PATIENT, 2).expect("a command"),
        checks(),
    );
    assert_eq!(ran.incidents, []);
}

#[test]
fn a_word_in_braces_that_is_no_placeholder_is_refused() {
    let refused = |command: &str| Command::new(command, Meaning::default(), PATIENT, 1).map(drop);
    let error = refused("tool --file={robots} {url}").expect_err("no placeholder");
    assert_eq!(error.reason, "`{robots}` is no placeholder; there are {file}, {agent}, {url}");
    assert_eq!(refused("awk '{print $1} {}' {file} {agent} {url}"), Ok(()));
}

#[test]
fn a_tool_that_does_not_end_is_a_timeout() {
    let hanging = tool("--hang {url}", Meaning::default(), Duration::from_millis(100));
    let ran = run_checks(move || hanging.clone(), checks());
    assert_eq!(assert_all(&ran, Status::Timeout), "timeout: it did not end in 100ms");
}

#[test]
fn a_tool_that_does_not_exist_is_not_run_and_the_run_reports_it() {
    let nowhere = Command::new("/nonexistent/tool {url}", Meaning::default(), PATIENT, 2).expect("a command");
    let ran = run_checks(move || nowhere.clone(), checks());
    let got = assert_all(&ran, Status::NotRun);
    assert!(got.starts_with("not run: `/nonexistent/tool` cannot be started: "), "{got}");
    assert_eq!(ran.outcome.exit_code(), 3);
    let reason = ran.gave_up().expect("an incident reports it once");
    assert!(reason.starts_with("`/nonexistent/tool` cannot be started: "), "{reason}");
}

// ---- The arguments ----

/// Returns the arguments that the tool gets.
fn arguments_for(template: &str, agent: &str, url: &str) -> String {
    let mut tool = tool(&format!("--mutter {template}"), Meaning::default(), PATIENT);
    let query = Query::Match { robots: numbered_file(0), agent: agent.to_owned(), url: url.to_owned() };
    let Ok(robotspec::Answer::Match(robotspec::Verdict::Error(error))) = ask(&mut tool, &query) else {
        panic!("the tool ends with an exit status without a meaning")
    };
    let (_, arguments) = error.split_once("my arguments are ").expect("the tool prints its arguments");
    arguments.to_owned()
}

#[test]
fn agents_and_urls_reach_the_tool_unchanged_because_no_shell_reads_them() {
    for odd in
        ["a b", "it's", "\"quoted\"", "$HOME", "`id`", "$(id)", "a;b&c|d>e", "*", "\\", "", "--exit", "é"]
    {
        let expected = format!("{:?}", [odd, odd]);
        assert_eq!(arguments_for("{agent} {url}", odd, odd), expected);
    }
}

#[test]
fn a_placeholder_may_be_part_of_a_word_and_occur_more_than_once_but_not_in_a_value() {
    let arguments = arguments_for("--user-agent={agent} '{url} and {url}'", "{url}{file}", "/{agent}");
    assert_eq!(arguments, r#"["--user-agent={url}{file}", "/{agent} and /{agent}"]"#);
}

#[test]
fn a_foreign_tool_gets_only_match_queries() {
    let mut tool = tool("{file} {agent} {url}", Meaning::default(), PATIENT);
    let sitemaps = Query::Sitemaps { robots: numbered_file(1) };
    assert_eq!(ask(&mut tool, &sitemaps), Err(Fault::NotSupported));
    assert_eq!(
        tool.info().name,
        format!("{} {{file}} {{agent}} {{url}}", programs::command("foreign_tool", &[]))
    );
}

#[test]
fn values_that_cannot_be_arguments_are_not_supported_and_the_run_goes_on() {
    let mut all = checks();
    let file = numbered_file(3);
    let long = format!("http://example.com/{}", "a".repeat(200_000));
    all.push(check("probe/3#long", &file, &long, Ruling::Allow));
    all.push(check("probe/3#nul", &file, "http://example.com/\0", Ruling::Allow));
    all.push(check("probe/3#open", &file, "http://example.com/open", Ruling::Allow));
    let ran = run_checks(move || tool("{file} {agent} {url}", Meaning::default(), PATIENT), all);
    let statuses = ["long", "nul", "open"].map(|row| ran.status(&format!("probe/3#{row}")));
    assert_eq!(statuses, [Status::NotSupported, Status::NotSupported, Status::Pass]);
    assert_eq!((ran.outcome.totals.of(Status::Pass), ran.outcome.exit_code()), (5, 0));
}
