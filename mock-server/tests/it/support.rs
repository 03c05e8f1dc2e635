//! A client that reports every byte that arrives.

use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use robotspec_cases::visit::{Body, NetworkFault, Response, Visit};
use robotspec_mock_server::MockServer;

pub(crate) const RULES: &str = "user-agent: *\ndisallow: /private\n";

/// Much longer than any operation takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time without a byte after which a connection counts as silent. If this is too
/// short, no test fails.
const SILENCE: Duration = Duration::from_millis(200);

/// The end of a connection.
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

pub(crate) fn with_fault(fault: NetworkFault) -> Visit {
    Visit { response: Response { fault: Some(fault), ..Response::default() }, ..Visit::default() }
}

pub(crate) fn with_body(body: Body) -> Visit {
    Visit { response: Response { body: Some(body), ..Response::default() }, ..Visit::default() }
}

/// Returns `127.0.0.1:41234` from an origin or a URL.
pub(crate) fn authority(url: &str) -> &str {
    url.split("://").nth(1).and_then(|rest| rest.split('/').next()).expect("a URL")
}

pub(crate) fn connect(url: &str) -> TcpStream {
    with_timeouts(TcpStream::connect(authority(url)).expect("a listener"))
}

/// Connects with a receive buffer that does not grow.
pub(crate) fn connect_with_fixed_buffer(url: &str) -> TcpStream {
    let address: SocketAddr = authority(url).parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(64 * 1024).unwrap();
        socket.connect(address).await.expect("a listener").into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    with_timeouts(stream)
}

fn with_timeouts(stream: TcpStream) -> TcpStream {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Returns whether a port refuses connections. Only a running server reserves its
/// port, so the server must still run.
pub(crate) fn is_refused(url: &str) -> bool {
    match TcpStream::connect(authority(url)) {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
            true
        }
    }
}

/// The sockets of this process at a port, by the inodes that Linux assigns. Another
/// server may take a port that is free again, but its sockets have other inodes.
pub(crate) struct Sockets(HashSet<String>);

impl Sockets {
    pub(crate) fn at(url: &str) -> Self {
        let address: SocketAddr = authority(url).parse().unwrap();
        let local_port = format!(":{:04X}", address.port());
        let table = fs::read_to_string("/proc/net/tcp").unwrap();
        let rows = table.lines().map(|row| row.split_whitespace().collect::<Vec<_>>());
        let at_port = rows.filter(|columns| columns[1].ends_with(&local_port));
        // A socket that the process has closed has the inode 0.
        let inodes = at_port.map(|columns| columns[9].to_owned()).filter(|inode| inode != "0");
        Sockets(inodes.collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn are_closed(&self) -> bool {
        let descriptors = fs::read_dir("/proc/self/fd").unwrap().flatten();
        let links = descriptors.filter_map(|descriptor| fs::read_link(descriptor.path()).ok());
        let mut names = links.map(|link| link.to_string_lossy().into_owned());
        !names.any(|name| {
            let inode = name.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']'));
            inode.is_some_and(|inode| self.0.contains(inode))
        })
    }
}

/// Returns a GET request. Callers write it in one piece, because a server may close the
/// connection after it has read a part.
pub(crate) fn request(url: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", authority(url))
}

/// Sends a GET request without reading the response.
pub(crate) fn ask(url: &str, path: &str) -> TcpStream {
    let mut stream = connect(url);
    stream.write_all(request(url, path).as_bytes()).unwrap();
    stream
}

/// Reads until the connection ends.
pub(crate) fn read_all(stream: &mut impl Read) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 65536];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return (bytes, End::Closed),
            Ok(count) => bytes.extend(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return (bytes, End::Reset),
            Err(error) => panic!("{error}, after {:?}", String::from_utf8_lossy(&bytes)),
        }
    }
}

/// Reads this number of bytes, then returns how the connection continues.
pub(crate) fn read_until_silent(stream: &mut TcpStream, count: usize) -> (Vec<u8>, End) {
    let mut bytes = vec![0; count];
    stream.read_exact(&mut bytes).unwrap();
    stream.set_read_timeout(Some(SILENCE)).unwrap();
    let end = match stream.read(&mut [0]) {
        Ok(0) => End::Closed,
        Ok(_) => panic!("more bytes follow after {:?}", String::from_utf8_lossy(&bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => End::Silent,
        Err(_) => End::Reset,
    };
    (bytes, end)
}

/// A parsed HTTP response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no header in {:?}", String::from_utf8_lossy(bytes)));
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")).expect("a status line");
        let headers = lines.map(|line| line.split_once(':').expect("a field"));
        Reply {
            status: status[..status.find(' ').unwrap_or(status.len())].parse().expect("a status"),
            headers: headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// Sends a GET request and reads a complete response.
pub(crate) fn get(url: &str, path: &str) -> Reply {
    let (bytes, end) = read_all(&mut ask(url, path));
    assert_eq!(end, End::Closed);
    let reply = Reply::parse(&bytes);
    if let Some(length) = reply.header("content-length") {
        assert_eq!(length.parse(), Ok(reply.body.len()));
    }
    reply
}

pub(crate) fn get_robots(server: &MockServer) -> Reply {
    get(&server.origin(), "/robots.txt")
}
