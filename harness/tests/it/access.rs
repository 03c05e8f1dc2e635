//! Every row about access, end to end: a mock server plays the scenario, and the client of the tests visits it.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Expected, Query, TimedVisit, visit as site};
use robotspec_mock_server::{MockServer, SentBody};
use robotspec_reference::access::{AccessExplanation, Fetch, Reply, access};
use robotspec_test_client::{Client, ClientOptions};

/// The time limit of the client: far longer than loopback takes. A row about silence takes this long.
const PATIENCE: Duration = Duration::from_secs(3);

/// The number of rows that are played at a time; each waits most of its time.
const AT_A_TIME: usize = 16;

/// The observations of the client, and what the server found wrong with its requests.
struct Played {
    visits: Vec<Fetch>,
    violations: Vec<String>,
}

/// Makes a client that trusts the server.
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
        // A single client cannot observe these facts about a site, so the scenario supplies them.
        let stated = visit.observed();
        met.push(Fetch {
            site_answers: stated.site_answers,
            is_misconfigured: stated.is_misconfigured,
            ..observed
        });
    }
    Ok(Played { visits: met, violations: server.violations() })
}

fn access_rows() -> Vec<Check> {
    let suites = built_in().expect("the built-in suites are valid");
    let rows = suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows);
    rows.filter(|row| matches!(row.query, Query::Access { .. })).cloned().collect()
}

/// Returns the differences between the expectations of a row and the observations.
fn differences_of(row: &Check) -> Vec<String> {
    let Query::Access { visits, agent, paths } = &row.query else { return Vec::new() };
    let played = match play(visits) {
        Ok(played) => played,
        Err(error) => return vec![format!("{}: {error}", row.id)],
    };
    let mut differences: Vec<String> =
        played.violations.iter().map(|violation| format!("{}: {violation}", row.id)).collect();
    for (&edition, expected) in &row.expected {
        let Expected::Access(outcome) = expected else { continue };
        if expected.is_unspecified() {
            continue;
        }
        let explanation: AccessExplanation = access(edition, &played.visits);
        for path in paths.iter() {
            let ruling = explanation.ruling(edition, agent, path);
            if ruling != Ok(outcome[path]) {
                differences.push(format!(
                    "{} in {edition}: {path}: expected {}, got {ruling:?}; met {:?}",
                    row.id, outcome[path], played.visits
                ));
            }
        }
    }
    differences
}

#[test]
fn the_client_gets_the_result_that_every_row_expects() {
    let rows = access_rows();
    assert!(rows.len() > 100, "there are only {} rows", rows.len());
    let waiting = Mutex::new(rows.iter());
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let Some(row) = waiting.lock().expect("no thread panics").next() else { break };
                    wrong.lock().expect("no thread panics").extend(differences_of(row));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// ---- Behaviour without a row ----

/// Returns the replies that the client gets from the first site.
fn replies_of(visit: &site::Visit) -> Vec<Reply> {
    let server = MockServer::start(visit).expect("the server starts");
    client(&server).visit(&format!("{}/page", server.origin()), 0).expect("a URL").replies
}

fn rules() -> Reply {
    Reply::Answer {
        status: 200,
        body: b"user-agent: *\ndisallow: /private\n".to_vec(),
        max_age: None,
        is_plain_text: true,
    }
}

fn over_tls(certificate: site::Certificate) -> site::Visit {
    site::Visit { scheme: site::Scheme::Https { certificate }, ..site::Visit::default() }
}

#[test]
fn only_a_valid_certificate_is_accepted() {
    assert_eq!(replies_of(&over_tls(site::Certificate::Good)), [rules()]);
    for bad in [site::Certificate::SelfSigned, site::Certificate::Expired, site::Certificate::OtherName] {
        assert_eq!(replies_of(&over_tls(bad)), [Reply::Failure], "{bad:?}");
    }
}

#[test]
fn a_redirect_to_another_scheme_and_back_is_followed() {
    let there_and_back =
        site::Visit { hops: vec![301, 302], location: site::Location::ToHttps, ..site::Visit::default() };
    let redirect = || Reply::Redirect { to_disallowed: false };
    assert_eq!(replies_of(&there_and_back), [redirect(), redirect(), rules()]);
}

#[test]
fn a_compressed_file_is_decompressed() {
    for body in [site::Body::Gzip, site::Body::Brotli] {
        let response = site::Response { body: Some(body), ..site::Response::default() };
        assert_eq!(replies_of(&site::Visit { response, ..site::Visit::default() }), [rules()]);
    }
}

/// The number of bytes that satisfies the minimum of every edition.
const LIMIT: u64 = 512_000;

/// The allowance for the buffers of a connection, with those of the client: several times the measured size.
const BUFFERS: u64 = 1 << 20;

#[test]
fn a_file_is_read_to_the_limit_of_the_editions_and_no_further() {
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
        let server = MockServer::start(&visit).expect("the server starts");
        let replies = client(&server).visit(&server.origin(), 0).expect("a URL").replies;
        let [Reply::Answer { body, .. }] = &replies[..] else { panic!("{:?}", visit.scheme) };
        // One more byte distinguishes a file of the maximal size from a longer one.
        assert_eq!(body.len() as u64, LIMIT + 1);
        let sent = sent(&server);
        assert!((LIMIT..LIMIT + BUFFERS).contains(&sent.bytes), "{:?}: {sent}", visit.scheme);
    }
}

/// Waits for the end of the last response and returns what the server sent of its body.
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
fn over_ftp_the_client_uses_only_an_anonymous_login() {
    let over_ftp = |ftp: Option<site::FtpFault>| site::Visit {
        scheme: site::Scheme::Ftp,
        response: site::Response { ftp, ..site::Response::default() },
        ..site::Visit::default()
    };
    assert_eq!(replies_of(&over_ftp(None)), [rules()]);
    for fault in [site::FtpFault::LoginRefused, site::FtpFault::MissingFile, site::FtpFault::DropTransfer] {
        assert_eq!(replies_of(&over_ftp(Some(fault))), [Reply::Failure], "{fault:?}");
    }
}
