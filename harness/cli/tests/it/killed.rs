//! After `robotspec` was killed in the middle of a scenario and could not clean up, none of its sites
//! remains.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{example, robotspec};

/// Waits for an event that is certain to come.
fn wait_for<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < deadline, "there is no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A process. The kernel may give its id to another process after its end, but never with the same start
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    id: u32,
    started: u64,
}

/// The fields of `/proc/ID/stat` that the tests need.
struct Stat {
    is_zombie: bool,
    parent: u32,
    started: u64,
}

fn stat(id: u32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in front may contain any character but ends with the last parenthesis.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(Stat {
        is_zombie: fields[0] == "Z",
        parent: fields[1].parse().ok()?,
        started: fields[19].parse().ok()?,
    })
}

fn is_alive(process: Process) -> bool {
    stat(process.id).is_some_and(|stat| !stat.is_zombie && stat.started == process.started)
}

fn child_of(parent: u32) -> Option<Process> {
    let all = fs::read_dir("/proc").expect("Linux has `/proc`").filter_map(Result::ok);
    let mut ids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.find_map(|id| {
        let stat = stat(id).filter(|stat| stat.parent == parent && !is_guard(id))?;
        Some(Process { id, started: stat.started })
    })
}

/// Returns whether a process is the one that cleans up after `robotspec`.
fn is_guard(id: u32) -> bool {
    fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| line.starts_with(b"robots-guard"))
}

/// A listening socket: its inode and its port. A port may pass to another process; an inode identifies the
/// socket.
type Listener = (String, u16);

/// Returns every listening socket of the machine.
fn listeners() -> BTreeSet<Listener> {
    let table = fs::read_to_string("/proc/net/tcp").expect("Linux has `/proc`");
    let listener = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let port = u16::from_str_radix(fields.get(1)?.rsplit(':').next()?, 16).ok()?;
        (fields.get(3) == Some(&"0A")).then(|| (fields[9].to_owned(), port))
    };
    table.lines().filter_map(listener).collect()
}

/// Returns the listening sockets of a process.
fn listeners_of(id: u32) -> BTreeSet<Listener> {
    let Ok(files) = fs::read_dir(format!("/proc/{id}/fd")) else { return BTreeSet::new() };
    let files = files.filter_map(Result::ok).filter_map(|file| fs::read_link(file.path()).ok());
    let sockets: Vec<String> = files.map(|file| file.to_string_lossy().into_owned()).collect();
    listeners().into_iter().filter(|(inode, _)| sockets.contains(&format!("socket:[{inode}]"))).collect()
}

/// Kills a program with the signal that it cannot catch, and asserts that no process keeps its sockets.
fn kill(mut program: Child, sites: &BTreeSet<Listener>) {
    program.kill().expect("the program runs");
    program.wait().expect("the program ends");
    wait_for("end of the sites", || sites.is_disjoint(&listeners()).then_some(()));
}

/// Starts a program and returns it in the middle of a scenario in which a site sends half an answer, with its
/// child and its sites.
fn in_the_middle(options: &[&str]) -> (Child, Process, BTreeSet<Listener>) {
    let arguments = ["run", "--edition", "rfc9309", "--filter", "id:access/failure#silent-in-body"];
    let mut command: Command = robotspec(arguments.into_iter().chain(options.iter().copied())).command();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let program = command.spawn().expect("robotspec starts");
    let pid = program.id();
    let child = wait_for("child", || child_of(pid));
    let sites = wait_for("site", || Some(listeners_of(pid)).filter(|sites| !sites.is_empty()));
    (program, child, sites)
}

#[test]
fn an_adapter_ends_with_the_run() {
    let (program, adapter, sites) = in_the_middle(&["--adapter", &example("adapter", &[])]);
    assert!(is_alive(adapter));
    kill(program, &sites);
    wait_for("end of the adapter", || (!is_alive(adapter)).then_some(()));
}

#[test]
fn a_crawler_that_can_end_ends_with_the_run() {
    let crawler = format!("{} {{url}}", example("crawler", &[]));
    let (program, crawler, sites) = in_the_middle(&["--crawler", &crawler]);
    kill(program, &sites);
    wait_for("end of the crawler", || (!is_alive(crawler)).then_some(()));
}

#[test]
fn a_crawler_that_never_ends_is_killed_after_the_run_was_killed() {
    let crawler = format!("{} {{url}} idle", example("crawler", &[]));
    let (program, idle, sites) = in_the_middle(&["--timeout", "600", "--crawler", &crawler]);
    kill(program, &sites);
    wait_for("end of the crawler", || (!is_alive(idle)).then_some(()));
}

#[test]
fn a_served_site_ends_with_the_program() {
    let mut command = robotspec(["serve", "access/failure#silent-in-body"]).command();
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let program = command.spawn().expect("robotspec starts");
    let pid = program.id();
    let sites = wait_for("site", || Some(listeners_of(pid)).filter(|sites| !sites.is_empty()));
    let port = sites.first().expect("a site").1;
    let client = TcpStream::connect(("127.0.0.1", port));
    assert_eq!(child_of(pid), None);
    kill(program, &sites);
    drop(client);
}
