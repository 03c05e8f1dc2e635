//! A client that requests the robots.txt of a site over HTTP or FTP and returns the replies, as a crawler without an
//! opinion of its own would see them.
//!
//! *Google, "File location and range of validity" and "Handling HTTP result codes"; RFC 9309, 2.3.1.*

mod ftp;
mod http;

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

use robotspec_reference::access::{Fetch, Reply, Seconds, is_plain_text, max_age};
use url::{ParseError, Url};

use self::http::Response;

/// The number of redirects that the client follows. It is more than any edition requires, so that the evaluation has the
/// replies after them.
const MOST_HOPS: usize = 20;

/// The number of bytes of a file that every edition requires a crawler to process (RFC 9309, 2.5).
const LIMIT: usize = 512_000;

/// The options of a client.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// The time limit of a request, from its start to the last byte of the response.
    pub timeout: Duration,
    /// The trusted authorities, in PEM.
    pub authorities: Vec<String>,
    /// The number of bytes of a file that the client reads. It does not request more, except to fill a buffer.
    pub max_bytes: usize,
}

impl Default for ClientOptions {
    fn default() -> Self {
        // One more, to distinguish a file of exactly that size from a larger file.
        ClientOptions { timeout: Duration::from_secs(30), authorities: Vec::new(), max_bytes: LIMIT + 1 }
    }
}

/// A client.
#[derive(Debug, Clone)]
pub struct Client {
    user_agent: String,
    options: ClientOptions,
}

impl Client {
    /// Returns a client that sends this user agent.
    pub fn new(user_agent: &str, options: ClientOptions) -> Self {
        Client { user_agent: user_agent.to_owned(), options }
    }

    /// Requests the robots.txt of the site of a URL, and follows redirects. `at` is the time of the visit.
    ///
    /// # Errors
    ///
    /// `url` is not an absolute URL.
    pub fn visit(&self, url: &str, at: Seconds) -> Result<Fetch, ParseError> {
        let mut place = Url::parse(url)?.join("/robots.txt")?;
        let mut replies = Vec::new();
        while replies.len() <= MOST_HOPS {
            let (reply, next) = match place.scheme() {
                "ftp" => (self.retrieve(&place), None),
                _ => self.request(&place),
            };
            replies.push(reply);
            let Some(next) = next else { break };
            place = next;
        }
        Ok(Fetch { at, replies, site_answers: true, is_misconfigured: false })
    }

    /// Requests a page over HTTP and returns its text, or the target of its redirect as an error. `None`: the page cannot
    /// be fetched.
    pub fn page(&self, url: &str) -> Option<Result<String, String>> {
        let place = Url::parse(url).ok()?;
        let response = self.get(&place).ok()?;
        if let Some(next) = redirect(&place, &response) {
            return Some(Err(next.into()));
        }
        (response.status == 200).then(|| Ok(String::from_utf8_lossy(&response.body).into_owned()))
    }

    /// Requests the file at a place. A redirect is returned with its target.
    fn request(&self, place: &Url) -> (Reply, Option<Url>) {
        let Ok(response) = self.get(place) else { return (Reply::Failure, None) };
        if let Some(next) = redirect(place, &response) {
            return (Reply::Redirect { to_disallowed: false }, Some(next));
        }
        let max_age = response.fields("cache-control").find_map(max_age);
        let is_plain_text = response.fields("content-type").all(is_plain_text);
        (Reply::Answer { status: response.status, body: response.body, max_age, is_plain_text }, None)
    }

    fn get(&self, place: &Url) -> io::Result<Response> {
        http::get(address(place)?, place, &self.user_agent, &self.options)
    }

    /// Retrieves a file over FTP, with an anonymous login.
    fn retrieve(&self, place: &Url) -> Reply {
        match address(place).and_then(|address| ftp::retrieve(address, place.path(), &self.options)) {
            Ok(body) => Reply::Answer { status: 200, body, max_age: None, is_plain_text: true },
            Err(_) => Reply::Failure,
        }
    }
}

/// Returns the address of a server, which is a mock server on this machine.
fn address(place: &Url) -> io::Result<SocketAddr> {
    let host = place.host_str().unwrap_or_default();
    let port = place.port_or_known_default().unwrap_or_default();
    (host, port).to_socket_addrs()?.next().ok_or_else(|| io::Error::other("no address"))
}

/// Returns the target of a redirect that the client can follow.
fn redirect(place: &Url, response: &Response) -> Option<Url> {
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let next = place.join(response.fields("location").next()?).ok()?;
    matches!(next.scheme(), "http" | "https" | "ftp").then_some(next)
}
