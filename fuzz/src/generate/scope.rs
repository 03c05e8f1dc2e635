//! Scope queries: the URL of a robots.txt, and a URL that it may govern.

use robotspec_cases::Query;

use super::dice::Dice;

const SCHEMES: [&str; 5] = ["http", "https", "ftp", "HTTP", "http"];
const HOSTS: [&str; 19] = [
    "example.com",
    "www.example.com",
    "EXAMPLE.com",
    "example.com.",
    "exämple.com",
    "xn--exmple-cua.com",
    "212.96.82.21",
    "[2001:db8::1]",
    "other.example",
    "shop.www.example.com",
    "example.co",
    "example.com.other.example",
    "notexample.com",
    "[2001:db8::2]",
    "[fe80::1%25eth0]",
    "[fe80::1%25eth1]",
    "user@example.com",
    "user:secret@example.com",
    "example.com@other.example",
];
const PORTS: [&str; 9] = ["", "", ":80", ":443", ":21", ":8181", ":", ":8", ":808"];
const ROBOTS_PATHS: [&str; 8] = [
    "/robots.txt",
    "/robots.txt",
    "/robots.txt",
    "/robots.txt",
    "/folder/robots.txt",
    "/Robots.txt",
    "/robots.txt/",
    "/robots.html",
];
const PATHS: [&str; 9] =
    ["/", "/folder/file", "/robots.txt", "/?q", "/a.html", "", "?q", "//other.example/", "/a//other.example"];

/// Makes the URL of a robots.txt, and a URL with a similar origin.
pub(super) fn make_query(dice: &mut Dice) -> Query {
    let [scheme, host, port] = [dice.pick(&SCHEMES), dice.pick(&HOSTS), dice.pick(&PORTS)];
    let (mut other_scheme, mut other_host, mut other_port) = (scheme, host.to_owned(), port);
    for _ in 0..dice.below(3) {
        match dice.below(3) {
            0 => other_scheme = dice.pick(&SCHEMES),
            1 => other_host = vary_host(dice, host),
            // Most often, one of the two URLs has the default port of the scheme, and the other none.
            _ => {
                let any = dice.pick(&PORTS);
                other_port = dice.pick(&["", default_port(scheme), default_port(scheme), any]);
            }
        }
    }
    let robots_url = format!("{scheme}://{host}{port}{}", dice.pick(&ROBOTS_PATHS));
    let url = format!("{other_scheme}://{other_host}{other_port}{}", dice.pick(&PATHS));
    match dice.one_in(2) {
        true => Query::Scope { robots_url, url },
        // The other way round, so that either host may be a subdomain of the other.
        false => Query::Scope {
            robots_url: format!("{other_scheme}://{other_host}{other_port}/robots.txt"),
            url: format!("{scheme}://{host}{port}/"),
        },
    }
}

fn default_port(scheme: &str) -> &'static str {
    match scheme {
        "https" => ":443",
        "ftp" => ":21",
        _ => ":80",
    }
}

/// Returns a similar host, or any host.
fn vary_host(dice: &mut Dice, host: &str) -> String {
    let is_name = host.starts_with(|c: char| c.is_ascii_alphabetic());
    match dice.below(6) {
        0 | 1 if is_name => format!("{}.{host}", dice.pick(&["www", "shop", "a"])),
        2 if is_name => host.to_ascii_uppercase(),
        3 if is_name => format!("{host}{}", dice.pick(&[".other.example", "munity"])),
        4 if is_name => format!("{}{host}", dice.pick(&["not", "my-", "x"])),
        3 | 4 if host.starts_with('[') => host.replace("::1", "::2"),
        _ => dice.pick(&HOSTS).to_owned(),
    }
}
