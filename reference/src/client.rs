//! A client that asks a site for its robots.txt, over HTTP or FTP, and tells
//! what it met. The rest of this crate asks nobody.
//!
//! *Google, "File location and range of validity" and "Handling HTTP result
//! codes"; RFC 9309, 2.3.1.*

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

/// How many redirects are followed; more than any edition asks for, so that
/// what is behind them can be told.
const MOST_HOPS: usize = 20;

/// How much of a file every edition wants to be read, in octets (RFC 9309, 2.5).
const LIMIT: u64 = 512_000;

/// The port of FTP.
const FTP: u16 = 21;

/// How long a client waits, and whom it trusts.
#[derive(Debug, Clone)]
pub struct Patience {
    /// For each request, from its start to the last octet of its answer.
    pub request: Duration,
    /// Authorities to trust, in PEM; those of the web where there are none.
    pub authorities: Vec<String>,
    /// How much of a file is read, in octets. What lies behind them is not
    /// asked for, but for what a buffer takes in.
    pub octets: u64,
}

impl Default for Patience {
    fn default() -> Self {
        // One more, so that a file of just that size can be told from a longer one.
        Patience { request: Duration::from_secs(30), authorities: Vec::new(), octets: LIMIT + 1 }
    }
}

/// A client.
#[derive(Debug, Clone)]
pub struct Client {
    http: Agent,
    names: Names,
    patience: Patience,
}

impl Client {
    /// A client that introduces itself by this name.
    pub fn new(user_agent: &str, patience: Patience) -> Self {
        Client::with_resolver(user_agent, patience, names::system)
    }

    /// The same, with a resolver of the caller's for HTTP, HTTPS and FTP.
    pub fn with_resolver(user_agent: &str, patience: Patience, resolver: impl Resolver) -> Self {
        let names = Names::new(resolver);
        let trusted: Vec<Certificate<'static>> = patience
            .authorities
            .iter()
            .filter_map(|pem| Certificate::from_pem(pem.as_bytes()).ok())
            .collect();
        let roots = match trusted.is_empty() {
            true => RootCerts::WebPki,
            false => RootCerts::new_with_certs(&trusted),
        };
        let config = Agent::config_builder()
            .user_agent(user_agent)
            .timeout_global(Some(patience.request))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            // Each request on a connection of its own: none must fail for what another met.
            .max_idle_connections(0)
            .build();
        let http = Agent::with_parts(config, DefaultConnector::default(), names.clone());
        Client { http, names, patience }
    }

    /// Asks the site of a URL for its robots.txt, and follows where that
    /// leads. What the time is, the caller knows.
    ///
    /// # Errors
    ///
    /// `url` is no absolute URL.
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

    /// A GET without conditions. With a redirect comes the place it leads to.
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
        match reader.take(self.patience.octets).read_to_end(&mut body) {
            Ok(_) => (Reply::Answer { status, body, max_age }, None),
            Err(_) => (Reply::Failure, None),
        }
    }

    /// A transfer with an anonymous login.
    fn retrieve(&self, place: &Url) -> Reply {
        match self.transfer(place) {
            Ok(body) => Reply::Answer { status: 200, body, max_age: None },
            Err(_) => Reply::Failure,
        }
    }

    fn transfer(&self, place: &Url) -> Result<Vec<u8>, FtpError> {
        let patience = self.patience.request;
        let port = place.port().unwrap_or(FTP);
        let addresses = self
            .names
            .find(place.host_str().unwrap_or_default(), port, patience)
            .map_err(|error| FtpError::ConnectionError(io::Error::other(error)))?;
        let address = *addresses.first().ok_or(FtpError::BadResponse)?;
        let mut ftp = FtpStream::connect_with_stream(connect(address, patience)?)?
            .passive_stream_builder(move |address| connect(address, patience));
        ftp.login("anonymous", "anonymous@")?;
        ftp.transfer_type(FileType::Binary)?;
        let mut file = Vec::new();
        let mut data = ftp.retr_as_stream(place.path())?;
        let most = self.patience.octets;
        (&mut data).take(most).read_to_end(&mut file).map_err(FtpError::ConnectionError)?;
        let ended = data.finish();
        // Who does not want the rest is told that the transfer failed.
        if (file.len() as u64) < most {
            ended?;
        }
        // The file is here; how the server takes its leave is of no matter.
        let _ = ftp.quit();
        Ok(file)
    }
}

fn connect(address: impl ToSocketAddrs, patience: Duration) -> Result<TcpStream, FtpError> {
    let address: SocketAddr =
        address.to_socket_addrs().map_err(FtpError::ConnectionError)?.next().ok_or(FtpError::BadResponse)?;
    let stream = TcpStream::connect_timeout(&address, patience).map_err(FtpError::ConnectionError)?;
    stream.set_read_timeout(Some(patience)).map_err(FtpError::ConnectionError)?;
    stream.set_write_timeout(Some(patience)).map_err(FtpError::ConnectionError)?;
    Ok(stream)
}

/// Where a redirect leads, if the response is one that can be followed.
fn redirect(place: &Url, response: &Response<Body>) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(header::LOCATION)?.to_str().ok()?;
    let next = place.join(location).ok()?;
    matches!(next.scheme(), "http" | "https" | "ftp").then_some(next)
}
