//! The size of the body that a client takes, and the number of requests.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use crate::support::{
    RULES, ask, connect, connect_with_fixed_buffer, get_robots, read_all, request, start, visit, with_body,
};
use robotspec_cases::visit::Body;
use robotspec_mock_server::{MockServer, SentBody};

/// Much longer than any body.
const LENGTH: usize = 16 << 20;

/// The bytes that a client has to read if it parses 500 KiB.
const LIMIT: usize = 512_000;

/// More than the buffers of a connection hold, whose sizes are fixed on both sides: 80 KiB
/// and 128 KiB.
const BUFFERS: u64 = 256 << 10;

fn long() -> MockServer {
    MockServer::start(&with_body(Body::Text("#".repeat(LENGTH)))).unwrap()
}

/// Waits until the body of the last response is over.
fn sent(server: &MockServer) -> SentBody {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let body = server.requests().last().and_then(|request| request.body);
        if let Some(body) = body.filter(|body| body.is_over) {
            return body;
        }
        assert!(Instant::now() < deadline, "{body:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Requests the file, reads [`LIMIT`] bytes of the response, then closes.
fn read_to_limit(server: &MockServer) {
    let mut stream = connect_with_fixed_buffer(&server.origin());
    stream.write_all(request(&server.origin(), "/robots.txt").as_bytes()).unwrap();
    stream.read_exact(&mut vec![0; LIMIT]).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
}

#[test]
fn a_client_that_reads_everything_takes_everything() {
    let server = long();
    assert_eq!(get_robots(&server).body.len(), LENGTH);
    let length = LENGTH as u64;
    assert_eq!(sent(&server), SentBody { bytes: length, of: Some(length), is_over: true });
}

#[test]
fn a_client_that_stops_takes_little_more_than_it_reads() {
    let server = long();
    read_to_limit(&server);
    let sent = sent(&server);
    assert_eq!(sent.of, Some(LENGTH as u64));
    let header = 1000;
    assert!((LIMIT as u64 - header..LIMIT as u64 + BUFFERS).contains(&sent.bytes), "{sent}");
    assert_eq!(sent.to_string(), format!("sent {} of {LENGTH} bytes", sent.bytes));
}

#[test]
fn an_endless_body_ends_with_the_client() {
    let server = start("{answer: {fault: endless-body}}");
    read_to_limit(&server);
    let sent = sent(&server);
    assert_eq!(sent.of, None);
    assert!((LIMIT as u64 - 1000..LIMIT as u64 + BUFFERS).contains(&sent.bytes), "{sent}");
    assert_eq!(sent.to_string(), format!("sent {} bytes of an endless body", sent.bytes));
}

#[test]
fn the_next_visit_ends_a_body() {
    let server = start("{answer: {fault: endless-body}}");
    let mut client = ask(&server.origin(), "/robots.txt");
    client.read_exact(&mut [0; 1000]).unwrap();
    server.play(&visit("{}")).unwrap();
    assert!(sent(&server).bytes > 0);
}

#[test]
fn the_header_does_not_count_as_body() {
    let length = RULES.len() as u64;
    for (yaml, bytes, of) in [
        ("{}", length, length),
        // The server sends single bytes.
        ("{answer: {fault: slow-bytes}}", length, length),
        ("{answer: {fault: short-body}}", length, length),
        ("{answer: {fault: reset-in-body}}", length / 2, length / 2),
        // Without a header all bytes are body.
        ("{answer: {fault: http09}}", length, length),
    ] {
        let server = start(yaml);
        read_all(&mut ask(&server.origin(), "/robots.txt"));
        assert_eq!(sent(&server), SentBody { bytes, of: Some(of), is_over: true }, "{yaml}");
    }
}

#[test]
fn a_response_without_a_body_has_no_count() {
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

/// Returns the visit of each request, and its place in the redirects to the `robots.txt`.
fn hops(server: &MockServer) -> Vec<(usize, Option<usize>)> {
    server.requests().iter().map(|request| (request.visit, request.hop)).collect()
}

#[test]
fn the_redirects_of_each_visit_are_numbered() {
    let server = start("{hops: [301, 302]}");
    for path in ["/robots.txt", "/robots-1.txt", "/robots-2.txt", "/robots.txt", "/page"] {
        read_all(&mut ask(&server.origin(), path));
    }
    server.play(&visit("{}")).unwrap();
    get_robots(&server);
    let of_first = [Some(0), Some(1), Some(2), Some(0), None].map(|hop| (0, hop));
    assert_eq!(hops(&server), [&of_first[..], &[(1, Some(0))]].concat());
}

#[test]
fn the_robots_txt_of_another_origin_is_no_redirect() {
    let server = start("{hops: [301], location: disallowed}");
    let other = get_robots(&server).header("location").unwrap().to_owned();
    for path in ["/robots.txt", "/private/robots.txt"] {
        read_all(&mut ask(&other, path));
    }
    assert_eq!(hops(&server), [(0, Some(0)), (0, None), (0, Some(1))]);
}
