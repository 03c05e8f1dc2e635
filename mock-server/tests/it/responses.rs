//! Statuses, header fields and bodies.

use std::io::{Read, Write};

use crate::support::{End, RULES, Reply, ask, connect, get, get_robots, read_all, start, visit, with_body};
use robotspec_cases::visit::{Body, Response, Visit};
use robotspec_mock_server::{MockServer, Role};

#[test]
fn the_default_visit_is_a_file_with_rules() {
    let server = start("{}");
    let reply = get_robots(&server);
    assert_eq!((reply.status, reply.text()), (200, RULES));
    assert_eq!(reply.header("content-type"), Some("text/plain; charset=utf-8"));
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    let request = &requests[0];
    assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/robots.txt"));
    assert_eq!((request.role, request.visit, request.is_for_rules), (Role::First, 0, true));
    let host = server.origin().replace("http://", "");
    assert!(host.ends_with(&format!(":{}", request.port)));
    assert_eq!(request.headers, [("host".to_owned(), host)]);
}

#[test]
fn every_status_arrives_and_its_body_contradicts_it() {
    let server = start("{}");
    let statuses = (200..=599).chain([600, 700, 999, 1000, 65535]);
    for status in statuses {
        server
            .play(&Visit { response: Response { status, ..Response::default() }, ..Visit::default() })
            .unwrap();
        let reply = get_robots(&server);
        let body = match status {
            204 | 205 | 304 => "",
            200..=299 => RULES,
            300..=499 => "user-agent: *\ndisallow: /\n",
            _ => "user-agent: *\nallow: /\n",
        };
        assert_eq!((reply.status, reply.text()), (status, body), "{status}");
    }
}

#[test]
fn nothing_follows_an_interim_response() {
    for status in [0, 99, 100, 101, 102, 103, 199] {
        let server = start(&format!("{{answer: {{status: {status}}}}}"));
        let (bytes, end) = read_all(&mut ask(&server.origin(), "/robots.txt"));
        assert_eq!(String::from_utf8_lossy(&bytes), format!("HTTP/1.1 {status:03} \r\n\r\n"));
        assert_eq!(end, End::Closed);
    }
}

#[test]
fn a_given_body_is_sent_with_every_status() {
    for status in [200, 404, 503, 999, 1000] {
        let server = start(&format!("{{answer: {{status: {status}, body: {{disallow: [/old, /new]}}}}}}"));
        let reply = get_robots(&server);
        assert_eq!((reply.status, reply.text()), (status, "user-agent: *\ndisallow: /old\ndisallow: /new\n"));
    }
}

#[test]
fn header_fields_arrive() {
    let server = start("{answer: {status: 503, headers: {Retry-After: '120', Content-Type: image/png}}}");
    let reply = get_robots(&server);
    assert_eq!((reply.header("retry-after"), reply.header("content-type")), (Some("120"), Some("image/png")));
    assert_eq!(reply.headers.iter().filter(|(name, _)| name == "content-type").count(), 1);
}

#[test]
fn malformed_header_fields_arrive() {
    let length = start("{answer: {headers: {Content-Length: '5'}}}");
    let (bytes, _) = read_all(&mut ask(&length.origin(), "/robots.txt"));
    let reply = Reply::parse(&bytes);
    assert_eq!((reply.header("content-length"), reply.text()), (Some("5"), RULES));
    let odd = start("{answer: {headers: {Sp ace: 'Größe'}}}");
    let reply = get_robots(&odd);
    assert_eq!((reply.header("sp ace"), reply.text()), (Some("Größe"), RULES));
}

#[test]
fn bodies() {
    let bodies = [
        (Body::Empty, ""),
        (Body::Bom, "\u{feff}user-agent: *\ndisallow: /private\n"),
        (Body::Text("sitemap: x\r\n".to_owned()), "sitemap: x\r\n"),
        (Body::Disallow(Vec::new()), "user-agent: *\n"),
    ];
    for (body, text) in bodies {
        let reply = get_robots(&MockServer::start(&with_body(body)).unwrap());
        assert_eq!((reply.status, reply.text()), (200, text));
    }
}

#[test]
fn html_pages_redirect() {
    let pages = [
        (Body::MetaRefresh, "<meta http-equiv=\"refresh\" content=\"0; url=/elsewhere.txt\">"),
        (Body::Frame, "<frame src=\"/elsewhere.txt\">"),
        (Body::Script, "location.replace(\"/elsewhere.txt\")"),
    ];
    for (body, part) in pages {
        let server = MockServer::start(&with_body(body)).unwrap();
        let reply = get_robots(&server);
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/html; charset=utf-8")));
        assert!(reply.text().contains(part), "{}", reply.text());
        let elsewhere = get(&server.origin(), "/elsewhere.txt");
        assert_eq!((elsewhere.status, elsewhere.text()), (200, "user-agent: *\ndisallow: /elsewhere\n"));
        assert!(!server.requests()[1].is_for_rules);
    }
    let server = start("{answer: {body: html}}");
    assert_eq!(get_robots(&server).header("content-type"), Some("text/html; charset=utf-8"));
    assert!(!get_robots(&server).text().contains("elsewhere"));
    assert_eq!(get(&server.origin(), "/elsewhere.txt").status, 404);
}

