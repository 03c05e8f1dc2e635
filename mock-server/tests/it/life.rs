//! The life of a server: visits in sequence, many clients, and its end.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use robotspec_cases::visit::{NetworkFault, Visit};
use robotspec_mock_server::{MockServer, PlayError};

use crate::support::{
    End, RULES, Reply, Sockets, ask, authority, connect, get_robots, is_refused, read_all, start, visit,
    with_fault,
};

/// Returns every fault at an origin with an address.
fn faults() -> impl Iterator<Item = NetworkFault> {
    NetworkFault::ALL.iter().copied().filter(|fault| *fault != NetworkFault::NameNotFound)
}

/// Sends a request without reading the response. Many faults make this fail.
fn ask_if_possible(server: &MockServer) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(authority(&server.origin())).ok()?;
    let _ = stream.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n");
    Some(stream)
}

#[test]
fn a_refusing_origin_listens_again_at_the_same_port() {
    let server = start("{}");
    let origin = server.origin();
    for _ in 0..20 {
        assert_eq!(get_robots(&server).text(), RULES);
        server.play(&with_fault(NetworkFault::Refused)).unwrap();
        for _ in 0..50 {
            assert!(is_refused(&origin));
        }
        TcpListener::bind(authority(&origin)).expect_err("the port is reserved");
        server.play(&Visit::default()).unwrap();
    }
    assert_eq!(server.origin(), origin);
    assert_eq!(server.requests().last().map(|request| request.visit), Some(38));
}

#[test]
fn the_next_visit_starts_although_clients_wait() {
    let server = start("{}");
    for fault in faults() {
        server.play(&with_fault(fault)).unwrap();
        let clients: Vec<_> = (0..3).filter_map(|_| ask_if_possible(&server)).collect();
        server.play(&Visit::default()).unwrap();
        assert_eq!(get_robots(&server).text(), RULES, "{fault}");
        drop(clients);
    }
}

#[test]
fn the_next_visit_closes_connections() {
    let server = start("{answer: {fault: silent-in-body}}");
    let mut waiting = ask(&server.origin(), "/robots.txt");
    assert_eq!(waiting.read(&mut [0]).unwrap(), 1);
    server.play(&Visit::default()).unwrap();
    assert!(matches!(read_all(&mut waiting).1, End::Closed | End::Reset));
}

#[test]
fn a_dropped_server_closes_both_ports_although_clients_wait() {
    for fault in faults() {
        let mut redirected = visit("{hops: [301], location: other-port}");
        redirected.response.fault = Some(fault);
        let server = MockServer::start(&redirected).unwrap();
        let reply = get_robots(&server);
        let other = reply.header("location").unwrap().to_owned();
        let waiting = ask_if_possible(&server);
        let waiting_at_other = TcpStream::connect(authority(&other));
        let sockets = [Sockets::at(&server.origin()), Sockets::at(&other)];
        let listens_at_other = fault != NetworkFault::Refused;
        assert!(sockets[0].len() > 0 && (sockets[1].len() > 0) == listens_at_other, "{fault}");
        drop(server);
        assert!(sockets.iter().all(Sockets::are_closed), "{fault}");
        drop((waiting, waiting_at_other));
    }
}

#[test]
fn a_server_can_be_dropped_although_clients_wait() {
    for fault in faults() {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let clients: Vec<_> = (0..5).filter_map(|_| ask_if_possible(&server)).collect();
        let sockets = Sockets::at(&server.origin());
        // A server that waits for its clients never returns from this.
        drop(server);
        assert!(sockets.are_closed(), "{fault}");
        drop(clients);
    }
}

#[test]
fn a_thousand_concurrent_clients_are_served() {
    rlimit::increase_nofile_limit(8192).unwrap();
    let server = start("{}");
    // The clients connect without sending a request.
    let mut clients: Vec<_> = (0..1000).map(|_| connect(&server.origin())).collect();
    assert_eq!(get_robots(&server).text(), RULES);
    for client in &mut clients {
        client.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n").unwrap();
    }
    for client in &mut clients {
        let (bytes, end) = read_all(client);
        assert_eq!((Reply::parse(&bytes).text(), end), (RULES, End::Closed));
    }
    assert_eq!(server.requests().len(), 1001);
}

#[test]
fn a_thousand_waiting_clients_stop_neither_the_next_visit_nor_the_end() {
    rlimit::increase_nofile_limit(8192).unwrap();
    for fault in [NetworkFault::EndlessBody, NetworkFault::SilentAtConnect, NetworkFault::SilentInHeader] {
        let server = MockServer::start(&with_fault(fault)).unwrap();
        let clients: Vec<_> = (0..1000).map(|_| ask(&server.origin(), "/robots.txt")).collect();
        server.play(&Visit::default()).unwrap();
        assert_eq!(get_robots(&server).text(), RULES);
        let sockets = Sockets::at(&server.origin());
        drop(server);
        assert!(sockets.are_closed());
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
    assert_eq!(get_robots(&http).status, 200);
}

#[test]
fn a_stopped_server_plays_nothing() {
    let server = start("{}");
    let reply = get_robots(&server);
    assert!(server.is_running());
    let sockets = Sockets::at(&server.origin());
    assert!(sockets.len() > 0 && !sockets.are_closed());
    server.stop();
    assert!(!server.is_running());
    assert!(sockets.are_closed());
    assert!(matches!(server.play(&Visit::default()), Err(PlayError::Stopped)));
    assert_eq!((server.requests().len(), reply.text()), (1, RULES));
    server.stop();
    assert!(start("{answer: {fault: name-not-found}}").is_running());
}

#[test]
fn each_violation_is_reported_once() {
    let server = start("{hops: [301]}");
    assert!(server.violations().is_empty());
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
    let expected = [
        "the client requested `/sitemap.xml` before `/robots.txt`",
        "the client requested `/robots.txt` with HEAD; the specification requires GET",
        "the client requested `/robots-1.txt` conditionally (`if-modified-since`); the specification requires an unconditional request",
    ];
    assert_eq!(server.violations(), expected);
}

#[test]
fn threads_can_share_a_server() {
    let server = start("{}");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                server.play(&Visit::default()).unwrap();
                server.requests();
            });
        }
    });
    assert_eq!(get_robots(&server).status, 200);
    assert_eq!(server.requests()[0].visit, 4);
}

#[test]
fn a_caller_may_have_its_own_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = start("{}");
        server.play(&with_fault(NetworkFault::Refused)).unwrap();
        assert!(is_refused(&server.origin()));
    });
}
