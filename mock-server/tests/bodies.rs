//! How much of a body a client takes, and how often it asks.

mod support;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use robotspec_mock_server::{Asked, Body, MockServer, SentBody};
use support::{RULES, ask, connect, read_all, robots, start, visit, with_body};

/// Much longer than any body.
const LENGTH: usize = 16 << 20;

/// What a client that parses 500 KiB has to read.
const LIMIT: usize = 512_000;

/// More than what the buffers of a connection hold.
const BUFFERS: u64 = 1 << 20;

fn long() -> MockServer {
    MockServer::start(&with_body(Body::Text("#".repeat(LENGTH)))).unwrap()
}

/// What was sent to the last request, when it is over.
fn sent(server: &MockServer) -> SentBody {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let body = server.requests().last().and_then(|request| request.body);
        if let Some(body) = body.filter(|body| body.is_over) {
            return body;
        }
        assert!(Instant::now() < patience, "{body:?}");
        std::thread::yield_now();
    }
}

/// Reads this many octets of an answer, then closes.
fn read_some(mut stream: TcpStream, count: usize) {
    stream.read_exact(&mut vec![0; count]).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
}

#[test]
fn a_client_that_reads_all_is_sent_all() {
    let server = long();
    assert_eq!(robots(&server).body.len(), LENGTH);
    let length = LENGTH as u64;
    assert_eq!(sent(&server), SentBody { octets: length, of: Some(length), is_over: true });
}

#[test]
fn a_client_that_stops_is_sent_little_more_than_it_reads() {
    let server = long();
    read_some(ask(&server.origin(), "/robots.txt"), LIMIT);
    let sent = sent(&server);
    assert_eq!(sent.of, Some(LENGTH as u64));
    let header = 1000;
    assert!((LIMIT as u64 - header..LIMIT as u64 + BUFFERS).contains(&sent.octets), "{sent}");
    assert_eq!(sent.to_string(), format!("sent {} of {LENGTH} octets", sent.octets));
}

#[test]
fn a_body_without_end_ends_with_the_client() {
    let server = start("{answer: {fault: endless-body}}");
    read_some(ask(&server.origin(), "/robots.txt"), LIMIT);
    let sent = sent(&server);
    assert_eq!(sent.of, None);
    assert!((LIMIT as u64 - 1000..LIMIT as u64 + BUFFERS).contains(&sent.octets), "{sent}");
    assert_eq!(sent.to_string(), format!("sent {} octets of a body without end", sent.octets));
}

#[test]
fn a_body_that_the_next_visit_cuts_off_is_over() {
    let server = start("{answer: {fault: endless-body}}");
    let mut client = ask(&server.origin(), "/robots.txt");
    client.read_exact(&mut [0; 1000]).unwrap();
    server.play(&visit("{}")).unwrap();
    assert!(sent(&server).octets > 0);
}

#[test]
fn the_header_is_no_part_of_the_body() {
    let length = RULES.len() as u64;
    for (yaml, octets, of) in [
        ("{}", length, length),
        // Played octet by octet.
        ("{answer: {fault: slow-bytes}}", length, length),
        ("{answer: {fault: short-body}}", length, length),
        ("{answer: {fault: reset-in-body}}", length / 2, length / 2),
        // No header: all is body.
        ("{answer: {fault: http09}}", length, length),
    ] {
        let server = start(yaml);
        read_all(&mut ask(&server.origin(), "/robots.txt"));
        assert_eq!(sent(&server), SentBody { octets, of: Some(of), is_over: true }, "{yaml}");
    }
}

#[test]
fn an_answer_without_a_body_has_none() {
    for yaml in [
        "{answer: {body: empty}}",
        "{answer: {status: 204}}",
        "{answer: {status: 100}}",
        "{answer: {fault: reset-after-request}}",
        "{answer: {fault: reset-in-header}}",
        "{answer: {fault: close-without-answer}}",
    ] {
        let server = start(yaml);
        read_all(&mut ask(&server.origin(), "/robots.txt"));
        assert_eq!(server.requests().last().map(|request| request.body), Some(None), "{yaml}");
    }
    let server = start("{}");
    let mut head = connect(&server.origin());
    head.write_all(b"HEAD /robots.txt HTTP/1.1\r\n\r\n").unwrap();
    read_all(&mut head);
    assert_eq!(server.requests()[0].body, None);
}

#[test]
fn tries_and_redirects_of_a_visit_are_counted() {
    let server = start("{hops: [301, 302]}");
    for path in ["/robots.txt", "/robots-1.txt", "/robots-2.txt", "/robots.txt", "/robots-1.txt", "/page"] {
        read_all(&mut ask(&server.origin(), path));
    }
    assert_eq!(server.asked(0), Asked { tries: 2, hops: 3 });
    server.play(&visit("{}")).unwrap();
    robots(&server);
    assert_eq!(server.asked(1), Asked { tries: 1, hops: 0 });
    assert_eq!(server.asked(2), Asked::default());
    let hops: Vec<_> = server.requests().iter().map(|request| request.hop).collect();
    assert_eq!(hops, [Some(0), Some(1), Some(2), Some(0), Some(1), None, Some(0)]);
}

#[test]
fn the_robots_txt_of_another_origin_is_no_redirect() {
    let server = start("{hops: [301], location: disallowed}");
    let other = robots(&server).header("location").unwrap().to_owned();
    for path in ["/robots.txt", "/private/robots.txt"] {
        read_all(&mut ask(&other, path));
    }
    assert_eq!(server.asked(0), Asked { tries: 1, hops: 1 });
}
