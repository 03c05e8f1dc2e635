//! FTP commands and replies.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::support::{End, RULES, connect, is_refused, read_all, start, visit};
use robotspec_mock_server::{MockServer, SentBody};

/// A control connection.
struct Session(BufReader<TcpStream>);

impl Session {
    fn open(server: &MockServer) -> Self {
        let mut session = Session(BufReader::new(connect(&server.origin())));
        assert!(session.reply().starts_with("220 "));
        session
    }

    /// Reads a reply and returns its last line.
    fn reply(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the session ended");
            if line.as_bytes().get(3) == Some(&b' ') {
                return line.trim_end().to_owned();
            }
        }
    }

    fn command(&mut self, command: &str) -> String {
        self.0.get_mut().write_all(format!("{command}\r\n").as_bytes()).unwrap();
        self.reply()
    }

    fn log_in(&mut self, user: &str) -> String {
        self.command(&format!("USER {user}"));
        self.command("PASS crawler@example.com")
    }

    /// Opens a data connection.
    fn passive(&mut self) -> TcpStream {
        let reply = self.command("PASV");
        let numbers = &reply[reply.find('(').expect("an address") + 1..reply.find(')').unwrap()];
        let numbers: Vec<u16> = numbers.split(',').map(|number| number.parse().unwrap()).collect();
        connect(&format!("ftp://127.0.0.1:{}", numbers[4] * 256 + numbers[5]))
    }

    /// Requests a file; returns the codes of the replies and the data.
    fn retrieve(&mut self, path: &str) -> (Vec<String>, String) {
        self.command("TYPE I");
        let mut data = self.passive();
        let mut replies = vec![self.command(&format!("RETR {path}"))];
        let mut text = String::new();
        if replies[0].starts_with('1') {
            data.read_to_string(&mut text).unwrap();
            replies.push(self.reply());
        }
        (replies.iter().map(|reply| reply[..3].to_owned()).collect(), text)
    }
}

#[test]
fn anonymous_gets_the_file() {
    let server = start("{scheme: ftp}");
    assert!(server.origin().starts_with("ftp://127.0.0.1:"));
    let mut session = Session::open(&server);
    assert!(session.log_in("anonymous").starts_with("230 "));
    assert_eq!(session.command("SIZE /robots.txt"), format!("213 {}", RULES.len()));
    assert_eq!(session.retrieve("/robots.txt"), (vec!["150".to_owned(), "226".to_owned()], RULES.to_owned()));
    let requests = server.requests();
    let recorded: Vec<_> = requests.iter().map(|request| (&*request.method, &*request.target)).collect();
    assert_eq!(recorded, [("USER", "anonymous"), ("RETR", "/robots.txt")]);
    assert!(server.violations().is_empty());
}

#[test]
fn a_path_without_a_slash_is_the_same_file() {
    let server = start("{scheme: ftp, answer: {body: {disallow: [/a]}}}");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    assert_eq!(session.retrieve("robots.txt").1, "user-agent: *\ndisallow: /a\n");
    assert!(server.violations().is_empty());
}

#[test]
fn other_users_cannot_log_in() {
    let server = start("{scheme: ftp}");
    assert!(Session::open(&server).log_in("root").starts_with("530 "));
    let violation = "the client logged in as `root`; the specification requires `anonymous`";
    assert_eq!(server.violations(), [violation]);
}

#[test]
fn a_refused_login() {
    let server = start("{scheme: ftp, answer: {ftp: login-refused}}");
    assert!(Session::open(&server).log_in("anonymous").starts_with("530 "));
    assert!(server.violations().is_empty());
}

#[test]
fn a_missing_file() {
    let server = start("{scheme: ftp, answer: {ftp: missing-file}}");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    assert!(session.command("SIZE /robots.txt").starts_with("550 "));
    let (replies, text) = session.retrieve("/robots.txt");
    assert_eq!((replies.last().map(String::as_str), text.as_str()), (Some("550"), ""));
}

#[test]
fn an_aborted_transfer() {
    let server = start("{scheme: ftp, answer: {ftp: drop-transfer}}");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    let (replies, text) = session.retrieve("/robots.txt");
    assert_eq!(text, RULES[..RULES.len() / 2]);
    assert!(replies[1].starts_with('4'), "{replies:?}");
}

#[test]
fn a_large_file_arrives() {
    let server = start("{scheme: ftp, answer: {body: large}}");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    assert!(session.retrieve("/robots.txt").1.ends_with("allow: /late\n"));
}

