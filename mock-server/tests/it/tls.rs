//! HTTPS with good and bad certificates.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use crate::support::{End, RULES, Reply, authority, connect, get, is_refused, read_all, start, visit};
use robotspec_cases::visit::{Certificate, NetworkFault, Scheme, Visit};
use robotspec_mock_server::{MockServer, Role};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

type Stream = StreamOwned<ClientConnection, TcpStream>;

/// Connects and trusts only this authority.
fn secure(url: &str, trusted: Option<&str>) -> Stream {
    let mut roots = RootCertStore::empty();
    if let Some(pem) = trusted {
        roots.add(CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()).unwrap();
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), connect(url))
}

fn ask(url: &str, path: &str, trusted: &str) -> Stream {
    let mut stream = secure(url, Some(trusted));
    stream.write_all(crate::support::request(url, path).as_bytes()).unwrap();
    stream
}

fn get_secure(url: &str, path: &str, trusted: &str) -> Reply {
    let (bytes, end) = read_all(&mut ask(url, path, trusted));
    assert_eq!(end, End::Closed);
    Reply::parse(&bytes)
}

fn with(certificate: Certificate) -> Visit {
    Visit { scheme: Scheme::Https { certificate }, ..Visit::default() }
}

#[test]
fn a_client_that_trusts_the_authority_accepts_a_good_certificate() {
    let server = start("{scheme: https}");
    assert!(server.origin().starts_with("https://127.0.0.1:"));
    let trusted = server.certificate_authority().unwrap();
    assert!(trusted.starts_with("-----BEGIN CERTIFICATE-----"));
    let reply = get_secure(&server.origin(), "/robots.txt", &trusted);
    assert_eq!((reply.status, reply.text()), (200, RULES));
    assert_eq!(server.requests().len(), 1);
    assert_eq!(start("{scheme: https}").certificate_authority(), Some(trusted), "all servers share it");

    let mut untrusting = secure(&server.origin(), None);
    let error = untrusting.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n").unwrap_err();
    assert!(error.to_string().contains("UnknownIssuer"), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn each_bad_certificate_has_its_own_error() {
    let server = MockServer::start(&with(Certificate::Good)).unwrap();
    let trusted = server.certificate_authority().unwrap();
    let bad = [
        (Certificate::SelfSigned, "UnknownIssuer"),
        (Certificate::Expired, "expired"),
        (Certificate::OtherName, "not valid for name"),
    ];
    for (certificate, reason) in bad {
        server.play(&with(certificate)).unwrap();
        let mut stream = secure(&server.origin(), Some(&trusted));
        let error = stream.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(error.to_string().contains(reason), "{certificate}: {error}");
    }
    server.play(&with(Certificate::Good)).unwrap();
    assert_eq!(get_secure(&server.origin(), "/robots.txt", &trusted).status, 200);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn location_to_https() {
    let server = start("{hops: [301, 302, 303], location: to-https}");
    let trusted = server.certificate_authority().unwrap();
    let location = |reply: Reply| reply.header("location").unwrap().to_owned();
    let first = location(get(&server.origin(), "/robots.txt"));
    assert!(first.starts_with("https://") && first.ends_with("/robots-1.txt"), "{first}");
    let second = location(get_secure(&first, "/robots-1.txt", &trusted));
    assert_eq!(second, format!("{}/robots-2.txt", server.origin()));
    let third = location(get(&second, "/robots-2.txt"));
    assert_eq!(third, first.replace("-1", "-3"));
    assert_eq!(get_secure(&third, "/robots-3.txt", &trusted).text(), RULES);
    let roles: Vec<Role> = server.requests().iter().map(|request| request.role).collect();
    assert_eq!(roles, [Role::First, Role::Other, Role::First, Role::Other]);
}

#[test]
fn another_port_of_an_https_origin_has_https() {
    let server = start("{hops: [301], location: other-port, scheme: https}");
    let trusted = server.certificate_authority().unwrap();
    let reply = get_secure(&server.origin(), "/robots.txt", &trusted);
    let location = reply.header("location").unwrap();
    assert!(location.starts_with("https://"));
    assert_ne!(authority(location), authority(&server.origin()));
    assert_eq!(get_secure(location, "/robots-1.txt", &trusted).text(), RULES);
}

#[test]
fn faults_over_tls() {
    let server = start("{scheme: https, answer: {fault: http09}}");
    let trusted = server.certificate_authority().unwrap();
    let whole = read_all(&mut ask(&server.origin(), "/robots.txt", &trusted));
    assert_eq!(whole, (RULES.as_bytes().to_vec(), End::Closed));

    server.play(&visit("{scheme: https, answer: {fault: reset-after-request}}")).unwrap();
    let reset = read_all(&mut ask(&server.origin(), "/robots.txt", &trusted));
    assert_eq!(reset, (Vec::new(), End::Reset));

    server.play(&visit("{scheme: https, answer: {fault: endless-body}}")).unwrap();
    let mut endless = vec![0; 1_000_000];
    ask(&server.origin(), "/robots.txt", &trusted).read_exact(&mut endless).unwrap();

    let mut refused = visit("{scheme: https}");
    refused.response.fault = Some(NetworkFault::Refused);
    server.play(&refused).unwrap();
    assert!(is_refused(&server.origin()));
}

#[test]
fn a_visit_without_tls_has_no_authority() {
    let server = start("{}");
    assert_eq!(server.certificate_authority(), None);
    server.play(&visit("{hops: [301], location: to-https}")).unwrap();
    assert!(server.certificate_authority().is_some());
    assert_eq!(start("{scheme: ftp}").certificate_authority(), None);
}

#[test]
fn a_client_without_tls_does_no_harm() {
    let server = start("{scheme: https}");
    let mut stream = crate::support::ask(&server.origin(), "/robots.txt");
    let _ = read_all(&mut stream);
    let trusted = server.certificate_authority().unwrap();
    assert_eq!(get_secure(&server.origin(), "/robots.txt", &trusted).status, 200);
}
