//! A client that sees what really arrives, octet by octet.
#![allow(dead_code)] // each test file uses its part

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use robotspec_mock_server::{Answer, Body, Fault, MockServer, Visit};

pub(crate) const RULES: &str = "user-agent: *\ndisallow: /private\n";

/// Much longer than anything takes: whoever waits this long waits for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Long enough to see that nothing comes. If it is too short, a test does not fail.
const SILENCE: Duration = Duration::from_millis(200);

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Closed,
    Reset,
    Silent,
}

pub(crate) fn visit(yaml: &str) -> Visit {
    serde_yaml::from_str(yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"))
}

pub(crate) fn start(yaml: &str) -> MockServer {
    MockServer::start(&visit(yaml)).unwrap_or_else(|error| panic!("{yaml}: {error}"))
}

pub(crate) fn with_fault(fault: Fault) -> Visit {
    Visit { answer: Answer { fault: Some(fault), ..Answer::default() }, ..Visit::default() }
}

pub(crate) fn with_body(body: Body) -> Visit {
    Visit { answer: Answer { body: Some(body), ..Answer::default() }, ..Visit::default() }
}

/// `127.0.0.1:41234` of an origin or a URL.
pub(crate) fn authority(url: &str) -> &str {
    url.split("://").nth(1).and_then(|rest| rest.split('/').next()).expect("a URL")
}

pub(crate) fn connect(url: &str) -> TcpStream {
    let stream = TcpStream::connect(authority(url)).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

pub(crate) fn is_refused(url: &str) -> bool {
    match TcpStream::connect(authority(url)) {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
            true
        }
    }
}

/// A GET. It is written in one piece, for a server may close as soon as it has seen a part.
pub(crate) fn request(url: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", authority(url))
}

/// Asks by GET, and reads nothing yet.
pub(crate) fn ask(url: &str, path: &str) -> TcpStream {
    let mut stream = connect(url);
    stream.write_all(request(url, path).as_bytes()).unwrap();
    stream
}

/// Reads to the end.
pub(crate) fn read_all(stream: &mut impl Read) -> (Vec<u8>, End) {
    let mut octets = Vec::new();
    let mut buffer = [0; 65536];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return (octets, End::Closed),
            Ok(count) => octets.extend(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return (octets, End::Reset),
            Err(error) => panic!("{error}, after {:?}", String::from_utf8_lossy(&octets)),
        }
    }
}

/// Reads this many octets, then sees how it goes on.
pub(crate) fn read_until_silent(stream: &mut TcpStream, count: usize) -> (Vec<u8>, End) {
    let mut octets = vec![0; count];
    stream.read_exact(&mut octets).unwrap();
    stream.set_read_timeout(Some(SILENCE)).unwrap();
    let end = match stream.read(&mut [0]) {
        Ok(0) => End::Closed,
        Ok(_) => panic!("there is more after {:?}", String::from_utf8_lossy(&octets)),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => End::Silent,
        Err(_) => End::Reset,
    };
    (octets, end)
}

/// An answer, taken apart.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn parse(octets: &[u8]) -> Self {
        let end = octets.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no header in {:?}", String::from_utf8_lossy(octets)));
        let head = std::str::from_utf8(&octets[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")).expect("a status line");
        let headers = lines.map(|line| line.split_once(':').expect("a field"));
        Reply {
            status: status[..status.find(' ').unwrap_or(status.len())].parse().expect("a status"),
            headers: headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect(),
            body: octets[end + 4..].to_vec(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// Asks by GET; what comes is whole.
pub(crate) fn get(url: &str, path: &str) -> Reply {
    let (octets, end) = read_all(&mut ask(url, path));
    assert_eq!(end, End::Closed);
    let reply = Reply::parse(&octets);
    if let Some(length) = reply.header("content-length") {
        assert_eq!(length.parse(), Ok(reply.body.len()));
    }
    reply
}

pub(crate) fn robots(server: &MockServer) -> Reply {
    get(&server.origin(), "/robots.txt")
}
