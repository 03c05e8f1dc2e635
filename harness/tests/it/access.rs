//! Every row about access, end to end: a live server plays it, and the
//! reference's own client asks.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use robotspec_cases::suite::built_in;
use robotspec_cases::{Expected, Query, Row, TimedVisit};
use robotspec_mock_server as site;
use robotspec_mock_server::{MockServer, RecordedRequest, Role, SentBody};
use robotspec_reference::access::{AccessExplanation, Reply, Visit, access};
use robotspec_reference::client::{Client, ClientOptions};

/// How long the client waits: far longer than loopback takes, and what a row
/// about silence costs.
const PATIENCE: Duration = Duration::from_secs(3);

/// How many rows are played side by side; most of their time they wait.
const SIDE_BY_SIDE: usize = 16;

/// What the client met, and what the server saw of it.
struct Played {
    visits: Vec<Visit>,
    requests: Vec<RecordedRequest>,
    departures: Vec<String>,
}

/// A client that trusts the server.
fn client(server: &MockServer) -> Client {
    let authorities = server.certificate_authority().into_iter().collect();
    Client::new("FooBot", ClientOptions { timeout: PATIENCE, authorities, ..ClientOptions::default() })
}

fn play(visits: &[TimedVisit]) -> Result<Played, String> {
    let server = MockServer::start(&visits[0].visit).map_err(|error| error.to_string())?;
    let client = client(&server);
    let mut met = Vec::new();
    for visit in visits {
        server.play(&visit.visit).map_err(|error| error.to_string())?;
        let observed = client.visit(&server.origin(), visit.at).map_err(|error| error.to_string())?;
        // What a single client cannot see of a site, the scenario tells.
        let told = visit.observed();
        met.push(Visit {
            site_answers: told.site_answers,
            is_misconfigured: told.is_misconfigured,
            ..observed
        });
    }
    let departures = server.violations().iter().map(ToString::to_string).collect();
    Ok(Played { visits: met, requests: server.requests(), departures })
}

fn access_rows() -> Vec<Row> {
    let suites = built_in().expect("the suites inside are sound");
    let rows = suites.into_iter().flat_map(|suite| suite.cases).flat_map(|case| case.rows);
    rows.filter(|row| matches!(row.query, Query::Access { .. })).collect()
}

/// What is wrong with what the client met.
fn wrongs(row: &Row) -> Vec<String> {
    let Query::Access { visits, agent, paths } = &row.query else { return Vec::new() };
    let played = match play(visits) {
        Ok(played) => played,
        Err(error) => return vec![format!("{}: {error}", row.id)],
    };
    let mut wrongs: Vec<String> =
        played.departures.iter().map(|departure| format!("{}: {departure}", row.id)).collect();
    for (&edition, expected) in &row.expected {
        let Expected::Access(outcome) = expected else { continue };
        if expected.is_unspecified() {
            continue;
        }
        let explanation: AccessExplanation = access(edition, &played.visits);
        for path in paths.iter() {
            let ruling = explanation.ruling(edition, agent, path);
            if ruling != Ok(outcome[path]) {
                wrongs.push(format!(
                    "{} in {edition}: {path}: expected {}, got {ruling:?}; met {:?}",
                    row.id, outcome[path], played.visits
                ));
            }
        }
    }
    wrongs
}

