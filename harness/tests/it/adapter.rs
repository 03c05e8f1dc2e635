//! Adapters that misbehave in every way that the protocol describes: the results of the checks, and the
//! reports.

use std::io::{self, Read};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use robotspec::event::Status;
use robotspec::external::{Adapter, AdapterLimits};
use robotspec::{Answer, Endpoint, Fault, Governs, Incident, Reference, Verdict, ask};
use robotspec_cases::{Check, Expected, ExpectedSitemaps, Query};
use robotspec_reference::Ruling;
use robotspec_test_support::programs;

use crate::support::{EDITION, Ran, check, check_of, in_process, numbered_file, run_checks};

/// Time limits that an adapter does not reach unless it hangs, also on a machine that does other work.
pub(crate) const PATIENT: AdapterLimits = AdapterLimits {
    hello: Duration::from_secs(60),
    request: Duration::from_secs(60),
    failures: 100,
    chatter: 1000,
    memory: None,
};

/// Short time limits, for adapters that hang on purpose. Every other reply takes far less time.
pub(crate) const HURRIED: AdapterLimits =
    AdapterLimits { hello: Duration::from_secs(60), request: Duration::from_secs(2), ..PATIENT };

/// Returns how to start the misbehaving adapter with arguments, the first of which selects the misbehaviour.
pub(crate) fn adapter(arguments: &[&str], limits: AdapterLimits) -> impl Fn() -> Adapter + Send + use<> {
    let command = programs::command("misbehaving_adapter", arguments);
    Adapter::launcher(&command, limits).expect("the command is a list of words")
}

pub(crate) const GUILTY: &str = "probe/file-2#guilty";

/// Makes five files with two checks each, and for the third file also a check that makes the adapter
/// misbehave.
fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    for number in 0..5 {
        let file = numbered_file(number);
        let id = |row| format!("probe/file-{number}#{row}");
        checks.push(check(&id("open"), &file, "http://example.com/open", Ruling::Allow));
        if number == 2 {
            checks.push(check(GUILTY, &file, "http://example.com/private/guilty", Ruling::Disallow));
        }
        checks.push(check(&id("private"), &file, "http://example.com/private", Ruling::Disallow));
    }
    checks
}

/// Makes three files with one check each; the second check makes the adapter misbehave.
fn few_checks() -> Vec<Check> {
    let checks = checks().into_iter().filter(|check| is_one_of_few(&check.id.to_string()));
    let last = check("probe/last", &numbered_file(9), "http://example.com/private", Ruling::Disallow);
    checks.chain([last]).collect()
}

fn is_one_of_few(id: &str) -> bool {
    id == GUILTY || id.ends_with("-0#open")
}

/// Asserts that only the guilty check has a status, and that all others pass.
fn assert_only_the_guilty_is_blamed(ran: &Ran, status: Status) {
    for (id, judged) in &ran.checks {
        let expected = if id == GUILTY { status } else { Status::Pass };
        assert_eq!(judged.status, expected, "{id}: {}", judged.describe_got());
    }
    assert_eq!(ran.outcome.exit_code(), 1);
}

/// Runs an adapter that misbehaves on the guilty check, and asserts that it is restarted and blamed only
/// there.
fn blamed(way: &str, status: Status) -> Ran {
    let ran = run_checks(adapter(&[way], PATIENT), checks());
    assert_only_the_guilty_is_blamed(&ran, status);
    assert!(!ran.restarts().is_empty(), "the adapter was restarted");
    ran
}

// ---- It ends ----

#[test]
fn an_adapter_that_exits_is_restarted_and_only_the_guilty_check_is_a_crash() {
    let ran = blamed("exits", Status::Crash);
    let got = ran.got(GUILTY);
    assert!(got.starts_with("crash: "), "{got}");
    assert!(got.contains("exit status: 3") && got.contains("the last words"), "{got}");
    assert!(
        ran.restarts().iter().all(|reason| reason.to_string().contains("exit status: 3")),
        "{:?}",
        ran.restarts()
    );
}

#[cfg(unix)]
#[test]
fn an_adapter_that_dies_by_a_signal_is_reported_with_the_signal() {
    let ran = blamed("dies", Status::Crash);
    assert!(ran.got(GUILTY).contains("signal: 6"), "{}", ran.got(GUILTY));
}

#[cfg(unix)]
#[test]
fn an_adapter_that_closes_its_output_but_keeps_running_is_a_crash() {
    let ran = run_checks(adapter(&["closes-its-output"], HURRIED), few_checks());
    assert_only_the_guilty_is_blamed(&ran, Status::Crash);
    let got = ran.got(GUILTY);
    assert!(got.contains("closed its standard output but did not exit"), "{got}");
}

