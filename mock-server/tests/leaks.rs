//! Nothing is left of a server that is dropped. A file of its own, as other
//! tests have threads and sockets, too.
#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::time::{Duration, Instant};

use support::{ask, get, start};

fn count(what: &str) -> usize {
    fs::read_dir(format!("/proc/self/{what}")).unwrap().count()
}

/// wiremock lets go of its port a moment before its thread ends.
fn wait_for_threads(expected: usize) {
    let patience = Instant::now() + Duration::from_secs(60);
    while count("task") > expected {
        assert!(Instant::now() < patience, "{} threads are left", count("task"));
        std::thread::yield_now();
    }
}

#[test]
fn no_thread_and_no_socket() {
    // tokio keeps two descriptors for signals, once for the process.
    drop(start("{}"));
    wait_for_threads(2);
    let (threads, descriptors) = (count("task"), count("fd"));
    for visit in ["{}", "{scheme: https}", "{scheme: ftp}", "{answer: {fault: endless-body}}"] {
        for _ in 0..10 {
            let server = start(visit);
            let hanging = ask(&server.origin(), "/robots.txt");
            if visit == "{}" {
                get(&server.origin(), "/robots.txt");
            }
            drop(server);
            drop(hanging);
            wait_for_threads(threads);
            assert_eq!(count("fd"), descriptors, "{visit}");
        }
    }
}
