//! A session over FTP (RFC 959) at a site with one file and the user `anonymous`.

use std::io;
use std::net::SocketAddr;

use robotspec_cases::visit::FtpFault;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::context::Context;
use crate::meter::BodyMeter;
use crate::plan::{Content, Page};
use crate::port;
use crate::script;

/// The maximum length of a command in bytes.
const MAX_LENGTH: u64 = 4096;

/// Serves a control connection. An error means that the client is gone.
pub(crate) async fn serve(control: TcpStream, context: &Context) -> io::Result<()> {
    let control = BufReader::new(control);
    let mut session = Session { control, context, user: None, is_logged_in: false, data: None };
    session.reply("220 robotspec").await?;
    loop {
        let Some(line) = session.read_line().await? else { return session.end("500 Line too long").await };
        let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
        match command.to_ascii_uppercase().as_str() {
            "QUIT" => return session.end("221 Goodbye").await,
            "RETR" if session.is_logged_in => session.retrieve(argument).await?,
            command => {
                let reply = session.answer(command, argument).await?;
                session.reply(&reply).await?;
            }
        }
    }
}

struct Session<'a> {
    control: BufReader<TcpStream>,
    context: &'a Context,
    user: Option<String>,
    is_logged_in: bool,
    /// Where the client may connect to for the next transfer.
    data: Option<TcpListener>,
}

impl<'a> Session<'a> {
    /// Reads a command. `None`: it is too long.
    async fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        (&mut self.control).take(MAX_LENGTH).read_until(b'\n', &mut line).await?;
        match line.ends_with(b"\n") {
            true => Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned())),
            false if line.len() < MAX_LENGTH as usize => Err(io::ErrorKind::UnexpectedEof.into()),
            false => Ok(None),
        }
    }

    async fn reply(&mut self, reply: &str) -> io::Result<()> {
        self.control.get_mut().write_all(format!("{reply}\r\n").as_bytes()).await
    }

    async fn end(&mut self, reply: &str) -> io::Result<()> {
        self.reply(reply).await?;
        script::close(self.control.get_mut()).await
    }

    /// Returns the reply to a command that transfers nothing.
    async fn answer(&mut self, command: &str, argument: &str) -> io::Result<String> {
        let reply = match (command, argument) {
            ("USER", user) => {
                self.context.record("USER", user, Vec::new(), None);
                self.user = Some(user.to_owned());
                "331 Send a password"
            }
            ("PASS", _) => match self.user.take() {
                Some(user) if user.eq_ignore_ascii_case("anonymous") && !self.has(FtpFault::LoginRefused) => {
                    self.is_logged_in = true;
                    "230 Logged in"
                }
                Some(_) => "530 Login refused",
                None => "503 Send USER first",
            },
            ("SYST", _) => "215 UNIX Type: L8",
            ("NOOP", _) => "200 Done",
            _ if !self.is_logged_in => "530 Send USER and PASS first",
            ("TYPE", "I" | "A" | "A N" | "L 8") => "200 Done",
            ("TYPE", _) => "504 Send TYPE I",
            ("PWD", _) => "257 \"/\"",
            ("CWD", "/" | ".") => "250 Done",
            ("CWD", _) => "550 No such folder",
            ("SIZE", path) if self.exists(&absolute(path)) => {
                return Ok(format!("213 {}", self.context.plan.file_size));
            }
            ("SIZE", _) => "550 No such file",
            ("PASV", _) => {
                let [high, low] = self.listen_for_data()?.port().to_be_bytes();
                return Ok(format!("227 Connect to (127,0,0,1,{high},{low})"));
            }
            ("EPSV", "" | "1") => {
                return Ok(format!("229 Connect to (|||{}|)", self.listen_for_data()?.port()));
            }
            ("EPSV", _) => "522 Send EPSV 1",
            _ => "502 Not supported",
        };
        Ok(reply.to_owned())
    }

    /// Answers a request for a file.
    async fn retrieve(&mut self, path: &str) -> io::Result<()> {
        let path = absolute(path);
        let page = self.find_file(&path);
        let log_index = self.context.record("RETR", &path, Vec::new(), page);
        let data = self.data.take();
        let Some(Page { content: Content::Script(steps), .. }) = page.filter(|_| self.exists(&path)) else {
            return self.reply("550 No such file").await;
        };
        let Some(data) = data else { return self.reply("425 Send PASV or EPSV first").await };
        self.reply("150 The file follows").await?;
        let (mut data, _) = data.accept().await?;
        let meter = BodyMeter::new(self.context.log.clone(), log_index, script::measure(steps));
        let played = script::play(steps, &mut data, meter).await;
        let is_complete = played.is_ok() && !self.has(FtpFault::DropTransfer);
        drop(data);
        self.reply(if is_complete { "226 Transfer complete" } else { "426 Transfer aborted" }).await
    }

    fn has(&self, fault: FtpFault) -> bool {
        self.context.plan.ftp_fault == Some(fault)
    }

    /// Returns the page for the file, also if it is missing.
    fn find_file(&self, path: &str) -> Option<&'a Page> {
        self.context.find_page(path).filter(|page| page.path == path)
    }

    fn exists(&self, path: &str) -> bool {
        self.find_file(path).is_some() && !self.has(FtpFault::MissingFile)
    }

    fn listen_for_data(&mut self) -> io::Result<SocketAddr> {
        let listener = TcpListener::from_std(port::listen_at_free_port()?)?;
        self.data.insert(listener).local_addr()
    }
}

/// Returns a path from the root, which is the folder of every session.
fn absolute(path: &str) -> String {
    format!("/{}", path.trim_start_matches('/'))
}
