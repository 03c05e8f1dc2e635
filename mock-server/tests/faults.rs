//! Faults: what really arrives, and how the connection ends.

mod support;

use std::io::{ErrorKind, Read, Write};

use robotspec_mock_server::{Fault, MockServer};
use support::{
    End, RULES, Reply, ask, connect, is_refused, read_all, read_until_silent, robots, start, with_fault,
};

/// Everything that arrives.
fn outcome(fault: Fault) -> (String, End) {
    let server = MockServer::start(&with_fault(fault)).unwrap();
    let (octets, end) = read_all(&mut ask(&server.origin(), "/robots.txt"));
    assert_eq!(server.requests().len(), 1);
    (String::from_utf8_lossy(&octets).into_owned(), end)
}

const HALF_HEADER: &str = "HTTP/1.1 200 \r\nContent-Ty";

/// A header that ends with how the length is told.
fn header(length: &str) -> String {
    let fields = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n";
    format!("HTTP/1.1 200 \r\n{fields}{length}\r\n")
}

fn octets(length: usize) -> String {
    header(&format!("Content-Length: {length}\r\n"))
}

fn half() -> &'static str {
    &RULES[..RULES.len() / 2]
}

#[test]
fn refused() {
    let server = MockServer::start(&with_fault(Fault::Refused)).unwrap();
    assert!(is_refused(&server.origin()));
    assert!(server.requests().is_empty());
}

#[test]
fn reset_at_accept() {
    let server = MockServer::start(&with_fault(Fault::ResetAtAccept)).unwrap();
    assert_eq!(read_all(&mut connect(&server.origin())), (Vec::new(), End::Reset));
    assert!(server.requests().is_empty());
}

#[test]
fn silent_at_connect() {
    let server = MockServer::start(&with_fault(Fault::SilentAtConnect)).unwrap();
    let mut stream = ask(&server.origin(), "/robots.txt");
    assert_eq!(read_until_silent(&mut stream, 0).1, End::Silent);
    // More than all buffers between hold, and nobody reads it.
    stream.set_nonblocking(true).unwrap();
    let filled = (0..).find_map(|_| stream.write(&[0; 65536]).err()).unwrap();
    assert_eq!(filled.kind(), ErrorKind::WouldBlock);
    assert!(server.requests().is_empty());
}

#[test]
fn name_not_found() {
    let server = MockServer::start(&with_fault(Fault::NameNotFound)).unwrap();
    assert_eq!(server.origin(), "http://robotspec-nowhere.invalid");
    server.play(&with_fault(Fault::NameNotFound)).unwrap();
}

#[test]
fn reset_after_request() {
    assert_eq!(outcome(Fault::ResetAfterRequest), (String::new(), End::Reset));
}

// Only Linux lets a client read what came before a reset.
#[cfg(target_os = "linux")]
#[test]
fn reset_in_header() {
    assert_eq!(outcome(Fault::ResetInHeader), (HALF_HEADER.to_owned(), End::Reset));
}

#[cfg(target_os = "linux")]
#[test]
fn reset_in_body() {
    assert_eq!(outcome(Fault::ResetInBody), (octets(RULES.len()) + half(), End::Reset));
}

#[test]
fn silent_in_header_and_in_body() {
    let in_body = octets(RULES.len()) + half();
    for (fault, sent) in [(Fault::SilentInHeader, HALF_HEADER), (Fault::SilentInBody, &in_body)] {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let mut stream = ask(&server.origin(), "/robots.txt");
        let (octets, end) = read_until_silent(&mut stream, sent.len());
        assert_eq!((String::from_utf8_lossy(&octets).as_ref(), end), (sent, End::Silent));
    }
}

/// The answer, and in how many pieces it came.
fn pieces(server: &MockServer) -> (Vec<u8>, usize) {
    let mut stream = ask(&server.origin(), "/robots.txt");
    let mut octets = Vec::new();
    let mut buffer = [0; 4096];
    for reads in 0.. {
        match stream.read(&mut buffer).unwrap() {
            0 => return (octets, reads),
            count => octets.extend(&buffer[..count]),
        }
    }
    unreachable!("it never ends")
}

#[test]
fn slow_bytes() {
    let server = MockServer::start(&with_fault(Fault::SlowBytes)).unwrap();
    // A client that is slow itself finds several octets at once, but not always.
    let came_in_pieces = (0..20).any(|_| {
        let (octets, reads) = pieces(&server);
        assert_eq!(Reply::parse(&octets).text(), RULES);
        reads > octets.len() / 2
    });
    assert!(came_in_pieces);
}