#[test]
fn an_adapter_that_crashes_on_a_hundred_requests_is_given_up_and_the_rest_is_not_run() {
    let checks = numbered_checks("http://example.com/guilty");
    let ran = run_checks(adapter(&["exits"], PATIENT), [few_checks()[..1].to_vec(), checks].concat());
    assert_eq!(ran.outcome.totals.of(Status::Crash), 100);
    assert_eq!(ran.outcome.totals.of(Status::NotRun), 50);
    assert_eq!(ran.gave_up(), Some("it failed on 100 requests"));
    assert_eq!(ran.outcome.exit_code(), 3);
}

fn numbered_checks(url: &str) -> Vec<Check> {
    let check = |number| check(&format!("probe/{number}"), &numbered_file(number), url, Ruling::Allow);
    (0..150).map(check).collect()
}

#[test]
fn an_adapter_whose_processes_all_end_without_an_answer_is_given_up_soon() {
    let ran = run_checks(adapter(&["always-exits"], PATIENT), numbered_checks("http://example.com/"));
    let reason = ran.gave_up().expect("the run gave up the adapter");
    let why = "5 of its processes ended or took too long, one more did not answer a plain query, and it answered 0 requests";
    assert!(reason.starts_with(why), "{reason}");
    assert!(reason.contains("exit status: 3"), "{reason}");
    assert_eq!(ran.restarts().len(), 6);
    assert!(ran.outcome.totals.of(Status::NotRun) > 140, "{:?}", ran.outcome.totals);
    assert_eq!(ran.outcome.exit_code(), 3);
}

#[test]
fn an_adapter_that_crashes_on_all_but_plain_files_is_blamed_for_each() {
    let ran =
        run_checks(adapter(&["exits"], PATIENT), numbered_checks("http://example.com/guilty")[..20].to_vec());
    assert_eq!((ran.outcome.totals.of(Status::Crash), ran.gave_up()), (20, None));
}

// ---- A slow adapter ----

#[test]
fn an_adapter_that_answers_few_of_the_checks_is_given_up_and_the_rest_is_not_run() {
    for (way, limits) in [("exits", PATIENT), ("hangs", HURRIED)] {
        let is_plain = |number| if number == 0 { "http://example.com/plain" } else { "http://example.com/" };
        let of = |number| {
            check(&format!("probe/{number}"), &numbered_file(number), is_plain(number), Ruling::Allow)
        };
        let ran = run_checks(adapter(&[way, "guilty=!plain"], limits), (0..40).map(of).collect());
        assert_eq!(ran.status("probe/0"), Status::Pass);
        let reason = ran.gave_up().expect("the run gave up the adapter");
        assert!(
            reason.contains("one more did not answer a plain query, and it answered 1 request"),
            "{reason}"
        );
        assert!(ran.outcome.totals.of(Status::NotRun) > 30, "{way}: {:?}", ran.outcome.totals);
        assert_eq!(ran.outcome.exit_code(), 3);
    }
}

#[test]
fn an_adapter_that_takes_too_long_for_most_checks_is_given_up_although_it_answers_a_plain_query() {
    let limits = AdapterLimits { failures: 25, ..HURRIED };
    let ran = run_checks(adapter(&["hangs"], limits), numbered_checks("http://example.com/guilty"));
    assert!(ran.outcome.totals.of(Status::NotRun) > 140, "{:?}", ran.outcome.totals);
    let reason = ran.gave_up().expect("the run gave up the adapter");
    assert!(reason.starts_with("5 of its processes took too long, and it answered 0 requests"), "{reason}");
}

#[test]
fn an_adapter_that_takes_too_long_for_fewer_checks_than_it_answers_is_judged_by_all_others() {
    let limits = AdapterLimits { failures: 25, ..HURRIED };
    let (late, soon) = (numbered_checks("http://example.com/guilty"), numbered_checks("http://example.com/"));
    let renamed = |check: &Check| Check {
        id: format!("late/{}", check.id.case).parse().expect("an id"),
        ..check.clone()
    };
    let checks = soon[..20].iter().cloned().chain(late[..6].iter().map(renamed)).chain(soon[20..].to_vec());
    let ran = run_checks(adapter(&["hangs"], limits), checks.collect());
    assert_eq!((ran.outcome.totals.of(Status::Timeout), ran.gave_up()), (6, None));
    assert_eq!(ran.outcome.totals.of(Status::Pass), 150);
}

