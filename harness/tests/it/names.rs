//! Host names in the client of the tests, with a resolver of the test, so that the client queries no real resolver.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use robotspec_cases::visit::{Certificate, Response, Scheme, Visit as Played};
use robotspec_mock_server::MockServer;
use robotspec_reference::access::{Access, Reply, access};
use robotspec_reference::{Edition, Ruling};
use robotspec_test_support::client::{Client, ClientOptions, NotResolved, Resolver};

/// The time limit of the client: far longer than loopback takes. A test about silence takes this long.
const PATIENCE: Duration = Duration::from_secs(3);

fn client(authorities: Vec<String>, resolver: impl Resolver) -> Client {
    let options = ClientOptions { timeout: PATIENCE, authorities, ..ClientOptions::default() };
    Client::with_resolver("FooBot", options, resolver)
}

/// Resolves every name to loopback.
fn loopback(_: &str, port: u16) -> Result<Vec<SocketAddr>, NotResolved> {
    Ok(vec![([127, 0, 0, 1], port).into()])
}

/// Returns the origin of a server under another name.
fn under(name: &str, server: &MockServer) -> String {
    server.origin().replace("127.0.0.1", name)
}

fn rules(disallowed: &str) -> Reply {
    let body = format!("user-agent: *\ndisallow: {disallowed}\n").into_bytes();
    Reply::Answer { status: 200, body, max_age: None, is_plain_text: true }
}

/// Asserts that a visit is a network failure, with the access that each edition derives from it.
fn assert_network_failure(url: &str, resolver: impl Resolver) {
    let visit = client(Vec::new(), resolver).visit(url, 0).expect("a URL");
    assert_eq!(visit.replies, [Reply::Failure], "{url}");
    for edition in Edition::USUAL {
        let access = access(edition, std::slice::from_ref(&visit));
        let expected = match edition {
            Edition::GooglePre2019 => vec![Access::FullDisallow, Access::FullAllow],
            _ => vec![Access::FullDisallow],
        };
        assert_eq!(access.accesses, expected, "{edition}");
    }
}

const URLS: [&str; 3] = ["http://www.example.com/page", "https://www.example.com/", "ftp://www.example.com/"];

#[test]
fn a_name_without_an_address_is_a_network_failure() {
    for error in [NotResolved::NotFound, NotResolved::Temporary, NotResolved::TimedOut] {
        for url in URLS {
            assert_network_failure(url, move |_: &str, _: u16| Err(error));
        }
    }
    for url in URLS {
        assert_network_failure(url, |_: &str, _: u16| Ok(Vec::new()));
    }
}

#[test]
fn a_resolver_that_never_answers_is_a_network_failure() {
    for url in URLS {
        let (sender, receiver) = mpsc::channel::<()>();
        let receiver = Mutex::new(receiver);
        assert_network_failure(url, move |_: &str, _: u16| {
            // The channel stays silent until the test drops the sender.
            let _ = receiver.lock().map(|receiver| receiver.recv());
            Err(NotResolved::NotFound)
        });
        drop(sender);
    }
}

#[test]
fn a_resolver_gets_names_with_the_port_and_no_addresses() {
    let server = MockServer::start(&Played::default()).expect("the server starts");
    let resolved = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&resolved);
    let client = client(Vec::new(), move |host: &str, port: u16| {
        log.lock().expect("no thread panics").push(format!("{host}:{port}"));
        loopback(host, port)
    });
    let visit = |url: &str| client.visit(url, 0).expect("a URL").replies;
    assert_eq!(visit(&server.origin()), [rules("/private")]);
    assert_eq!(visit(&under("www.example.com", &server)), [rules("/private")]);
    // No server listens at these URLs.
    for url in ["http://[::1]:1/", "http://a.example/", "https://b.example/", "ftp://c.example/"] {
        visit(url);
    }
    let port = server.origin().rsplit(':').next().expect("a port").to_owned();
    let expected = [
        format!("www.example.com:{port}"),
        "a.example:80".into(),
        "b.example:443".into(),
        "c.example:21".into(),
    ];
    assert_eq!(*resolved.lock().expect("no thread panics"), expected);
}

/// Makes a site that redirects to a URL.
fn redirect_to(url: &str) -> Played {
    let headers = [("Location".to_owned(), format!("{url}/robots.txt"))].into();
    Played { response: Response { status: 301, headers, ..Response::default() }, ..Played::default() }
}

#[test]
fn after_a_redirect_the_rules_of_the_second_host_apply_to_the_first() {
    let www = MockServer::start(&Played::default()).expect("the server starts");
    let bare = MockServer::start(&redirect_to(&under("www.example.com", &www))).expect("the server starts");
    let visit = client(Vec::new(), loopback).visit(&under("example.com", &bare), 0).expect("a URL");
    assert_eq!(visit.replies, [Reply::Redirect { to_disallowed: false }, rules("/private")]);
    for (server, host) in [(&bare, "example.com"), (&www, "www.example.com")] {
        let requests = server.requests();
        let [request] = &requests[..] else { panic!("{requests:?}") };
        let field = request.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("host"));
        let port = server.origin().rsplit(':').next().expect("a port").to_owned();
        assert_eq!(field.map(|(_, value)| value.clone()), Some(format!("{host}:{port}")));
    }
    for edition in Edition::USUAL {
        let access = access(edition, std::slice::from_ref(&visit));
        for (path, ruling) in [("/private", Ruling::Disallow), ("/open", Ruling::Allow)] {
            assert_eq!(access.ruling(edition, "FooBot", &format!("http://example.com{path}")), Ok(ruling));
        }
    }
}

#[test]
fn a_redirect_to_a_host_without_an_address_is_a_network_failure() {
    let bare = MockServer::start(&redirect_to("http://www.example.com")).expect("the server starts");
    let resolver = |host: &str, port: u16| match host {
        "example.com" => loopback(host, port),
        _ => Err(NotResolved::NotFound),
    };
    let visit = client(Vec::new(), resolver).visit(&under("example.com", &bare), 0).expect("a URL");
    assert_eq!(visit.replies, [Reply::Redirect { to_disallowed: false }, Reply::Failure]);
}

#[test]
fn a_certificate_is_checked_against_the_name_and_not_the_address() {
    let over_tls = |certificate| Played { scheme: Scheme::Https { certificate }, ..Played::default() };
    let replies_of = |certificate, name: &str| {
        let server = MockServer::start(&over_tls(certificate)).expect("the server starts");
        let authorities = server.certificate_authority().into_iter().collect();
        client(authorities, loopback).visit(&under(name, &server), 0).expect("a URL").replies
    };
    assert_eq!(replies_of(Certificate::Good, "localhost"), [rules("/private")]);
    assert_eq!(replies_of(Certificate::Good, "www.example.com"), [Reply::Failure]);
    assert_eq!(replies_of(Certificate::OtherName, "other.invalid"), [rules("/private")]);
}

#[test]
fn over_ftp_the_client_also_uses_the_resolver() {
    let server =
        MockServer::start(&Played { scheme: Scheme::Ftp, ..Played::default() }).expect("the server starts");
    let visit = client(Vec::new(), loopback).visit(&under("ftp.example.com", &server), 0).expect("a URL");
    assert_eq!(visit.replies, [rules("/private")]);
}
