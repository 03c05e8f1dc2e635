//! The YAML form of visits, and the visits that contradict themselves.

use std::fmt::{Debug, Display};

use robotspec_cases::visit::{Body, Certificate, FtpFault, Location, NetworkFault, Response, Scheme, Visit};
use robotspec_mock_server::{MockServer, StartError};
use serde::de::DeserializeOwned;

use crate::support::{visit, with_body, with_fault};

#[test]
fn visits_in_yaml() {
    let with = |response| Visit { response, ..Visit::default() };
    let headers = [("Retry-After".to_owned(), "120".to_owned())].into();
    let ftp = Response { ftp: Some(FtpFault::MissingFile), ..Response::default() };
    for (yaml, expected) in [
        (
            "{hops: [301, 302], location: absolute, answer: {status: 200}}",
            Visit { hops: vec![301, 302], location: Location::Absolute, ..Visit::default() },
        ),
        ("{answer: {fault: reset-in-body}}", with_fault(NetworkFault::ResetInBody)),
        (
            "{answer: {status: 503, headers: {Retry-After: \"120\"}}}",
            with(Response { status: 503, headers, ..Response::default() }),
        ),
        ("{answer: {body: {disallow: [/old]}}}", with_body(Body::Disallow(vec!["/old".to_owned()]))),
        ("{answer: {body: {text: \"a\\n\"}}}", with_body(Body::Text("a\n".to_owned()))),
        ("{answer: {body: meta-refresh}}", with_body(Body::MetaRefresh)),
        ("{scheme: ftp, answer: {ftp: missing-file}}", Visit { scheme: Scheme::Ftp, ..with(ftp) }),
        ("{}", Visit::default()),
    ] {
        assert_eq!(visit(yaml), expected);
    }
}

/// Checks that an identifier selects its value in YAML and that `Display` writes it.
fn assert_identifiers<T: DeserializeOwned + Display + PartialEq + Debug>(values: &[T]) {
    for value in values {
        let id = value.to_string();
        assert!(id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{id}");
        assert_eq!(&serde_yaml::from_str::<T>(&id).unwrap(), value);
    }
}

#[test]
fn identifiers_are_those_of_yaml() {
    assert_identifiers(&Location::ALL);
    assert_identifiers(&NetworkFault::ALL);
    assert_identifiers(&FtpFault::ALL);
    assert_identifiers(&Certificate::ALL);
    assert_eq!(NetworkFault::Http09.to_string(), "http09");
    assert_eq!(Location::OtherPort.to_string(), "other-port");
}

#[test]
fn bodies_and_schemes_as_text() {
    let bodies = ["rules", "meta-refresh", "disallow [/a, /b]", "text \"a\\n\""];
    let parsed = ["rules", "meta-refresh", "{disallow: [/a, /b]}", "{text: \"a\\n\"}"];
    for (text, yaml) in bodies.iter().zip(parsed) {
        let body = visit(&format!("{{answer: {{body: {yaml}}}}}")).response.body;
        assert_eq!(body.map(|body| body.to_string()).as_deref(), Some(*text));
    }
    for (text, yaml) in [
        ("http", "http"),
        ("https", "https"),
        ("https", "{https: {}}"),
        ("https (certificate self-signed)", "{https: {certificate: self-signed}}"),
        ("ftp", "ftp"),
    ] {
        assert_eq!(visit(&format!("{{scheme: {yaml}}}")).scheme.to_string(), text);
    }
}

#[test]
fn unknown_names_are_errors() {
    let wrong = [
        "{hop: [301]}",
        "{answer: {state: 200}}",
        "{answer: {fault: explode}}",
        "{answer: {body: disallow}}",
        "{answer: {body: {disallow: [/a], text: b}}}",
        "{answer: {body: ruled}}",
        "{scheme: {https: {certificat: good}}}",
        "{scheme: {https: {certificate: bad}}}",
        "{location: OtherPort}",
    ];
    for yaml in wrong {
        assert!(serde_yaml::from_str::<Visit>(yaml).is_err(), "{yaml}");
    }
    let error = serde_yaml::from_str::<Visit>("{answer: {body: ruled}}").unwrap_err().to_string();
    assert!(error.contains("`ruled`") && error.contains("`meta-refresh`"), "{error}");
}

#[test]
fn contradictory_visits_are_rejected() {
    let wrong = [
        "{location: absolute}",
        "{location: loop}",
        "{hops: [100]}",
        "{hops: [1000]}",
        "{answer: {missing-pages: 199}}",
        "{answer: {ftp: missing-file}}",
        "{hops: [301], answer: {fault: refused}}",
        "{hops: [301, 302], location: to-https, answer: {fault: refused}}",
        "{scheme: https, answer: {fault: name-not-found}}",
        "{scheme: ftp, hops: [301]}",
        "{scheme: ftp, answer: {status: 404}}",
        "{scheme: ftp, answer: {fault: reset-in-header}}",
        "{answer: {headers: {a: \"b\\r\\nc: d\"}}}",
    ];
    let server = crate::support::start("{}");
    for yaml in wrong {
        let visit = visit(yaml);
        let error = MockServer::start(&visit).expect_err(yaml);
        assert!(matches!(error, StartError::Visit(_)), "{yaml}: {error}");
        server.play(&visit).expect_err(yaml);
    }
    assert_eq!(crate::support::get_robots(&server).status, 200, "the server still plays its visit");
}
