//! A client that requests the robots.txt of a site over HTTP or FTP and returns the replies. It is the only part of this
//! crate that sends requests.
//!
//! *Google, "File location and range of validity" and "Handling HTTP result codes"; RFC 9309, 2.3.1.*

mod names;

use std::io::{self, Read};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use suppaftp::types::FileType;
use suppaftp::{FtpError, FtpStream};
use ureq::http::{Response, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body};
use url::Url;

use crate::access::{Reply, Seconds, Visit, max_age};
use crate::client::names::Names;
pub use crate::client::names::{NotResolved, Resolver};
use crate::target::NotAUrl;

/// The number of redirects that the client follows. It is more than any edition requires, so that the evaluation has the
/// replies after them.
const MOST_HOPS: usize = 20;

/// The number of bytes of a file that every edition requires a crawler to process (RFC 9309, 2.5).
const LIMIT: u64 = 512_000;

/// The default port of FTP.
const FTP: u16 = 21;

/// The options of a client.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// The time limit of a request, from its start to the last byte of the response.
    pub timeout: Duration,
    /// The trusted authorities, in PEM. If there are none, those of the web.
    pub authorities: Vec<String>,
    /// The number of bytes of a file that the client reads. It does not request more, except to fill a buffer.
    pub max_bytes: u64,
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
    http: Agent,
    names: Names,
    options: ClientOptions,
}

impl Client {
    /// Returns a client that sends this user agent.
    pub fn new(user_agent: &str, options: ClientOptions) -> Self {
        Client::with_resolver(user_agent, options, names::system)
    }

    /// Returns the same, with the resolver of the caller for HTTP, HTTPS and FTP.
    pub fn with_resolver(user_agent: &str, options: ClientOptions, resolver: impl Resolver) -> Self {
        let names = Names::new(resolver);
        let trusted: Vec<Certificate<'static>> =
            options.authorities.iter().filter_map(|pem| Certificate::from_pem(pem.as_bytes()).ok()).collect();
        let roots = match trusted.is_empty() {
            true => RootCerts::WebPki,
            false => RootCerts::new_with_certs(&trusted),
        };
        let config = Agent::config_builder()
            .user_agent(user_agent)
            .timeout_global(Some(options.timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            // Each request uses a new connection, so that the failure of one connection affects one request.
            .max_idle_connections(0)
            .build();
        let http = Agent::with_parts(config, DefaultConnector::default(), names.clone());
        Client { http, names, options }
    }

    /// Requests the robots.txt of the site of a URL, and follows redirects. `at` is the time of the visit.
    ///
    /// # Errors
    ///
    /// `url` is not an absolute URL.
    pub fn visit(&self, url: &str, at: Seconds) -> Result<Visit, NotAUrl> {
        let mut place = Url::parse(url)
            .and_then(|url| url.join("/robots.txt"))
            .map_err(|error| NotAUrl { text: url.to_owned(), reason: error.to_string() })?;
        let mut replies = Vec::new();
        while replies.len() <= MOST_HOPS {
            let (reply, next) = match place.scheme() {
                "ftp" => (self.retrieve(&place), None),
                _ => self.get(&place),
            };
            replies.push(reply);
            let Some(next) = next else { break };
            place = next;
        }
        Ok(Visit { at, replies, site_answers: true, is_misconfigured: false })
    }

    /// Sends an unconditional GET request. A redirect is returned with its target.
    fn get(&self, place: &Url) -> (Reply, Option<Url>) {
        let Ok(mut response) = self.http.get(place.as_str()).call() else { return (Reply::Failure, None) };
        if let Some(next) = redirect(place, &response) {
            return (Reply::Redirect { to_disallowed: false }, Some(next));
        }
        let status = response.status().as_u16();
        let cache_control = response.headers().get_all(header::CACHE_CONTROL).iter();
        let max_age = cache_control.filter_map(|field| field.to_str().ok()).find_map(max_age);
        let mut body = Vec::new();
        let reader = response.body_mut().with_config().limit(u64::MAX).reader();
        match reader.take(self.options.max_bytes).read_to_end(&mut body) {
            Ok(_) => (Reply::Answer { status, body, max_age }, None),
            Err(_) => (Reply::Failure, None),
        }
    }

    /// Retrieves a file over FTP, with an anonymous login.
    fn retrieve(&self, place: &Url) -> Reply {
        match self.transfer(place) {
            Ok(body) => Reply::Answer { status: 200, body, max_age: None },
            Err(_) => Reply::Failure,
        }
    }

    fn transfer(&self, place: &Url) -> Result<Vec<u8>, FtpError> {
        let timeout = self.options.timeout;
        let port = place.port().unwrap_or(FTP);
        let addresses = self
            .names
            .find(place.host_str().unwrap_or_default(), port, timeout)
            .map_err(|error| FtpError::ConnectionError(io::Error::other(error)))?;
        let address = *addresses.first().ok_or(FtpError::BadResponse)?;
        let mut ftp = FtpStream::connect_with_stream(connect(address, timeout)?)?
            .passive_stream_builder(move |address| connect(address, timeout));
        ftp.login("anonymous", "anonymous@")?;
        ftp.transfer_type(FileType::Binary)?;
        let mut file = Vec::new();
        let mut data = ftp.retr_as_stream(place.path())?;
        let most = self.options.max_bytes;
        (&mut data).take(most).read_to_end(&mut file).map_err(FtpError::ConnectionError)?;
        let ended = data.finish();
        // A server reports a failed transfer to a client that does not read the whole file.
        if (file.len() as u64) < most {
            ended?;
        }
        // The transfer is complete, so that an error of QUIT has no effect on it.
        let _ = ftp.quit();
        Ok(file)
    }
}

fn connect(address: impl ToSocketAddrs, timeout: Duration) -> Result<TcpStream, FtpError> {
    let address: SocketAddr =
        address.to_socket_addrs().map_err(FtpError::ConnectionError)?.next().ok_or(FtpError::BadResponse)?;
    let stream = TcpStream::connect_timeout(&address, timeout).map_err(FtpError::ConnectionError)?;
    stream.set_read_timeout(Some(timeout)).map_err(FtpError::ConnectionError)?;
    stream.set_write_timeout(Some(timeout)).map_err(FtpError::ConnectionError)?;
    Ok(stream)
}

/// Returns the target of a redirect that the client can follow.
fn redirect(place: &Url, response: &Response<Body>) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(header::LOCATION)?.to_str().ok()?;
    let next = place.join(location).ok()?;
    matches!(next.scheme(), "http" | "https" | "ftp").then_some(next)
}
