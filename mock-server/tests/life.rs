//! From start to end: visits one after the other, many clients, and nothing left.

mod support;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use robotspec_mock_server::{Departure, Fault, MockServer, PlayError, Visit};
use support::{End, RULES, Reply, ask, connect, is_refused, read_all, robots, start, visit, with_fault};

/// Every fault that can be met at an origin with an address.
const FAULTS: [Fault; 20] = [
    Fault::Refused,
    Fault::ResetAtAccept,
    Fault::SilentAtConnect,
    Fault::ResetAfterRequest,
    Fault::ResetInHeader,
    Fault::ResetInBody,
    Fault::SilentInHeader,
    Fault::SilentInBody,
    Fault::SlowBytes,
    Fault::ShortBody,
    Fault::LongBody,
    Fault::BrokenChunk,
    Fault::UnfinishedChunk,
    Fault::NoStatusLine,
    Fault::BinaryNoise,
    Fault::EndlessHeader,
    Fault::EndlessBody,
    Fault::CloseWithoutAnswer,
    Fault::Http09,
    Fault::TwoAnswers,
];

/// Asks and does not read the answer, which may fail in many ways.
fn hang(server: &MockServer) -> Option<TcpStream> {
    let authority = support::authority(&server.origin()).to_owned();
    let mut stream = TcpStream::connect(authority).ok()?;
    let _ = stream.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n");
    Some(stream)
}

#[test]
fn a_refused_origin_listens_again_at_the_same_port() {
    let server = start("{}");
    let origin = server.origin();
    for _ in 0..20 {
        assert_eq!(robots(&server).text(), RULES);
        server.play(&with_fault(Fault::Refused)).unwrap();
        for _ in 0..50 {
            assert!(is_refused(&origin));
        }
        server.play(&Visit::default()).unwrap();
    }
    assert_eq!(server.origin(), origin);
    assert_eq!(server.requests().last().map(|request| request.visit), Some(38));
}

#[test]
fn a_refusing_origin_keeps_its_port() {
    let server = start("{}");
    robots(&server);
    server.play(&with_fault(Fault::Refused)).unwrap();
    let origin = server.origin();
    TcpListener::bind(support::authority(&origin)).expect_err("the port is taken");
    server.play(&Visit::default()).unwrap();
    assert_eq!(robots(&server).status, 200);
}

#[test]
fn after_each_fault_comes_another_visit_though_clients_hang() {
    let server = start("{}");
    for fault in FAULTS {
        server.play(&with_fault(fault)).unwrap();
        let clients: Vec<_> = (0..3).filter_map(|_| hang(&server)).collect();
        server.play(&Visit::default()).unwrap();
        assert_eq!(robots(&server).text(), RULES, "{fault:?}");
        drop(clients);
    }
}

#[test]
fn another_visit_closes_connections() {
    let server = start("{answer: {fault: silent-in-body}}");
    let mut silent = ask(&server.origin(), "/robots.txt");
    assert_eq!(silent.read(&mut [0]).unwrap(), 1);
    server.play(&Visit::default()).unwrap();
    assert_ne!(read_all(&mut silent).1, End::Silent);
}

#[test]
fn nothing_listens_after_the_end_though_clients_hang() {
    for fault in FAULTS {
        let mut redirected = visit("{hops: [301], location: other-port}");
        redirected.answer.fault = Some(fault);
        let server = MockServer::start(&redirected).unwrap();
        let reply = robots(&server);
        let other = reply.header("location").unwrap().to_owned();
        let origin = server.origin();
        let talking = hang(&server);
        let other_talking = TcpStream::connect(support::authority(&other));
        drop(server);
        assert!(is_refused(&origin) && is_refused(&other), "{fault:?}");
        drop((talking, other_talking));
    }
}

#[test]
fn the_end_comes_at_once_for_clients_that_hang() {
    for fault in FAULTS {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let clients: Vec<_> = (0..5).filter_map(|_| hang(&server)).collect();
        let origin = server.origin();
        // If this does not return, the test does not.
        drop(server);
        assert!(is_refused(&origin), "{fault:?}");
        drop(clients);
    }
}

