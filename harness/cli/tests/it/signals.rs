//! Signals in the middle of a run: nothing is left running, no temporary file remains, and what was judged is written.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Done, example, folder, json_lines, read, robotspec};

/// How long a test waits for what is certain to come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A signal and the exit code of a program that it ended.
const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// A program whose implementation hangs.
struct Hanging {
    program: Child,
    /// A connection that the hanging process holds open until it is killed.
    connection: TcpStream,
    /// The folder of the temporary files of the program.
    temporary: TempDir,
}

/// Starts `robotspec` and waits until an implementation hangs. `{at}` in an argument is the address that the process that
/// hangs connects to; `{out}` is a folder for reports.
fn hang(arguments: &[&str], out: &Path) -> Hanging {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = listener.local_addr().expect("its address").to_string();
    let out = out.to_str().expect("a UTF-8 path");
    let arguments: Vec<String> =
        arguments.iter().map(|word| word.replace("{at}", &at).replace("{out}", out)).collect();
    let temporary = folder(&[]);
    let mut command = robotspec(arguments.iter().map(String::as_str)).command();
    command.env("TMPDIR", temporary.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let program = command.spawn().expect("robotspec starts");
    listener.set_nonblocking(true).expect("the listener is not blocking");
    let started = Instant::now();
    let connection = loop {
        match listener.accept() {
            Ok((connection, _)) => break connection,
            Err(error) if error.kind() == ErrorKind::WouldBlock && started.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(error) => panic!("the implementation did not connect: {error}"),
        }
    };
    Hanging { program, connection, temporary }
}

/// Waits for what is certain to come.
fn wait_until(problem: &str, has_come: impl Fn() -> bool) {
    let started = Instant::now();
    while !has_come() {
        assert!(started.elapsed() < PATIENCE, "{problem}");
        thread::sleep(Duration::from_millis(5));
    }
}

impl Hanging {
    fn send(&self, signal: &str) {
        let id = self.program.id().to_string();
        let sent =
            Command::new("kill").args([&format!("-{signal}"), &*id]).status().expect("the program kill");
        assert!(sent.success());
    }

    /// Waits for the end of the program, and asserts that nothing is left of it.
    fn end(self) -> Done {
        let Hanging { program, mut connection, temporary } = self;
        let output = program.wait_with_output().expect("the program ends");
        connection.set_nonblocking(false).expect("the connection is blocking");
        connection.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        let read = connection.read(&mut [0]);
        let is_closed = match &read {
            Ok(count) => *count == 0,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        };
        assert!(is_closed, "the process that hangs is not killed: {read:?}");
        let left = || fs::read_dir(temporary.path()).expect("the folder").count();
        wait_until("temporary files are left", || left() == 0);
        Done::of(output)
    }
}

/// Returns the signals that the program does not inherit as ignored. `nohup` ignores SIGHUP, and a shell ignores SIGINT for
/// a command in the background. SIGTERM is left to all programs.
fn signals() -> impl Iterator<Item = (&'static str, i32)> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    SIGNALS.into_iter().filter(move |(signal, code)| {
        // The exit code of a program that a signal ended is 128 and the number of the signal.
        let is_ignored = ignored.unwrap_or_default() >> (code - 129) & 1 == 1;
        if is_ignored {
            eprintln!("SKIPPED: SIG{signal} is not tested, because it is ignored here");
        }
        !is_ignored
    })
}

fn adapter_with_child() -> String {
    example("misbehaving_adapter", &["hangs-with-a-child", "at={at}", "guilty=/fish/salmon.html"])
}

/// A run of few rows, in the middle of which an adapter and its child hang.
fn run_of_adapter(more: &[&str], out: &Path) -> Hanging {
    let adapter = adapter_with_child();
    let run = [
        "run",
        "--edition",
        "rfc9309",
        "--filter",
        "id:path-values/*",
        "--timeout",
        "600",
        "--adapter",
        &adapter,
    ];
    hang(&[&run[..], more].concat(), out)
}

