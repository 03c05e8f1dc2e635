//! Nothing is left of a program that is killed in the middle of a scenario,
//! when it can no longer see to it itself.

use std::fs;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{example, robotspec};

/// Waits for something that comes for certain.
fn wait_for<T>(what: &str, mut seek: impl FnMut() -> Option<T>) -> T {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = seek() {
            return found;
        }
        assert!(Instant::now() < patience, "there is {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The state of a process and its parent. What is no process has none.
fn stat(pid: u32) -> Option<(String, u32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before may hold anything.
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
}

fn is_alive(pid: u32) -> bool {
    stat(pid).is_some_and(|(state, _)| state != "Z")
}

fn child_of(parent: u32) -> Option<u32> {
    let all = fs::read_dir("/proc").expect("it is Linux").filter_map(Result::ok);
    let mut pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.find(|&pid| stat(pid).is_some_and(|(_, its_parent)| its_parent == parent))
}

/// The ports at which a process listens.
fn ports_of(pid: u32) -> Vec<u16> {
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    let files = files.filter_map(Result::ok).filter_map(|file| fs::read_link(file.path()).ok());
    let sockets: Vec<String> = files.map(|file| file.to_string_lossy().into_owned()).collect();
    let table = fs::read_to_string("/proc/net/tcp").expect("it is Linux");
    let listening = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let is_its = |fields: &Vec<&str>| {
        fields.get(3) == Some(&"0A")
            && fields.get(9).is_some_and(|inode| sockets.contains(&format!("socket:[{inode}]")))
    };
    let port = |fields: Vec<&str>| u16::from_str_radix(fields.get(1)?.rsplit(':').next()?, 16).ok();
    listening.filter(is_its).filter_map(port).collect()
}

/// Kills it with the signal that cannot be caught.
fn kill(mut program: Child, ports: &[u16]) {
    program.kill().expect("it runs");
    program.wait().expect("it ends");
    for &port in ports {
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "nobody listens any more");
    }
}

/// A program in the middle of a scenario in which a site answers half, with the
/// child that it started.
fn in_the_middle(options: &[&str]) -> (Child, u32, Vec<u16>) {
    let arguments = ["run", "--edition", "rfc9309", "--filter", "id:access/failure#silent-in-body"];
    let mut command: Command = robotspec(arguments.into_iter().chain(options.iter().copied())).command();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let program = command.spawn().expect("robotspec starts");
    let pid = program.id();
    let child = wait_for("a child", || child_of(pid));
    let ports = wait_for("a site", || Some(ports_of(pid)).filter(|ports| !ports.is_empty()));
    (program, child, ports)
}

#[test]
fn an_adapter_ends_with_the_run() {
    let (program, adapter, ports) = in_the_middle(&["--adapter", &example("adapter", &[])]);
    assert!(is_alive(adapter));
    kill(program, &ports);
    wait_for("an end of the adapter", || (!is_alive(adapter)).then_some(()));
}

#[test]
fn a_crawler_that_can_end_ends_with_the_run() {
    let crawler = format!("{} {{url}}", example("crawler", &[]));
    let (program, crawler, ports) = in_the_middle(&["--crawler", &crawler]);
    kill(program, &ports);
    wait_for("an end of the crawler", || (!is_alive(crawler)).then_some(()));
}

/// Nobody tells it that the run is over: it has no protocol. It is its own
/// affair then, but the sites are gone, and another run is none the worse.
#[test]
fn a_crawler_that_never_ends_is_left_without_a_site_and_the_next_run_is_as_ever() {
    let crawler = format!("{} {{url}} idle", example("crawler", &[]));
    let (program, idle, ports) = in_the_middle(&["--timeout", "600", "--crawler", &crawler]);
    kill(program, &ports);
    let well = format!("{} {{url}}", example("crawler", &[]));
    let found = ["run", "--edition", "rfc9309", "--filter", "id:access/success#*", "--crawler", &well];
    let done = robotspec(found).run();
    assert_eq!(done.code, Some(0), "{}", done.told());
    assert!(is_alive(idle), "else the documentation is wrong");
    let ended = Command::new("kill").args(["-KILL", &idle.to_string()]).status().expect("there is kill");
    assert!(ended.success());
}

#[test]
fn a_site_that_is_served_is_gone() {
    let mut command = robotspec(["serve", "access/failure#silent-in-body"]).command();
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let program = command.spawn().expect("robotspec starts");
    let pid = program.id();
    let ports = wait_for("a site", || Some(ports_of(pid)).filter(|ports| ports.len() >= 2));
    let client = TcpStream::connect(("127.0.0.1", ports[0]));
    assert_eq!(child_of(pid), None);
    kill(program, &ports);
    drop(client);
}