#[test]
fn a_thousand_clients_at_once() {
    rlimit::increase_nofile_limit(8192).unwrap();
    let server = start("{}");
    // They connect and say nothing.
    let mut clients: Vec<_> = (0..1000).map(|_| connect(&server.origin())).collect();
    assert_eq!(robots(&server).text(), RULES);
    for client in &mut clients {
        client.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n").unwrap();
    }
    for client in &mut clients {
        let (octets, end) = read_all(client);
        assert_eq!((Reply::parse(&octets).text(), end), (RULES, End::Closed));
    }
    assert_eq!(server.requests().len(), 1001);
}

#[test]
fn a_thousand_clients_that_hang_do_not_keep_it() {
    rlimit::increase_nofile_limit(8192).unwrap();
    for fault in [Fault::EndlessBody, Fault::SilentAtConnect, Fault::SilentInHeader] {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let clients: Vec<_> = (0..1000).map(|_| ask(&server.origin(), "/robots.txt")).collect();
        server.play(&Visit::default()).unwrap();
        assert_eq!(robots(&server).text(), RULES);
        let origin = server.origin();
        drop(server);
        assert!(is_refused(&origin));
        drop(clients);
    }
}

#[test]
fn another_origin_needs_another_server() {
    let http = start("{}");
    for yaml in ["{scheme: https}", "{scheme: ftp}", "{answer: {fault: name-not-found}}"] {
        let error = http.play(&visit(yaml)).expect_err(yaml);
        assert!(matches!(error, PlayError::OtherOrigin { .. }), "{error}");
    }
    let nowhere = start("{answer: {fault: name-not-found}}");
    assert!(matches!(nowhere.play(&Visit::default()), Err(PlayError::OtherOrigin { .. })));
    assert_eq!(robots(&http).status, 200);
}

#[test]
fn a_server_that_was_stopped_plays_nothing_any_more() {
    let server = start("{}");
    let requested = robots(&server);
    assert!(server.is_running());
    server.stop();
    assert!(!server.is_running());
    assert!(is_refused(&server.origin()));
    assert!(matches!(server.play(&Visit::default()), Err(PlayError::Stopped)));
    assert_eq!((server.requests().len(), requested.text()), (1, RULES));
    server.stop();
    assert!(start("{answer: {fault: name-not-found}}").is_running());
}

#[test]
fn departures_are_told() {
    let server = start("{hops: [301]}");
    assert_eq!(server.departures(), []);
    for (method, target, field) in [
        ("GET", "/sitemap.xml", "Accept: */*"),
        ("HEAD", "/robots.txt", "Accept: */*"),
        ("GET", "/robots-1.txt", "If-Modified-Since: Sat, 21 Nov 2026 00:00:00 GMT"),
        ("GET", "/robots-1.txt", "If-Modified-Since: Sat, 21 Nov 2026 00:00:00 GMT"),
        ("HEAD", "/page", "If-None-Match: \"1\""),
    ] {
        let mut stream = connect(&server.origin());
        stream.write_all(format!("{method} {target} HTTP/1.1\r\n{field}\r\n\r\n").as_bytes()).unwrap();
        read_all(&mut stream);
    }
    let target = |target: &str| target.to_owned();
    let expected = [
        Departure::Path { target: target("/sitemap.xml") },
        Departure::Method { method: "HEAD".to_owned(), target: target("/robots.txt") },
        Departure::Condition { field: "If-Modified-Since".to_owned(), target: target("/robots-1.txt") },
    ];
    assert_eq!(server.departures(), expected);
    let told: Vec<String> = expected.iter().map(Departure::to_string).collect();
    assert_eq!(told[0], "the client asked for `/sitemap.xml` before it asked for `/robots.txt`");
    assert_eq!(told[1], "the client asked for `/robots.txt` by HEAD, where the text says GET");
}

#[test]
fn threads_can_share_it() {
    let server = start("{}");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                server.play(&Visit::default()).unwrap();
                server.requests();
            });
        }
    });
    assert_eq!(robots(&server).status, 200);
    assert_eq!(server.requests()[0].visit, 4);
}

#[test]
fn a_caller_may_have_a_runtime_of_its_own() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = start("{}");
        server.play(&with_fault(Fault::Refused)).unwrap();
        assert!(is_refused(&server.origin()));
    });
}
