//! The cases of the robots.txt specification as tests: `cargo test --test robotstxt`.

use robotspec::{Fault, Info, MatchQuery, Parser, UrlParts, Verdict};

/// May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt?
fn allowed(_robots: &[u8], _agent: &str, _url: &str) -> bool {
    // FILL IN: call your parser. If it panics, only this case fails.
    true
}

// What the URL is made of, for a parser that wants something else. Remove what you do not need.

/// Returns the URL of the robots.txt.
#[allow(dead_code)]
fn robots_url(url: &str) -> String {
    format!("{}/robots.txt", UrlParts::split(url).before_path())
}

/// Returns the path and the query, without the fragment.
#[allow(dead_code)]
fn path(url: &str) -> String {
    let path = UrlParts::split(url).path_and_query();
    format!("/{}", path.strip_prefix('/').unwrap_or(path))
}

/// Returns the URL with every byte outside ASCII percent-encoded.
#[allow(dead_code)]
fn encoded(url: &str) -> String {
    url.bytes()
        .map(|byte| if byte < 128 { char::from(byte).into() } else { format!("%{byte:02X}") })
        .collect()
}

struct MyParser;

impl Parser for MyParser {
    fn info(&self) -> Info {
        Info::named(env!("CARGO_PKG_NAME"))
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(|query| allowed(robots, query.agent, query.url).into()).collect())
    }
}

// Without `variants = false`, it also tests the same files with other line ends, white space and comments.
robotspec::conformance!(MyParser, editions = [Rfc9309], variants = false);
