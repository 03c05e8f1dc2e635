//! Accepts the connections to an origin, reads the requests, and plays what HTTP cannot express.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use robotspec_cases::visit::Scheme;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::certificate;
use crate::context::Context;
use crate::error::StartError;
use crate::ftp;
use crate::meter::BodyMeter;
use crate::plan::{ConnectionMode, Content, Page};
use crate::port::Transport;
use crate::script;

/// The delay before another attempt when no file descriptor is left.
const RETRY_DELAY: Duration = Duration::from_millis(10);

/// The maximum length of a header in bytes, longer than any real client sends.
const MAX_HEADER: usize = 64 * 1024;

/// The maximum number of header fields.
const MAX_FIELDS: usize = 256;

/// A thread that serves the connections to an origin. Dropping it ends the thread and all
/// connections.
pub(crate) struct Listener {
    /// `None` only while it is dropped, which ends the thread.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Listener {
    /// Serves the connections of a listener.
    pub(crate) fn start(
        listener: std::net::TcpListener,
        mode: ConnectionMode,
        context: Context,
    ) -> Result<Self, StartError> {
        let tls = match mode {
            ConnectionMode::Serve(Scheme::Https { certificate }) => {
                Some(certificate::new_acceptor(certificate)?)
            }
            _ => None,
        };
        let (stop, stopped) = oneshot::channel();
        let run = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener)?;
                tokio::select! {
                    () = accept_connections(listener, mode, Arc::new(context), tls) => {}
                    _ = stopped => {}
                }
                Ok(())
            })
        };
        let thread = thread::Builder::new().name("robotspec-mock".to_owned()).spawn(run)?;
        Ok(Listener { stop: Some(stop), thread: Some(thread) })
    }

    pub(crate) fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A panic has already printed its message.
            let _ = thread.join();
        }
    }
}

async fn accept_connections(
    listener: TcpListener,
    mode: ConnectionMode,
    context: Arc<Context>,
    tls: Option<TlsAcceptor>,
) {
    // Dropping the set ends all connections.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(handle_connection(stream, mode, Arc::clone(&context), tls.clone()));
                }
                // The client is gone, or there is no file descriptor left until
                // another client goes.
                Err(_) => tokio::time::sleep(RETRY_DELAY).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Handles a connection. All errors are ignored: the client went away.
async fn handle_connection(
    stream: TcpStream,
    mode: ConnectionMode,
    context: Arc<Context>,
    tls: Option<TlsAcceptor>,
) {
    // Without this, Nagle's algorithm would join single bytes.
    let _ = stream.set_nodelay(true);
    let _ = match (mode, tls) {
        (ConnectionMode::Refuse, _) => Ok(()),
        (ConnectionMode::Reset, _) => stream.set_zero_linger(),
        (ConnectionMode::Hold, _) => std::future::pending().await,
        (ConnectionMode::Serve(Scheme::Ftp), _) => ftp::serve(stream, &context).await,
        (ConnectionMode::Serve(_), None) => serve_http(stream, &context).await,
        (ConnectionMode::Serve(_), Some(tls)) => match tls.accept(stream).await {
            Ok(stream) => serve_http(stream, &context).await,
            Err(error) => Err(error),
        },
    };
}

async fn serve_http(mut stream: impl Transport, context: &Context) -> io::Result<()> {
    let Some(request) = RequestHeader::read(&mut stream).await? else {
        return script::close(&mut stream).await;
    };
    let page = context.find_page(&request.target);
    let log_index = context.record(&request.method, &request.target, request.fields, page);
    let faultless = |message| script::faultless_response(message, request.method == "HEAD");
    let steps = match page {
        Some(Page { content: Content::Script(steps), .. }) => steps,
        Some(Page { content: Content::Http(message), .. }) => &faultless(message),
        None => &faultless(&context.plan.missing),
    };
    let meter = BodyMeter::new(context.log.clone(), log_index, script::measure(steps));
    script::play(steps, &mut stream, meter).await?;
    script::close(&mut stream).await
}

/// The header of a request.
#[derive(Debug)]
struct RequestHeader {
    method: String,
    target: String,
    fields: Vec<(String, String)>,
}

impl RequestHeader {
    /// Reads a header. `None`: the client sent nothing, or bytes that are not HTTP.
    async fn read(stream: &mut impl Transport) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        while bytes.len() < MAX_HEADER {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(None);
            }
            let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
            let mut request = httparse::Request::new(&mut fields);
            match request.parse(&bytes) {
                Ok(httparse::Status::Partial) => {}
                Ok(httparse::Status::Complete(_)) => {
                    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
                    let fields = request.headers.iter();
                    return Ok(Some(RequestHeader {
                        method: request.method.unwrap_or_default().to_owned(),
                        target: request.path.unwrap_or_default().to_owned(),
                        fields: fields.map(|one| (one.name.to_ascii_lowercase(), text(one.value))).collect(),
                    }));
                }
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }
}