#[test]
fn the_client_comes_to_what_every_row_expects() {
    let rows = access_rows();
    assert!(rows.len() > 100, "there are but {} rows", rows.len());
    let waiting = Mutex::new(rows.iter());
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                loop {
                    let Some(row) = waiting.lock().expect("no thread panics").next() else { break };
                    wrong.lock().expect("no thread panics").extend(wrongs(row));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The requests of the client at the first origin, in the row with this id.
fn requests_of(id: &str) -> Vec<RecordedRequest> {
    let rows = access_rows();
    let row = rows.iter().find(|row| row.id.to_string() == id).expect(id);
    let Query::Access { visits, .. } = &row.query else { panic!("{id} is no row about access") };
    play(visits).expect(id).requests
}

#[test]
fn the_client_asks_by_a_plain_get_for_robots_txt() {
    let requests = requests_of("access/unconditional#again");
    assert_eq!(requests.len(), 2);
    for request in requests {
        assert_eq!((&*request.method, &*request.target, request.role), ("GET", "/robots.txt", Role::First));
        let names = |name: &str| request.headers.iter().any(|(field, _)| field.eq_ignore_ascii_case(name));
        assert!(names("user-agent") && names("host"));
        assert!(!names("if-none-match") && !names("if-modified-since"));
    }
}

#[test]
fn the_client_asks_once_for_each_hop() {
    assert_eq!(requests_of("access/redirects#hops-5").len(), 6);
    assert_eq!(requests_of("access/many-redirects#hops-10").len(), 11);
    let requests = requests_of("access/redirect-to-another-origin#and-on");
    let roles: Vec<Role> = requests.iter().map(|request| request.role).collect();
    assert_eq!(roles, [Role::First, Role::Other, Role::Other]);
}

#[test]
fn the_client_comes_to_an_end_of_endless_redirects() {
    assert_eq!(requests_of("access/endless-redirects#loop").len(), 21);
}

// ---- What no row is about ----

/// What the client meets at the first site.
fn meets(visit: &site::Visit) -> Vec<Reply> {
    let server = MockServer::start(visit).expect("it can be played");
    client(&server).visit(&format!("{}/page", server.origin()), 0).expect("a URL").replies
}

fn rules() -> Reply {
    Reply::Answer { status: 200, body: b"user-agent: *\ndisallow: /private\n".to_vec(), max_age: None }
}

fn over_tls(certificate: site::Certificate) -> site::Visit {
    site::Visit { scheme: site::Scheme::Https { certificate }, ..site::Visit::default() }
}

#[test]
fn a_certificate_has_to_be_good() {
    assert_eq!(meets(&over_tls(site::Certificate::Good)), [rules()]);
    for bad in [site::Certificate::SelfSigned, site::Certificate::Expired, site::Certificate::OtherName] {
        assert_eq!(meets(&over_tls(bad)), [Reply::Failure], "{bad:?}");
    }
}

#[test]
fn a_redirect_leads_to_another_scheme_and_back() {
    let there_and_back =
        site::Visit { hops: vec![301, 302], location: site::Location::ToHttps, ..site::Visit::default() };
    let redirect = || Reply::Redirect { to_disallowed: false };
    assert_eq!(meets(&there_and_back), [redirect(), redirect(), rules()]);
}

#[test]
fn a_coded_file_is_decoded() {
    for body in [site::Body::Gzip, site::Body::Brotli] {
        let response = site::Response { body: Some(body), ..site::Response::default() };
        assert_eq!(meets(&site::Visit { response, ..site::Visit::default() }), [rules()]);
    }
}

/// Every edition wants so much to be read.
const LIMIT: u64 = 512_000;

/// What the buffers of a connection hold, the client's own among them; several times of what was seen.
const BUFFERS: u64 = 1 << 20;

#[test]
fn a_file_is_read_as_far_as_every_edition_asks_and_no_further() {
    let answer = |response| site::Visit { response, ..site::Visit::default() };
    let long =
        site::Response { body: Some(site::Body::Text("#".repeat(16 << 20))), ..site::Response::default() };
    let endless =
        site::Response { fault: Some(site::NetworkFault::EndlessBody), ..site::Response::default() };
    let scheme = site::Scheme::Https { certificate: site::Certificate::Good };
    for visit in [
        answer(long.clone()),
        answer(endless),
        site::Visit { scheme, ..answer(long.clone()) },
        site::Visit { scheme: site::Scheme::Ftp, ..answer(long) },
    ] {
        let server = MockServer::start(&visit).expect("it can be played");
        let replies = client(&server).visit(&server.origin(), 0).expect("a URL").replies;
        let [Reply::Answer { body, .. }] = &replies[..] else { panic!("{:?}", visit.scheme) };
        // One more tells a file of just that size from a longer one.
        assert_eq!(body.len() as u64, LIMIT + 1);
        let sent = sent(&server);
        // The buffers of FTP's data connection are not ours.
        if visit.scheme != site::Scheme::Ftp {
            assert!((LIMIT..LIMIT + BUFFERS).contains(&sent.bytes), "{:?}: {sent}", visit.scheme);
        }
    }
}

/// What was sent to the last request, when it is over.
fn sent(server: &MockServer) -> SentBody {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let body = server.requests().last().and_then(|request| request.body);
        if let Some(body) = body.filter(|body| body.is_over) {
            return body;
        }
        assert!(Instant::now() < patience, "{body:?}");
        thread::yield_now();
    }
}

#[test]
fn over_ftp_the_file_is_had_by_an_anonymous_login_or_not_at_all() {
    let over_ftp = |ftp: Option<site::FtpFault>| site::Visit {
        scheme: site::Scheme::Ftp,
        response: site::Response { ftp, ..site::Response::default() },
        ..site::Visit::default()
    };
    assert_eq!(meets(&over_ftp(None)), [rules()]);
    for fault in [site::FtpFault::LoginRefused, site::FtpFault::MissingFile, site::FtpFault::DropTransfer] {
        assert_eq!(meets(&over_ftp(Some(fault))), [Reply::Failure], "{fault:?}");
    }
}