#[test]
fn compressed_bodies_contain_the_rules() {
    let body = |body: &str, encoding: &str| {
        let reply = get_robots(&start(&format!("{{answer: {{body: {body}}}}}")));
        assert_eq!(reply.header("content-encoding"), Some(encoding));
        reply.body
    };
    let (mut gzip, mut brotli) = (String::new(), String::new());
    flate2::read::GzDecoder::new(&*body("gzip", "gzip")).read_to_string(&mut gzip).unwrap();
    brotli_decompressor::Decompressor::new(&*body("brotli", "br"), 4096).read_to_string(&mut brotli).unwrap();
    assert_eq!([&*gzip, &*brotli], [RULES; 2]);
}

#[test]
fn a_large_body_exceeds_the_limit() {
    let reply = get_robots(&start("{answer: {body: large}}"));
    let text = reply.text();
    assert!(text.starts_with(RULES));
    let late = text.find("allow: /late\n").expect("the last rule");
    assert!(late > 512_000 && late < 520_000, "{late}");
    assert_eq!(late + "allow: /late\n".len(), text.len());
    let between: Vec<&str> = text[RULES.len()..late].lines().collect();
    assert!(between.iter().all(|line| line.starts_with('#')));
}

#[test]
fn other_pages_do_not_exist() {
    let server = start("{}");
    assert_eq!(get(&server.origin(), "/").status, 404);
    server.play(&visit("{answer: {status: 503, missing-pages: 503}}")).unwrap();
    assert_eq!(get(&server.origin(), "/some/page?q").status, 503);
    assert!(!server.requests()[1].is_for_rules);
}

#[test]
fn an_absolute_target_and_a_query_select_the_same_page() {
    let server = start("{}");
    let absolute = format!("{}/robots.txt", server.origin());
    assert_eq!(get(&server.origin(), &absolute).status, 200);
    assert_eq!(get(&server.origin(), "/robots.txt?1").status, 200);
    assert_eq!(server.requests()[0].target, absolute);
}

#[test]
fn malformed_requests_do_no_harm() {
    let server = start("{}");
    for bytes in [
        &b"\x16\x03\x01\x00\x00"[..],
        b"\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad field\r\n\r\n",
    ] {
        let mut stream = connect(&server.origin());
        stream.write_all(bytes).unwrap();
        // wiremock answers 400, or closes the connection; the system may reset it, because wiremock does not read what follows
        // an error.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let (bytes, end) = read_all(&mut stream);
        assert!(bytes.is_empty() || end == End::Reset || Reply::parse(&bytes).status == 400);
    }
    assert!(server.requests().is_empty());
    for target in ["*", "//", "/%zz", "/robots.txt/", "http://other.example", "/\u{e4}"] {
        assert_eq!(get(&server.origin(), target).status, 404, "{target}");
    }
    // The server ignores the body of a request.
    let mut stream = connect(&server.origin());
    let request = "POST /robots.txt HTTP/1.1\r\nContent-Length: 100000\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    stream.write_all(&[b'x'; 100_000]).unwrap();
    let (bytes, end) = read_all(&mut stream);
    assert_eq!((Reply::parse(&bytes).status, end), (200, End::Closed));
}

#[test]
fn a_response_to_head_has_no_body() {
    let server = start("{}");
    let mut stream = connect(&server.origin());
    stream.write_all(b"HEAD /robots.txt HTTP/1.1\r\n\r\n").unwrap();
    let (bytes, _) = read_all(&mut stream);
    assert_eq!((Reply::parse(&bytes).status, Reply::parse(&bytes).text()), (200, ""));
}

#[test]
fn wiremock_serves_all_that_http_can_express() {
    let visits = [
        ("{}", true),
        ("{answer: {status: 999, headers: {Retry-After: '120'}}}", true),
        ("{hops: [301, 302], location: loop}", true),
        ("{hops: [301], location: other-port, answer: {fault: refused}}", true),
        ("{answer: {body: gzip}}", true),
        ("{answer: {body: large}}", false),
        ("{answer: {status: 1000}}", false),
        ("{answer: {headers: {Content-Length: '5'}}}", false),
        ("{answer: {fault: slow-bytes}}", false),
        ("{hops: [301], answer: {fault: reset-in-body}}", false),
        ("{}", true),
    ];
    let server = start("{}");
    for (yaml, is_wiremock) in visits {
        server.play(&visit(yaml)).unwrap();
        let (bytes, _) = read_all(&mut ask(&server.origin(), "/robots.txt"));
        // The listener sends no date.
        assert_eq!(Reply::parse(&bytes).header("date").is_some(), is_wiremock, "{yaml}");
    }
}
