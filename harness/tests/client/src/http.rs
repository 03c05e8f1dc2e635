//! One GET request over HTTP/1.1, with or without TLS.

use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HOST, HeaderMap, USER_AGENT};
use hyper::{Request, Version};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpSocket;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::{Position, Url};

use super::ClientOptions;

/// A response.
pub(super) struct Response {
    pub(super) status: u16,
    headers: HeaderMap,
    /// The first bytes, without their content coding.
    pub(super) body: Vec<u8>,
}

impl Response {
    /// Returns the values of a header field.
    pub(super) fn fields(&self, name: &str) -> impl Iterator<Item = &str> {
        self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok())
    }
}

/// In bytes.
const RECEIVE_BUFFER: u32 = 64 << 10;

/// Sends an unconditional GET request on a new connection, so that the failure of a connection affects one request. It
/// follows no redirect.
pub(super) fn get(
    address: SocketAddr,
    place: &Url,
    user_agent: &str,
    options: &ClientOptions,
) -> io::Result<Response> {
    let exchange = async {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        // The system lets the buffers of a connection grow while the client is slower than the server, as with TLS that is
        // not optimised. Tests count what a server has sent.
        socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
        let stream = socket.connect(address).await?;
        if place.scheme() != "https" {
            return exchange(stream, place, user_agent, options.max_bytes).await;
        }
        let host = place.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(host).map_err(io::Error::other)?;
        let stream = connector(&options.authorities)?.connect(name, stream).await?;
        exchange(stream, place, user_agent, options.max_bytes).await
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async { tokio::time::timeout(options.timeout, exchange).await })?
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    place: &Url,
    user_agent: &str,
    max_bytes: usize,
) -> io::Result<Response> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    // It ends with the runtime of the request.
    tokio::spawn(connection);
    let request = Request::get(&place[Position::BeforePath..Position::AfterQuery])
        .version(Version::HTTP_11)
        .header(HOST, &place[Position::BeforeHost..Position::AfterPort])
        .header(USER_AGENT, user_agent)
        .header(ACCEPT_ENCODING, "gzip, br")
        .body(Empty::<Bytes>::new())
        .map_err(io::Error::other)?;
    let (head, mut incoming) = sender.send_request(request).await.map_err(io::Error::other)?.into_parts();
    let mut body = Vec::new();
    while body.len() < max_bytes {
        let Some(frame) = incoming.frame().await else { break };
        body.extend(frame.map_err(io::Error::other)?.into_data().unwrap_or_default());
    }
    let body = decode(&head.headers, &body, max_bytes)?;
    Ok(Response { status: head.status.as_u16(), headers: head.headers, body })
}

/// Returns the first bytes of a body without its content coding.
fn decode(headers: &HeaderMap, body: &[u8], max_bytes: usize) -> io::Result<Vec<u8>> {
    let coding = headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok());
    let decoder: Box<dyn Read + '_> = match coding {
        Some("gzip") => Box::new(flate2::read::GzDecoder::new(body)),
        Some("br") => Box::new(brotli_decompressor::Decompressor::new(body, 4096)),
        _ => Box::new(body),
    };
    let mut decoded = Vec::new();
    decoder.take(max_bytes as u64).read_to_end(&mut decoded)?;
    Ok(decoded)
}

/// Returns a connector that trusts these authorities only.
fn connector(authorities: &[String]) -> io::Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    for pem in authorities {
        let certificate = CertificateDer::from_pem_slice(pem.as_bytes()).map_err(io::Error::other)?;
        roots.add(certificate).map_err(io::Error::other)?;
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config).into())
}
