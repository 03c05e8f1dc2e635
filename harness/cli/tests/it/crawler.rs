//! Tests of `run --crawler`, and of `serve`, which serves the sites of the scenarios.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crate::support::{Done, example, robotspec};

/// Runs `robotspec run` with a crawler and options.
fn crawl(crawler: &str, options: &[&str]) -> Done {
    let arguments = ["run", "--edition", "rfc9309", "--crawler", crawler];
    robotspec(arguments.into_iter().chain(options.iter().copied())).run()
}

/// Returns the command of the example crawler with an argument.
fn crawler(argument: &str) -> String {
    format!("{} {{url}} {argument}", example("crawler", &[]))
}

const ACCESS: &str = "id:access/*";
const FOUND: &str = "id:access/success#status-200";
const FORBIDDEN: &str = "id:access/server-error#status-500";

#[test]
fn a_crawler_that_fetches_robots_txt_first_and_obeys_it_passes() {
    let done = crawl(&crawler(""), &["--filter", ACCESS]);
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    // A crawler run omits scenarios with several visits, which need a clock, and FTP, which has no links.
    assert!(done.stdout.contains("all as expected"), "{}", done.stdout);
}

#[test]
fn a_crawler_that_never_fetches_robots_txt_fails_by_its_page_requests() {
    let done = crawl(&crawler("rude"), &["--filter", FOUND, "--filter", FORBIDDEN]);
    assert_eq!(done.code, Some(1));
    let output = done.stdout;
    assert!(output.contains("got /open allow, /private allow"), "{output}");
    assert!(!output.contains("the client asked for"), "{output}");
}

#[test]
fn a_crawler_that_fetches_robots_txt_late_fails_if_the_edition_requires_it_first() {
    let done = robotspec([
        "run",
        "--edition",
        "google-2026",
        "--crawler",
        &crawler("late"),
        "--filter",
        "id:access/unconditional#once",
    ])
    .run();
    assert_eq!(done.code, Some(1), "{}", done.transcript());
    assert!(done.stdout.contains("before `/robots.txt`"), "{}", done.stdout);
}

#[test]
fn a_crawler_that_reaches_no_page_fails_where_pages_are_allowed() {
    let done = crawl(&crawler("shy"), &["--filter", FOUND, "--filter", FORBIDDEN]);
    assert_eq!(done.code, Some(1), "{}", done.transcript());
    assert!(done.words().contains("got /open disallow, /private disallow"), "{}", done.stdout);
    assert!(
        done.words().contains("2 judgements: 1 pass (50.0 % of those judged), 1 fail"),
        "{}",
        done.stdout
    );
}

#[cfg(unix)]
#[test]
fn a_crawler_that_requests_nothing_has_no_result() {
    let crawler = "sh -c 'echo no such spider >&2; exit 9' {url}";
    let done = crawl(crawler, &["--filter", FOUND, "--filter", FORBIDDEN]);
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    for part in ["no request arrived from", "in an empty folder", "exit status: 9", "no such spider"] {
        assert!(done.words().contains(part), "{part}: {}", done.transcript());
    }
    assert!(!done.stdout.contains("judgements"), "only the reason: {}", done.stdout);
}

#[cfg(unix)]
#[test]
fn a_file_of_the_current_folder_is_found_by_a_crawler() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = format!("{} \"$1\"\n", example("crawler", &[]));
    std::fs::write(folder.path().join("crawl.sh"), script).expect("a file");
    let arguments = ["run", "--edition", "rfc9309", "--crawler", "sh crawl.sh {url}", "--filter", FOUND];
    let done = robotspec(arguments).within(folder.path()).run();
    assert_eq!(done.code, Some(0), "{}", done.transcript());
}

#[test]
fn a_crawler_supports_no_query_about_a_file() {
    let done = crawl("true {url}", &["--filter", "id:path-values/fish#*"]);
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    assert!(done.stdout.contains("9 judgements: 9 not-supported"), "{}", done.stdout);
    assert!(done.stdout.contains("nothing was judged"), "{}", done.stdout);
}

#[test]
fn a_crawler_that_never_ends_is_a_timeout() {
    let done = crawl(&crawler("idle"), &["--filter", FOUND, "--timeout", "0.5"]);
    assert_eq!(done.code, Some(1));
    assert!(done.words().contains("timeout: it did not end in 500ms"), "{}", done.stdout);
}

#[test]
fn a_crawler_that_writes_a_line_without_an_end_passes() {
    let done = crawl(&crawler("loud"), &["--filter", FOUND]);
    assert_eq!(done.code, Some(0), "{}", done.transcript());
}

#[test]
fn the_report_does_not_depend_on_the_number_of_sites_at_a_time() {
    let by = |jobs| {
        let crawler = crawler("rude");
        let options = ["--filter", ACCESS, "--format", "jsonl", "--jobs", jobs];
        crawl(&crawler, &options)
    };
    let (one, many) = (by("1"), by("7"));
    assert_eq!((one.code, many.code), (Some(1), Some(1)));
    assert!(one.stdout == many.stdout, "the stream does not depend on --jobs");
    let failed = one.stdout.matches(r#""status":"fail""#).count();
    let passed = one.stdout.matches(r#""status":"pass""#).count();
    assert!(failed > 20 && passed > 5, "{failed} failed, {passed} passed");
}

#[test]
fn a_crawler_that_cannot_be_started_is_reported_once_and_the_run_is_incomplete() {
    let done = crawl("no-such-crawler {url}", &["--filter", ACCESS]);
    assert_eq!(done.code, Some(3));
    assert_eq!(done.stdout.matches("`no-such-crawler` cannot be started").count(), 1, "{}", done.stdout);
}

#[test]
fn a_command_without_a_url_is_rejected_with_the_fix() {
    let done = crawl("wget", &[]);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("write for example `wget --recursive {url}`"), "{}", done.stderr);
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
    let done = robotspec(["serve", "--list"]).run();
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
    let done = robotspec(["serve", "access/nowhere#never"]).run();
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("`robotspec serve --list` lists all"), "{}", done.stderr);
}