fn statuses(events: &[Value]) -> Vec<&str> {
    let judged = events.iter().filter(|event| event["event"] == "check-finished");
    judged.filter_map(|event| event["editions"]["rfc9309"]["status"].as_str()).collect()
}

#[test]
fn a_signal_ends_a_run_with_what_was_judged() {
    for (signal, code) in signals() {
        let out = folder(&[]);
        let reports = ["--report", "jsonl={out}/run.jsonl", "--report", "junit={out}/robots.xml"];
        let hanging = run_of_adapter(&reports, out.path());
        hanging.send(signal);
        let done = hanging.end();
        assert_eq!(done.code, Some(code), "{signal}: {}", done.stderr);
        assert!(done.stdout.contains("the run was interrupted"), "{}", done.stdout);
        assert!(!done.stdout.contains("all as expected"), "{}", done.stdout);
        let events = json_lines(&read(&out, "run.jsonl"));
        let statuses = statuses(&events);
        assert!(statuses.contains(&"pass"), "{signal}: what was judged is written");
        assert!(statuses.contains(&"not-run"), "{signal}: what was not judged is counted");
        assert!(!statuses.contains(&"crash") && !statuses.contains(&"timeout"), "{signal}: {statuses:?}");
        assert_eq!(events.last().expect("events")["exit-code"], 3, "{signal}");
        let junit = read(&out, "robots.xml");
        assert!(junit.contains("the run was interrupted"), "{signal}: {junit}");
        assert_eq!(fs::read_dir(out.path()).expect("the folder").count(), 2, "only the reports");
    }
}

#[test]
fn what_was_judged_is_written_while_the_run_goes_on() {
    let out = folder(&[]);
    let mut hanging = run_of_adapter(&["--format", "jsonl"], out.path());
    let lines = BufReader::new(hanging.program.stdout.take().expect("a pipe")).lines();
    let (sender, judged) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in lines {
            let line = line.expect("a line");
            if line.contains("check-finished") {
                // The test may have what it needs.
                let _ = sender.send(line);
            }
        }
    });
    // The adapter hangs, so the run cannot go on.
    assert!(judged.recv_timeout(PATIENCE).expect("an event").contains("\"pass\""));
    assert_eq!(hanging.program.try_wait().expect("the program"), None, "the run goes on");
    hanging.send("TERM");
    assert_eq!(hanging.end().code, Some(143));
    reader.join().expect("no panic");
}

#[test]
fn a_signal_removes_the_files_of_commands_and_crawlers() {
    for arguments in [
        ["--filter", "id:path-values/*", "--exec", "misbehaving_adapter stays at={at} {file} {url}"],
        ["--filter", "id:access/*", "--crawler", "misbehaving_adapter stays at={at} {url}"],
    ] {
        for signal in ["TERM", "KILL"] {
            let run = ["run", "--edition", "rfc9309", "--timeout", "600", "--jobs", "1"];
            let out = folder(&[]);
            let hanging = hang(&[&run[..], &arguments[..]].concat(), out.path());
            assert_ne!(
                fs::read_dir(hanging.temporary.path()).expect("the folder").count(),
                0,
                "{arguments:?}"
            );
            hanging.send(signal);
            let code = (signal == "TERM").then_some(143);
            assert_eq!(hanging.end().code, code, "{arguments:?}");
        }
    }
}

#[test]
fn no_process_keeps_the_site_of_a_run_that_was_killed() {
    let out = folder(&[]);
    let crawler = "sh -c 'echo \"$1\" >{out}/site; exec misbehaving_adapter stays at={at}' x {url}";
    let run = ["run", "--edition", "rfc9309", "--filter", "id:access/failure#silent-in-body"];
    let hanging = hang(&[&run[..], &["--timeout", "600", "--crawler", crawler]].concat(), out.path());
    let url = read(&out, "site");
    let address = url.trim_start_matches("http://").split('/').next().expect("an address");
    TcpStream::connect(address).expect("the site is served");
    hanging.send("KILL");
    assert_eq!(hanging.end().code, None);
    assert!(TcpStream::connect(address).is_err(), "the site is left");
}

