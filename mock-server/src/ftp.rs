//! Serves one file over FTP with libunftp: a file system with one file, and a login
//! that accepts only `anonymous`.

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;
use libunftp::ServerBuilder;
use robotspec_cases::visit::FtpFault;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::TcpStream;
use unftp_core::auth::{AuthenticationError, Authenticator, Credentials, DefaultUser, Principal};
use unftp_core::storage::{Error, ErrorKind, Fileinfo, Metadata, Result, StorageBackend};

use crate::meter::{BodyMeter, ResponseSize};
use crate::plan::Plan;
use crate::record::{RecordedRequest, RequestLog, Role};

/// What the sessions of a visit share.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) plan: Arc<Plan>,
    pub(crate) visit: usize,
    pub(crate) port: u16,
    pub(crate) log: RequestLog,
}

impl Session {
    fn fault(&self) -> Option<FtpFault> {
        self.plan.ftp.fault
    }

    /// Records a request and returns its index in the log.
    fn record(&self, method: &str, target: &str) -> usize {
        let is_for_rules = method == "RETR" && target == FILE;
        self.log.push(RecordedRequest {
            visit: self.visit,
            role: Role::First,
            port: self.port,
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            is_for_rules,
            hop: is_for_rules.then_some(0),
            body: None,
            when: SystemTime::now(),
        })
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new(FILE) && self.fault() != Some(FtpFault::MissingFile)
    }
}

/// The only file.
const FILE: &str = "/robots.txt";

/// Serves a connection. Dropping the future ends the session.
pub(crate) async fn serve(stream: TcpStream, session: Session) {
    let login = Arc::new(Login(session.clone()));
    let server = ServerBuilder::with_authenticator(Box::new(move || Files(session.clone())), login)
        .greeting("robotspec")
        .passive_host([127, 0, 0, 1])
        .build();
    if let Ok(server) = server {
        // Only the client can cause an error.
        let _ = server.service(stream).await;
    }
}

#[derive(Debug)]
struct Login(Session);

#[async_trait]
impl Authenticator for Login {
    async fn authenticate(
        &self,
        user: &str,
        _: &Credentials,
    ) -> std::result::Result<Principal, AuthenticationError> {
        self.0.record("USER", user);
        let is_refused = self.0.fault() == Some(FtpFault::LoginRefused);
        match user.eq_ignore_ascii_case("anonymous") && !is_refused {
            true => Ok(Principal { username: user.to_owned() }),
            false => Err(AuthenticationError::BadUser),
        }
    }
}

#[derive(Debug)]
struct Files(Session);

#[derive(Debug)]
enum Entry {
    Root,
    File(u64),
}

impl Metadata for Entry {
    fn len(&self) -> u64 {
        match self {
            Entry::Root => 0,
            Entry::File(length) => *length,
        }
    }

    fn is_dir(&self) -> bool {
        matches!(self, Entry::Root)
    }

    fn is_file(&self) -> bool {
        matches!(self, Entry::File(_))
    }

    fn is_symlink(&self) -> bool {
        false
    }

    fn modified(&self) -> Result<SystemTime> {
        Ok(SystemTime::UNIX_EPOCH)
    }

    fn gid(&self) -> u32 {
        0
    }

    fn uid(&self) -> u32 {
        0
    }
}

fn fail_missing<T>() -> Result<T> {
    Err(ErrorKind::PermanentFileNotAvailable.into())
}

fn fail_read_only<T>() -> Result<T> {
    Err(ErrorKind::PermissionDenied.into())
}

impl Files {
    fn file(&self) -> Entry {
        Entry::File(self.0.plan.ftp.file.len() as u64)
    }
}

#[async_trait]
impl StorageBackend<DefaultUser> for Files {
    type Metadata = Entry;

    async fn metadata<P: AsRef<Path> + Send + Debug>(&self, _: &DefaultUser, path: P) -> Result<Entry> {
        match path.as_ref() {
            path if path == Path::new("/") => Ok(Entry::Root),
            path if self.0.exists(path) => Ok(self.file()),
            _ => fail_missing(),
        }
    }

    async fn list<P: AsRef<Path> + Send + Debug>(
        &self,
        _: &DefaultUser,
        path: P,
    ) -> Result<Vec<Fileinfo<PathBuf, Entry>>> {
        if path.as_ref() != Path::new("/") {
            return fail_missing();
        }
        let file = Path::new(FILE);
        let exists = self.0.exists(file);
        Ok(exists.then(|| Fileinfo { path: file.to_owned(), metadata: self.file() }).into_iter().collect())
    }

    async fn get<P: AsRef<Path> + Send + Debug>(
        &self,
        _: &DefaultUser,
        path: P,
        start: u64,
    ) -> Result<Box<dyn AsyncRead + Send + Sync + Unpin>> {
        let path = path.as_ref();
        let index = self.0.record("RETR", &path.to_string_lossy());
        if !self.0.exists(path) {
            return fail_missing();
        }
        let mut file = self.0.plan.ftp.file.clone();
        let is_dropped = self.0.fault() == Some(FtpFault::DropTransfer);
        let length = file.len() as u64;
        if is_dropped {
            file.truncate(file.len() / 2);
        } else {
            file.drain(..file.len().min(usize::try_from(start).unwrap_or(usize::MAX)));
        }
        let size =
            ResponseSize { header: 0, body: Some(if is_dropped { length } else { file.len() as u64 }) };
        let meter = BodyMeter::new(self.0.log.clone(), index, Some(size));
        let file = MeteredFile { file: io::Cursor::new(file), meter };
        match is_dropped {
            true => Ok(Box::new(file.chain(FailingReader))),
            false => Ok(Box::new(file)),
        }
    }

    async fn put<P, R>(&self, _: &DefaultUser, _: R, _: P, _: u64) -> Result<u64>
    where
        P: AsRef<Path> + Send + Debug,
        R: AsyncRead + Send + Sync + Unpin + 'static,
    {
        fail_read_only()
    }

    async fn del<P: AsRef<Path> + Send + Debug>(&self, _: &DefaultUser, _: P) -> Result<()> {
        fail_read_only()
    }

    async fn mkd<P: AsRef<Path> + Send + Debug>(&self, _: &DefaultUser, _: P) -> Result<()> {
        fail_read_only()
    }

    async fn rename<P: AsRef<Path> + Send + Debug>(&self, _: &DefaultUser, _: P, _: P) -> Result<()> {
        fail_read_only()
    }

    async fn rmd<P: AsRef<Path> + Send + Debug>(&self, _: &DefaultUser, _: P) -> Result<()> {
        fail_read_only()
    }

    async fn cwd<P: AsRef<Path> + Send + Debug>(&self, _: &DefaultUser, path: P) -> Result<()> {
        match path.as_ref() == Path::new("/") {
            true => Ok(()),
            false => Err(Error::from(ErrorKind::PermanentDirectoryNotAvailable)),
        }
    }
}

/// A file that counts the bytes that libunftp reads.
struct MeteredFile {
    file: io::Cursor<Vec<u8>>,
    meter: BodyMeter,
}

impl AsyncRead for MeteredFile {
    fn poll_read(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
        into: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<io::Result<()>> {
        let before = into.filled().len();
        let polled = std::pin::Pin::new(&mut self.file).poll_read(context, into);
        self.meter.count(into.filled().len() - before);
        polled
    }
}

/// A reader that always fails.
struct FailingReader;

impl AsyncRead for FailingReader {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<io::Result<()>> {
        std::task::Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()))
    }
}
