//! Redirects.

use crate::support::{End, RULES, Reply, ask, authority, get, is_refused, read_all, start, visit};
use robotspec_cases::visit::Visit;
use robotspec_mock_server::{MockServer, Role};

/// Resolves a `Location` against an `http` URL.
fn resolve(base: &str, location: &str) -> String {
    match location {
        network_path if location.starts_with("//") => format!("http:{network_path}"),
        path if location.starts_with('/') => format!("http://{}{path}", authority(base)),
        relative if !location.contains(':') => format!("{}/{relative}", base.rsplit_once('/').unwrap().0),
        url => url.to_owned(),
    }
}

fn path(url: &str) -> &str {
    &url["http://".len() + authority(url).len()..]
}

/// Follows redirects; returns the statuses, the last URL and the last response.
fn follow(server: &MockServer, most: usize) -> (Vec<u16>, String, Reply) {
    let mut url = format!("{}/robots.txt", server.origin());
    let mut statuses = Vec::new();
    loop {
        let reply = get(&url, path(&url));
        statuses.push(reply.status);
        match reply.header("location") {
            Some(location) if statuses.len() <= most => {
                let body = if reply.status == 304 { "" } else { "user-agent: *\ndisallow: /\n" };
                assert_eq!(reply.text(), body);
                url = resolve(&url, location);
            }
            _ => return (statuses, url, reply),
        }
    }
}

#[test]
fn location_relative() {
    let server = start("{hops: [301, 302, 303, 307, 308], answer: {status: 404}}");
    let location = get(&server.origin(), "/robots.txt").header("location").map(str::to_owned);
    assert_eq!(location.as_deref(), Some("/robots-1.txt"));
    let (statuses, url, reply) = follow(&server, 10);
    assert_eq!(statuses, [301, 302, 303, 307, 308, 404]);
    assert_eq!(url, format!("{}/robots-5.txt", server.origin()));
    assert_eq!(reply.text(), "user-agent: *\ndisallow: /\n");
    assert!(server.requests().iter().all(|request| request.role == Role::First && request.is_for_rules));
}

#[test]
fn every_status_redirects() {
    let server = start("{}");
    for status in 300..=399 {
        server.play(&Visit { hops: vec![status], ..Visit::default() }).unwrap();
        let (statuses, _, reply) = follow(&server, 10);
        assert_eq!((statuses, reply.text()), (vec![status, 200], RULES));
    }
}

#[test]
fn location_absolute() {
    let server = start("{hops: [301, 302], location: absolute}");
    let location = get(&server.origin(), "/robots.txt").header("location").map(str::to_owned);
    assert_eq!(location, Some(format!("{}/robots-1.txt", server.origin())));
    let (statuses, url, reply) = follow(&server, 10);
    assert_eq!((statuses, reply.text()), (vec![301, 302, 200], RULES));
    assert_eq!(url, format!("{}/robots-2.txt", server.origin()));
}

#[test]
fn location_other_port() {
    let server = start("{hops: [301, 302], location: other-port, answer: {body: {disallow: [/there]}}}");
    let (statuses, url, reply) = follow(&server, 10);
    assert_eq!((statuses, reply.text()), (vec![301, 302, 200], "user-agent: *\ndisallow: /there\n"));
    assert_ne!(authority(&url), authority(&server.origin()));
    let requests = server.requests();
    let roles: Vec<Role> = requests.iter().map(|request| request.role).collect();
    assert_eq!(roles, [Role::First, Role::Other, Role::Other]);
    assert!(authority(&url).ends_with(&format!(":{}", requests[1].port)));
    assert_eq!(get(&url, "/robots.txt").status, 404, "the other origin has no file of its own");
}

#[test]
fn location_relative_path() {
    let server = start("{hops: [301, 302], location: relative-path}");
    let location = |path| get(&server.origin(), path).header("location").map(str::to_owned);
    assert_eq!(location("/robots.txt").as_deref(), Some("rules/robots-1.txt"));
    assert_eq!(location("/rules/robots-1.txt").as_deref(), Some("robots-2.txt"));
    let (statuses, url, reply) = follow(&server, 10);
    assert_eq!((statuses, reply.text()), (vec![301, 302, 200], RULES));
    assert_eq!(path(&url), "/rules/robots-2.txt");
}

