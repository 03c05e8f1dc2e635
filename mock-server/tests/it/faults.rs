//! Faults: the bytes that arrive, and the end of the connection.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use crate::support::{
    End, RULES, Reply, ask, connect, get_robots, is_refused, read_all, read_until_silent, start, with_fault,
};
use robotspec_cases::visit::NetworkFault;
use robotspec_mock_server::MockServer;

/// Returns all bytes that arrive and the end of the connection.
fn outcome(fault: NetworkFault) -> (String, End) {
    let server = MockServer::start(&with_fault(fault)).unwrap();
    let (bytes, end) = read_all(&mut ask(&server.origin(), "/robots.txt"));
    assert_eq!(server.requests().len(), 1);
    (String::from_utf8_lossy(&bytes).into_owned(), end)
}

const HALF_HEADER: &str = "HTTP/1.1 200 \r\nContent-Ty";

/// Returns a header whose last field frames the body.
fn header(framing: &str) -> String {
    let fields = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n";
    format!("HTTP/1.1 200 \r\n{fields}{framing}\r\n")
}

fn header_with_length(length: usize) -> String {
    header(&format!("Content-Length: {length}\r\n"))
}

fn half() -> &'static str {
    &RULES[..RULES.len() / 2]
}

#[test]
fn refused() {
    let server = MockServer::start(&with_fault(NetworkFault::Refused)).unwrap();
    assert!(is_refused(&server.origin()));
    assert!(server.requests().is_empty());
}

#[test]
fn reset_at_accept() {
    let server = MockServer::start(&with_fault(NetworkFault::ResetAtAccept)).unwrap();
    assert_eq!(read_all(&mut connect(&server.origin())), (Vec::new(), End::Reset));
    assert!(server.requests().is_empty());
}

#[test]
fn silent_at_connect() {
    let server = MockServer::start(&with_fault(NetworkFault::SilentAtConnect)).unwrap();
    let mut stream = ask(&server.origin(), "/robots.txt");
    assert_eq!(read_until_silent(&mut stream, 0).1, End::Silent);
    // The buffers fill up, because the server does not read.
    stream.set_nonblocking(true).unwrap();
    let filled = (0..).find_map(|_| stream.write(&[0; 65536]).err()).unwrap();
    assert_eq!(filled.kind(), ErrorKind::WouldBlock);
    assert!(server.requests().is_empty());
}

#[test]
fn name_not_found() {
    let server = MockServer::start(&with_fault(NetworkFault::NameNotFound)).unwrap();
    assert_eq!(server.origin(), "http://robotspec-nowhere.invalid");
    server.play(&with_fault(NetworkFault::NameNotFound)).unwrap();
}

#[test]
fn the_connection_closes_after_all_bytes() {
    let length = header_with_length(RULES.len());
    let without_status_line = (length.clone() + RULES).replace("HTTP/1.1 200 \r\n", "");
    let chunked = header("Transfer-Encoding: chunked\r\n");
    let (half, rest) = (half(), &RULES[half().len()..]);
    let second = "user-agent: *\ndisallow: /second\n";
    for (fault, bytes) in [
        (NetworkFault::CloseWithoutAnswer, String::new()),
        (NetworkFault::Http09, RULES.to_owned()),
        (NetworkFault::NoStatusLine, without_status_line),
        (NetworkFault::ShortBody, header_with_length(RULES.len() + 100) + RULES),
        (NetworkFault::LongBody, format!("{length}{RULES}disallow: /beyond\n")),
        (NetworkFault::BrokenChunk, format!("{chunked}{:x}\r\n{half}\r\nzz\r\n{rest}\r\n", half.len())),
        (NetworkFault::UnfinishedChunk, format!("{chunked}{:x}\r\n{RULES}", RULES.len() + 100)),
        (NetworkFault::TwoAnswers, format!("{length}{RULES}{}{second}", header_with_length(second.len()))),
    ] {
        assert_eq!(outcome(fault), (bytes, End::Closed), "{fault}");
    }
}

#[test]
fn reset_after_request() {
    assert_eq!(outcome(NetworkFault::ResetAfterRequest), (String::new(), End::Reset));
}

// Other systems may discard bytes that arrived before a reset.
#[cfg(target_os = "linux")]
#[test]
fn reset_in_header() {
    assert_eq!(outcome(NetworkFault::ResetInHeader), (HALF_HEADER.to_owned(), End::Reset));
}

