//! One transfer over FTP (RFC 959), with an anonymous login in passive mode.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use super::ClientOptions;

/// Retrieves the first bytes of a file.
pub(super) fn retrieve(address: SocketAddr, path: &str, options: &ClientOptions) -> io::Result<Vec<u8>> {
    let mut control = Control(BufReader::new(connect(address, options.timeout)?));
    control.expect("220")?;
    control.command("USER anonymous", "331")?;
    control.command("PASS anonymous@", "230")?;
    control.command("TYPE I", "200")?;
    let passive = control.command("PASV", "227")?;
    let data = passive_address(&passive).ok_or_else(|| unexpected(&passive))?;
    let mut data = connect(data, options.timeout)?;
    control.command(&format!("RETR {path}"), "150")?;
    let mut file = Vec::new();
    (&mut data).take(options.max_bytes as u64).read_to_end(&mut file)?;
    drop(data);
    // A server reports a failed transfer to a client that does not read the whole file.
    if file.len() < options.max_bytes {
        control.expect("226")?;
    }
    // The transfer is complete, so that an error of QUIT has no effect on it.
    let _ = control.command("QUIT", "221");
    Ok(file)
}

fn connect(address: SocketAddr, timeout: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, timeout)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    Ok(stream)
}

/// The control connection.
struct Control(BufReader<TcpStream>);

impl Control {
    fn command(&mut self, command: &str, code: &str) -> io::Result<String> {
        self.0.get_mut().write_all(format!("{command}\r\n").as_bytes())?;
        self.expect(code)
    }

    /// Reads a reply and returns its last line, which must have this code.
    fn expect(&mut self, code: &str) -> io::Result<String> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if line.as_bytes().get(3) == Some(&b' ') {
                return if line.starts_with(code) { Ok(line) } else { Err(unexpected(&line)) };
            }
        }
    }
}

fn unexpected(reply: &str) -> io::Error {
    io::Error::other(format!("unexpected reply `{}`", reply.trim_end()))
}

/// Reads `(h1,h2,h3,h4,p1,p2)`.
fn passive_address(reply: &str) -> Option<SocketAddr> {
    let (_, rest) = reply.split_once('(')?;
    let numbers: Result<Vec<u8>, _> = rest.split_once(')')?.0.split(',').map(str::parse).collect();
    let [a, b, c, d, high, low] = numbers.ok()?[..] else { return None };
    Some((Ipv4Addr::new(a, b, c, d), u16::from_be_bytes([high, low])).into())
}