#[test]
fn location_network_path() {
    let server = start("{hops: [301, 302], location: network-path}");
    let first = get(&server.origin(), "/robots.txt").header("location").map(str::to_owned).unwrap();
    assert!(first.starts_with("//127.0.0.1:") && first.ends_with("/robots-1.txt"), "{first}");
    let (statuses, url, reply) = follow(&server, 10);
    assert_eq!((statuses, reply.text()), (vec![301, 302, 200], RULES));
    assert_ne!(authority(&url), authority(&server.origin()));
    assert_eq!(get(&url, "/robots-1.txt").header("location"), Some("/robots-2.txt"));
}

#[test]
fn pages_of_a_site_for_crawlers() {
    let server = start("{site: moved}");
    let reply = get(&server.origin(), "/moved");
    assert_eq!((reply.status, reply.header("location")), (302, Some("/private")));
    let folder = start("{site: folder}");
    assert_eq!(get(&folder.origin(), "/folder/robots.txt").text(), "user-agent: *\nallow: /\n");
    let server = start("{site: moved-to-other-port}");
    assert_eq!(get(&server.origin(), "/robots.txt").text(), RULES);
    let beyond = get(&server.origin(), "/moved").header("location").map(str::to_owned).unwrap();
    assert_eq!(get(&beyond, "/robots.txt").text(), "user-agent: *\ndisallow: /\n");
    assert_eq!(path(&beyond), "/private?there");
    assert_eq!(server.requests().last().map(|request| request.role), Some(Role::Other));
}

#[test]
fn location_missing_and_invalid() {
    for (location, header) in [("missing", None), ("invalid", Some("http://[:::/robots.txt"))] {
        let server = start(&format!("{{hops: [302], location: {location}}}"));
        let reply = get(&server.origin(), "/robots.txt");
        assert_eq!((reply.status, reply.header("location")), (302, header));
    }
}

#[test]
fn location_loop() {
    let one = start("{hops: [301], location: loop}");
    assert_eq!(get(&one.origin(), "/robots.txt").header("location"), Some("/robots.txt"));
    let two = start("{hops: [301, 302], location: loop}");
    assert_eq!(follow(&two, 6).0, [301, 302, 301, 302, 301, 302, 301]);
}

#[test]
fn location_disallowed() {
    let server = start("{hops: [302, 302], location: disallowed, answer: {body: {disallow: [/a]}}}");
    let (statuses, url, reply) = follow(&server, 10);
    assert_eq!((statuses, reply.text()), (vec![302, 302, 200], "user-agent: *\ndisallow: /a\n"));
    assert_eq!(path(&url), "/private/robots-2.txt");
    assert_eq!(server.requests()[1].target, "/private/robots.txt");
    assert_eq!(get(&url, "/robots.txt").text(), "user-agent: *\ndisallow: /private\n");
}

#[test]
fn a_fault_follows_the_last_redirect() {
    let server = start("{hops: [301], answer: {fault: close-without-answer}}");
    assert_eq!(get(&server.origin(), "/robots.txt").status, 301);
    let end = read_all(&mut ask(&server.origin(), "/robots-1.txt"));
    assert_eq!(end, (Vec::new(), End::Closed));
}

#[test]
fn another_port_can_refuse() {
    let server = start("{hops: [301], location: other-port, answer: {fault: refused}}");
    let reply = get(&server.origin(), "/robots.txt");
    assert!(is_refused(reply.header("location").unwrap()));
    server.play(&visit("{hops: [301], location: other-port}")).unwrap();
    assert_eq!(follow(&server, 10).0, [301, 200]);
}

#[test]
fn a_redirect_can_lead_to_an_unknown_name() {
    let server = start("{hops: [301, 302], answer: {fault: name-not-found}}");
    assert_eq!(get(&server.origin(), "/robots.txt").header("location"), Some("/robots-1.txt"));
    let last = get(&server.origin(), "/robots-1.txt");
    assert_eq!(last.header("location"), Some("http://robotspec-nowhere.invalid/robots-2.txt"));
    server.play(&visit("{hops: [301], location: missing, answer: {fault: name-not-found}}")).unwrap();
    assert_eq!(get(&server.origin(), "/robots.txt").header("location"), None);
}
