//! The HTTP server of wiremock, behind the listeners. A listener fetches one page at
//! a time by its index. Clients never reach wiremock, so slow clients, requests that
//! are not HTTP and a thousand connections cannot affect it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use robotspec_cases::visit::DISALLOW_ALL;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer};

use crate::payload::Payload;
use crate::plan::{Content, Plan, new_template};

/// The maximum number of concurrent fetches. Each takes two file descriptors.
const MAX_FETCHES: usize = 8;

/// The delay before another attempt when no file descriptor is left.
pub(crate) const RETRY_DELAY: Duration = Duration::from_millis(10);

/// The index of the page that does not exist.
pub(crate) const MISSING_PAGE: usize = usize::MAX;

pub(crate) struct HttpBackend {
    server: MockServer,
    permits: Semaphore,
}

impl HttpBackend {
    /// Starts the server without pages.
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let server = MockServer::builder().listener(listener).disable_request_recording().start().await;
        Ok(HttpBackend { server, permits: Semaphore::new(MAX_FETCHES) })
    }

    /// Replaces all pages with the pages of a plan.
    pub(crate) async fn mount(&self, plan: &Plan) {
        self.server.reset().await;
        for (index, page) in plan.pages.iter().enumerate() {
            if let Content::Http(template) = &page.content {
                Mock::given(path(target(index))).respond_with(*template.clone()).mount(&self.server).await;
            }
        }
        let missing = new_template(plan.missing_status, &Payload::text(DISALLOW_ALL));
        Mock::given(path(target(MISSING_PAGE))).respond_with(missing).mount(&self.server).await;
    }

    /// Returns the bytes of the response to a GET or HEAD request for a page.
    pub(crate) async fn fetch(&self, method: &str, index: usize) -> io::Result<Vec<u8>> {
        let _permit = self.permits.acquire().await.map_err(io::Error::other)?;
        let mut stream = loop {
            match TcpStream::connect(self.server.address()).await {
                Ok(stream) => break stream,
                Err(_) => tokio::time::sleep(RETRY_DELAY).await,
            }
        };
        let method = if method == "HEAD" { "HEAD" } else { "GET" };
        let request =
            format!("{method} {} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", target(index));
        stream.write_all(request.as_bytes()).await?;
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await?;
        Ok(response)
    }

    /// Stops the server and waits until its thread has ended. wiremock does not wait
    /// itself; freeing the port is the last action of its thread.
    pub(crate) async fn stop(self) {
        let address: SocketAddr = *self.server.address();
        drop(self.server);
        // The bound is a safeguard: no client can hold the port.
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
