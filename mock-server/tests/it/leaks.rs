//! A dropped server leaves no threads and no file descriptors.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{ask, connect, get, start, visit};

fn count(entries: &str) -> usize {
    fs::read_dir(format!("/proc/self/{entries}")).unwrap().count()
}

/// The system counts a thread for a moment after it has ended.
fn wait_for_threads(expected: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while count("task") > expected {
        assert!(Instant::now() < deadline, "{} threads are left", count("task"));
        std::thread::sleep(Duration::from_millis(1));
    }
}

const VISITS: [&str; 4] = ["{}", "{scheme: https}", "{scheme: ftp}", "{answer: {fault: endless-body}}"];

/// Runs a test in a process of its own, because other tests have threads and file descriptors.
fn run_in_child(test: &str) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("leaks::{test}"), "--ignored"])
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && report.contains("1 passed"), "{report}");
}

#[test]
fn a_dropped_server_leaves_no_thread_and_no_descriptor() {
    run_in_child("count_in_a_process_without_other_tests");
}

#[test]
fn a_server_that_gets_no_descriptor_is_not_running() {
    run_in_child("exhaust_descriptors");
}

#[test]
#[ignore = "run by `a_server_that_gets_no_descriptor_is_not_running` in a child process"]
fn exhaust_descriptors() {
    let server = start("{}");
    rlimit::setrlimit(rlimit::Resource::NOFILE, 100, rlimit::getrlimit(rlimit::Resource::NOFILE).unwrap().1)
        .unwrap();
    let mut files: Vec<_> = std::iter::from_fn(|| fs::File::open("/dev/null").ok()).collect();
    // The client takes the last descriptor.
    files.pop();
    assert!(server.is_running());
    let client = connect(&server.origin());
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.is_running() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(1));
    }
    drop((files, client));
    server.play(&visit("{}")).unwrap();
    assert_eq!(get(&server.origin(), "/robots.txt").status, 200);
    assert!(server.is_running());
}

#[test]
#[ignore = "run by `a_dropped_server_leaves_no_thread_and_no_descriptor` in a child process"]
fn count_in_a_process_without_other_tests() {
    let threads = count("task");
    // The first server opens two descriptors for signals that tokio keeps.
    drop(start("{}"));
    wait_for_threads(threads);
    let descriptors = count("fd");
    for visit in VISITS {
        for _ in 0..10 {
            let server = start(visit);
            let waiting = ask(&server.origin(), "/robots.txt");
            if visit == "{}" {
                get(&server.origin(), "/robots.txt");
            }
            drop(server);
            drop(waiting);
            wait_for_threads(threads);
            assert_eq!(count("fd"), descriptors, "{visit}");
        }
    }
    for visit in VISITS {
        let server = start(visit);
        wait_for_threads(threads + 1);
        server.stop();
        wait_for_threads(threads);
    }
    let two_origins = start("{hops: [301], location: other-port}");
    wait_for_threads(threads + 2);
    drop(two_origins);
}