#[test]
fn an_adapter_that_hangs_on_a_request_is_killed_and_only_that_request_is_a_timeout() {
    let ran = run_checks(adapter(&["hangs"], HURRIED), few_checks());
    assert_only_the_guilty_is_blamed(&ran, Status::Timeout);
    assert_eq!(ran.got(GUILTY), "timeout: no reply in 2s");
}

#[test]
fn an_adapter_that_does_not_read_its_input_is_a_timeout_however_large_the_request() {
    let file: Arc<[u8]> = "# no adapter reads this\n".repeat(50_000).into_bytes().into();
    let large = check("probe/large", &file, "http://example.com/", Ruling::Allow);
    let ran = run_checks(adapter(&["deaf"], HURRIED), vec![large]);
    assert_eq!(ran.status("probe/large"), Status::Timeout);
}

/// The processes that an adapter started, each at the other end of a connection.
struct Children(TcpListener);

impl Children {
    fn new() -> Self {
        Children(TcpListener::bind("127.0.0.1:0").expect("there is a free port"))
    }

    fn argument(&self) -> String {
        format!("at={}", self.0.local_addr().expect("the listener is bound"))
    }

    /// Waits for the end of all children and returns their number. A child that does not end is an error.
    fn all_gone(&self) -> io::Result<usize> {
        self.0.set_nonblocking(true)?;
        let mut count = 0;
        while let Ok((mut connection, _)) = self.0.accept() {
            connection.set_nonblocking(false)?;
            // A child that still runs keeps the connection open.
            connection.set_read_timeout(Some(Duration::from_secs(60)))?;
            match connection.read(&mut [0]) {
                Err(error) if error.kind() != io::ErrorKind::ConnectionReset => return Err(error),
                _ => count += 1,
            }
        }
        Ok(count)
    }
}

#[cfg(unix)]
#[test]
fn the_children_of_an_adapter_that_hangs_or_exits_are_killed_with_it() {
    for (way, statuses) in [
        ("hangs-with-a-child", [(Status::Pass, 2), (Status::Timeout, 1)]),
        ("exits-with-a-child", [(Status::Pass, 2), (Status::Crash, 1)]),
    ] {
        let children = Children::new();
        let ran = run_checks(adapter(&[way, &children.argument()], HURRIED), few_checks());
        for (status, count) in statuses {
            assert_eq!(ran.outcome.totals.of(status), count, "{way}: {status}");
        }
        assert!(children.all_gone().expect("every child has ended") > 0, "there was a child");
    }
}

// ---- An adapter with wrong replies ----

