//! Pairs of URLs: a robots.txt, and what it may govern.

use super::dice::Dice;
use crate::implementation::BatchRequest;

const SCHEMES: [&str; 3] = ["http", "https", "ftp"];
const HOSTS: [&str; 11] = [
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
];
const PORTS: [&str; 6] = ["", "", ":80", ":443", ":21", ":8181"];
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
const PATHS: [&str; 5] = ["/", "/folder/file", "/robots.txt", "/?q", "/a.html"];

/// A robots.txt and a URL that has much of its origin.
pub(super) fn scope(dice: &mut Dice) -> BatchRequest {
    let of_robots = [dice.pick(&SCHEMES), dice.pick(&HOSTS), dice.pick(&PORTS)];
    let mut of_url = of_robots;
    for _ in 0..dice.below(3) {
        match dice.below(3) {
            0 => of_url[0] = dice.pick(&SCHEMES),
            1 => of_url[1] = dice.pick(&HOSTS),
            _ => of_url[2] = dice.pick(&PORTS),
        }
    }
    let url = |[scheme, host, port]: [&str; 3], path| format!("{scheme}://{host}{port}{path}");
    BatchRequest::Scope {
        robots_url: url(of_robots, dice.pick(&ROBOTS_PATHS)),
        url: url(of_url, dice.pick(&PATHS)),
    }
}
