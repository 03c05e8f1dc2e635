//! A dropped server leaves no threads and no file descriptors.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{ask, get, start};

fn count(entries: &str) -> usize {
    fs::read_dir(format!("/proc/self/{entries}")).unwrap().count()
}

/// wiremock frees its port a moment before its thread ends.
fn wait_for_threads(expected: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while count("task") > expected {
        assert!(Instant::now() < deadline, "{} threads are left", count("task"));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Other tests have threads and file descriptors in this process, so a child process
/// counts its own.
#[test]
fn a_dropped_server_leaves_no_thread_and_no_descriptor() {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "leaks::count_in_a_process_without_other_tests", "--ignored"])
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && report.contains("1 passed"), "{report}");
}

#[test]
#[ignore = "run by `a_dropped_server_leaves_no_thread_and_no_descriptor` in a child process"]
fn count_in_a_process_without_other_tests() {
    let threads = count("task");
    // The first server opens two descriptors for signals that tokio keeps.
    drop(start("{}"));
    wait_for_threads(threads);
    let descriptors = count("fd");
    for visit in ["{}", "{scheme: https}", "{scheme: ftp}", "{answer: {fault: endless-body}}"] {
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
}