#[cfg(target_os = "linux")]
#[test]
fn reset_in_body() {
    assert_eq!(outcome(NetworkFault::ResetInBody), (header_with_length(RULES.len()) + half(), End::Reset));
}

#[test]
fn silent_in_header_and_in_body() {
    let in_body = header_with_length(RULES.len()) + half();
    for (fault, sent) in [(NetworkFault::SilentInHeader, HALF_HEADER), (NetworkFault::SilentInBody, &in_body)]
    {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let mut stream = ask(&server.origin(), "/robots.txt");
        let (bytes, end) = read_until_silent(&mut stream, sent.len());
        assert_eq!((String::from_utf8_lossy(&bytes).as_ref(), end), (sent, End::Silent));
    }
}

#[test]
fn slow_bytes() {
    let server = MockServer::start(&with_fault(NetworkFault::SlowBytes)).unwrap();
    // A delayed client may find several bytes, but not the whole response 20 times.
    let arrived_in_pieces = (0..20).any(|_| {
        let start = Instant::now();
        let mut stream = ask(&server.origin(), "/robots.txt");
        let mut first = [0; 4096];
        let count = stream.read(&mut first).unwrap();
        let (rest, _) = read_all(&mut stream);
        let bytes = [&first[..count], &rest].concat();
        assert_eq!(Reply::parse(&bytes).text(), RULES);
        assert!(start.elapsed() >= Duration::from_millis(bytes.len() as u64), "a pause follows each byte");
        !rest.is_empty()
    });
    assert!(arrived_in_pieces);
}

#[test]
fn slow_bytes_of_a_large_file_arrive() {
    let server = start("{answer: {fault: slow-bytes, body: large}}");
    assert!(get_robots(&server).text().ends_with("allow: /late\n"));
}

#[test]
fn binary_noise() {
    let server = MockServer::start(&with_fault(NetworkFault::BinaryNoise)).unwrap();
    let (bytes, end) = read_all(&mut ask(&server.origin(), "/robots.txt"));
    assert_eq!((bytes.len(), end), (1024, End::Closed));
    assert!(bytes.iter().all(|byte| !byte.is_ascii()));
    let again = read_all(&mut ask(&server.origin(), "/robots.txt")).0;
    assert_eq!(bytes, again, "the noise is always the same");
}

#[test]
fn endless_header_and_body() {
    const ENOUGH: usize = 20_000_000;
    for fault in [NetworkFault::EndlessHeader, NetworkFault::EndlessBody] {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let mut stream = ask(&server.origin(), "/robots.txt");
        let mut bytes = vec![0; ENOUGH];
        stream.read_exact(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        match fault {
            NetworkFault::EndlessHeader => {
                assert!(text.starts_with("HTTP/1.1 200 \r\nX-Filler: "));
                assert!(!text.contains("\r\n\r\n"));
            }
            _ => assert!(text.starts_with(&(header("") + RULES + "#"))),
        }
        // The response ends with its client, and other clients are still served.
        drop(stream);
        assert_eq!(ask(&server.origin(), "/robots.txt").read(&mut [0]).unwrap(), 1);
    }
}

#[test]
fn a_fault_keeps_the_status_header_and_body_of_the_response() {
    let server =
        start("{answer: {status: 503, headers: {X-Mine: 'yes'}, fault: short-body, body: {text: abc}}}");
    let (bytes, _) = read_all(&mut ask(&server.origin(), "/robots.txt"));
    let reply = Reply::parse(&bytes);
    assert_eq!((reply.status, reply.header("x-mine"), reply.text()), (503, Some("yes"), "abc"));
}

#[test]
fn a_client_that_sends_more_than_a_request_gets_the_whole_response() {
    // Closing a socket with unread bytes resets the connection.
    let server = MockServer::start(&with_fault(NetworkFault::Http09)).unwrap();
    let mut stream = ask(&server.origin(), "/robots.txt");
    stream.write_all(&[b'x'; 100_000]).unwrap();
    assert_eq!(read_all(&mut stream), (RULES.as_bytes().to_vec(), End::Closed));
    for _ in 0..100 {
        stream.write_all(b"x").expect("the server still reads");
    }
}

#[test]
fn a_fault_does_not_affect_other_pages() {
    let server = MockServer::start(&with_fault(NetworkFault::ResetInBody)).unwrap();
    assert_eq!(crate::support::get(&server.origin(), "/page").status, 404);
}
