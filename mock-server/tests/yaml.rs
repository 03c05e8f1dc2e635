//! Visits as they are written, and which make no sense.

mod support;

use robotspec_mock_server::{
    Answer, Body, Certificate, Fault, FtpFault, Location, MockServer, Scheme, StartError, Visit,
};
use support::visit;

fn with(answer: Answer) -> Visit {
    Visit { answer, ..Visit::default() }
}

#[test]
fn visits_read_well() {
    let hops = Visit { hops: vec![301, 302], location: Location::Absolute, ..Visit::default() };
    assert_eq!(visit("{hops: [301, 302], location: absolute, answer: {status: 200}}"), hops);
    let fault = with(Answer { fault: Some(Fault::ResetInBody), ..Answer::default() });
    assert_eq!(visit("{answer: {fault: reset-in-body}}"), fault);
    let headers = [("Retry-After".to_owned(), "120".to_owned())].into();
    let retry = with(Answer { status: 503, headers, ..Answer::default() });
    assert_eq!(visit("{answer: {status: 503, headers: {Retry-After: \"120\"}}}"), retry);
    let disallow = Some(Body::Disallow(vec!["/old".to_owned()]));
    assert_eq!(
        visit("{answer: {body: {disallow: [/old]}}}"),
        with(Answer { body: disallow, ..Answer::default() })
    );
    let text = Some(Body::Text("a\n".to_owned()));
    assert_eq!(visit("{answer: {body: {text: \"a\\n\"}}}"), with(Answer { body: text, ..Answer::default() }));
    let refresh = Some(Body::MetaRefresh);
    assert_eq!(visit("{answer: {body: meta-refresh}}"), with(Answer { body: refresh, ..Answer::default() }));
    let ftp = Answer { ftp: Some(FtpFault::MissingFile), ..Answer::default() };
    let ftp = Visit { scheme: Scheme::Ftp, answer: ftp, ..Visit::default() };
    assert_eq!(visit("{scheme: ftp, answer: {ftp: missing-file}}"), ftp);
    assert_eq!(visit("{answer: {fault: http09}}").answer.fault, Some(Fault::Http09));
    assert_eq!(visit("{}"), Visit::default());
}

#[test]
fn schemes_read_well() {
    let https = |certificate| Scheme::Https { certificate };
    assert_eq!(visit("{scheme: http}").scheme, Scheme::Http);
    assert_eq!(visit("{scheme: https}").scheme, https(Certificate::Good));
    assert_eq!(visit("{scheme: {https: {}}}").scheme, https(Certificate::Good));
    assert_eq!(visit("{scheme: {https: {certificate: self-signed}}}").scheme, https(Certificate::SelfSigned));
    assert_eq!(visit("{scheme: {https: {certificate: other-name}}}").scheme, https(Certificate::OtherName));
}

#[test]
fn what_is_misspelt_is_an_error() {
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
fn what_makes_no_sense_is_not_played() {
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
        "{scheme: ftp, answer: {fault: reset-in-body}}",
        "{answer: {headers: {a: \"b\\r\\nc: d\"}}}",
    ];
    let server = support::start("{}");
    for yaml in wrong {
        let visit = visit(yaml);
        let error = MockServer::start(&visit).expect_err(yaml);
        assert!(matches!(error, StartError::Visit(_)), "{yaml}: {error}");
        server.play(&visit).expect_err(yaml);
    }
    assert_eq!(support::robots(&server).status, 200, "it still plays what it played");
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_admits_what_is_read() {
    let schema = schemars::schema_for!(Visit).to_value();
    let scheme = schema["$defs"]["Scheme"]["oneOf"].as_array().expect("variants");
    assert!(scheme.iter().any(|variant| variant["const"] == "https"), "{scheme:#?}");
    let body = schema["$defs"]["Body"]["oneOf"].as_array().expect("variants");
    assert!(body.iter().any(|variant| variant["properties"]["disallow"]["type"] == "array"), "{body:#?}");
    assert_eq!(schema["additionalProperties"], false);
    assert!(schema["required"].is_null(), "everything has a default");
}
