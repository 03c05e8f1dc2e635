//! Serves an origin with wiremock.

use std::cell::RefCell;
use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::context::Context;
use crate::plan::{Content, Page};
use crate::record::SentBody;

/// A server of wiremock. Dropping it ends all its connections and its thread.
pub(crate) struct HttpServer {
    /// `None` only while it is dropped.
    server: Option<MockServer>,
    /// Disconnected when the thread of wiremock has ended.
    end: Receiver<Infallible>,
}

/// The method of the first request, by which the thread of wiremock marks its end.
const MARK_THREAD: &str = "ROBOTSPEC";

/// Much longer than wiremock takes to answer. It never answers if the system gives its
/// thread no file descriptor.
const PATIENCE: Duration = Duration::from_secs(30);

thread_local! {
    /// Dropped at the end of the thread.
    static END: RefCell<Option<Sender<Infallible>>> = const { RefCell::new(None) };
}

impl HttpServer {
    /// Serves the connections of a listener at which no client waits: wiremock answers what
    /// arrives before its mock.
    pub(crate) fn start(listener: TcpListener, context: Context) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (mark, end) = mpsc::channel();
        let mark = Mutex::new(Some(mark));
        let respond = move |request: &Request| match request.method.as_str() {
            MARK_THREAD => {
                if let Some(mark) = mark.lock().unwrap_or_else(PoisonError::into_inner).take() {
                    END.set(Some(mark));
                }
                ResponseTemplate::new(200).insert_header("connection", "close")
            }
            _ => respond(&context, request),
        };
        let server = in_own_thread(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
            io::Result::Ok(runtime.block_on(async {
                let server = MockServer::builder().listener(listener).disable_request_recording();
                let server = server.start().await;
                Mock::given(any()).respond_with(respond).mount(&server).await;
                server
            }))
        })??;
        let server = HttpServer { server: Some(server), end };
        mark_thread(address)?;
        Ok(server)
    }

    /// Returns whether wiremock serves. It ends when there is no file descriptor for a client.
    pub(crate) fn is_running(&self) -> bool {
        self.end.try_recv() == Err(TryRecvError::Empty)
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let server = self.server.take();
        let _ = in_own_thread(|| drop(server));
        let _ = self.end.recv();
    }
}

/// Runs a function in a thread of its own: wiremock needs a runtime to start and to be
/// dropped, and the caller may be in another runtime.
fn in_own_thread<T: Send>(run: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, run)?;
        thread.join().map_err(|_| io::Error::other("wiremock did not start"))
    })
}

fn mark_thread(address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(format!("{MARK_THREAD} / HTTP/1.1\r\n\r\n").as_bytes())?;
    stream.read_to_end(&mut Vec::new())?;
    Ok(())
}

/// Records a request and returns the response.
fn respond(context: &Context, request: &Request) -> ResponseTemplate {
    // wiremock resolves the target against this origin.
    let url = request.url.as_str();
    let target = url.strip_prefix("http://localhost").filter(|path| path.starts_with('/')).unwrap_or(url);
    let headers = request.headers.iter();
    let headers = headers
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let page = context.find_page(target);
    let log_index = context.record(request.method.as_str(), target, headers, page);
    let message = match page {
        Some(Page { content: Content::Http(message), .. }) => message,
        _ => &context.plan.missing,
    };
    let bytes = message.body().len() as u64;
    if bytes > 0 && request.method.as_str() != "HEAD" {
        context.log.set_body(log_index, SentBody { bytes, of: Some(bytes), is_over: true });
    }
    message.template()
}