#[test]
fn a_wrong_reply_is_a_protocol_error_that_says_what_is_wrong() {
    // An offending line is cut at 200 bytes.
    let cut = |line: String| format!("the line is: {line} …");
    for (way, message, end) in [
        ("talks", "", "the line is: Sorry, what?"),
        ("talks-much", "", &*cut("blah ".repeat(40))),
        ("talks-without-end", "longer than 16 MiB", &*cut("x".repeat(200))),
        ("talks-latin-1", "d\u{FFFD}sol\u{FFFD}", ""),
        ("answers-another", "no request with the id 987654 is unanswered", ""),
        ("forgets-a-verdict", "the reply has 0 verdicts for 1 checks", ""),
        ("forgets-the-verdicts", "has no `verdicts`", ""),
        ("invents-a-verdict", r#""maybe" is not a verdict; write "allow", "disallow""#, ""),
    ] {
        let got = blamed(way, Status::ProtocolError).got(GUILTY);
        assert!(got.starts_with("protocol error: "), "{way}: {got}");
        assert!(got.contains(message) && got.ends_with(end), "{way}: {got}");
    }
}

#[test]
fn an_error_is_one_of_the_check_that_causes_it_alone() {
    for (way, error) in [
        ("fails-on-the-check", "error: this URL is too much for me"),
        ("fails-on-the-request", "error: this file is too much for me"),
    ] {
        let ran = run_checks(adapter(&[way], PATIENT), checks());
        assert_only_the_guilty_is_blamed(&ran, Status::Error);
        assert_eq!(ran.got(GUILTY), error);
        assert_eq!(ran.incidents, [], "no restart is necessary");
    }
}

// ---- Valid differences between adapters ----

#[test]
fn replies_may_come_in_any_order_and_with_unknown_keys_and_operations() {
    for way in [&["answers", "together=5"][..], &["tells-more-than-asked"]] {
        let ran = run_checks(adapter(way, PATIENT), checks());
        assert_eq!(ran.outcome.totals.of(Status::Pass), checks().len());
        assert_eq!(ran.incidents, []);
    }
}

/// Makes a check of each operation that is not `match`.
fn other_checks() -> Vec<Check> {
    let required = vec!["https://example.com/sitemap.xml".to_owned()];
    let sitemaps = Expected::Sitemaps(ExpectedSitemaps { required, optional: Vec::new() });
    let scope = Query::Scope {
        robots_url: "http://example.com/robots.txt".to_owned(),
        url: "http://example.com/page".to_owned(),
    };
    vec![
        check_of("probe/sitemaps", Query::Sitemaps { robots: numbered_file(1) }, sitemaps),
        check_of("probe/scope", scope, Expected::Governs(Governs::Yes)),
        check_of("probe/grammar", Query::Grammar { text: numbered_file(2) }, Expected::Derived(true)),
    ]
}

#[test]
fn an_adapter_gets_queries_about_sitemaps_and_scope_but_not_about_the_grammar() {
    let ran = run_checks(adapter(&["behaves"], PATIENT), other_checks());
    assert_eq!(ran.status("probe/sitemaps"), Status::Pass);
    assert_eq!(ran.status("probe/scope"), Status::Pass);
    assert_eq!(ran.status("probe/grammar"), Status::NotSupported);
}

#[test]
fn an_operation_that_the_adapter_does_not_offer_is_not_supported_and_not_a_failure() {
    let ran = run_checks(adapter(&["only-matches"], PATIENT), [checks(), other_checks()].concat());
    assert_eq!(ran.outcome.totals.of(Status::NotSupported), 3);
    assert_eq!(ran.outcome.totals.of(Status::Pass), checks().len());
    assert_eq!(ran.outcome.exit_code(), 0);
}

#[test]
fn a_file_is_sent_as_text_if_it_is_utf_8_and_otherwise_in_base64() {
    let file = |id, bytes: &[u8]| check(id, &bytes.into(), "http://example.com/", Ruling::Allow);
    let checks = vec![
        file("probe/text", "disallow: /é\r\n\0".as_bytes()),
        file("probe/bytes", b"disallow: /\xE9\n"),
        file("probe/empty", b""),
    ];
    let ran = run_checks(adapter(&["tells-the-file"], PATIENT), checks);
    assert_eq!(ran.got("probe/text"), r#"error: robots "disallow: /é\r\n\u0000""#);
    assert_eq!(ran.got("probe/bytes"), r#"error: robots_base64 "ZGlzYWxsb3c6IC/pCg==""#);
    assert_eq!(ran.got("probe/empty"), r#"error: robots """#);
}

#[test]
fn a_megabyte_on_standard_error_does_not_block_the_run_and_its_end_is_shown() {
    let ran = blamed("loud", Status::Crash);
    let got = ran.got(GUILTY);
    assert!(got.ends_with("line 19999 of very much that nobody wants to know\nthe last words"), "{got}");
    assert!(got.lines().count() < 20, "{} lines", got.lines().count());
}

// ---- An adapter that does not start or does not end ----

/// Runs an adapter that never gives a valid reply to `hello`.
fn given_up(arguments: &[&str], limits: AdapterLimits) -> Ran {
    let ran = run_checks(adapter(arguments, limits), [checks(), other_checks()].concat());
    assert_eq!(ran.outcome.totals.of(Status::NotRun), ran.checks.len(), "no check is run");
    assert_eq!(ran.outcome.exit_code(), 3);
    assert!(ran.restarts().is_empty(), "{:?}", ran.restarts());
    ran
}

#[test]
fn an_adapter_that_exits_before_hello_is_given_up_with_the_end_of_its_standard_error() {
    let ran = given_up(&["exits-before-hello"], PATIENT);
    let reason = ran.gave_up().expect("the run gave up the adapter");
    assert!(reason.starts_with("the adapter ended before it answered `hello`: exit status: 7"), "{reason}");
    assert!(reason.ends_with("no module named robots"), "{reason}");
    assert!(ran.got(GUILTY).starts_with("not run: the adapter ended before"), "{}", ran.got(GUILTY));
}

#[test]
fn an_adapter_that_never_answers_hello_is_given_up() {
    let limits = AdapterLimits { hello: Duration::from_millis(200), ..PATIENT };
    let ran = given_up(&["never-greets"], limits);
    assert_eq!(ran.gave_up(), Some("the adapter did not answer `hello` in 200ms"));
}

#[test]
fn an_invalid_reply_to_hello_is_shown() {
    for (way, message) in [
        ("greets-in-words", "the line is not a reply: "),
        ("greets-without-ops", "missing field `ops`"),
        ("greets-with-another-id", "the reply to `hello` has the id 1, not 0"),
        ("speaks-another-protocol", "the adapter speaks protocol 2, and this harness speaks protocol 1"),
    ] {
        let ran = given_up(&[way], PATIENT);
        let reason = ran.gave_up().expect("the run gave up the adapter");
        assert!(reason.contains(message) && reason.contains("the line is: "), "{way}: {reason}");
    }
}

#[test]
fn a_program_that_does_not_exist_is_given_up() {
    let nowhere = Adapter::launcher("/nonexistent/adapter", PATIENT).expect("a list of words");
    let ran = run_checks(nowhere, checks());
    assert_eq!(ran.outcome.totals.of(Status::NotRun), checks().len());
    let reason = ran.gave_up().expect("the run gave up the adapter");
    assert!(reason.starts_with("`/nonexistent/adapter` cannot be started: "), "{reason}");
}

#[test]
fn an_adapter_that_answers_hello_on_the_second_try_is_used() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ran = run_checks(adapter(&["starts-at-second-try", &marker(folder.path())], PATIENT), checks());
    assert_eq!(ran.outcome.totals.of(Status::Pass), checks().len());
}

#[test]
fn an_adapter_that_cannot_be_restarted_is_given_up_and_its_earlier_answers_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ran = run_checks(adapter(&["cannot-start-twice", &marker(folder.path())], PATIENT), checks());
    let passed = ["probe/file-0#open", "probe/file-0#private", "probe/file-1#open", "probe/file-1#private"];
    for (id, judged) in &ran.checks {
        let expected = if passed.contains(&id.as_str()) { Status::Pass } else { Status::NotRun };
        assert_eq!(judged.status, expected, "{id}: {}", judged.describe_got());
    }
    assert!(ran.gave_up().is_some_and(|reason| reason.contains("exit status: 8")), "{:?}", ran.gave_up());
    assert_eq!(ran.outcome.exit_code(), 3);
}

fn marker(folder: &Path) -> String {
    format!("file={}", folder.join("marker").display())
}

#[test]
fn an_adapter_that_exits_with_a_failure_or_not_at_all_at_the_end_is_reported() {
    for (way, limits, [start, end]) in [
        ("exits-badly", PATIENT, ["exit status: 5", "there is something left to do"]),
        ("never-exits", HURRIED, ["it did not exit when its standard input", " was closed"]),
    ] {
        let ran = run_checks(adapter(&[way], limits), checks());
        assert_eq!(ran.outcome.totals.of(Status::Pass), checks().len());
        let [Incident::BadExit { status }] = &ran.incidents[..] else { panic!("{:?}", ran.incidents) };
        assert!(status.starts_with(start) && status.ends_with(end), "{status}");
    }
}

// ---- Without a run ----

#[test]
fn an_adapter_answers_single_queries() {
    let mut adapter = adapter(&["behaves"], PATIENT)();
    let mut allows = |url: &str| {
        let (robots, agent) = (numbered_file(0), "FooBot".to_owned());
        ask(&mut adapter, &Query::Match { robots, agent, url: url.to_owned() })
    };
    assert_eq!(allows("http://example.com/private"), Ok(Answer::Match(Verdict::Disallow)));
    assert_eq!(allows("http://example.com/"), Ok(Answer::Match(Verdict::Allow)));
    assert_eq!(adapter.info().name, "misbehaving");
    assert_eq!(ask(&mut adapter, &Query::Grammar { text: numbered_file(0) }), Err(Fault::NotSupported));
    let sitemaps = ask(&mut adapter, &Query::Sitemaps { robots: numbered_file(0) });
    assert_eq!(sitemaps, Ok(Answer::Sitemaps(vec!["https://example.com/sitemap.xml".to_owned()])));
}

#[test]
fn the_judgements_do_not_depend_on_the_kind_of_endpoint() {
    let through_a_pipe = run_checks(adapter(&["behaves"], PATIENT), checks());
    let in_this_process = run_checks(move || in_process(|| Reference::new(EDITION)), checks());
    assert_eq!(through_a_pipe.checks, in_this_process.checks);
}

#[test]
fn of_a_long_standard_error_the_end_is_shown() {
    let ran = run_checks(adapter(&["shouts-and-exits"], PATIENT), few_checks());
    let got = ran.got(GUILTY);
    assert!(got.len() < 2100, "{} bytes", got.len());
    assert!(got.contains(" bytes more) … "), "{got}");
    assert!(got.ends_with("very very"), "{got}");
}