#[test]
fn slow_bytes_of_a_large_file_arrive() {
    let server = start("{answer: {fault: slow-bytes, body: large}}");
    assert!(robots(&server).text().ends_with("disallow: /late\n"));
}

#[test]
fn short_and_long_body() {
    assert_eq!(outcome(Fault::ShortBody), (octets(RULES.len() + 100) + RULES, End::Closed));
    let long = octets(RULES.len()) + RULES + "disallow: /beyond\n";
    assert_eq!(outcome(Fault::LongBody), (long, End::Closed));
}

#[test]
fn broken_and_unfinished_chunk() {
    let chunked = header("Transfer-Encoding: chunked\r\n");
    let rest = &RULES[half().len()..];
    let broken = format!("{chunked}{:x}\r\n{}\r\nzz\r\n{rest}\r\n", half().len(), half());
    assert_eq!(outcome(Fault::BrokenChunk), (broken, End::Closed));
    let unfinished = format!("{chunked}{:x}\r\n{RULES}", RULES.len() + 100);
    assert_eq!(outcome(Fault::UnfinishedChunk), (unfinished, End::Closed));
}

#[test]
fn no_status_line() {
    let whole = octets(RULES.len()) + RULES;
    let without = whole.strip_prefix("HTTP/1.1 200 \r\n").unwrap();
    assert_eq!(outcome(Fault::NoStatusLine), (without.to_owned(), End::Closed));
}

#[test]
fn binary_noise() {
    let server = MockServer::start(&with_fault(Fault::BinaryNoise)).unwrap();
    let (octets, end) = read_all(&mut ask(&server.origin(), "/robots.txt"));
    assert_eq!((octets.len(), end), (1024, End::Closed));
    assert!(octets.iter().all(|octet| !octet.is_ascii()));
    let again = read_all(&mut ask(&server.origin(), "/robots.txt")).0;
    assert_eq!(octets, again, "noise is the same at every run");
}

#[test]
fn endless_header_and_body() {
    const ENOUGH: usize = 20_000_000;
    for fault in [Fault::EndlessHeader, Fault::EndlessBody] {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let mut stream = ask(&server.origin(), "/robots.txt");
        let mut octets = vec![0; ENOUGH];
        stream.read_exact(&mut octets).unwrap();
        let text = String::from_utf8(octets).unwrap();
        match fault {
            Fault::EndlessHeader => {
                assert!(text.starts_with("HTTP/1.1 200 \r\nX-Filler: "));
                assert!(!text.contains("\r\n\r\n"));
            }
            _ => assert!(text.starts_with(&(header("") + RULES + "#"))),
        }
        // It stops when the client goes, and goes on for others.
        drop(stream);
        assert_eq!(ask(&server.origin(), "/robots.txt").read(&mut [0]).unwrap(), 1);
    }
}

#[test]
fn close_without_answer() {
    assert_eq!(outcome(Fault::CloseWithoutAnswer), (String::new(), End::Closed));
}

#[test]
fn http_0_9() {
    assert_eq!(outcome(Fault::Http09), (RULES.to_owned(), End::Closed));
}

#[test]
fn two_answers() {
    let second = "user-agent: *\ndisallow: /second\n";
    let both = octets(RULES.len()) + RULES + &octets(second.len()) + second;
    assert_eq!(outcome(Fault::TwoAnswers), (both, End::Closed));
}

#[test]
fn a_fault_takes_its_status_header_and_body_from_the_answer() {
    let server =
        start("{answer: {status: 503, headers: {X-Mine: 'yes'}, fault: short-body, body: {text: abc}}}");
    let (octets, _) = read_all(&mut ask(&server.origin(), "/robots.txt"));
    let reply = Reply::parse(&octets);
    assert_eq!((reply.status, reply.header("x-mine"), reply.text()), (503, Some("yes"), "abc"));
}

#[test]
fn a_client_that_sends_more_than_a_request_does_not_lose_the_answer() {
    // A socket that is closed with octets unread resets the connection.
    let server = MockServer::start(&with_fault(Fault::Http09)).unwrap();
    let mut stream = ask(&server.origin(), "/robots.txt");
    stream.write_all(&[b'x'; 100_000]).unwrap();
    assert_eq!(read_all(&mut stream), (RULES.as_bytes().to_vec(), End::Closed));
    for _ in 0..100 {
        stream.write_all(b"x").expect("the server reads on");
    }
}

#[test]
fn a_fault_leaves_other_pages_alone() {
    let server = MockServer::start(&with_fault(Fault::ResetInBody)).unwrap();
    assert_eq!(support::get(&server.origin(), "/page").status, 404);
}
