//! What an HTTP server can do, done by wiremock behind our own listeners. They
//! ask it for one page at a time by its index, so that it meets no client: not
//! one that is slow, nor one that sends what is no HTTP, nor a thousand of them.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer};

use crate::body::{DISALLOW_ALL, File};
use crate::server::plan::{Content, Plan, template};

/// How many pages are asked for at a time; each takes two file descriptors.
const MOST_AT_ONCE: usize = 8;

/// How long to wait for a file descriptor when there is none left.
pub(crate) const SHORTAGE: Duration = Duration::from_millis(10);

/// Which page does not exist.
pub(crate) const MISSING: usize = usize::MAX;

/// The server behind.
pub(crate) struct Site {
    server: MockServer,
    permits: Semaphore,
}

impl Site {
    /// Starts it, with no page.
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let server = MockServer::builder().listener(listener).disable_request_recording().start().await;
        Ok(Site { server, permits: Semaphore::new(MOST_AT_ONCE) })
    }

    /// Turns to other pages.
    pub(crate) async fn mount(&self, plan: &Plan) {
        self.server.reset().await;
        for (index, page) in plan.pages.iter().enumerate() {
            if let Content::Http(template) = &page.content {
                Mock::given(path(target(index))).respond_with(*template.clone()).mount(&self.server).await;
            }
        }
        let missing = template(plan.missing, &File::text(DISALLOW_ALL));
        Mock::given(path(target(MISSING))).respond_with(missing).mount(&self.server).await;
    }

    /// The answer to a GET or HEAD of a page, as it goes over the wire.
    pub(crate) async fn ask(&self, method: &str, index: usize) -> io::Result<Vec<u8>> {
        let _permit = self.permits.acquire().await.map_err(io::Error::other)?;
        let mut stream = loop {
            match TcpStream::connect(self.server.address()).await {
                Ok(stream) => break stream,
                Err(_) => tokio::time::sleep(SHORTAGE).await,
            }
        };
        let method = if method == "HEAD" { "HEAD" } else { "GET" };
        let request =
            format!("{method} {} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", target(index));
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(answer)
    }

    /// Stops it. wiremock does not wait until its thread is gone, so this waits
    /// until its port is free, which is the last thing the thread does.
    pub(crate) async fn stop(self) {
        let address: SocketAddr = *self.server.address();
        drop(self.server);
        // Bounded all the same: no client can keep it, but who knows.
        for _ in 0..500 {
            match TcpListener::bind(address).await {
                Ok(_) => return,
                Err(_) => tokio::time::sleep(Duration::from_millis(2)).await,
            }
        }
    }
}

fn target(index: usize) -> String {
    format!("/{index}")
}
