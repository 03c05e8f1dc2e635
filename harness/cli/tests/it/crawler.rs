//! Tests of `run --crawler`, and of `serve`, which serves the sites of the scenarios.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crate::support::{Done, example, folder, run, run_in, write};

/// Runs `robotspec run` with a crawler and options.
fn crawl(crawler: &str, options: &str) -> Done {
    run(&format!("run --edition rfc9309 --crawler {} {options}", shell_words::quote(crawler)))
}

/// Returns the command of the example crawler with an argument.
fn crawler(argument: &str) -> String {
    format!("{} {{url}} {argument}", example("crawler", &[]))
}

const ACCESS: &str = "--filter id:access/*";
const FOUND: &str = "--filter id:access/success#status-200";
const BOTH: &str = "--filter id:access/success#status-200 --filter id:access/server-error#status-500";
const MOVED: &str = "--filter id:access/pages-that-redirect*";
const NAMED: &str = "--filter id:access/group-of-the-crawler*";
const ONCE: &str = "--filter id:access/unconditional#once --edition google-2026";

#[test]
fn a_crawler_is_judged_by_its_requests() {
    for (argument, options, code, part) in [
        // A crawler run omits scenarios with several visits, which need a clock, and FTP, which has no links.
        ("", ACCESS, 0, "all as expected"),
        ("rude", BOTH, 1, "got /open allow, /private allow"),
        // Only that edition requires it first.
        ("late", ONCE, 1, "before `/robots.txt`"),
        ("blind", MOVED, 1, "got /open allow, /private allow"),
        ("blind", MOVED, 1, "2 judgements: 2 fail"),
        ("", NAMED, 3, "3 judgements: 3 not-supported"),
        ("{agent}", NAMED, 0, "3 pass"),
        ("shy", BOTH, 1, "got /open disallow, /private disallow"),
        ("shy", BOTH, 1, "2 judgements: 1 pass (50.0 % of those judged), 1 fail"),
        ("idle --timeout 0.5", FOUND, 1, "timeout: it did not end in 500ms"),
        // It writes a line without an end.
        ("loud", FOUND, 0, "all as expected"),
        ("cut", FOUND, 0, "all as expected"),
    ] {
        let (argument, more) = argument.split_once(' ').unwrap_or((argument, ""));
        let done = crawl(&crawler(argument), &format!("{options} {more}"));
        assert_eq!(done.code, Some(code), "{}", done.transcript());
        assert!(done.words().contains(part), "no `{part}`: {}", done.stdout);
        let asks_too_early = done.stdout.contains("the client asked for");
        assert!(argument != "rude" || !asks_too_early, "it fails by its pages alone: {}", done.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_crawler_that_requests_nothing_has_no_result() {
    let crawler = "sh -c 'echo no such spider >&2; exit 9' {url}";
    let done = crawl(crawler, BOTH);
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    for part in ["no request arrived from", "in an empty folder", "exit status: 9", "no such spider"] {
        assert!(done.words().contains(part), "{part}: {}", done.transcript());
    }
    assert!(!done.stdout.contains("judgements"), "only the reason: {}", done.stdout);
}

#[cfg(unix)]
#[test]
fn a_file_of_the_current_folder_is_found_by_a_crawler() {
    let folder = folder(&[]);
    let script = format!("{} \"$1\"\n", example("crawler", &[]));
    write(&folder, "crawl.sh", script);
    let line = format!("run --edition rfc9309 --crawler 'sh crawl.sh {{url}}' {FOUND}");
    let done = run_in(folder.path(), &line);
    assert_eq!(done.code, Some(0), "{}", done.transcript());
}

#[test]
fn a_crawler_supports_no_query_about_a_file() {
    let done = crawl("true {url}", "--filter id:path-values/fish#*");
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    assert!(done.stdout.contains("9 judgements: 9 not-supported"), "{}", done.stdout);
    assert!(done.stdout.contains("nothing was judged"), "{}", done.stdout);
}

#[test]
fn the_report_does_not_depend_on_the_number_of_sites_at_a_time() {
    let by = |jobs| crawl(&crawler("rude"), &format!("{ACCESS} --format jsonl --jobs {jobs}"));
    let (one, many) = (by(1), by(7));
    assert_eq!((one.code, many.code), (Some(1), Some(1)));
    assert!(one.stdout == many.stdout, "the stream does not depend on --jobs");
    let failed = one.stdout.matches(r#""status":"fail""#).count();
    let passed = one.stdout.matches(r#""status":"pass""#).count();
    assert!(failed > 20 && passed > 5, "{failed} failed, {passed} passed");
}

#[test]
fn a_crawler_that_cannot_be_started_is_reported_once_and_the_run_is_incomplete() {
    let done = crawl("no-such-crawler {url}", ACCESS);
    assert_eq!(done.code, Some(3));
    assert_eq!(done.stdout.matches("`no-such-crawler` cannot be started").count(), 1, "{}", done.stdout);
}

#[test]
fn a_command_without_a_url_is_rejected_with_the_fix() {
    crawl("wget", "").assert_refused("write for example `wget --recursive {url}`");
}

// ---- serve ----

/// Starts `serve`, and returns it with its output and the address of the site.
fn serve(scenario: &str) -> (Child, Lines, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotspec"));
    command.args(["serve", scenario]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut serve = command.spawn().expect("robotspec starts");
    let mut lines = Lines::new(serve.stdout.take().expect("a pipe"));
    let url = lines.wait_for(|line| line.starts_with("http://"));
    let address = url.strip_prefix("http://").and_then(|url| url.strip_suffix("/robots.txt"));
    (serve, lines, address.expect("a URL").to_owned())
}

#[test]
fn serve_plays_a_scenario_and_prints_each_request() {
    let (mut serve, mut lines, address) = serve("access/a-day#after-25-hours");
    let address = &*address;
    assert!(get(address, "GET").contains("disallow: /old"));
    lines.wait_for(|line| line.starts_with("GET /robots.txt"));
    assert!(get_path(address, "GET", "/").contains("<a href=\"/old\">"), "a crawler finds the pages");
    serve.stdin.as_mut().expect("a pipe").write_all(b"\n").expect("the program reads");
    lines.wait_for(|line| line.starts_with("after 25 h"));
    assert!(get(address, "HEAD").starts_with("HTTP/1.1 200"));
    lines.wait_for(|line| line.contains("with HEAD; the specification requires GET"));
    serve.kill().expect("the program runs");
    serve.wait().expect("the program ends");
}

#[test]
fn serve_prints_redirects_retries_and_the_number_of_bytes_sent() {
    let (mut serve, mut lines, address) = serve("access/redirects#once-301");
    let address = &*address;
    get(address, "GET");
    lines.wait_for(|line| line.ends_with("/robots.txt: sent 26 of 26 bytes"));
    get_path(address, "GET", "/robots-1.txt");
    lines.wait_for(|line| line.starts_with("GET /robots-1.txt  redirect 1  "));
    get(address, "GET");
    lines.wait_for(|line| line.starts_with("GET /robots.txt  try 2  "));
    serve.kill().expect("the program runs");
    serve.wait().expect("the program ends");
}

/// The lines that a program writes while it runs.
struct Lines {
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Lines {
    fn new(output: impl Read + Send + 'static) -> Self {
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.map(|line| sender.send(line)).take_while(Result::is_ok).for_each(drop);
        });
        Lines { lines, seen: Vec::new() }
    }

    /// Waits for the next line that the predicate accepts, at most a minute, because a loaded machine is
    /// slow.
    fn wait_for(&mut self, predicate: impl Fn(&str) -> bool) -> String {
        loop {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) if predicate(&line) => return line,
                Ok(line) => self.seen.push(line),
                Err(error) => panic!("{error}; other lines: {:#?}", self.seen),
            }
        }
    }
}

fn get(address: &str, method: &str) -> String {
    get_path(address, method, "/robots.txt")
}

fn get_path(address: &str, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the program reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    answer
}

#[test]
fn serve_lists_the_scenarios() {
    let done = run("serve --list");
    assert_eq!(done.code, Some(0));
    assert!(done.stdout.lines().count() > 100);
    for line in done.stdout.lines().filter(|line| !line.starts_with(' ')) {
        let is_access =
            ["access/", "koster-1994/", "koster-1996/"].iter().any(|suite| line.starts_with(suite));
        assert!(is_access && line.contains("after 0 h"), "{line}");
    }
}

#[test]
fn an_unknown_scenario_is_rejected_with_the_fix() {
    run("serve access/nowhere#never").assert_refused("`robotspec serve --list` lists all");
}