/// A daemon has left its session and its process group, its parent is gone, and it has no environment.
#[test]
#[cfg(target_os = "linux")]
fn a_daemon_without_an_environment_ends_with_the_run() {
    let adapter =
        example("misbehaving_adapter", &["hangs-with-a-daemon", "at={at}", "guilty=/fish/salmon.html"]);
    for signal in ["TERM", "KILL"] {
        let out = folder(&[]);
        let run = ["run", "--edition", "rfc9309", "--filter", "id:path-values/*", "--timeout", "600"];
        let hanging = hang(&[&run[..], &["--adapter", &adapter]].concat(), out.path());
        hanging.send(signal);
        let code = (signal == "TERM").then_some(143);
        assert_eq!(hanging.end().code, code, "{signal}");
    }
}

#[test]
fn only_what_was_judged_is_left_of_a_run_that_was_killed() {
    let out = folder(&[("run.jsonl", "the events of an earlier run\n")]);
    let reports = ["--report", "jsonl={out}/run.jsonl", "--report", "html={out}/index.html"];
    let hanging = run_of_adapter(&reports, out.path());
    let part = out.path().join("run.jsonl.1.part");
    let written = || fs::read_to_string(&part).unwrap_or_default();
    wait_until("no event is written", || written().contains("check-finished"));
    let count = || fs::read_dir(out.path()).expect("the folder").count();
    assert_eq!(count(), 3, "the earlier report, the events and the unfinished report");
    hanging.send("KILL");
    assert_eq!(hanging.end().code, None);
    wait_until("the unfinished report is left", || count() == 2);
    assert_eq!(read(&out, "run.jsonl"), "the events of an earlier run\n");
    let events = json_lines(&written());
    assert!(statuses(&events).contains(&"pass"), "{events:?}");
    let done = robotspec(["report", "run.jsonl.1.part", "--report", "tap=-"]).within(out.path()).run();
    assert_eq!(done.code, Some(3), "{}", done.stderr);
    assert!(done.stderr.contains("the run was cut off"), "{}", done.stderr);
}

#[test]
fn a_signal_ends_every_command_that_waits_for_an_implementation() {
    let out = folder(&[]);
    let adapter = adapter_with_child();
    let always = example("misbehaving_adapter", &["hangs-with-a-child", "at={at}", "guilty=/"]);
    let list = out.path().join("known.yaml");
    fs::write(&list, "# my list\n").expect("the list");
    let list = list.to_str().expect("a UTF-8 path").to_owned();
    for arguments in [
        vec!["known", "update", "--known-failures", &list, "--adapter", &adapter],
        vec!["profile", "--adapter", &always],
        vec!["fuzz", "--runs", "1000000", "--jobs", "1", "--adapter", &always],
        vec!["fuzz", "--runs", "1000000", "--jobs", "1", "reference", "--against", &always],
    ] {
        let hanging = hang(&[&arguments[..], &["--timeout", "600"]].concat(), out.path());
        hanging.send("TERM");
        let done = hanging.end();
        assert_eq!(done.code, Some(143), "{arguments:?}: {}", done.stderr);
        if arguments[0] == "fuzz" {
            assert!(done.stdout.contains("the run was interrupted"), "{}", done.stdout);
            assert!(!done.stdout.contains("0 findings"), "{}", done.stdout);
        }
    }
    assert_eq!(fs::read_to_string(&list).expect("the list"), "# my list\n");
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" serve access/success#status-200"]);
    command.arg(env!("CARGO_BIN_EXE_robotspec")).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut program = command.spawn().expect("a shell");
    let mut first = [0; 1];
    program.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("the site is served");
    let id = program.id().to_string();
    for signal in ["-HUP", "-TERM"] {
        assert!(Command::new("kill").args([signal, &id]).status().expect("the program kill").success());
    }
    assert_eq!(program.wait().expect("the program ends").code(), Some(143));
}