#[test]
fn the_file_system_is_read_only() {
    let server = start("{scheme: ftp}");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    for command in ["DELE /robots.txt", "MKD /a", "RMD /", "CWD /private"] {
        assert!(session.command(command).starts_with('5'), "{command}");
    }
    assert_eq!(session.retrieve("/robots.txt").1, RULES);
}

#[test]
fn the_next_visit_has_the_same_port() {
    let server = start("{scheme: ftp, answer: {fault: refused}}");
    assert!(is_refused(&server.origin()));
    server.play(&visit("{scheme: ftp, answer: {ftp: missing-file}}")).unwrap();
    let mut old = Session::open(&server);
    old.log_in("anonymous");
    server.play(&visit("{scheme: ftp}")).unwrap();
    old.0.read_to_end(&mut Vec::new()).expect("the old session ends");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    assert_eq!(session.retrieve("/robots.txt").1, RULES);
    assert_eq!(server.requests().last().map(|request| request.visit), Some(2));
}

#[test]
fn faults_in_a_transfer() {
    for (fault, code, end) in [
        ("slow-bytes", "226", End::Closed),
        ("reset-in-body", "426", End::Reset),
        ("silent-in-body", "426", End::Silent),
        ("endless-body", "426", End::Silent),
    ] {
        let server = start(&format!("{{scheme: ftp, answer: {{fault: {fault}}}}}"));
        let mut session = Session::open(&server);
        session.log_in("anonymous");
        let mut data = session.passive();
        assert!(session.command("RETR /robots.txt").starts_with("150 "));
        let file = match fault {
            "slow-bytes" => RULES,
            "endless-body" => &format!("{RULES}#"),
            _ => &RULES[..RULES.len() / 2],
        };
        let mut bytes = vec![0; file.len()];
        data.read_exact(&mut bytes).unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes), file, "{fault}");
        if end != End::Silent {
            assert_eq!(read_all(&mut data), (Vec::new(), end), "{fault}");
        }
        drop(data);
        assert_eq!(&session.reply()[..3], code, "{fault}");
        assert_eq!(&session.command("NOOP")[..3], "200", "the session goes on after {fault}");
    }
}

#[test]
fn extended_passive_mode() {
    let server = start("{scheme: ftp}");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    let reply = session.command("EPSV");
    let port = reply.split('|').nth(3).expect("a port");
    let mut data = connect(&format!("ftp://127.0.0.1:{port}"));
    assert!(session.command("RETR /robots.txt").starts_with("150 "));
    assert_eq!(read_all(&mut data), (RULES.as_bytes().to_vec(), End::Closed));
    assert!(session.reply().starts_with("226 "));
    assert!(session.command("EPSV 2").starts_with("522 "));
}

#[test]
fn commands_out_of_order_are_refused() {
    let server = start("{scheme: ftp}");
    let mut session = Session::open(&server);
    for command in ["RETR /robots.txt", "SIZE /robots.txt", "PASV", "TYPE I", "PORT 127,0,0,1,0,1"] {
        assert!(session.command(command).starts_with("530 "), "{command}");
    }
    assert!(session.command("PASS x").starts_with("503 "));
    session.log_in("anonymous");
    assert!(session.command("RETR /robots.txt").starts_with("425 "));
    assert!(session.command("PORT 127,0,0,1,0,1").starts_with("502 "));
    assert!(session.command("retr /other.txt").starts_with("550 "));
    assert!(session.command("QUIT").starts_with("221 "));
    assert_eq!(session.0.read_to_end(&mut Vec::new()).unwrap(), 0);
}

#[test]
fn a_command_is_bounded() {
    let server = start("{scheme: ftp}");
    let mut session = Session::open(&server);
    assert!(session.command(&"x".repeat(4094)).starts_with("530 "));
    assert!(session.command(&"x".repeat(4095)).starts_with("500 "));
    assert_eq!(session.0.read_to_end(&mut Vec::new()).unwrap(), 0);
}

#[test]
fn the_bytes_of_a_transfer_are_counted() {
    let server = start("{scheme: ftp}");
    let mut session = Session::open(&server);
    session.log_in("anonymous");
    session.retrieve("/robots.txt");
    let length = RULES.len() as u64;
    let sent = SentBody { bytes: length, of: Some(length), is_over: true };
    let last = server.requests().pop().expect("the transfer");
    assert_eq!((last.body, last.hop), (Some(sent), Some(0)));
}
